/** The executions beside the flow: of a workflow with shuffled steps, and of one without `isSequential`. */
import type { Located } from '../reading/locate.ts'
import { leavesOf, stepListsIn } from '../reading/places.ts'
import { timeOf } from '../reading/times.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Evidence, sentBody } from './evidence.ts'
import { executionShownIn, idsIn, recordsOf, type SeenExecution, type SentExecution } from './executions.ts'
import { type MadeWorkflow, sideWorkflow } from './workflows.ts'

/** An execution of the run. */
interface Started {
  readonly made: MadeWorkflow
  readonly executed: Recorded
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
  return succeeded(details) && executionShownIn(evidence, made, { exchange: executed, documentId }, details) !== 'no'
}

/** Two executions of one workflow, of which the second began while the first was under way. */
export interface OverlappingExecutions {
  readonly first: SeenExecution
  /** The parts of the details that are about the second one alone. */
  readonly second: readonly Located[]
}

/** Returns the executions of the workflow without `isSequential` up to now, if both were accepted and have identifiers of their own. */
export function overlappingExecutions(evidence: Evidence): OverlappingExecutions | undefined {
  const { made, executed } = sideExecution(evidence, 'by default')
  const before = evidence.accepted('read by default executed')
  const exchange = evidence.accepted('execute by default again')
  const after = evidence.soFar('read by default again').filter(succeeded).at(-1)
  // Executions of other workflows have the same documents, so only its identifier tells what is about it.
  const own = (one: Recorded, earlier: Exchange, later: Exchange): SeenExecution => ({
    ...{ exchange: one, which: 1, place: '', before: earlier, after: later, ids: idsIn(evidence, one) },
    documentId: String(idsIn(evidence, one)[0]),
  })
  if (!after) return undefined
  const [first, second] = [own(executed, made.details, after), own(exchange, before, after)]
  const shared = first.ids.some((id) => second.ids.includes(id))
  if (shared || first.ids.length === 0 || second.ids.length === 0) return undefined
  const others = first.ids.map(String)
  const isAlone = ({ pointer, value }: Located) =>
    pointer !== '' && !leavesOf(value).some((leaf) => others.includes(String(leaf.value)))
  return { first, second: recordsOf(second).filter(isAlone) }
}

/** Returns true if an answer tells some steps from others by a member that is empty, or by a word that they share. */
export function tellsStepsApart(json: unknown, { sent }: MadeWorkflow): boolean {
  const facts = new Set(leavesOf(sent.steps).map(({ value }) => String(value)))
  return stepListsIn(json, sent.steps).some(({ items }) => {
    const places = new Set(items.flatMap(({ item }) => leavesOf(item).map(({ pointer }) => pointer)))
    return [...places].some((place) => {
      const values = items.map(({ item }) => leavesOf(item).find(({ pointer }) => pointer === place)?.value ?? null)
      const different = new Set(values)
      const areWords = !values.some(
        (one) => typeof one === 'number' || facts.has(String(one)) || timeOf(one) !== undefined,
      )
      return areWords && different.size > 1 && different.size < values.length
    })
  })
}
