/** A request that was sent and the answer that came. */
export interface Exchange {
  readonly request: Request
  /** The request's body as it was sent; nothing where it had none. */
  readonly sent?: Uint8Array
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  /** The body as JSON; absent where it is none. */
  readonly json?: unknown
  readonly durationMs: number
}

/** No usable answer came: the network, a limit or the deployment's own throttling is to blame, so nothing can be concluded. */
export class TransportError extends Error {
  constructor(
    what: string,
    /** Why, in the system's words. */
    readonly reason: string,
  ) {
    super(`${what} got no answer: ${reason}.`)
  }
}

/** The path of a request, for a reader. The query stays out, for a signature may stand in it. */
export function pathOf(request: Request): string {
  return `${request.method} ${new URL(request.url).pathname}`
}

/** An exchange for a reader. */
export function label({ request, status }: Exchange): string {
  return `${pathOf(request)} answered ${status}`
}

/** Whether the answer says that the call was carried out: a 2xx whose body neither reports an error nor is a web page. */
export function succeeded({ status, bytes, json }: Exchange): boolean {
  if (status < 200 || status > 299) return false
  return json === undefined ? !isPage(bytes) : !reportsFailure(json)
}

/** Reads a body as JSON, with or without a byte order mark; nothing where it is none. */
export function parseJson(bytes: Uint8Array): unknown {
  if (depthOf(bytes) > maxDepth) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

/** Deeper than any answer means to be; what is deeper would exhaust the stack of whoever looks at it. */
const maxDepth = 500

function depthOf(bytes: Uint8Array): number {
  let depth = 0
  let deepest = 0
  for (const byte of bytes) {
    if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (byte === 0x5d || byte === 0x7d) depth -= 1
  }
  return deepest
}

function isPage(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(new TextDecoder().decode(bytes.subarray(0, 200)))
}

const failureWords = new Set(['error', 'fail', 'failure'])

/** Some services answer errors with a 2xx and say so in the body (gap.invalid-request-status). */
function reportsFailure(json: unknown): boolean {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return false
  return Object.entries(json).some(([name, value]) => {
    switch (name.toLowerCase().replaceAll(/[^a-z]/g, '')) {
      case 'success':
      case 'succeeded':
      case 'issuccess':
      case 'ok':
        return value === false || value === 0 || value === 'false'
      case 'status':
      case 'result':
        return typeof value === 'string' && failureWords.has(value.toLowerCase())
      case 'error':
      case 'errors':
        return isSomething(value)
      default:
        return false
    }
  })
}

function isSomething(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return Boolean(value)
  return Object.keys(value).length > 0
}
