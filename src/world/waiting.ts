import type { Priority } from '../domain/approval/route.ts'

/** A step of an execution that waits for the decision of one approver. */
export interface Assignment {
  readonly executionId: string
  readonly stepId: string
  readonly priority: Priority
  readonly estimatedMinutes: number
}

/** Identifies an assignment of an approver. An approver has at most one for each step of an execution. */
export type AssignmentId = Pick<Assignment, 'executionId' | 'stepId'>

const mostUrgentFirst = ['high', 'normal', 'low'] as const

/** The waiting assignments of an approver, by priority and then by arrival. All methods but `putBack` take constant time. */
export class Waiting {
  readonly #queues = { high: new Queue(), normal: new Queue(), low: new Queue() }

  add(assignment: Assignment): void {
    this.#queues[assignment.priority].add(assignment)
  }

  /** Returns an assignment to the queue, as the first of its priority. */
  putBack(assignment: Assignment): void {
    this.#queues[assignment.priority] = new Queue([assignment, ...this.#queues[assignment.priority].all()])
  }

  /** Removes and returns the next assignment; undefined if there is none. */
  take(): Assignment | undefined {
    for (const priority of mostUrgentFirst) {
      const next = this.#queues[priority].take()
      if (next) return next
    }
    return undefined
  }

  remove(id: AssignmentId, priority: Priority): void {
    this.#queues[priority].remove(id)
  }
}

/** Assignments in the order of arrival. */
class Queue {
  readonly #byName = new Map<string, Assignment>()
  /** Kept between calls: a new iterator would visit all removed entries again. */
  readonly #rest = this.#byName.values()

  constructor(assignments: readonly Assignment[] = []) {
    for (const assignment of assignments) this.add(assignment)
  }

  add(assignment: Assignment): void {
    this.#byName.set(nameOf(assignment), assignment)
  }

  take(): Assignment | undefined {
    // An iterator that is at its end stays there. Until then, it also visits entries that are added later.
    const next = this.#byName.size > 0 ? this.#rest.next().value : undefined
    if (next) this.remove(next)
    return next
  }

  remove(id: AssignmentId): void {
    this.#byName.delete(nameOf(id))
  }

  all(): Iterable<Assignment> {
    return this.#byName.values()
  }
}

function nameOf({ executionId, stepId }: AssignmentId): string {
  return `${executionId}/${stepId}`
}

/** Checks whether both are for the same step of the same execution. */
export function isSame(one: AssignmentId, other: AssignmentId): boolean {
  return one.executionId === other.executionId && one.stepId === other.stepId
}
