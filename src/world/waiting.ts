import { mostUrgentFirst, type Priority } from '../domain/approval/route.ts'

/** A step of an execution that waits for the decision of one approver. */
export interface Assignment {
  readonly executionId: string
  readonly stepId: string
  readonly priority: Priority
  readonly estimatedMinutes: number
  /** The time until it is taken up, in milliseconds. @default 0 */
  readonly pickUpMs?: number | undefined
}

/** Identifies an assignment of an approver. An approver has at most one for each step of an execution. */
export type AssignmentId = Pick<Assignment, 'executionId' | 'stepId'>

/** The waiting assignments of an approver, by priority and then by arrival. All methods take constant time. */
export class Waiting {
  readonly #queues = { high: new Queue(), normal: new Queue(), low: new Queue() }

  add(assignment: Assignment): void {
    this.#queues[assignment.priority].add(assignment)
  }

  /** Returns an assignment to the queue, as the first of its priority. */
  putBack(assignment: Assignment): void {
    this.#queues[assignment.priority].addFirst(assignment)
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

/** An assignment in a queue, and its neighbours. */
interface Place {
  readonly assignment: Assignment
  before: Place | undefined
  after: Place | undefined
}

/**
 * Assignments in the order of arrival, as a linked list with an index. An iterator of a `Map` would do, but V8 keeps all removed
 * entries as long as an iterator exists that has not passed them.
 */
class Queue {
  readonly #byName = new Map<string, Place>()
  #first: Place | undefined
  #last: Place | undefined

  add(assignment: Assignment): void {
    const place: Place = { assignment, before: this.#last, after: undefined }
    if (this.#last) this.#last.after = place
    else this.#first = place
    this.#last = place
    this.#byName.set(nameOf(assignment), place)
  }

  addFirst(assignment: Assignment): void {
    const place: Place = { assignment, before: undefined, after: this.#first }
    if (this.#first) this.#first.before = place
    else this.#last = place
    this.#first = place
    this.#byName.set(nameOf(assignment), place)
  }

  take(): Assignment | undefined {
    const next = this.#first?.assignment
    if (next) this.remove(next)
    return next
  }

  remove(id: AssignmentId): void {
    const name = nameOf(id)
    const place = this.#byName.get(name)
    if (!place) return
    this.#byName.delete(name)
    if (place.before) place.before.after = place.after
    else this.#first = place.after
    if (place.after) place.after.before = place.before
    else this.#last = place.before
  }
}

function nameOf({ executionId, stepId }: AssignmentId): string {
  return `${executionId}/${stepId}`
}

/** Checks whether both are for the same step of the same execution. */
export function isSame(one: AssignmentId, other: AssignmentId): boolean {
  return one.executionId === other.executionId && one.stepId === other.stepId
}
