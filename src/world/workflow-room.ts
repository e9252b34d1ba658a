import { Advice } from '../domain/advice/advice.ts'
import { Analytics } from '../domain/analytics/analytics.ts'
import type { Execution, ExecutionEvent } from '../domain/approval/execution.ts'
import { type WorkflowCreated, workflowDecider } from '../domain/approval/workflow.ts'
import type { Journaled } from '../domain/decider.ts'

/** The share by which the number of ended executions may exceed the limit before the oldest are forgotten. */
const slack = 0.1

/** A workflow with its analytics and executions. Analytics are created on demand, since most workflows are never executed. */
export class WorkflowRoom {
  #analytics: Analytics | undefined
  #advice: Advice | undefined
  /** The analytics before the first execution. They depend only on the definition, so they can be created again. */
  #temporary: WeakRef<Analytics> | undefined
  /** Identifiers of the executions that are kept, the oldest first. */
  #executions: string[] = []
  #ended = 0

  constructor(readonly created: Journaled<WorkflowCreated>) {}

  get analytics(): Analytics {
    const known = this.#analytics ?? this.#temporary?.deref()
    if (known) return known
    const analytics = new Analytics(workflowDecider.evolve(undefined, this.created))
    this.#temporary = new WeakRef(analytics)
    return analytics
  }

  get advice(): Advice {
    return this.#advice ?? new Advice(this.analytics)
  }

  get isExecuted(): boolean {
    return this.#analytics !== undefined
  }

  /** Applies an event. `execution` is the state after the event. */
  apply(event: Journaled<ExecutionEvent>, execution: Execution): void {
    this.#analytics ??= this.analytics
    this.#advice ??= this.advice
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
