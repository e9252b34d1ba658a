import type { Memory } from '../world/memory.ts'
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
  // One array: a client may send single bytes, and an object for each would take a hundred times the memory.
  let bytes = new Uint8Array()
  let used = 0
  let counted = 0
  const withinMemory = (array: Uint8Array<ArrayBuffer>) => {
    if (array.byteLength <= alwaysRead) return array
    memory.requireSpace()
    memory.take(array.byteLength - counted)
    counted = array.byteLength
    return array
  }
  const add = (chunk: Uint8Array) => {
    const before = used
    used += chunk.byteLength
    // Most bodies are one chunk, which needs no copy.
    if (before === 0) {
      bytes = withinMemory(chunk as Uint8Array<ArrayBuffer>)
      return
    }
    if (used > bytes.byteLength) {
      const old = bytes
      // Doubling the size keeps the total time for copies linear.
      bytes = withinMemory(new Uint8Array(2 * used))
      bytes.set(old.subarray(0, before))
    }
    bytes.set(chunk, before)
  }
  try {
    const size = await readAll(incoming, limit, add)
    return size > limit ? undefined : bytes.subarray(0, used)
  } finally {
    memory.free(counted)
  }
}

/**
 * Passes at most `limit` bytes of a body to `take`, and returns the size of the body, which may be larger. The memory of a
 * chunk may be reused after `take` returns.
 */
export function readChunks(incoming: Incoming, limit: number, take: (chunk: Uint8Array) => void): Promise<number> {
  return readAll(incoming, limit, take, incoming.release)
}

/** Reads and discards a body, so that the client gets the answer instead of a reset connection. */
export async function drain(incoming: Incoming): Promise<void> {
  await readChunks(incoming, 0, () => {})
}

async function readAll(
  { readBody }: Incoming,
  limit: number,
  take: (chunk: Uint8Array) => void,
  release?: (chunk: Uint8Array) => void,
): Promise<number> {
  let size = 0
  let failure: { readonly error: unknown } | undefined
  await readBody((chunk) => {
    size += chunk.byteLength
    try {
      if (size <= limit && !failure) take(chunk)
    } catch (error) {
      // The rest is still read, or the client would see a broken connection instead of the answer.
      failure = { error }
    }
    release?.(chunk)
    return size <= limit + maxDrained
  })
  if (failure) throw failure.error
  return size
}
