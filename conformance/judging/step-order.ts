/** The order in which the steps of an execution are worked on: interface.md section 2. */
import { type Evidence, resultIfSucceeded } from '../evidence/evidence.ts'
import { executedDetails, execution } from '../evidence/executions.ts'
import { type StepAnswer, sideExecution, stepHistories } from '../evidence/step-histories.ts'
import { workflow } from '../evidence/workflows.ts'
import type { Finding } from '../reading/finding.ts'
import {
  allAtWork,
  followsOrder,
  isSideBySide,
  outOfOrder,
  type StepHistories,
  type StepValues,
  togetherByDefault,
  type WaitingPlace,
  waitingInTurn,
  waitingPlaces,
} from '../reading/step-progress.ts'
import { accepted, type Check, fail, type Observation, pass } from './check.ts'

/** The answers that show the steps of the run's executions, each kind with its histories. */
function histories(evidence: Evidence): (readonly [StepAnswer, StepHistories])[] {
  executedDetails(evidence, 1)
  return evidence.once('step histories', () =>
    (['executed', 'details'] as const).map((answer) => [answer, stepHistories(evidence, answer)] as const),
  )
}

/** A place that shows which steps wait, with the answers that it is in. */
interface Place extends WaitingPlace {
  readonly answer: StepAnswer
  readonly histories: StepHistories
}

function placesIn(evidence: Evidence): readonly Place[] {
  return evidence.once('places of waiting steps', () =>
    histories(evidence).flatMap(([answer, one]) =>
      waitingPlaces(one).map((found) => ({ ...found, answer, histories: one })),
    ),
  )
}

function findingOf({ answer, place, waiting }: Place, rule: string): Finding {
  return { what: 'execution.step-state', answer, value: waiting, place, rule, strength: 'proven', rejected: [] }
}

const shownAs = (values: StepValues) => values.join(', ')
const hidden = accepted('The executions were accepted, but no answer shows which of their steps wait.')

export const stepOrderChecks: readonly Check[] = [
  {
    id: 'execution.steps-in-order',
    judge(evidence) {
      const places = placesIn(evidence).filter((one) => isSideBySide(one.histories, one))
      const wrong = places.flatMap((one) => {
        const seen = outOfOrder(one.histories, one)
        return seen ? [{ ...one, ...seen }] : []
      })
      const [first] = wrong
      // Several places that disagree show different moments.
      if (first && places.every((one) => !followsOrder(one.histories, one))) {
        const finding = findingOf(first, 'distinguishes the first step only in a sequential workflow')
        const sent = first.of === 'shuffled' ? 'in another sequence than their orders' : 'in their order'
        const message = `The steps were sent ${sent}. By order, ${first.place} shows ${shownAs(first.values)}, so a later step is at work before the first.`
        return fail(message, finding, comparedIn(evidence, first.answer, first.of))
      }
      const [follows] = placesIn(evidence).filter((one) => followsOrder(one.histories, one))
      if (follows) return pass(`The step with the lowest order is the first at work, as ${follows.place} shows.`)
      return overtaking(evidence) ?? hidden
    },
  },
  {
    id: 'execution.steps-side-by-side',
    judge(evidence) {
      const places = placesIn(evidence)
      const together = places.find((one) => isSideBySide(one.histories, one))
      if (together) return pass(`No step waits, as ${together.place} shows.`)
      for (const one of places) {
        const values = waitingInTurn(one.histories, one)
        if (!values) continue
        const finding = findingOf(one, 'distinguishes the first step by its order, whatever the sequence')
        const message = `isSequential was sent as false, but by order, ${one.place} shows ${shownAs(values)}, so later steps wait for the first.`
        return fail(message, finding, {
          exchange:
            one.answer === 'executed' ? evidence.accepted('execute workflow 2') : evidence.last('settle workflow 2'),
          sent: workflow(evidence, 2).sent.isSequential,
          shown: values,
        })
      }
      return hidden
    },
  },
]

function comparedIn(evidence: Evidence, answer: StepAnswer, of: 'sequential' | 'shuffled' = 'shuffled') {
  const { sent } = of === 'shuffled' ? sideExecution(evidence, 'shuffled').made : workflow(evidence, 1)
  const answers = {
    sequential: { executed: () => execution(evidence, 1).exchange, details: () => executedDetails(evidence, 1).after },
    shuffled: {
      executed: () => sideExecution(evidence, 'shuffled').executed,
      details: () => evidence.last('read shuffled executed'),
    },
  }
  return { exchange: answers[of][answer](), sent: sent.steps.map(({ step_id, order }) => ({ step_id, order })) }
}

/** Fails if the steps of a workflow that was sent without `isSequential` work side by side. */
export function sideBySideByDefault(evidence: Evidence): Observation | undefined {
  for (const one of resultIfSucceeded(() => placesIn(evidence)) ?? []) {
    const values = isSideBySide(one.histories, one) ? togetherByDefault(one.histories, one) : undefined
    if (!values) continue
    const finding = findingOf(one, 'distinguishes the first step only in a sequential workflow')
    const message = `isSequential was omitted, but by order, ${one.place} shows ${shownAs(values)}, as if it were false.`
    const step = one.answer === 'executed' ? 'execute by default' : 'read by default executed'
    return fail(message, finding, { exchange: evidence.last(step), sent: undefined, shown: values })
  }
  return undefined
}

/** Fails if a later step has moved on while an earlier one was still at work, in the words of a state. */
function overtaking(evidence: Evidence): Observation | undefined {
  const { shuffled } = new Map(histories(evidence)).get('details') ?? {}
  const found = shuffled && allAtWork(shuffled).find(({ overtaken }) => overtaken !== undefined)
  if (!found?.overtaken) return undefined
  const { place, overtaken } = found
  const rule = 'is called a state, says that all steps are at work, and changes while the execution goes on'
  const own = { what: 'execution.step-state', answer: 'details', value: shownAs(overtaken), place, rejected: [] }
  const message = `By order, ${place} shows ${shownAs(overtaken)}, so a later step has ended before an earlier one. Both were at work at once.`
  return fail(message, { ...own, rule, strength: 'named' }, comparedIn(evidence, 'details'))
}
