import type { Work } from './slices.ts'

/** The action of an alarm; long actions return interruptible work. */
export type Run = (() => void) | (() => Work)

/** An action that is scheduled for a time. */
export interface Alarm {
  /** In milliseconds since 1970. */
  readonly at: number
  /** The order of creation: of two alarms at the same time, the older runs first. */
  readonly seq: number
  readonly run: Run
}

/** A queue of alarms. */
export class Alarms {
  /** Sorted: the next one is the last. */
  readonly #alarms: Alarm[] = []
  #made = 0

  /** The next alarm. */
  get next(): Alarm | undefined {
    return this.#alarms.at(-1)
  }

  add(at: number, run: Run): Alarm {
    const alarm = { at, seq: this.#made, run }
    this.#made += 1
    this.#alarms.splice(this.#placeOf(alarm), 0, alarm)
    return alarm
  }

  /** Removes an alarm, if it is still there. */
  remove(alarm: Alarm): void {
    const place = this.#placeOf(alarm)
    if (this.#alarms[place] === alarm) this.#alarms.splice(place, 1)
  }

  clear(): void {
    this.#alarms.length = 0
  }

  /** Returns the place of an alarm, or where it belongs, by bisection. */
  #placeOf({ at, seq }: Alarm): number {
    let [low, high] = [0, this.#alarms.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#alarms[middle]
      if (other && (other.at > at || (other.at === at && other.seq > seq))) low = middle + 1
      else high = middle
    }
    return low
  }
}
