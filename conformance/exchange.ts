/** A request that was sent and the answer that came. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  /** The body as JSON; absent where it is none. */
  readonly json?: unknown
}

/** No answer came: the network, the time-out or the size limit is to blame, not the service. */
export class TransportError extends Error {
  constructor(
    what: string,
    /** Why, in the system's words. */
    readonly reason: string,
  ) {
    super(`${what} got no answer: ${reason}.`)
  }
}

/** Largest body that is read of an answer. */
const maxBytes = 1024 * 1024

/** Reads an answer to its end, within the limit. */
export async function exchangeOf(request: Request, response: Response): Promise<Exchange> {
  const what = `${request.method} ${new URL(request.url).pathname}`
  const bytes = await readAtMost(response, maxBytes, what)
  const { status, headers } = response
  const exchange = { method: request.method, url: request.url, status, headers, bytes }
  const json = parsed(bytes)
  return json === undefined ? exchange : { ...exchange, json }
}

/** An exchange for a reader: method, path and status. The query stays out, for a signature may stand in it. */
export function label({ method, url, status }: Exchange): string {
  return `${method} ${new URL(url).pathname} answered ${status}`
}

/** Whether the answer says that the call was carried out: a 2xx that does not report an error in its body. */
export function succeeded({ status, json, headers }: Exchange): boolean {
  if (status < 200 || status > 299) return false
  if (/html/i.test(headers.get('Content-Type') ?? '')) return false
  return !reportsFailure(json)
}

function reportsFailure(json: unknown): boolean {
  if (json === null || typeof json !== 'object') return false
  const { success, ok, error, errors } = json as Record<string, unknown>
  return success === false || ok === false || Boolean(error) || (Array.isArray(errors) && errors.length > 0)
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

async function readAtMost({ body }: Response, limit: number, what: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw new TransportError(what, `it is larger than ${limit} bytes`)
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
