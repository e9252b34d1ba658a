import type { Incoming } from './exchange.ts'

/** How far a body that is refused is read, in bytes: an answer before its end would reset the client's connection. */
const drained = 128 * 1024 * 1024

/** Reads a body of at most so many bytes; gives nothing if it is larger, after reading what the client still sends. */
export async function readBytes(incoming: Incoming, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  const size = await read(incoming, limit, (chunk) => chunks.push(chunk))
  if (size > limit) return undefined
  const [first] = chunks
  return chunks.length === 1 && first ? first : concatenated(chunks, size)
}

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

function concatenated(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
