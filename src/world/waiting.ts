import type { Priority } from '../domain/approval/route.ts'

/** A step of an execution that an approver is asked to decide. */
export interface Assignment {
  readonly executionId: string
  readonly stepId: string
  readonly priority: Priority
  readonly estimatedMinutes: number
}

/** What an assignment is about; nobody is asked twice at a time about the same. */
export type About = Pick<Assignment, 'executionId' | 'stepId'>

const mostUrgentFirst = ['high', 'normal', 'low'] as const

/** What waits on a desk: the most urgent is next, and of what is as urgent the first to arrive, however much waits. */
export class Waiting {
  readonly #piles = { high: new Pile(), normal: new Pile(), low: new Pile() }

  add(assignment: Assignment): void {
    this.#piles[assignment.priority].add(assignment)
  }

  /** Puts back what was taken: it is the next of its priority again. */
  putBack(assignment: Assignment): void {
    this.#piles[assignment.priority] = new Pile([assignment, ...this.#piles[assignment.priority].all()])
  }

  /** Takes the next; nothing where none is left. */
  take(): Assignment | undefined {
    for (const priority of mostUrgentFirst) {
      const next = this.#piles[priority].take()
      if (next) return next
    }
    return undefined
  }

  remove(about: About, priority: Priority): void {
    this.#piles[priority].remove(about)
  }
}

/** Assignments in the order of arrival. */
class Pile {
  readonly #byName = new Map<string, Assignment>()
  /** Goes on where it last was: an iterator that starts anew passes by all that has been removed. */
  readonly #rest = this.#byName.values()

  constructor(assignments: readonly Assignment[] = []) {
    for (const assignment of assignments) this.add(assignment)
  }

  add(assignment: Assignment): void {
    this.#byName.set(nameOf(assignment), assignment)
  }

  take(): Assignment | undefined {
    // An iterator that has come to its end stays there; one that has not finds what is added later.
    const next = this.#byName.size > 0 ? this.#rest.next().value : undefined
    if (next) this.remove(next)
    return next
  }

  remove(about: About): void {
    this.#byName.delete(nameOf(about))
  }

  all(): Iterable<Assignment> {
    return this.#byName.values()
  }
}

function nameOf({ executionId, stepId }: About): string {
  return `${executionId}/${stepId}`
}

/** Whether both are about the same step of the same execution. */
export function isSame(one: About, other: About): boolean {
  return one.executionId === other.executionId && one.stepId === other.stepId
}
