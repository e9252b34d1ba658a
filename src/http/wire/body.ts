import type { Memory } from '../../world/memory.ts'
import type { Incoming } from './exchange.ts'

/** How far a body that is refused is read, in bytes: an answer before its end would reset the client's connection. */
const drained = 128 * 1024 * 1024

/** Bodies up to this size, in bytes, are read even if no memory is left, so that everything but creating goes on. */
const always = 16 * 1024

/**
 * Reads a body of at most so many bytes; returns undefined if it is larger, after reading what the client still sends. A larger
 * body counts as memory while it arrives. Throws a `DomainError` if none is left for it.
 */
export async function readBytes(incoming: Incoming, limit: number, memory: Memory): Promise<Uint8Array | undefined> {
  const body = new Gathered(memory)
  let refusal: unknown
  try {
    const size = await read(incoming, limit, (chunk) => {
      try {
        if (refusal === undefined) body.add(chunk)
      } catch (error) {
        // The rest is read all the same, or the client would see a broken connection instead of the answer.
        refusal = error
        body.drop()
      }
    })
    if (refusal !== undefined) throw refusal
    return size > limit ? undefined : body.bytes()
  } finally {
    body.drop()
  }
}

/** Chunks in one piece. A client may send each byte alone, and as many objects would take a hundred times the memory. */
class Gathered {
  readonly #memory: Memory
  #bytes: Uint8Array = none
  #size = 0
  #counted = 0

  constructor(memory: Memory) {
    this.#memory = memory
  }

  /** Throws a `DomainError` if there is no memory left for it. */
  add(chunk: Uint8Array): void {
    const before = this.#size
    this.#size += chunk.byteLength
    // Most bodies are one chunk, which needs no copy.
    if (before === 0) this.#bytes = this.#counting(chunk)
    else {
      // Twice as much as is needed, so that the copies take no longer than what is copied.
      if (this.#size > this.#bytes.byteLength) this.#move(before, 2 * this.#size)
      this.#bytes.set(chunk, before)
    }
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }

  drop(): void {
    this.#memory.giveBack(this.#counted)
    this.#counted = 0
    this.#bytes = none
  }

  #move(used: number, size: number): void {
    const old = this.#bytes
    this.#bytes = this.#counting(new Uint8Array(size))
    this.#bytes.set(old.subarray(0, used))
  }

  #counting(bytes: Uint8Array): Uint8Array {
    if (bytes.byteLength <= always) return bytes
    this.#memory.mustHaveRoom()
    this.#memory.take(bytes.byteLength - this.#counted)
    this.#counted = bytes.byteLength
    return bytes
  }
}

const none = new Uint8Array()

/**
 * Passes on what arrives of a body, at most so many bytes; gives how many there were, which may be more. A chunk is only
 * lent: it may be gone when `take` returns.
 */
export function readChunks(incoming: Incoming, limit: number, take: (chunk: Uint8Array) => void): Promise<number> {
  return read(incoming, limit, take, (chunk) => incoming.release?.(chunk))
}

async function read(
  incoming: Incoming,
  limit: number,
  take: (chunk: Uint8Array) => void,
  release?: (chunk: Uint8Array) => void,
): Promise<number> {
  let size = 0
  await incoming.readBody((chunk) => {
    size += chunk.byteLength
    if (size <= limit) take(chunk)
    release?.(chunk)
    return size <= limit + drained
  })
  return size
}

/** Reads and drops a body, so that the client reads the answer instead of a reset connection. */
export async function drain(incoming: Incoming): Promise<void> {
  await readChunks(incoming, 0, () => {})
}
