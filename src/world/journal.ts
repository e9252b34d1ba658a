import type { RecordedEvent, WorldEvent } from './events.ts'

/** The events of a world, in order. */
export class Journal {
  readonly #events: RecordedEvent[] = []

  /** Gives the event its place and time. */
  append(event: WorldEvent, at: number): RecordedEvent {
    const recorded: RecordedEvent = { seq: this.#events.length + 1, at, ...event }
    this.#events.push(recorded)
    return recorded
  }

  read(): readonly RecordedEvent[] {
    return this.#events
  }
}
