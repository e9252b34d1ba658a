import { Advice } from '../domain/advice/advice.ts'
import { Analytics } from '../domain/analytics/analytics.ts'
import type { Execution, ExecutionEvent } from '../domain/approval/execution.ts'
import { type WorkflowCreated, workflowDecider } from '../domain/approval/workflow.ts'
import type { Journaled } from '../domain/decider.ts'

/** The oldest executions are forgotten when there are more of them by this share. */
const slack = 0.1

/** A workflow and everything that depends on it. Most workflows of a mock are never executed, so that is made when it is needed. */
export class WorkflowRoom {
  #analytics: Analytics | undefined
  #advice: Advice | undefined
  /**
   * The analytics that were last made for a workflow without executions. They follow from its definition alone, so only one is
   * kept, and the others are made again when they are needed again.
   */
  static #passing: { readonly room: WorkflowRoom; readonly analytics: Analytics } | undefined
  /** Identifiers of the executions that are kept, the oldest first. */
  #executions: string[] = []
  #ended = 0

  constructor(readonly created: Journaled<WorkflowCreated>) {}

  get analytics(): Analytics {
    if (this.#analytics) return this.#analytics
    const passing = WorkflowRoom.#passing
    if (passing?.room === this) return passing.analytics
    const analytics = new Analytics(workflowDecider.evolve(undefined, this.created))
    WorkflowRoom.#passing = { room: this, analytics }
    return analytics
  }

  get advice(): Advice {
    return this.#advice ?? new Advice(this.analytics)
  }

  /** The number of events of its executions. */
  get events(): number {
    return this.#analytics?.events ?? 0
  }

  get isExecuted(): boolean {
    return this.#analytics !== undefined
  }

  /** Takes notice of what happened to an execution, with the execution as it is after it. */
  apply(event: Journaled<ExecutionEvent>, execution: Execution): void {
    if (!this.#analytics) {
      this.#analytics = this.analytics
      WorkflowRoom.#passing = undefined
    }
    this.#advice ??= this.advice
    this.#advice.settle()
    this.#analytics.apply(event, execution)
    if (event.type === 'StepDecided') this.#advice.count()
    if (event.type === 'ExecutionStarted') this.#executions.push(event.executionId)
    if (event.type === 'ExecutionCompleted') this.#ended += 1
  }

  /** Identifiers of the latest executions, the newest first. */
  latest(limit: number): string[] {
    return this.#executions.slice(-limit).reverse()
  }

  /** Whether there are so many more that are over than that the oldest should be forgotten: not each time, but by the tenth. */
  hasTooMany(most: number): boolean {
    return this.#ended - most > most * slack
  }

  /** Forgets the oldest executions that are over, so that at most so many are kept; returns their identifiers. */
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
   * Whether an execution that has just ended will be forgotten when so many more have ended, whichever they are. The oldest are
   * forgotten first, so those count that are younger: all but the ones that are running now.
   */
  willForget(most: number, moreEnded: number): boolean {
    const running = this.#executions.length - this.#ended
    return moreEnded - running > most * (1 + slack)
  }
}
