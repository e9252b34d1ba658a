/** The name of a workflow, and how long it may be: interface.md sections 2 and 8. */

import type { Flow } from '../flow/flow.ts'
import { at, membersOf } from '../reading/locate.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import { fail, inconclusive, type Observation, pass } from './check.ts'
import { mustBeRefused, refusalOf, show, telling } from './shared.ts'

/** A refusal is to blame on what was sent only while a plain workflow is still accepted. */
export async function refusal(flow: Flow, answer: Exchange, what: string): Promise<Observation> {
  return (await flow.stillCreates())
    ? fail(`${label(answer)} to ${what}.`)
    : inconclusive(`${label(answer)} to ${what}, and then to a plain workflow too.`)
}

/** The name that details show, in the place where the first workflow's details show its name; nothing where none does. */
export async function shownName(flow: Flow, { json }: Exchange): Promise<string | undefined> {
  const { sent, details } = await flow.workflow(1)
  // Where workflows cannot be told apart, their names cannot be compared.
  await flow.workflow(2)
  const place = membersOf(details.json).find(({ value }) => value === sent.name)
  const name = place && at(json, place.pointer)
  return typeof name === 'string' ? name : undefined
}

/** What is wrong with a name of letters beyond ASCII, where names are shown and such a name is accepted. */
export async function accentedName(flow: Flow) {
  const name = `${flow.samples.name()} Prüfung`
  const created = telling(await flow.create(flow.samples.workflow({ name })))
  if (!succeeded(created)) return undefined
  const { details } = await flow.read(created, { name })
  const shown = await shownName(flow, details)
  return shown !== undefined && shown.normalize('NFC') !== name
    ? fail(`The workflow was named ${show(name)}, and is shown as ${show(shown)}.`)
    : undefined
}

/** 100 characters are taken, however many bytes they are; 101 are not. */
export async function nameLimit(flow: Flow) {
  await flow.workflow(2)
  const send = (name: string) => flow.create(flow.samples.workflow({ name }))
  for (const filler of ['x', 'é', '&']) {
    const name = flow.samples.nameOf(100, filler)
    const longest = await send(name)
    if (!succeeded(longest)) {
      // Where a short name of such characters is refused too, its length is not to blame.
      const short = await send(`${flow.samples.name()} ${filler}`)
      if (filler !== 'x' && !succeeded(telling(short))) continue
      return refusal(flow, longest, `a name of 100 characters (${new TextEncoder().encode(name).byteLength} bytes)`)
    }
    const { details } = await flow.read(longest, { name })
    const kept = await shownName(flow, details)
    if (kept !== undefined && kept !== name && name.startsWith(kept)) {
      return fail(`A name of 100 characters is cut to ${[...kept].length}.`)
    }
    const tooLong = flow.samples.nameOf(101, filler)
    const longer = await refusalOf(() => send(tooLong))
    const observation = mustBeRefused(longer, longest, 'a name of 101 characters')
    if (observation.verdict === 'fail') return observation
  }
  return pass('100 characters are taken, 101 are refused.')
}
