import type { WrittenJson } from '../../wire/exchange.ts'

interface Kept {
  readonly events: number
  /** Undefined once it is evicted. */
  details: WrittenJson | undefined
}

/**
 * Keeps the details that were written last, up to a number of bytes for all workflows together. A `WeakRef` would not bound
 * them: V8 keeps its target until the current job ends, and for a client in the same process a job can be a whole test.
 */
export class LatestDetails {
  readonly #ofWorkflow = new WeakMap<object, Kept>()
  /** The oldest first. */
  readonly #latest = new Set<Kept>()
  /** The size of all kept details, in bytes. */
  bytes = 0

  constructor(readonly mostBytes: number) {}

  /** Returns the details of a workflow, if they are kept and it has had no event since. */
  find(workflow: object, events: number): WrittenJson | undefined {
    const kept = this.#ofWorkflow.get(workflow)
    return kept?.events === events ? kept.details : undefined
  }

  /** Keeps the details that a workflow has after a number of events, unless they alone are too large. */
  keep(workflow: object, events: number, details: WrittenJson): void {
    const before = this.#ofWorkflow.get(workflow)
    if (before) this.#evict(before)
    if (details.bytes.length > this.mostBytes) return
    const kept: Kept = { events, details }
    this.#ofWorkflow.set(workflow, kept)
    this.#latest.add(kept)
    this.bytes += details.bytes.length
    for (const oldest of this.#latest) {
      if (this.bytes <= this.mostBytes) break
      this.#evict(oldest)
    }
  }

  #evict(kept: Kept): void {
    this.bytes -= kept.details?.bytes.length ?? 0
    kept.details = undefined
    this.#latest.delete(kept)
  }
}
