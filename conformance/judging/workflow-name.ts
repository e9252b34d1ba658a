/** The name of a workflow and its length: interface.md sections 2 and 8. */
import { stillCreates } from '../diagnosis/diagnoses.ts'
import { type Evidence, sentBody, wasCarriedOut } from '../evidence/evidence.ts'
import { show } from '../evidence/show.ts'
import { comparedAt, nameShown } from '../evidence/shown.ts'
import { sideWorkflow, type WorkflowBody, workflow } from '../evidence/workflows.ts'
import { isSameLeaf } from '../reading/places.ts'
import { describeRefusal, type Exchange } from '../wire/exchange.ts'
import { fail, inconclusive, type Observation, pass } from './check.ts'
import { mustBeRefused, refusalOf, requireConclusive } from './shared.ts'

/** Fails for a refusal, but only if an ordinary workflow is still accepted. Otherwise the content is not the reason. */
export function judgeRefusal(evidence: Evidence, exchange: Exchange, what: string): Observation {
  return stillCreates(evidence)
    ? fail(`${describeRefusal(exchange)} to ${what}.`, 'outcome', { exchange })
    : inconclusive(`${describeRefusal(exchange)} to ${what}, and then also to an ordinary workflow.`)
}

/** Returns the failure if a name with letters beyond ASCII is accepted but shown wrongly. */
export function accentedName(evidence: Evidence): Observation | undefined {
  if (!wasCarriedOut(evidence, requireConclusive(evidence.last('create accented')))) return undefined
  const { sent, details } = sideWorkflow(evidence, 'create accented', 'read accented')
  const shown = nameShown(evidence, details)
  if (shown === undefined || isSameLeaf(shown.value, sent.name)) return undefined
  const message = `The name was sent as ${show(sent.name)}, but is shown as ${show(shown.value)}.`
  return fail(message, shown.finding, comparedAt(shown, sent.name))
}

/** Checks that names of 100 characters are accepted, however many bytes they have, and that names of 101 are refused. */
export function nameLimit(evidence: Evidence): Observation {
  workflow(evidence, 2)
  for (const filler of ['plain', 'accented', 'reserved'] as const) {
    const longest = evidence.last(`create with 100 ${filler}`)
    const { name } = sentBody<WorkflowBody>(longest)
    if (!wasCarriedOut(evidence, longest)) {
      // If a short name of such characters is refused too, the length is not the reason.
      if (filler !== 'plain') {
        const short = requireConclusive(evidence.last(`create with few ${filler}`))
        if (!wasCarriedOut(evidence, short)) continue
      }
      const bytes = new TextEncoder().encode(name).byteLength
      return judgeRefusal(evidence, longest, `a name of 100 characters (${bytes} bytes)`)
    }
    const { details } = sideWorkflow(evidence, `create with 100 ${filler}`, `read with 100 ${filler}`)
    const shown = nameShown(evidence, details)
    const kept = String(shown?.value)
    if (shown && kept !== name && name.startsWith(kept)) {
      return fail(
        `A name of 100 characters is shown with only ${[...kept].length}.`,
        shown.finding,
        comparedAt(shown, name),
      )
    }
    const longer = refusalOf(evidence, `create with 101 ${filler}`)
    const observation = mustBeRefused(longer, longest, 'a name of 101 characters', sentBody<WorkflowBody>(longer).name)
    if (observation.verdict === 'fail') return observation
  }
  return pass('Names of 100 characters are accepted, and names of 101 are refused.')
}
