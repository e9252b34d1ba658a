/** The number of files that are removed in one turn of the event loop. */
const removedAtOnce = 100

/** Removes files: some at once and the others in later turns, so that a reset of many uploads does not delay other requests. */
export class GradualRemoval {
  readonly #remove: (name: string) => void
  readonly #waiting = new Set<string>()
  #isLater = false

  /** `remove` removes one file. It must not throw for errors of the system. */
  constructor(remove: (name: string) => void) {
    this.#remove = remove
  }

  /** Adds a file, to be removed from the next `start` on. */
  add(name: string): void {
    this.#waiting.add(name)
  }

  /** Removes files, unless that goes on already. */
  start(): void {
    if (!this.#isLater) this.#removeSome(removedAtOnce)
    if (this.#isLater || this.#waiting.size === 0) return
    this.#isLater = true
    setImmediate(() => {
      this.#isLater = false
      this.start()
    })
  }

  /** Removes all remaining files now. */
  finish(): void {
    this.#removeSome(this.#waiting.size)
  }

  #removeSome(most: number): void {
    let left = most
    for (const name of this.#waiting) {
      if (left === 0) return
      left -= 1
      this.#waiting.delete(name)
      this.#remove(name)
    }
  }
}
