/** What the answers show of the steps of the run's executions, from their start on. */
import type { Located } from '../reading/locate.ts'
import { leavesOf } from '../reading/places.ts'
import {
  approvedLists,
  generalPlace,
  type StepHistories,
  type StepHistory,
  stepsAtPlaces,
} from '../reading/step-progress.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Evidence, resultIfSucceeded, sentBody } from './evidence.ts'
import {
  executedAgain,
  execution,
  executionShownIn,
  idsIn,
  recordsOf,
  type SeenExecution,
  type SentExecution,
} from './executions.ts'
import { type MadeWorkflow, sideWorkflow, workflow } from './workflows.ts'

/** The answers that show the steps of an execution. */
export type StepAnswer = 'executed' | 'details'

/** An execution of the run. */
export interface Started {
  readonly made: MadeWorkflow
  readonly executed: Recorded
}

/** The same, with the reads of its workflow that may show its steps. */
interface Shown extends Started {
  readonly reads: readonly Exchange[]
}

/** The workflows beside the flow that are executed: with shuffled steps, and without `isSequential`. */
export type SideExecution = 'shuffled' | 'by default'

/** The steps that read such a workflow after its execution. */
export const sideReads = {
  shuffled: ['read shuffled executed', 'read shuffled at last'],
  'by default': ['read by default executed'],
} as const satisfies Readonly<Record<SideExecution, readonly StepName[]>>

/** Returns a workflow beside the flow, and its execution. */
export function sideExecution(evidence: Evidence, which: SideExecution): Started {
  const made = sideWorkflow(evidence, `create ${which}`, `read ${which}`)
  return { made, executed: evidence.accepted(`execute ${which}`) }
}

/** Returns true if details show the execution of a workflow beside the flow, or will not show any. */
export function showsSideExecution(evidence: Evidence, which: SideExecution, details: Exchange): boolean {
  const { made, executed } = sideExecution(evidence, which)
  const { document_id: documentId } = sentBody<SentExecution>(executed)
  return succeeded(details) && executionShownIn(made, { exchange: executed, documentId }, details) !== 'no'
}

/** Returns what one kind of answer shows of the steps; with `when: 'so far'`, for a step that waits for them. */
export function stepHistories(
  evidence: Evidence,
  answer: StepAnswer,
  when: 'at the end' | 'so far' = 'at the end',
): StepHistories {
  const readsOf = (...steps: readonly StepName[]) =>
    steps.flatMap((step) => {
      if (when === 'so far') return evidence.soFar(step)
      return resultIfSucceeded(() => evidence.has(step)) ? evidence.all(step) : []
    })
  const of = (which: 1 | 2, ...steps: readonly StepName[]): Shown => {
    const { exchange } = execution(evidence, which)
    return { made: workflow(evidence, which), executed: exchange, reads: readsOf(...steps) }
  }
  const sequential = of(
    1,
    'read workflow 1 executed',
    'settle workflow 1',
    'read workflow 1 afterwards',
    'read workflow 1 at last',
  )
  const parallel = resultIfSucceeded(() =>
    of(2, 'settle workflow 2', 'read workflow 2 afterwards', 'read workflow 2 at last'),
  )
  const shuffled = resultIfSucceeded(() => ({
    ...sideExecution(evidence, 'shuffled'),
    reads: readsOf(...sideReads.shuffled),
  }))
  // No step waits for it.
  const byDefault = resultIfSucceeded(() =>
    when === 'so far'
      ? undefined
      : { ...sideExecution(evidence, 'by default'), reads: readsOf(...sideReads['by default']) },
  )
  // Nor for a second execution of the first workflow, which only judges know.
  const found = when === 'so far' ? undefined : resultIfSucceeded(() => executedAgain(evidence))
  const again = found && idsIn(sequential.executed).length > 0 && found.ids.length > 0 ? found : undefined
  return {
    sequential: historyOf(sequential, answer),
    ...(again && { again: historyAgain(sequential, again, answer, readsOf('read workflow 1 again')) }),
    ...(byDefault && { byDefault: historyOf(byDefault, answer) }),
    ...(parallel && { parallel: historyOf(parallel, answer) }),
    ...(shuffled && { shuffled: historyOf(shuffled, answer) }),
  }
}

/** Two executions of one workflow, of which the second began while the first was under way. */
export interface OverlappingExecutions {
  readonly first: SeenExecution
  readonly second: SeenExecution
  /** What the details show of the steps of the second one. */
  readonly history: StepHistory
  readonly steps: MadeWorkflow['sent']['steps']
}

/** Returns the executions of the workflow without `isSequential`, if both were accepted and have identifiers of their own. */
export function overlappingExecutions(
  evidence: Evidence,
  when: 'at the end' | 'so far' = 'at the end',
): OverlappingExecutions | undefined {
  const { made, executed } = sideExecution(evidence, 'by default')
  const before = evidence.accepted('read by default executed')
  const exchange = evidence.accepted('execute by default again')
  const reads = when === 'so far' ? evidence.soFar('read by default again') : evidence.all('read by default again')
  const done = reads.filter(succeeded)
  const after = done.at(-1)
  // Executions of other workflows have the same documents, so only its identifier tells what is about it.
  const own = (one: Recorded, earlier: Exchange, later: Exchange): SeenExecution => ({
    ...{ exchange: one, which: 1, place: '', before: earlier, after: later, ids: idsIn(one) },
    documentId: String(idsIn(one)[0]),
  })
  if (!after) return undefined
  const [first, second] = [own(executed, made.details, after), own(exchange, before, after)]
  const shared = first.ids.some((id) => second.ids.includes(id))
  if (shared || first.ids.length === 0 || second.ids.length === 0) return undefined
  const history = historyAgain({ made, executed }, second, 'details', done)
  return { first, second, history, steps: made.sent.steps }
}

/** Returns the history of another execution of a workflow, in the outermost objects of the details that are about it alone. */
function historyAgain(
  { made: { sent }, executed }: Started,
  again: SeenExecution,
  answer: StepAnswer,
  reads: readonly Exchange[],
): StepHistory {
  if (answer === 'executed') {
    const { json } = again.exchange
    return { after: [stepsAtPlaces(json, sent.steps)], approved: approvedLists(json, sent.steps) }
  }
  const others = idsIn(executed).map(String)
  const isOwn = ({ pointer, value }: Located) =>
    pointer !== '' &&
    stepsAtPlaces(value, sent.steps).size > 0 &&
    !leavesOf(value).some((leaf) => others.includes(String(leaf.value)))
  const own = reads.filter(succeeded).flatMap((after) => recordsOf({ ...again, after }).find(isOwn) ?? [])
  const last = own.at(-1)
  return {
    after: own.map(
      ({ pointer, value }) =>
        new Map([...stepsAtPlaces(value, sent.steps)].map(([place, shown]) => [generalPlace(pointer) + place, shown])),
    ),
    ...(last && { approved: approvedLists(last.value, sent.steps).map((list) => generalPlace(last.pointer) + list) }),
  }
}

function historyOf({ made, executed, reads }: Shown, answer: StepAnswer): StepHistory {
  const shown = ({ json }: Exchange) => stepsAtPlaces(json, made.sent.steps)
  const approvedIn = ({ json }: Exchange) => approvedLists(json, made.sent.steps)
  if (answer === 'executed') return { after: [shown(executed)], approved: approvedIn(executed) }
  const after = reads.filter(succeeded)
  const last = after.at(-1)
  return {
    before: shown(made.details),
    after: after.map(shown),
    ...(last && { approved: approvedIn(last) }),
  }
}
