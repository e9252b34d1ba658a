/** How executions went on, step by step: the same phases that the suite judges, in the answers of a session. */
import { isObject } from '../../src/contract/json.ts'
import type { Thing } from '../model/bind.ts'
import {
  cellsIn,
  endedIn,
  isSequential,
  lastRows,
  nothing,
  type Phases,
  type ProgressRow,
  phasesOf,
  type StepShown,
  something,
  type UnreadRow,
} from '../model/phases.ts'
import type { ExecutionRun } from '../model/samples.ts'
import { plainOf } from '../reading/plain.ts'
import type { TimedExchange } from '../session/calls.ts'
import type { Recorded } from '../wire/record.ts'
import type { Introduced } from './roles.ts'
import {
  executionIn,
  itemsOfSteps,
  lastEvents,
  marksOf,
  type StepSent,
  saysEnded,
  sentWorkflow,
} from './shown-executions.ts'

/** An answer of a session, at its place in it. */
type Placed = Recorded & TimedExchange & { readonly of: TimedExchange }

/** An execution of a session, with what each of the answers shows of its steps, the earliest first. */
export interface StepProgress {
  readonly started: TimedExchange
  readonly rows: readonly StepRow[]
}

/** What an answer shows of the steps of an execution. */
export interface StepRow {
  readonly exchange: TimedExchange
  readonly steps: readonly { readonly stepId: string; readonly item: unknown; readonly isDecided: boolean }[]
  /** True if the execution is shown as ended. */
  readonly isOver: boolean
}

/** Returns the executions of a session whose steps the answers show. Other sessions help to tell the order of states. */
export function stepProgressIn(session: readonly Introduced[], others: readonly Introduced[] = []): StepProgress[] {
  const all = [...others, ...session].map((one, place) => ({
    ...one,
    placed: { ...one.exchange, place, of: one.exchange },
  }))
  const rows = runsIn(all).flatMap((run) => unreadRows(run, all))
  const phases = phasesOf(rows)
  const ended = new Set(endedIn(phases).filter((row) => !movesLater(row, phases)))
  // An execution that came to its last state in another way than all others, such as a rejection, is over too.
  const last = new Set(lastRows(phases.rows))
  const isOver = (row: ProgressRow) => ended.has(row) || phases.isOver(row) || (last.has(row) && phases.mayBeOver(row))
  const byWord = decidedIn(phases, isOver)
  const isDecided = (step: StepShown, row: ProgressRow) => byWord(step) || (ended.has(row) && isFilledIn(step, phases))
  const own = new Set(session.map(({ exchange }) => exchange))
  const runs = [...new Set(phases.rows.map(({ run }) => run))]
  return runs.flatMap((run): StepProgress[] => {
    const started = (run.exchange as Placed).of
    const shown = phases.rows.filter((row) => row.run === run)
    return own.has(started) ? [{ started, rows: shown.map((row) => rowOf(row, isOver(row), isDecided)) }] : []
  })
}

type KnownCall = Introduced & { readonly placed: Placed }

/** Returns the executions that a session started, with what was sent of their workflows. */
function runsIn(calls: readonly KnownCall[]): ExecutionRun[] {
  return calls.flatMap(({ call, isSuccess, workflowId, roles, placed }): ExecutionRun[] => {
    const sent = call === 'executeWorkflow' && isSuccess ? sentWorkflow(calls, workflowId) : undefined
    // A recording may have any.
    if (!isObject(sent) || !Array.isArray(sent.steps) || !sent.steps.every(isObject)) return []
    const steps = sent.steps.map((step, index) => ({ ...step, order: step.order ?? index + 1 }))
    const facts = { ...marksOf({ roles, exchange: placed }), workflow_id: workflowId, steps }
    const made = { sent: { ...sent, steps, isSequential: sent.isSequential ?? true } }
    // The phases look at nothing else of a workflow.
    return [{ workflow: { made, facts, reads: [] } as unknown as ExecutionRun['workflow'], exchange: placed, facts }]
  })
}

/** The name of the list of steps, wherever it is. */
const list = 'steps'

/** Returns what answers show of an execution: that to its start, and the details that have it. */
function unreadRows(run: ExecutionRun, calls: readonly KnownCall[]): UnreadRow[] {
  const { workflow_id, steps } = run.facts as { readonly steps: readonly Thing[] } & Thing
  const reads = calls.filter(
    ({ call, isSuccess, workflowId, placed }) =>
      placed === run.exchange || (call === 'getWorkflow' && isSuccess && workflowId === workflow_id),
  )
  return reads.flatMap(({ call, placed }): UnreadRow[] => {
    const sent = steps as unknown as readonly StepSent[]
    const whole = call === 'getWorkflow' ? executionIn(placed.json, run.facts) : plainOf(placed.json)
    const listed = itemsOfSteps(whole, sent)
    const log = listed.size > 0 ? undefined : lastEvents(placed.json, run.facts, sent)
    const { shown, items } = log ?? { shown: whole, items: listed }
    if (items.size === 0) return []
    const inOrder = steps.toSorted((a, b) => Number(a.order) - Number(b.order))
    return [
      {
        ...{ run, exchange: placed, answer: call === 'getWorkflow' ? 'details' : 'executed', place: '' },
        own: cellsIn(shown, ''),
        steps: inOrder.map((step) => {
          const item = items.get(String(step.step_id))
          return { step, items: [{ list, item }], shown: new Map([[list, item && something], ...cellsIn(item, list)]) }
        }),
      },
    ]
  })
}

/**
 * Returns a function that tells whether a step is decided. Its words say so, or its phase comes after other phases and one of these holds:
 * a later step of a sequential workflow has begun, or all steps of an execution that is over share the phase.
 */
function decidedIn(phases: Phases, isOver: (row: ProgressRow) => boolean): (step: StepShown) => boolean {
  const { rows, phaseOf, isFurther, waiting, active } = phases
  const examples = new Map(rows.flatMap(({ steps }) => steps.map((step) => [phaseOf(step), step] as const)))
  const hasEarlier = (step: StepShown) => [...examples.values()].some((other) => isFurther(other, step))
  const isWhole = ({ steps }: ProgressRow, phase: string) =>
    steps.length > 1 && steps.every((step) => phaseOf(step) === phase)
  // Steps in turn are not at work together, so what all of them show comes before or after their work.
  const isBesideWork = (phase: string) => rows.some((row) => isSequential(row.run) && isWhole(row, phase))
  const begun = new Set(rows.flatMap((row) => begunIn(row, phases)).filter((phase) => !isBesideWork(phase)))
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
    isBesideWork(phase) || rows.some((row) => isWhole(row, phase) && phases.isOver(row))
  // A step that was at work, and is not when its execution has ended, was decided.
  const isLast = (phase: string) =>
    rows.some((row) => isOver(row) && row.steps.some((step) => phaseOf(step) === phase && wasAtWork(step, row, phases)))
  const decided = new Set(
    candidates.flatMap(([phase]) => (isHandedOn(phase) || isAlike(phase) || isLast(phase) ? [phase] : [])),
  )
  return (step) => decided.has(phaseOf(step)) || step.items.some(({ item }) => saysEnded(item))
}

const orderOf = ({ step }: StepShown) => Number(step.order)

/**
 * Returns the phase of the step that a sequential execution is at: all steps after it wait. Returns none if the step was in another phase
 * before, since the approver may have rejected it.
 */
function begunIn(row: ProgressRow, phases: Phases): string[] {
  const { run, steps } = row
  const { phaseOf, waiting } = phases
  const at = steps.findIndex((step) => waiting.has(phaseOf(step))) - 1
  const own = steps[at]
  if (!own || !isSequential(run) || !steps.slice(at + 1).every((step) => waiting.has(phaseOf(step)))) return []
  const phase = phaseOf(own)
  return wasAtWork(own, row, phases) ? [] : [phase]
}

/** Returns true if another answer about its execution shows a step in another phase, and not as waiting. */
const wasAtWork = (own: StepShown, { run }: ProgressRow, { rows, phaseOf, waiting }: Phases) =>
  rows
    .filter((row) => row.run === run)
    .flatMap(({ steps }) => steps.filter(({ step }) => step === own.step))
    .some((one) => !waiting.has(phaseOf(one)) && phaseOf(one) !== phaseOf(own))

/** Returns true if the steps of an execution are further in a later answer. */
const movesLater = ({ run, exchange, steps }: ProgressRow, { rows, phaseOf }: Phases) =>
  rows.some(
    (later) =>
      later.run === run &&
      later.exchange.place > exchange.place &&
      later.steps.some((step, index) => steps[index] && phaseOf(step) !== phaseOf(steps[index])),
  )

/** Returns true if a step shows a time or a person that steps get as they move on. */
const isFilledIn = ({ words }: StepShown, { events }: Phases) =>
  events.some((place) => (words.get(place) ?? nothing) !== nothing)

function rowOf(row: ProgressRow, isOver: boolean, isDecided: (step: StepShown, row: ProgressRow) => boolean): StepRow {
  const steps = row.steps.map((one) => ({
    stepId: String(one.step.step_id),
    item: one.items[0]?.item,
    isDecided: isDecided(one, row),
  }))
  return {
    exchange: (row.exchange as Placed).of,
    steps,
    isOver: steps.every((step) => step.isDecided) || (isOver && steps.some((step) => step.isDecided)),
  }
}
