import type { Execution, ExecutionStep } from '../domain/approval/execution.ts'
import type { Candidate, Route } from '../domain/approval/route.ts'
import type { Approver } from '../domain/approval/workflow.ts'

/** The members of a route that are stored as text. */
type Explanation = Pick<Route, 'reason' | 'candidates'>

/**
 * A route of a restored execution. It stores its reason and candidates as text and parses them on demand: they are most of an
 * execution's memory, and only its details show them. A world returns plain routes.
 */
export class WrittenRoute implements Route {
  readonly assignee: Approver
  readonly nextBestMinutes: number | undefined
  readonly #text: string

  /** `text` is JSON with both members of an `Explanation`, as the journal writes them. */
  constructor(assignee: Approver, text: string) {
    this.assignee = assignee
    this.nextBestMinutes = leastMinutes(text, assignee.email)
    this.#text = text
  }

  /** Returns the reason and candidates of a route as the text that the constructor takes. */
  static textOf(route: Route): string {
    if (route instanceof WrittenRoute) return route.#text
    const { reason, candidates } = route
    return JSON.stringify({ reason, candidates })
  }

  get reason(): string {
    return this.#read().reason
  }

  get candidates(): readonly Candidate[] {
    return this.#read().candidates
  }

  /** Converts the route to plain data. */
  plain(): Route {
    return { assignee: this.assignee, ...this.#read() }
  }

  #read(): Explanation {
    return JSON.parse(this.#text)
  }
}

/** Returns an execution with plain routes: the same object if all are. */
export function withPlainRoutes(execution: Execution): Execution {
  const { stages } = execution
  if (!stages.some((steps) => steps.some(({ route }) => route instanceof WrittenRoute))) return execution
  const plainStep = (step: ExecutionStep) =>
    step.route instanceof WrittenRoute ? { ...step, route: step.route.plain() } : step
  return { ...execution, stages: stages.map((steps) => steps.map(plainStep)) }
}

/** Between the address of a candidate and its expected minutes. Quotes in a JSON text are escaped, so no text contains it. */
const minutesMember = '","expectedMinutes":'

/** Returns the least expected minutes of all candidates but one; undefined if there are no others. */
function leastMinutes(text: string, except: string): number | undefined {
  const own = `"email":${JSON.stringify(except).slice(0, -1)}`
  let least = Number.POSITIVE_INFINITY
  for (let at = text.indexOf(minutesMember); at >= 0; at = text.indexOf(minutesMember, at + 1)) {
    const from = at + minutesMember.length
    const isOwn = text.startsWith(own, at - own.length)
    if (!isOwn) least = Math.min(least, Number(text.slice(from, text.indexOf(',', from))))
  }
  return Number.isFinite(least) ? least : undefined
}
