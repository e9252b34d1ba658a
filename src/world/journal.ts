import type { RecordedEvent, WorldEvent } from './events.ts'

/** The events of a world, in order. */
export class Journal {
  readonly #events: RecordedEvent[] = []

  /** Gives events their places and time, without taking them up. */
  record(events: readonly WorldEvent[], at: number): RecordedEvent[] {
    const { length } = this.#events
    return events.map((event, index) => ({ seq: length + index + 1, at, ...event }))
  }

  append(event: RecordedEvent): void {
    this.#events.push(event)
  }

  read(): readonly RecordedEvent[] {
    return this.#events
  }
}
