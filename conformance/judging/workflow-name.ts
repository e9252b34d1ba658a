/** The name of a workflow, and how long it may be: interface.md sections 2 and 8. */
import { stillCreates } from '../diagnosis/diagnoses.ts'
import { type Evidence, sentBody } from '../evidence/evidence.ts'
import { show } from '../evidence/show.ts'
import { nameShown } from '../evidence/shown.ts'
import { sideWorkflow, type WorkflowBody, workflow } from '../evidence/workflows.ts'
import { isSameLeaf } from '../reading/places.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import { fail, inconclusive, type Observation, pass } from './check.ts'
import { mustBeRefused, refusalOf, requireConclusive } from './shared.ts'

/** A refusal is to blame on what was sent only while a plain workflow is still accepted. */
export function judgeRefusal(evidence: Evidence, answer: Exchange, what: string): Observation {
  return stillCreates(evidence)
    ? fail(`${label(answer)} to ${what}.`, 'outcome')
    : inconclusive(`${label(answer)} to ${what}, and then to a plain workflow too.`)
}

/** Says what is wrong with a name of letters beyond ASCII, if names are shown and such a name is accepted. */
export function accentedName(evidence: Evidence): Observation | undefined {
  if (!succeeded(requireConclusive(evidence.last('create accented')))) return undefined
  const { sent, details } = sideWorkflow(evidence, 'create accented', 'read accented')
  const shown = nameShown(evidence, details)
  if (shown === undefined || isSameLeaf(shown.value, sent.name)) return undefined
  const message = `The workflow was named ${show(sent.name)}, and is shown as ${show(shown.value)}.`
  return fail(message, shown.finding)
}

/** 100 characters are taken, however many bytes they are; 101 are not. */
export function nameLimit(evidence: Evidence): Observation {
  workflow(evidence, 2)
  for (const filler of ['plain', 'accented', 'reserved'] as const) {
    const longest = evidence.last(`create with 100 ${filler}`)
    const { name } = sentBody<WorkflowBody>(longest)
    if (!succeeded(longest)) {
      // If a short name of such characters is refused too, its length is not to blame.
      if (filler !== 'plain' && !succeeded(requireConclusive(evidence.last(`create with few ${filler}`)))) continue
      const bytes = new TextEncoder().encode(name).byteLength
      return judgeRefusal(evidence, longest, `a name of 100 characters (${bytes} bytes)`)
    }
    const { details } = sideWorkflow(evidence, `create with 100 ${filler}`, `read with 100 ${filler}`)
    const shown = nameShown(evidence, details)
    const kept = String(shown?.value)
    if (shown && kept !== name && name.startsWith(kept)) {
      return fail(`A name of 100 characters is cut to ${[...kept].length}.`, shown.finding)
    }
    const longer = refusalOf(evidence, `create with 101 ${filler}`)
    const observation = mustBeRefused(longer, longest, 'a name of 101 characters')
    if (observation.verdict === 'fail') return observation
  }
  return pass('100 characters are taken, 101 are refused.')
}
