import type { Advice } from '../domain/advice/advice.ts'
import type { Analytics } from '../domain/analytics/analytics.ts'
import { type Execution, type ExecutionEvent, executionDecider } from '../domain/approval/execution.ts'
import type { WorkflowCreated } from '../domain/approval/workflow.ts'
import type { Journaled } from '../domain/decider.ts'
import { WorkflowState } from './workflow-state.ts'
import { withPlainRoutes } from './written-route.ts'

/** What is known of a workflow, now or at an earlier time. */
export interface WorkflowView {
  readonly analytics: Analytics
  readonly advice: Advice
  /** Returns the latest executions, the newest first. */
  readonly recentExecutions: (limit: number) => Execution[]
}

/** A workflow as it was after some of its events. */
export class PastWorkflow implements WorkflowView {
  readonly #state: WorkflowState
  readonly #executions = new Map<string, Execution>()

  constructor(created: Journaled<WorkflowCreated>) {
    this.#state = new WorkflowState(created)
  }

  /** Applies the next event. */
  apply(event: Journaled<ExecutionEvent>): void {
    const execution = executionDecider.evolve(this.#executions.get(event.executionId), event)
    this.#executions.set(event.executionId, execution)
    this.#state.apply(event, execution)
  }

  get analytics(): Analytics {
    return this.#state.analytics
  }

  get advice(): Advice {
    return this.#state.advice
  }

  recentExecutions(limit: number): Execution[] {
    const latest = this.#state.latest(limit).flatMap((id) => this.#executions.get(id) ?? [])
    return latest.map((execution) => withPlainRoutes(execution))
  }
}
