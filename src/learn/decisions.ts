/** Lets the approvers of a mock decide as those of a deployment did. */
import type { Course, SeenDecision } from '../../conformance/learning/courses.ts'
import type { Mock } from '../mock.ts'

/** Decides the steps of executions when the deployment's approvers did. */
export class Decisions {
  readonly #mock: Mock
  readonly #key: string
  readonly #waiting: (SeenDecision & { executionId: string; isLast: boolean })[] = []

  /** `key` is that of the tenant. */
  constructor(mock: Mock, key: string) {
    this.#mock = mock
    this.#key = key
  }

  /** Plans the decisions of an execution. */
  plan({ decisions = [], hasEnded = false }: Partial<Course> = {}, executionId: string): void {
    // A rejection ends an execution here at once. Where steps side by side are decided after it, it comes last.
    const open = this.#openSteps(executionId)
    const lastAt = Math.max(...decisions.flatMap(({ stepId, at }) => (open.includes(stepId ?? '') ? at : [])))
    const isEarly = ({ decision, at }: SeenDecision) => decision === 'rejected' && at < lastAt
    const inOrder = decisions.toSorted((a, b) => Number(isEarly(a)) - Number(isEarly(b)))
    const planned = inOrder.map((one, index) => {
      const at = isEarly(one) ? lastAt : one.at
      return { ...one, at, executionId, isLast: hasEnded && index === inOrder.length - 1 }
    })
    this.#waiting.push(...planned)
    this.#waiting.sort((a, b) => a.at - b.at)
  }

  /** Takes all decisions of an execution, for approval unless its course says otherwise. */
  takeAll({ decisions = [] }: Partial<Course> = {}, executionId: string): void {
    const decisionOf = (stepId: string) => decisions.find((one) => one.stepId === stepId)?.decision ?? 'approved'
    for (let open = this.#openSteps(executionId); open.length > 0; open = this.#openSteps(executionId)) {
      // A rejection withdraws the steps that are still open.
      const stepId = open.find((one) => decisionOf(one) === 'approved') ?? open[0] ?? ''
      this.#mock.decide({ execution_id: executionId, step_id: stepId, decision: decisionOf(stepId) }, this.#key)
    }
  }

  /** Takes the decisions up to a time: each time one, and at the end of an execution all that are left. */
  takeUntil(time: number, advanceTo: (at: number) => void): void {
    for (let next = this.#waiting[0]; next && next.at <= time; next = this.#waiting[0]) {
      this.#waiting.shift()
      advanceTo(next.at)
      const { executionId, decision, isLast } = next
      let open = this.#openSteps(executionId)
      while (open.length > 0) {
        const stepId = open.find((one) => one === next?.stepId) ?? open[0] ?? ''
        this.#mock.decide({ execution_id: executionId, step_id: stepId, decision }, this.#key)
        open = isLast ? this.#openSteps(executionId) : []
      }
    }
  }

  #openSteps(executionId: string): string[] {
    const events = this.#mock.journal
      .read(this.#key)
      .filter((event) => 'execution_id' in event && event.execution_id === executionId)
    // A rejection withdraws the other assignments.
    const over = events.flatMap((event) =>
      event.type === 'StepDecided' || event.type === 'AssignmentWithdrawn' ? [event.step_id] : [],
    )
    const decided = new Set(over)
    return events.flatMap((event) =>
      event.type === 'StepAssigned' && !decided.has(event.step_id) ? [event.step_id] : [],
    )
  }
}
