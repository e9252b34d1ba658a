import { type Execution, type ExecutionEvent, executionDecider } from '../domain/approval/execution.ts'
import type { Journaled } from '../domain/decider.ts'
import type { Work } from './slices.ts'
import { WorkflowState } from './workflow-state.ts'

/** What is known of a workflow, now or at an earlier time. */
export interface WorkflowView {
  readonly state: Pick<WorkflowState, 'analytics' | 'advice'>
  /** Returns the latest executions, the newest first. */
  readonly recentExecutions: (limit: number) => Execution[]
}

/** Returns what a state of a workflow and its executions tell. */
export function viewOf(state: WorkflowState, executions: { get(id: string): Execution | undefined }): WorkflowView {
  return {
    state,
    recentExecutions: (limit) =>
      state.latest(limit).flatMap((id) => {
        const execution = executions.get(id)
        return execution ?? []
      }),
  }
}

/** Returns what was known of a workflow after the first of the given events, up to a time. */
export function* viewAfter(
  { created }: WorkflowState,
  events: Iterable<Journaled<{ readonly type: string }>>,
  until: number,
): Work<WorkflowView> {
  const state = new WorkflowState(created)
  const executions = new Map<string, Execution>()
  for (const event of events as Iterable<Journaled<ExecutionEvent>>) {
    if (event.at > until) break
    if (event.executionId !== undefined && event.workflowId === created.workflowId) {
      const execution = executionDecider.evolve(executions.get(event.executionId), event)
      executions.set(event.executionId, execution)
      state.apply(event, execution)
    }
    yield
  }
  return viewOf(state, executions)
}
