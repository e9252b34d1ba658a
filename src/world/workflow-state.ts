import { Advice } from '../domain/advice/advice.ts'
import { Analytics } from '../domain/analytics/analytics.ts'
import { type Execution, type ExecutionEvent, executionDecider } from '../domain/approval/execution.ts'
import { type WorkflowCreated, workflowDecider } from '../domain/approval/workflow.ts'
import type { Journaled } from '../domain/decider.ts'
import type { Work } from './slices.ts'

/** The share by which the number of ended executions may exceed the limit before the oldest are forgotten. */
const slack = 0.1

/** A workflow with its analytics and executions. Analytics are created on demand, since most workflows are never executed. */
export class WorkflowState {
  #analytics: Analytics | undefined
  #advice: Advice | undefined
  /**
   * The analytics that were last created for a workflow without executions. They follow from its definition alone, so only one is
   * kept, and the others are created again when needed.
   */
  static #passing: { readonly state: WorkflowState; readonly analytics: Analytics } | undefined
  /** Identifiers of the executions that are kept, the oldest first. */
  #executions: string[] = []
  #ended = 0
  #changedAt = 0

  constructor(readonly created: Journaled<WorkflowCreated>) {}

  get analytics(): Analytics {
    if (this.#analytics) return this.#analytics
    const passing = WorkflowState.#passing
    if (passing?.state === this) return passing.analytics
    const analytics = new Analytics(workflowDecider.evolve(undefined, this.created))
    WorkflowState.#passing = { state: this, analytics }
    return analytics
  }

  get advice(): Advice {
    return this.#advice ?? new Advice(this.analytics)
  }

  /** The number of events of its executions. */
  get events(): number {
    return this.#analytics?.events ?? 0
  }

  /** The time of its latest event, in milliseconds since 1970; 0 if that is not known. */
  get changedAt(): number {
    return this.#changedAt
  }

  get isExecuted(): boolean {
    return this.#analytics !== undefined
  }

  /** Applies an event. `execution` is the state after the event. */
  apply(event: Journaled<ExecutionEvent>, execution: Execution): void {
    if (!this.#analytics) {
      this.#analytics = this.analytics
      WorkflowState.#passing = undefined
    }
    this.#advice ??= this.advice
    this.#changedAt = event.at
    this.#advice.settle()
    this.#analytics.apply(event, execution)
    if (event.type === 'StepDecided') this.#advice.count()
    if (event.type === 'ExecutionStarted') this.#executions.push(event.executionId)
    if (event.type === 'ExecutionCompleted') this.#ended += 1
  }

  /** Returns the identifiers of the latest executions, the newest first. */
  latest(limit: number): string[] {
    return this.#executions.slice(-limit).reverse()
  }

  /** Checks whether the limit of ended executions is exceeded by more than the slack. */
  hasTooMany(most: number): boolean {
    return this.#ended - most > most * slack
  }

  /** Removes the oldest ended executions, so that at most `most` remain. Returns the removed identifiers. */
  forget(most: number, isOver: (executionId: string) => boolean): string[] {
    let surplus = this.#ended - most
    const forgotten: string[] = []
    this.#executions = this.#executions.filter((id) => {
      if (surplus === 0 || !isOver(id)) return true
      surplus -= 1
      forgotten.push(id)
      return false
    })
    this.#ended -= forgotten.length
    return forgotten
  }

  /**
   * Checks whether an execution that has just ended will have been forgotten once `moreEnded` others have ended. The oldest are
   * forgotten first, so the executions that are running now are not counted: they may be older.
   */
  willForget(most: number, moreEnded: number): boolean {
    const running = this.#executions.length - this.#ended
    return moreEnded - running > most * (1 + slack)
  }
}

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
