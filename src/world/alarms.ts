import type { Work } from './slices.ts'

/** The action of an alarm; long actions return interruptible work. */
export type Run = (() => void) | (() => Work)

/** An action that is scheduled for a time. */
export class Alarm {
  /** The position in the heap; -1 if removed. */
  index = -1

  constructor(
    /** In milliseconds since 1970. */
    readonly at: number,
    /** The order of creation: of two alarms at the same time, the older runs first. */
    readonly seq: number,
    readonly run: Run,
  ) {}
}

/** A queue of alarms, the next one first. It is a binary heap, so adding and removing take logarithmic time. */
export class Alarms {
  readonly #heap: Alarm[] = []
  #made = 0

  /** The next alarm. */
  get next(): Alarm | undefined {
    return this.#heap[0]
  }

  add(at: number, run: Run): Alarm {
    const alarm = new Alarm(at, this.#made, run)
    this.#made += 1
    this.#rise(alarm, this.#heap.length)
    return alarm
  }

  /** Removes an alarm, if it is still there. */
  remove(alarm: Alarm): void {
    const { index } = alarm
    if (index < 0) return
    alarm.index = -1
    const last = this.#heap.pop()
    if (!last || last === alarm) return
    // The last alarm takes the free position, and moves from there to its proper one.
    const parent = this.#heap[(index - 1) >> 1]
    if (index > 0 && parent && isBefore(last, parent)) this.#rise(last, index)
    else this.#sink(last, index)
  }

  clear(): void {
    for (const alarm of this.#heap) alarm.index = -1
    this.#heap.length = 0
  }

  #rise(alarm: Alarm, from: number): void {
    let index = from
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = this.#heap[above]
      if (!parent || !isBefore(alarm, parent)) break
      this.#put(parent, index)
      index = above
    }
    this.#put(alarm, index)
  }

  #sink(alarm: Alarm, from: number): void {
    let index = from
    for (;;) {
      const left = this.#heap[2 * index + 1]
      const right = this.#heap[2 * index + 2]
      const child = left && right && isBefore(right, left) ? right : left
      if (!child || !isBefore(child, alarm)) break
      const below = child.index
      this.#put(child, index)
      index = below
    }
    this.#put(alarm, index)
  }

  #put(alarm: Alarm, index: number): void {
    this.#heap[index] = alarm
    alarm.index = index
  }
}

function isBefore(one: Alarm, other: Alarm): boolean {
  return one.at < other.at || (one.at === other.at && one.seq < other.seq)
}
