/** The name of a workflow and its length: interface.md sections 2 and 8. */

import { stillCreates } from '../diagnosis/diagnoses.ts'
import { type Evidence, sentBody, wasCarriedOut } from '../evidence/evidence.ts'
import { type WorkflowBody, workflow } from '../evidence/workflows.ts'
import { findingOf } from '../model/findings.ts'
import { describeAnswer, describeRefusal, type Exchange, succeededLike } from '../wire/exchange.ts'
import { fail, inconclusive, type Observation, pass } from './check.ts'
import { bindingsOf, comparedOf } from './field.ts'
import { refusalOf, requireConclusive } from './shared.ts'

/** Fails for a refusal, but only if an ordinary workflow is still accepted. Otherwise the content is not the reason. */
export function judgeRefusal(evidence: Evidence, exchange: Exchange, what: string): Observation {
  return stillCreates(evidence)
    ? fail(`${describeRefusal(exchange)} to ${what}.`, 'outcome', { exchange })
    : inconclusive(`${describeRefusal(exchange)} to ${what}, and then also to an ordinary workflow.`)
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
    const cut = cutName(evidence, name)
    if (cut) return cut
    const exchange = refusalOf(evidence, `create with 101 ${filler}`)
    if (!succeededLike(exchange, longest)) continue
    const sent = sentBody<WorkflowBody>(exchange).name
    return fail(`${describeAnswer(exchange)} to a name of 101 characters.`, 'outcome', { exchange, sent })
  }
  return pass('Names of 100 characters are accepted, and names of 101 are refused.')
}

/** Fails if a name that was accepted is shown without its end. */
function cutName(evidence: Evidence, name: string): Observation | undefined {
  const bindings = bindingsOf(evidence, { answers: ['created', 'details'], fact: 'name' })
  for (const binding of bindings.filter(({ strength }) => strength !== 'likely')) {
    const cut = binding.against.find(({ sent, shown }) => sent === name && name.startsWith(String(shown)))
    if (!cut) continue
    const message = `A name of 100 characters is shown with only ${[...String(cut.shown)].length}.`
    return fail(message, findingOf(binding, cut.shown), comparedOf(cut))
  }
  return undefined
}
