/** The client went away before its body had arrived. */
export class Interrupted extends Error {}

/** Reads a body of at most so many bytes; gives nothing if it is larger, after reading what the client still sends. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array | undefined> {
  try {
    return await read(request, limit)
  } catch (error) {
    throw new Interrupted('The body did not arrive.', { cause: error })
  }
}

async function read(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (!request.body) return new Uint8Array()
  const announced = Number(request.headers.get('Content-Length') ?? Number.NaN)
  // The HTTP parser holds a body to the length it announces.
  if (announced <= limit) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    // An answer before the client has sent everything would reset its connection, so the rest is read and dropped.
    if (size <= limit) chunks.push(chunk)
    else if (size > limit + drained) return undefined
  }
  return size > limit ? undefined : concatenated(chunks, size)
}

/** Reads and drops a body, so that the client reads the answer instead of a reset connection. */
export async function drain(request: Request): Promise<void> {
  if (request.body && !request.bodyUsed) await readBytes(request, 0)
}

/** How far a body that is refused is read, in bytes. */
const drained = 128 * 1024 * 1024

function concatenated(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
