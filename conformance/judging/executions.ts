import { workflowsRead } from '../evidence/details-read.ts'
import { confirmed } from '../evidence/documents.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { resultIfSucceeded } from '../evidence/evidence.ts'
import {
  executedAgain,
  executedDetails,
  execution,
  executionShownIn,
  executions,
  listOfExecutions,
  oddDocument,
} from '../evidence/executions.ts'
import { show } from '../evidence/show.ts'
import { counterAt, counters, still } from '../evidence/shown.ts'
import { workflow } from '../evidence/workflows.ts'
import { documentFinding, findingOf } from '../model/findings.ts'
import { boundIn } from '../model/samples.ts'
import { moreThanStarted } from '../reading/contradictions/counts.ts'
import { countersIn, countIn, countsExecutions } from '../reading/counts.ts'
import type { Finding } from '../reading/finding.ts'
import { lastName, parentOf, valueAt } from '../reading/locate.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'
import { describeAnswer } from '../wire/exchange.ts'
import type { Recorded } from '../wire/record.ts'
import { accepted, type Checks, fail, inconclusive, type Observation, pass } from './check.ts'
import { judgeChoice } from './chosen-approvers.ts'
import { bindingsOf, comparedOf } from './field.ts'
import { notStarted, stepSucceeds } from './shared.ts'
import { neverBegun } from './step-order.ts'

const executed = (evidence: Evidence) => execution(evidence, 1).exchange

export const executionChecks: Checks = {
  'execute-workflow.method-and-path': stepSucceeds(executed),
  'flow.document-id-refers-to-upload'(evidence) {
    const [first, second] = [execution(evidence, 1), execution(evidence, 2)]
    // The other file with an unusual name has the same bytes as the third.
    const [third] = oddDocument(evidence, 'accented')
    const others = [
      { id: second.documentId, exchange: () => confirmed(evidence, 2) },
      ...(third ? [{ id: String(third.value), exchange: () => evidence.last('confirm upload accented') }] : []),
    ]
    const ids = [first.documentId, ...others.map(({ id }) => id)]
    const same = others.find(({ id }, place) => ids.indexOf(id) <= place)
    return same
      ? fail(
          `Two uploads have the same document_id, ${show(same.id)}.`,
          documentFinding(first, 'executing with it was accepted'),
          {
            exchange: same.exchange(),
            shown: same.id,
          },
        )
      : pass('Each upload has its own document_id.')
  },
  'execute-workflow.chooses-approvers': judgeChoice,
  'execute-workflow.starts-execution'(evidence) {
    const { shown, after } = executedDetails(evidence, 1)
    // Further attempts repeat the second execution only if the first one was shown.
    const lost = shown === 'no' ? undefined : (lostAgain(evidence) ?? neverBegun(evidence))
    if (lost) return lost
    const [counted] = counters(evidence).filter(({ strength }) => strength === 'proven')
    if (counted) return pass(`The details count the execution at ${counted.place}.`)
    switch (shown) {
      case 'yes':
        return pass('The details show the execution.')
      case 'no':
        return fail(`${notStarted}.`, ...still(evidence, after))
      case 'undecided':
        return inconclusive(
          'The details count executions, but do not show this one. Perhaps they count only ended executions. If they count later, set settleSeconds in the profile.',
        )
      default:
        return accepted('The execution was accepted, but the details show no executions.')
    }
  },
  'execution.for-one-document'(evidence) {
    const other = otherThanOneDocument(evidence)
    if (other) return other
    for (const { before, after } of executions(evidence)) {
      const counted = countersIn(before.json)
      for (const counter of countersIn(after.json).filter(countsExecutions)) {
        const { place, value } = counter
        const by = value - countIn(counted, counter)
        if (by < 2 || countsSteps(evidence, place, by)) continue
        const message = `One execution was started, but ${place} increased by ${by}.`
        return fail(message, counterAt(evidence, place), { exchange: after, shown: valueAt(after.json, place) })
      }
    }
    return (
      countedTwice(evidence) ??
      sharedIdentifier(evidence) ??
      pass('One execution was started, and no answer shows more.')
    )
  },
}

/** Fails if an answer to executing shows no document or several documents, at a place where other answers show the one document that was sent. */
function otherThanOneDocument(evidence: Evidence): Observation | undefined {
  for (const binding of bindingsOf(evidence, { answers: ['executed'], fact: 'document_id' })) {
    for (const seen of [...binding.agree, ...binding.against]) {
      const beside = valueAt(seen.sample.exchange.json, parentOf(seen.pointer))
      const shown = Array.isArray(beside) && binding.place.endsWith('/*') ? beside : [seen.shown]
      if (shown.length === 1 && shown[0] !== null && shown[0] !== '') continue
      const message = `The document of the execution is shown as ${show(shown)} instead of one identifier.`
      return fail(message, findingOf(binding, seen.shown), { ...comparedOf(seen), shown })
    }
  }
  return undefined
}

/** Fails if two executions have one identifier, if it is too long to be a counter per workflow. */
function sharedIdentifier(evidence: Evidence): Observation | undefined {
  const { bindings } = boundIn(evidence, 'executed')
  for (const binding of bindings.filter(({ fact }) => fact === 'execution_id')) {
    const isBeside = bindings.some(
      (one) => one.strength !== 'likely' && one !== binding && one.place.startsWith(`${parentOf(binding.place)}/`),
    )
    const repeated = binding.agree.find(({ sent, sample }, index) =>
      binding.agree
        .slice(0, String(sent).length < shortestUnique ? 0 : index)
        .some((one) => one.sent === sent && one.sample.exchange !== sample.exchange),
    )
    if (!repeated || !isBeside) continue
    const { exchange } = repeated.sample
    const message = `${describeAnswer(exchange)} with the execution_id of another execution, ${show(repeated.shown)}.`
    const finding: Finding = { ...findingOf(binding, repeated.shown), strength: 'named' }
    return fail(message, finding, { exchange, shown: repeated.shown })
  }
  return undefined
}

/** Shorter identifiers may be counters of each workflow. */
const shortestUnique = 12

/** Fails if details that list each execution neither list nor count another one of the same workflow. */
function lostAgain(evidence: Evidence): Observation | undefined {
  const again = executedAgain(evidence)
  const list = again && resultIfSucceeded(() => listOfExecutions(evidence))
  if (!again || list === undefined || again.ids.length === 0) return undefined
  if (executionShownIn(evidence, { details: again.before }, again, again.after) !== 'no') return undefined
  const message = `${describeAnswer(again.after)}: ${list} shows the first execution of the workflow, but not the second one, which was accepted.`
  return fail(message, counterAt(evidence, list), { exchange: again.after, shown: again.ids })
}

/** Returns true if a figure seems to count the steps of executions: it increases by their number, and another one counts executions. */
function countsSteps(evidence: Evidence, pointer: string, by: number): boolean {
  const isOfSteps = by === workflow(evidence, 1).sent.steps.length && !isCalledExecutions(pointer)
  return isOfSteps && counters(evidence).some(({ place, strength }) => strength === 'proven' && place !== pointer)
}

/** Returns true if the name of a figure means executions, and no name around it means steps. */
const isCalledExecutions = (pointer: string) =>
  mentionsRole(termsOf(lastName(pointer)), 'execution') &&
  !mentionsRole(pointer.split('/').flatMap(termsOf), 'step', 'task')

/** Fails if a total that was right counts another execution of the same workflow more than once. */
function countedTwice(evidence: Evidence): Observation | undefined {
  const [{ reads, again, startedBefore }] = workflowsRead(evidence)
  const tooMany = (details: Recorded) => moreThanStarted(details.json, startedBefore(details))
  const wrong = again.find(tooMany)
  const found = wrong && !reads.some(tooMany) ? tooMany(wrong) : undefined
  return wrong && found && fail(`${describeAnswer(wrong)}: ${found.message}.`, found.finding, { exchange: wrong })
}
