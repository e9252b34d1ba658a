/** How executions went on, step by step: the same phases that the suite judges, in the answers of a session. */
import { type Bound, bind, type Sample, type Thing } from '../model/bind.ts'
import { isOfWorkflow, isSequential, type Phases, type ProgressRow, phasesOf, type StepShown } from '../model/phases.ts'
import type { ExecutionRun, Known } from '../model/samples.ts'
import { membersOf } from '../reading/locate.ts'
import { isInList } from '../reading/places.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'
import type { TimedExchange } from '../session/calls.ts'
import { sentJson } from '../wire/exchange.ts'
import type { Recorded } from '../wire/record.ts'
import type { Introduced } from './roles.ts'

/** An answer of a session, at its place in it. */
type Placed = Recorded & { readonly of: TimedExchange }

/** An execution of a session, with what each of the answers shows of its steps, the earliest first. */
export interface StepProgress {
  readonly started: TimedExchange
  readonly rows: readonly StepRow[]
}

/** What an answer shows of the steps of an execution. */
export interface StepRow {
  readonly exchange: TimedExchange
  readonly steps: readonly {
    readonly stepId: string
    readonly items: readonly unknown[]
    readonly isDecided: boolean
  }[]
  /** True if the execution is shown as ended. */
  readonly isOver: boolean
}

/** Returns the executions of a session of which answers show the steps. What other sessions show tells in which order states come. */
export function stepProgressIn(session: readonly Introduced[], others: readonly Introduced[] = []): StepProgress[] {
  const known = [...others, ...session].map((one, place) => ({
    ...one,
    placed: { ...one.exchange, place, of: one.exchange },
  }))
  const workflows = workflowsIn(known)
  const runs = known.flatMap((one) => runOf(one, workflows) ?? [])
  const bound = new Map<string, Bound>()
  const samplesOf = {
    executed: runs.map(executedSample),
    details: known.flatMap((one) => detailsSample(one, workflows, runs) ?? []),
  }
  const phases = phasesOf(runs, (answer) => {
    const found = bound.get(answer) ?? bind(samplesOf[answer])
    bound.set(answer, found)
    return found
  })
  const isDecided = decidedIn(phases)
  const own = new Set(session.map(({ exchange }) => exchange))
  return runs.flatMap((run): StepProgress[] => {
    const started = (run.exchange as Placed).of
    const rows = phases.rows.filter((row) => row.run === run && !isOfWorkflow(row))
    return own.has(started) && rows.length > 0
      ? [{ started, rows: rows.map((row) => rowOf(row, phases, isDecided)) }]
      : []
  })
}

type KnownCall = Introduced & { readonly placed: Placed }

/** Returns the workflows that were created and read, by their identifiers. */
function workflowsIn(calls: readonly KnownCall[]): ReadonlyMap<string, Known> {
  return new Map(
    calls.flatMap(({ call, isSuccess, roles: { workflow: id }, placed: created }): [string, Known][] => {
      const sent = sentJson(created) as Known['made']['sent'] | undefined
      if (call !== 'createWorkflow' || !isSuccess || id === undefined || !Array.isArray(sent?.steps)) return []
      const reads = calls.filter((one) => one.call === 'getWorkflow' && one.isSuccess && one.workflowId === id)
      const [details] = reads
      if (!details) return []
      const facts = { workflow_id: id, ...sent, isSequential: sent.isSequential ?? true }
      const made = {
        sent: { ...sent, isSequential: facts.isSequential },
        created,
        details: details.placed,
        id: { pointer: '', name: '', value: id },
      }
      return [[id, { made, facts, reads: reads.map(({ placed }) => placed) }]]
    }),
  )
}

function runOf(
  { call, isSuccess, workflowId = '', roles, placed }: KnownCall,
  workflows: ReadonlyMap<string, Known>,
): ExecutionRun | undefined {
  const workflow = workflows.get(workflowId)
  if (call !== 'executeWorkflow' || !isSuccess || !workflow) return undefined
  const facts: Thing = {
    execution_id: roles.execution,
    ...(sentJson(placed) as object | undefined),
    workflow_id: workflowId,
    steps: workflow.facts.steps,
  }
  return { workflow, exchange: placed, facts }
}

const executedSample = ({ workflow, exchange, facts }: ExecutionRun): Sample => ({
  ...{ answer: 'executed', exchange, facts, about: workflow.made.sent },
  ...{ shown: exchange.json, pointer: '' },
})

function detailsSample(
  { call, isSuccess, workflowId = '', placed }: KnownCall,
  workflows: ReadonlyMap<string, Known>,
  runs: readonly ExecutionRun[],
): Sample | undefined {
  const workflow = workflows.get(workflowId)
  if (call !== 'getWorkflow' || !isSuccess || !workflow) return undefined
  const own = runs.filter((run) => run.workflow === workflow && run.exchange.place < placed.place)
  const facts = { executions: own.map((run) => run.facts), ...workflow.facts }
  return { answer: 'details', exchange: placed, facts, about: workflow.made.sent, shown: placed.json, pointer: '' }
}

/**
 * Returns a function that tells whether a step is decided: in a phase that others lead to, and after which a later step of a sequential
 * workflow was begun, or all steps of an execution that was over were alike, or whose words say so.
 */
function decidedIn(phases: Phases): (step: StepShown) => boolean {
  const { rows, phaseOf, isFurther, waiting, active } = phases
  const examples = new Map(rows.flatMap(({ steps }) => steps.map((step) => [phaseOf(step), step] as const)))
  const hasEarlier = (step: StepShown) => [...examples.values()].some((other) => isFurther(other, step))
  const begun = new Set(rows.flatMap((row) => begunIn(row, phases)))
  const candidates = [...examples].filter(
    ([phase, step]) => !waiting.has(phase) && !active.has(phase) && !begun.has(phase) && hasEarlier(step),
  )
  const isHandedOn = (phase: string) =>
    rows.some(({ run, steps }) => {
      const own = steps.filter((step) => phaseOf(step) === phase).map(orderOf)
      const later = steps.filter((step) => !waiting.has(phaseOf(step)) && phaseOf(step) !== phase).map(orderOf)
      return isSequential(run) && waiting.size > 0 && Math.min(...own) < Math.max(...later)
    })
  const isAlike = (phase: string) =>
    rows.some((row) => row.steps.length > 1 && row.steps.every((step) => phaseOf(step) === phase) && phases.isOver(row))
  const decided = new Set(
    candidates.flatMap(([phase, step]) =>
      isHandedOn(phase) || isAlike(phase) || step.items.some(({ item }) => saysEnded(item)) ? [phase] : [],
    ),
  )
  return (step) => decided.has(phaseOf(step))
}

const orderOf = ({ step }: StepShown) => Number(step.order)

/**
 * Returns the phase of the step of a sequential execution that is at work, since all after it wait. One that has left another phase may be
 * the one that was rejected.
 */
function begunIn({ run, steps }: ProgressRow, { rows, phaseOf, waiting }: Phases): string[] {
  const at = steps.findIndex((step) => waiting.has(phaseOf(step))) - 1
  const own = steps[at]
  if (!own || !isSequential(run) || !steps.slice(at + 1).every((step) => waiting.has(phaseOf(step)))) return []
  const phase = phaseOf(own)
  const earlier = rows
    .filter((row) => row.run === run)
    .flatMap((row) => row.steps.filter(({ step }) => step === own.step))
  return earlier.some((step) => !waiting.has(phaseOf(step)) && phaseOf(step) !== phase) ? [] : [phase]
}

/** Returns true if a step is shown as ended by an English word. */
const saysEnded = (item: unknown) =>
  membersOf(item).some(
    ({ pointer, value }) =>
      typeof value === 'string' && !isInList(pointer) && mentionsRole(termsOf(value), 'ended', 'denied'),
  )

function rowOf(row: ProgressRow, { isOver }: Phases, isDecided: (step: StepShown) => boolean): StepRow {
  const steps = row.steps.map((one) => ({
    stepId: String(one.step.step_id),
    items: one.items.map(({ item }) => item),
    isDecided: isDecided(one),
  }))
  return {
    exchange: (row.exchange as Placed).of,
    steps,
    isOver: steps.every((step) => step.isDecided) || (isOver(row) && steps.some((step) => step.isDecided)),
  }
}
