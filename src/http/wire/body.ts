import type { Memory } from '../../world/memory.ts'
import type { Incoming } from './exchange.ts'

/** The most bytes of a refused body that are read: an answer before its end would reset the client's connection. */
const maxDrained = 128 * 1024 * 1024

/** Bodies up to this size, in bytes, are read even if the memory is full, so that only creating fails. */
const alwaysRead = 16 * 1024

/**
 * Reads a body of at most `limit` bytes; returns undefined if it is larger, after draining the rest. Bodies above a minimum
 * size count against the memory while they arrive. Throws a `DomainError` if the memory is full.
 */
export async function readBytes(incoming: Incoming, limit: number, memory: Memory): Promise<Uint8Array | undefined> {
  const body = new BodyBuffer(memory)
  let refusal: unknown
  try {
    let size = 0
    await incoming.readBody((chunk) => {
      size += chunk.byteLength
      try {
        if (size <= limit && refusal === undefined) body.add(chunk)
      } catch (error) {
        // The rest is still read, or the client would see a broken connection instead of the answer.
        refusal = error
        body.drop()
      }
      return size <= limit + maxDrained
    })
    if (refusal !== undefined) throw refusal
    return size > limit ? undefined : body.bytes()
  } finally {
    body.drop()
  }
}

/**
 * Collects chunks in one array. A client may send single bytes, and an object for each would take a hundred times the
 * memory.
 */
class BodyBuffer {
  readonly #memory: Memory
  #bytes: Uint8Array = none
  #size = 0
  #counted = 0

  constructor(memory: Memory) {
    this.#memory = memory
  }

  /** Appends a chunk. Throws a `DomainError` if the memory is full. */
  add(chunk: Uint8Array): void {
    const before = this.#size
    this.#size += chunk.byteLength
    // Most bodies are one chunk, which needs no copy.
    if (before === 0) this.#bytes = this.#count(chunk)
    else {
      // Doubling the size keeps the total time for copies linear.
      if (this.#size > this.#bytes.byteLength) this.#grow(before, 2 * this.#size)
      this.#bytes.set(chunk, before)
    }
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }

  drop(): void {
    this.#memory.free(this.#counted)
    this.#counted = 0
    this.#bytes = none
  }

  #grow(used: number, size: number): void {
    const old = this.#bytes
    this.#bytes = this.#count(new Uint8Array(size))
    this.#bytes.set(old.subarray(0, used))
  }

  #count(bytes: Uint8Array): Uint8Array {
    if (bytes.byteLength <= alwaysRead) return bytes
    this.#memory.requireSpace()
    this.#memory.take(bytes.byteLength - this.#counted)
    this.#counted = bytes.byteLength
    return bytes
  }
}

const none = new Uint8Array()

/**
 * Passes at most `limit` bytes of a body to `take`, and returns the size of the body, which may be larger. The memory of a
 * chunk may be reused after `take` returns.
 */
export async function readChunks(
  incoming: Incoming,
  limit: number,
  take: (chunk: Uint8Array) => void,
): Promise<number> {
  let size = 0
  await incoming.readBody((chunk) => {
    size += chunk.byteLength
    if (size <= limit) take(chunk)
    incoming.release?.(chunk)
    return size <= limit + maxDrained
  })
  return size
}

/** Reads and discards a body, so that the client gets the answer instead of a reset connection. */
export async function drain(incoming: Incoming): Promise<void> {
  await readChunks(incoming, 0, () => {})
}
