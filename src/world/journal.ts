import type { RecordedEvent, WorldEvent } from './events.ts'

/** The latest events of a world, in order. */
export class Journal {
  readonly #most: number
  #events: RecordedEvent[] = []
  #length = 0

  /** Keeps at least the latest `most` events. Older ones are dropped once there are a tenth more. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  /** The number of all events, including those dropped. */
  get length(): number {
    return this.#length
  }

  /** Adds sequence numbers and the time to events, without appending them. */
  record(events: readonly WorldEvent[], at: number): RecordedEvent[] {
    return events.map((event, index) => ({ seq: this.#length + index + 1, at, ...event }))
  }

  /** The number of events that are kept. */
  get size(): number {
    return this.#events.length
  }

  /** The sequence number of the oldest event that is kept. */
  get firstSeq(): number {
    return this.#length - this.#events.length + 1
  }

  /** Appends an event. `later` is the number of events that are known to follow it. */
  append(event: RecordedEvent, later = 0): void {
    this.#length += 1
    // It would be dropped anyway. Until then, it would only burden the garbage collector.
    if (later >= this.#most) return
    this.#events.push(event)
    if (this.#events.length > this.#most * 1.1) this.#events = this.#events.slice(-this.#most)
  }

  /** Returns the latest `limit` events before the position `before`, of one type if `type` is set, the oldest first. */
  read(limit = Number.POSITIVE_INFINITY, type?: string, before = this.#length + 1): readonly RecordedEvent[] {
    const end = Math.max(0, before - this.firstSeq)
    if (type === undefined) return this.#events.slice(Math.max(0, end - limit), end)
    const events = this.#events.slice(0, end).filter((event) => event.type === type)
    return limit === 0 ? [] : events.slice(-limit)
  }
}
