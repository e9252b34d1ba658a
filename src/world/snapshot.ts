import type { Execution, ExecutionStep } from '../domain/approval/execution.ts'
import { stagesOf, type Workflow, type WorkflowCreated } from '../domain/approval/workflow.ts'
import type { Journaled } from '../domain/decider.ts'
import type { SavedDesk } from '../domain/routing/history.ts'
import type { Upload } from '../domain/uploads/upload.ts'
import type { SavedApprover } from './approvers.ts'
import type { ClockReading } from './clock-reading.ts'
import type { SavedFootprint } from './memory.ts'
import type { Settings } from './settings.ts'
import type { SavedFigures } from './workflow-state.ts'
import { WrittenRoute } from './written-route.ts'

/**
 * The format of snapshots. Raise it with each change of what is saved, and of how events are folded: older snapshots are then
 * ignored, and events are folded again.
 */
export const snapshotFormat = 1

/** A part of a saved world. All of them, loaded in order, make the world as it was after its events up to then. */
export type SnapshotRecord =
  | {
      readonly clock: ClockReading
      readonly settings: Settings
      /** The number of all events, and of the latest ones in the journal. The events themselves are not saved again. */
      readonly events: number
      readonly kept: number
      readonly footprint: SavedFootprint
    }
  | { readonly created: Journaled<WorkflowCreated>; readonly figures?: SavedFigures | undefined }
  | { readonly execution: SavedExecution }
  | { readonly upload: Upload }
  | { readonly desks: readonly SavedDesk[] }
  | { readonly approvers: readonly SavedApprover[] }

/** An execution whose steps are those of its workflow. */
type SavedExecution = Omit<Execution, 'stages'> & { readonly stages: readonly (readonly SavedStep[])[] }

/** A step of an execution. The assignee is a position in the step's list of approvers; the route is text. */
interface SavedStep extends Omit<ExecutionStep, 'step' | 'assignee' | 'route'> {
  readonly assignee?: number
  readonly route?: string
}

/** A snapshot does not fit the events. */
export class SnapshotError extends Error {}

/** Converts an execution to plain data without the definition of its workflow. */
export function saveExecution({ stages, ...execution }: Execution): SavedExecution {
  return { ...execution, stages: stages.map((steps) => steps.map(saveStep)) }
}

function saveStep({ step, assignee, route, ...times }: ExecutionStep): SavedStep {
  const place = step.approvers.findIndex(({ email, name }) => email === assignee?.email && name === assignee.name)
  if (assignee && place < 0) throw new SnapshotError(`Step '${step.stepId}' is assigned to a stranger.`)
  return { ...times, ...(assignee && { assignee: place }), ...(route && { route: WrittenRoute.textOf(route) }) }
}

/** Returns the execution of a workflow that was saved. */
export function loadExecution({ stages, ...execution }: SavedExecution, workflow: Workflow): Execution {
  const planned = stagesOf(workflow)
  return {
    ...execution,
    stages: stages.map((steps, stage) => steps.map((step, index) => loadStep(step, planned[stage]?.[index]))),
  }
}

function loadStep({ assignee, route, ...times }: SavedStep, step: ExecutionStep['step'] | undefined): ExecutionStep {
  const approver = assignee === undefined ? undefined : step?.approvers[assignee]
  if (!step || (assignee !== undefined && !approver)) throw new SnapshotError('An execution has another workflow.')
  return {
    ...{ step, ...times },
    ...(approver && { assignee: approver }),
    ...(approver && route !== undefined && { route: new WrittenRoute(approver, route) }),
  }
}
