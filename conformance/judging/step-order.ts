/** The order in which the steps of an execution are worked on: interface.md section 2. */

import { type Evidence, resultIfSucceeded } from '../evidence/evidence.ts'
import { executedDetails, execution, isShownAsOver } from '../evidence/executions.ts'
import {
  overlappingExecutions,
  type StepAnswer,
  sideExecution,
  sideReads,
  stepHistories,
} from '../evidence/step-histories.ts'
import { workflow } from '../evidence/workflows.ts'
import type { Finding } from '../reading/finding.ts'
import { lastName } from '../reading/locate.ts'
import {
  allAtWork,
  atWorkTogether,
  endedEarly,
  followsOrder,
  isSideBySide,
  isStateName,
  laterAtOnce,
  nothing,
  onlyForFirst,
  outOfOrder,
  type StepHistories,
  type StepValues,
  shownStates,
  skippedLast,
  togetherByDefault,
  type ValuesAtPlace,
  type WaitingPlace,
  waitingBeside,
  waitingInTurn,
  waitingPlaces,
} from '../reading/step-progress.ts'
import {
  earlyStart,
  endedOutOfOrder,
  isInTurn,
  isTogether,
  lastLeftOut,
  overlapByDefault,
  relay,
  type TimePlaces,
  timePlaces,
  unbegun,
} from '../reading/step-times.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
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

/** Returns the finding of a state that shows values of the steps. */
function stateFinding(
  answer: StepAnswer,
  { place, values }: ValuesAtPlace,
  rule: string,
  strength: Finding['strength'],
): Finding {
  return { what: 'execution.step-state', answer, value: shownAs(values), place, rule, strength, rejected: [] }
}

const shownAs = (values: StepValues) => values.join(', ')

/** Returns true if a place may tell which steps wait. A text that is no state may follow the order by chance. */
const mayTell = ({ place, waiting }: Place) => isStateName(place) || waiting === nothing

/** Returns what the answer to executing the parallel workflow shows of its steps, at a place with the same value for those that wait. */
const executedParallel = (evidence: Evidence, { waiting }: Place) =>
  placesIn(evidence)
    .filter((one) => one.answer === 'executed' && one.waiting === waiting)
    .flatMap(({ histories: { parallel }, place }) => parallel?.after.flatMap((shown) => [shown.get(place) ?? []]) ?? [])
    .at(0)

/** Returns the observation that nothing proves which steps wait, with what is shown of their states. */
function unproven(evidence: Evidence): Observation {
  const [shown] = histories(evidence).flatMap(([, one]) => shownStates(one) ?? [])
  if (!shown) return accepted('The executions were accepted, but no answer shows which of their steps wait.')
  const [own, other] = [shownAs(shown.sequential), shownAs(shown.parallel)]
  const both =
    own === other
      ? `${own} whether isSequential is true or false`
      : `${own} if isSequential is true, and ${other} if it is false`
  return accepted(
    `The executions were accepted. By order, ${shown.place} shows ${both}. This does not prove which steps wait.`,
  )
}

/** Places that show when steps were at work, with the answers that they are in. */
interface Times extends TimePlaces {
  readonly answer: StepAnswer
  readonly histories: StepHistories
}

function timesIn(evidence: Evidence): readonly Times[] {
  return evidence.once('times of steps', () =>
    histories(evidence).flatMap(([answer, one]) =>
      timePlaces(one).map((found) => ({ ...found, answer, histories: one })),
    ),
  )
}

const placesOf = ({ start, end }: Pick<TimePlaces, 'start' | 'end'>) => `${start} and ${lastName(end)}`

function timesFinding({ start, end, rule, strength }: TimePlaces, answer: StepAnswer, values: StepValues): Finding {
  const place = placesOf({ start, end })
  return { what: 'execution.step-times', answer, value: shownAs(values), place, rule, strength, rejected: [] }
}

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
      if (first && !places.some((one) => mayTell(one) && followsOrder(one.histories, one))) {
        const finding = findingOf(first, 'distinguishes the first step only in a sequential workflow')
        const sent = first.of === 'shuffled' ? 'in another sequence than their orders' : 'in their order'
        const message = `The steps were sent ${sent}. By order, ${first.place} shows ${shownAs(first.values)}, so a later step is at work before the first.`
        return fail(message, finding, comparedIn(evidence, first.answer, first.of))
      }
      const broken =
        skipping(evidence) ??
        atOnce(evidence) ??
        together(evidence) ??
        early(evidence) ??
        decidedEarly(evidence) ??
        endsBackwards(evidence)
      if (broken) return broken
      const [follows] = placesIn(evidence).filter((one) => followsOrder(one.histories, one))
      if (follows) return pass(`The step with the lowest order is the first at work, as ${follows.place} shows.`)
      const turns = timesIn(evidence).find((one) => isInTurn(one.histories, one) && isTogether(one.histories, one))
      if (turns) return pass(`Each step begins after the end of the one before it, as ${placesOf(turns)} show.`)
      return overtaking(evidence) ?? unproven(evidence)
    },
  },
  {
    id: 'execution.steps-side-by-side',
    judge(evidence) {
      // Places that tell come first, then those that may follow by chance.
      const places = placesIn(evidence).toSorted((one, other) => Number(mayTell(other)) - Number(mayTell(one)))
      for (const one of places) {
        if (isSideBySide(one.histories, one)) return pass(`No step waits, as ${one.place} shows.`)
        const turn = waitingInTurn(one.histories, one)
        const executed = one.answer === 'details' ? executedParallel(evidence, one) : undefined
        const { start, handedOn } = turn?.handedOn ? turn : (waitingBeside(one.histories, one, executed) ?? {})
        if (!start || (!handedOn && one.answer !== 'details')) continue
        const also = turn ? 'then the second step' : 'shows that steps of a parallel workflow wait'
        const finding = findingOf(one, `tells the first step of a sequential workflow from the others, and ${also}`)
        const then = handedOn ? `, and then ${shownAs(handedOn)}` : ' until the end of the settling time'
        const message = `isSequential was sent as false, but by order, ${one.place} shows ${shownAs(start)}${then}, so later steps wait for earlier ones.`
        return fail(message, finding, {
          exchange: latestOf(evidence, ['read workflow 2 afterwards', 'settle workflow 2']),
          sent: workflow(evidence, 2).sent.isSequential,
          shown: handedOn ?? start,
        })
      }
      const inTurn = unchosen(evidence) ?? relayed(evidence)
      if (inTurn) return inTurn
      const atOnce = timesIn(evidence).find((one) => isTogether(one.histories, one))
      if (atOnce) return pass(`The steps are at work at the same time, as ${placesOf(atOnce)} show.`)
      return unproven(evidence)
    },
  },
]

/** Fails if an execution that was accepted during another one of its workflow has not begun since the end of that. */
export function neverBegun(evidence: Evidence): Observation | undefined {
  const both = resultIfSucceeded(() => overlappingExecutions(evidence))
  if (!both || !isShownAsOver(both.first)) return undefined
  const latest = both.history.after.at(-1)
  for (const one of placesIn(evidence)) {
    const values = latest?.get(one.place)
    const isProven = followsOrder(one.histories, one) && isSideBySide(one.histories, one)
    if (!isProven || !values?.every((value) => value === one.waiting)) continue
    const finding = findingOf(one, 'distinguishes the first step only in a sequential workflow')
    const message = `A second execution of the workflow was accepted during the first, which has ended. But by order, ${one.place} still shows ${shownAs(values)} of the second, so it has not begun.`
    return fail(message, finding, { exchange: evidence.last('read by default again'), shown: values })
  }
  return undefined
}

/** Returns the answer that shows the steps of an execution, and the steps that were sent. */
export function comparedIn(evidence: Evidence, answer: StepAnswer, of: keyof StepHistories = 'shuffled') {
  const side = of === 'byDefault' ? 'by default' : 'shuffled'
  const inFlow = { sequential: 1, again: 1, parallel: 2, shuffled: undefined, byDefault: undefined } as const
  const which = inFlow[of]
  const { sent } = which ? workflow(evidence, which) : sideExecution(evidence, side).made
  const ofSide = {
    executed: () => sideExecution(evidence, side).executed,
    details: () => latestOf(evidence, sideReads[side].toReversed()),
  }
  const exchanges = {
    sequential: { executed: () => execution(evidence, 1).exchange, details: () => lastOfSequential(evidence) },
    parallel: { executed: () => execution(evidence, 2).exchange, details: () => lastOfParallel(evidence, 'details') },
    again: {
      executed: () => evidence.last('execute workflow 1 again'),
      details: () => evidence.last('read workflow 1 again'),
    },
    ...{ shuffled: ofSide, byDefault: ofSide },
  }
  return { exchange: exchanges[of][answer](), sent: sent.steps.map(({ step_id, order }) => ({ step_id, order })) }
}

/** Returns the latest answer of the first of these steps that was sent. */
function latestOf(evidence: Evidence, steps: readonly StepName[]): Recorded {
  const [first = 'read workflow 1 executed'] = steps.filter((step) => evidence.has(step))
  return evidence.last(first)
}

const lastOfSequential = (evidence: Evidence) =>
  latestOf(evidence, ['read workflow 1 at last', 'read workflow 1 afterwards', 'settle workflow 1'])
const lastOfParallel = (evidence: Evidence, answer: StepAnswer) =>
  answer === 'executed'
    ? execution(evidence, 2).exchange
    : latestOf(evidence, ['read workflow 2 at last', 'read workflow 2 afterwards', 'settle workflow 2'])

const comparedByDefault = (evidence: Evidence, answer: StepAnswer, shown: StepValues) => ({
  exchange: evidence.last(answer === 'executed' ? 'execute by default' : 'read by default executed'),
  sent: undefined,
  shown,
})

/** Fails if the steps of a workflow that was sent without `isSequential` work side by side. */
export function sideBySideByDefault(evidence: Evidence): Observation | undefined {
  for (const one of resultIfSucceeded(() => placesIn(evidence)) ?? []) {
    const values = isSideBySide(one.histories, one) ? togetherByDefault(one.histories, one) : undefined
    if (!values) continue
    const finding = findingOf(one, 'distinguishes the first step only in a sequential workflow')
    const message = `isSequential was omitted, but by order, ${one.place} shows ${shownAs(values)}, as if it were false.`
    return fail(message, finding, comparedByDefault(evidence, one.answer, values))
  }
  const proven = (resultIfSucceeded(() => timesIn(evidence)) ?? []).filter(({ strength }) => strength === 'proven')
  for (const one of proven) {
    const values = overlapByDefault(one.histories, one)
    if (!values) continue
    const message = `isSequential was omitted, but by order, ${placesOf(one)} show ${shownAs(values)}, as if it were false.`
    return fail(message, timesFinding(one, one.answer, values), comparedByDefault(evidence, one.answer, values))
  }
  return undefined
}

/** Fails if an execution was approved while its last steps waited. */
function skipping(evidence: Evidence): Observation | undefined {
  for (const one of placesIn(evidence)) {
    const found = skippedLast(one.histories, one)
    if (!found || !followsOrder(one.histories, one) || !isSideBySide(one.histories, one)) continue
    const { of, values } = found
    const finding = findingOf(one, 'distinguishes the first step, and then those that have ended from those that wait')
    const message = `The execution was approved, but by order, ${one.place} shows ${shownAs(values)}, so not all of its steps were worked on.`
    return fail(message, finding, { ...comparedIn(evidence, one.answer, of), shown: values })
  }
  return endedWithoutLast(evidence)
}

/** Fails if several later steps of a sequential workflow are at work at once. */
function atOnce(evidence: Evidence): Observation | undefined {
  for (const one of placesIn(evidence)) {
    if (!followsOrder(one.histories, one) || !isSideBySide(one.histories, one)) continue
    const found = laterAtOnce(one.histories, one)
    if (!found) continue
    const finding = findingOf(one, 'distinguishes the first step only in a sequential workflow')
    const message = `By order, ${one.place} shows ${shownAs(found.values)}, so several steps of a sequential workflow are at work at once.`
    return fail(message, finding, { ...comparedIn(evidence, one.answer, found.of), shown: found.values })
  }
  return undefined
}

/** Fails if executions were approved without their last step, which neither ended nor began. */
function endedWithoutLast(evidence: Evidence): Observation | undefined {
  for (const [answer, one] of histories(evidence)) {
    const found = lastLeftOut(one)
    if (!found) continue
    const { of, place, values } = found
    const rule =
      'is the same for all steps with a time, and another one for the last step, in executions that have ended'
    const message = `The execution was approved, but by order, ${place} shows ${shownAs(values)}, and the last step has no time, so not all steps were worked on.`
    const finding = stateFinding(answer, found, rule, 'proven')
    return fail(message, finding, { ...comparedIn(evidence, answer, of), shown: values })
  }
  return undefined
}

/** Fails if a later step of a sequential workflow began before the end of an earlier one, by the times of both. */
function early(evidence: Evidence): Observation | undefined {
  const times = timesIn(evidence)
  const proven = times.filter(({ strength }) => strength === 'proven')
  const waits = proven.flatMap((one) => {
    const found = unbegun(one.histories, one)
    return found ? [{ ...one, ...found }] : []
  })
  const overlaps = proven.some((one) => isInTurn(one.histories, one))
    ? []
    : times.flatMap((one) => {
        const found = earlyStart(one.histories, one)
        return found ? [{ ...one, ...found }] : []
      })
  const [found] = [...waits, ...overlaps]
  if (!found) return undefined
  const message = `By order, ${placesOf(found)} show ${shownAs(found.values)}, so a later step of a sequential workflow did not wait for the end of an earlier one.`
  const compared = { ...comparedIn(evidence, found.answer, found.of), shown: found.values }
  return fail(message, timesFinding(found, found.answer, found.values), compared)
}

/** Fails if each step of a workflow that is not sequential began at the end of the one before it. */
function relayed(evidence: Evidence): Observation | undefined {
  for (const [answer, one] of histories(evidence)) {
    const found = relay(one)
    if (!found) continue
    const { values } = found
    const message = `isSequential was sent as false, but by order, ${placesOf(found)} show ${shownAs(values)}, so each step waited for the one before it.`
    const { isSequential: sent } = workflow(evidence, 2).sent
    const exchange = lastOfParallel(evidence, answer)
    return fail(message, timesFinding(found, answer, values), { exchange, sent, shown: values })
  }
  return undefined
}

/** Fails if, until the end of the run, only the first step of a workflow that is not sequential has one of its approvers. */
function unchosen(evidence: Evidence): Observation | undefined {
  for (const one of placesIn(evidence)) {
    const values = one.answer === 'details' ? onlyForFirst(one.histories, one) : undefined
    const { steps, isSequential: sent } = workflow(evidence, 2).sent
    const [first] = steps
    if (!values || !first?.approvers.some(({ email }) => values[0] === JSON.stringify(email))) continue
    const finding = findingOf(one, 'shows an approver of the first step by order, in sequential workflows too')
    const message = `isSequential was sent as false, but by order, ${one.place} shows ${shownAs(values)} until the end of the settling time, so later steps wait for the first.`
    return fail(message, finding, { exchange: lastOfParallel(evidence, 'details'), sent, shown: values })
  }
  return undefined
}

/** Fails if sequential workflows begin with several steps at work. */
function together(evidence: Evidence): Observation | undefined {
  for (const [answer, one] of histories(evidence)) {
    const found = atWorkTogether(one)
    if (!found) continue
    const { place, values } = found
    const rule =
      'shows the same of each step of a parallel workflow, and another value of the last step of sequential ones'
    const message = `By order, ${place} shows ${shownAs(values)}, so several steps of a sequential workflow are at work at once.`
    return fail(message, stateFinding(answer, found, rule, 'proven'), comparedIn(evidence, answer, 'sequential'))
  }
  return undefined
}

/** Fails if a state says that a later step of a sequential workflow has ended while an earlier one is unchanged. */
function decidedEarly(evidence: Evidence): Observation | undefined {
  const { sequential, shuffled } = new Map(histories(evidence)).get('details') ?? {}
  for (const [of, history] of [['sequential', sequential] as const, ['shuffled', shuffled] as const]) {
    const found = history && endedEarly(history)
    if (!found) continue
    const { place, values } = found
    const finding = stateFinding(
      'details',
      found,
      'says that a later step has ended, and is unchanged for an earlier one',
      'named',
    )
    const message = `By order, ${place} shows ${shownAs(values)}, so a later step of a sequential workflow ended before an earlier one.`
    return fail(message, finding, { ...comparedIn(evidence, 'details', of), shown: values })
  }
  return undefined
}

/** Fails if a later step of a sequential workflow ended before an earlier one, by the times at which they ended. */
function endsBackwards(evidence: Evidence): Observation | undefined {
  for (const [answer, one] of histories(evidence)) {
    const found = endedOutOfOrder(one)
    if (!found) continue
    const { of, place, values } = found
    const rule = 'is called the end or decision of each step, and is empty before it'
    const finding = { ...stateFinding(answer, found, rule, 'named'), what: 'execution.step-times' } as const
    const message = `By order, ${place} shows ${shownAs(values)}, so a later step of a sequential workflow ended before an earlier one.`
    return fail(message, finding, { ...comparedIn(evidence, answer, of), shown: values })
  }
  return undefined
}

/** Fails if a later step has moved on while an earlier one was still at work, in the words of a state. */
function overtaking(evidence: Evidence): Observation | undefined {
  const { shuffled } = new Map(histories(evidence)).get('details') ?? {}
  const found = shuffled && allAtWork(shuffled).find(({ overtaken }) => overtaken !== undefined)
  if (!found?.overtaken) return undefined
  const { place, values } = found.overtaken
  const rule = 'a state says that all steps are at work, and a later one ends or starts before an earlier one ends'
  const message = `By order, ${place} shows ${shownAs(values)}, so a later step did not wait for the end of an earlier one. Both were at work at once.`
  return fail(message, stateFinding('details', found.overtaken, rule, 'named'), comparedIn(evidence, 'details'))
}
