/**
 * The shape of every rule of the service. `decide` returns the events that a command causes, or throws a `DomainError`;
 * `evolve` returns the state after an event. Both are pure: time and identifiers arrive with the command.
 */
export interface Decider<State, Command, Event> {
  decide(command: Command, state: State | undefined): Event[]
  evolve(state: State | undefined, event: Journaled<Event>): State
}

/** An event with its place in the journal, counted from 1, and its time in milliseconds since 1970. */
export type Journaled<Event> = Event & { readonly seq: number; readonly at: number }

/** Ends a switch over a union: does not compile while a case is missing. */
export function never(value: never): never {
  throw new TypeError(`Unexpected value ${JSON.stringify(value)}`)
}
