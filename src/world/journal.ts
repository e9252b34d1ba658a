import type { RecordedEvent, WorldEvent } from './events.ts'
import { WrittenCreation } from './written-creation.ts'

/** The latest events of a world, in order. */
export class Journal {
  readonly #most: number
  #events: RecordedEvent[] = []
  #length = 0

  /** Keeps at least so many events; the oldest are forgotten when there are a tenth more. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  /** How many events there have been, kept or not. */
  get length(): number {
    return this.#length
  }

  /** Gives events their places and time, without taking them up. */
  record(events: readonly WorldEvent[], at: number): RecordedEvent[] {
    return events.map((event, index) => ({ seq: this.#length + index + 1, at, ...event }))
  }

  /** How many events are kept. */
  get size(): number {
    return this.#events.length
  }

  /** The place of the oldest event that is kept. */
  get firstSeq(): number {
    return this.#length - this.#events.length + 1
  }

  /** Appends an event, of which it is known that so many others follow. */
  append(event: RecordedEvent, later = 0): void {
    this.#length += 1
    // It would be forgotten by then, and until then only cost the garbage collector time.
    if (later >= this.#most) return
    this.#events.push(event)
    if (this.#events.length > this.#most * 1.1) this.#events = this.#events.slice(-this.#most)
  }

  /** The latest so many of the events that are kept, or of those of a type, the oldest first. */
  latest(limit = Number.POSITIVE_INFINITY, type?: string): readonly RecordedEvent[] {
    const events = type === undefined ? this.#events : this.#events.filter((event) => event.type === type)
    return limit === 0 ? [] : events.slice(-limit)
  }

  /** The same as plain data. */
  read(limit?: number, type?: string): readonly RecordedEvent[] {
    return this.latest(limit, type).map(plain)
  }
}

/** An event as plain data. */
export function plain(event: RecordedEvent): RecordedEvent {
  return event instanceof WrittenCreation ? event.plain() : event
}
