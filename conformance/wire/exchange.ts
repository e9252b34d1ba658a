import { failureIn, isAlike } from '../reading/failure-report.ts'
import type { SentBytes } from './digests.ts'
import type { Label } from './label.ts'
import { ownWords } from './own-words.ts'

/** The part of a request that is looked at after it was sent. */
export type SentRequest = Pick<Request, 'method' | 'url' | 'headers'>

/** A request that was sent and the answer that came. */
export interface Exchange {
  readonly request: SentRequest
  /** The step that sent it; absent for the first probe of the address. */
  readonly label?: Label
  /** The request's body as text; undefined if it had none, or one that is no text. */
  readonly sent?: string
  /** Size and digests of a request body that is no text. */
  readonly sentBytes?: SentBytes
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  /** The body as JSON; absent where it is none. */
  readonly json?: unknown
  /** True if the transcript does not hold the whole body, so that nothing can be judged from it. */
  readonly isCut?: boolean
  readonly durationMs: number
}

/** Nothing can be concluded from a request, for what became of it says nothing of the deployment's rules. */
export class Undecided extends Error {
  constructor(
    what: string,
    became: string,
    /** Why, in the system's words. */
    readonly reason: string,
  ) {
    super(`${what} ${became}: ${reason}.`)
  }
}

/** No usable answer came: the network or a limit is to blame. */
export class TransportError extends Undecided {
  constructor(what: string, reason: string) {
    super(what, 'got no answer', reason)
  }
}

/** The path of a request, for a reader. The query stays out, for a signature may stand in it. */
export function pathOf(request: SentRequest): string {
  return `${request.method} ${new URL(request.url).pathname}`
}

/** An exchange for a reader; a refusal with the server's own words. */
export function label(exchange: Exchange): string {
  const { request, status } = exchange
  return `${pathOf(request)} answered ${status}${status >= 400 ? saying(exchange) : ''}`
}

function saying(exchange: Exchange): string {
  const words = ownWords(exchange)
  return words === undefined ? '' : ` ("${words}")`
}

/**
 * Whether the answer says that the call was carried out: a 2xx whose body neither reports an error nor is a web page, a 201
 * that says where what was made is, or a 303 that leads to it (RFC 9110 sections 15.3.2 and 15.4.4).
 */
export function succeeded(answer: Exchange): boolean {
  const { status, headers } = answer
  if (status === 303) return leadsToResult(answer)
  if (status < 200 || status > 299) return false
  return (status === 201 && headers.has('Location')) || failureTold(answer) === undefined
}

/** What in an answer tells of a failure, for a reader, whatever its status; nothing where nothing does. */
function failureTold({ bytes, json }: Exchange): string | undefined {
  if (json === undefined) return isPage(bytes) ? 'a body that is a web page' : undefined
  const member = failureIn(json)
  return member === undefined ? undefined : `a body whose member ${member.slice(0, 100)} tells of an error`
}

/** A refusal for a reader; of one with a 2xx, also what tells that it is one. */
export function refusalLabel(answer: Exchange): string {
  const told = answer.status < 300 ? failureTold(answer) : undefined
  return told ? `${label(answer)} with ${told}${saying(answer)}` : label(answer)
}

/**
 * Whether a call that ought to be refused was carried out: it succeeded, and shows what the sound call was answered with.
 * Where that showed nothing, its status and its `Location` have to do.
 */
export function succeededLike(answer: Exchange, control: Exchange): boolean {
  if (!succeeded(answer)) return false
  if (control.json !== undefined) return isAlike(answer.json, control.json)
  return answer.status === control.status && answer.headers.has('Location') === control.headers.has('Location')
}

/** The text of a body that is no JSON, as far as an identifier could be. */
export function plainText({ json, bytes }: Exchange): string {
  return json === undefined ? new TextDecoder().decode(bytes.subarray(0, 1000)).trim() : ''
}

/** Returns the JSON that was sent; undefined if the request had no such body. */
export function sentJson({ sent }: Pick<Exchange, 'sent'>): unknown {
  return sent === undefined ? undefined : parseJson(new TextEncoder().encode(sent))
}

/** Reads a body as JSON, with or without a byte order mark; nothing where it is none. */
export function parseJson(bytes: Uint8Array): unknown {
  if (depthOf(bytes) > maxDepth) return undefined
  try {
    const text = new TextDecoder().decode(bytes)
    const json: unknown = JSON.parse(text)
    return long.test(text) ? JSON.parse(withLongNumbersAsTexts(text)) : json
  } catch {
    return undefined
  }
}

/** A whole number that a double cannot hold (RFC 8259 section 6); as identifiers, databases do give such. */
const long = /\d{16}/

/** Valid JSON with its long whole numbers in quotes, so that no digit is lost. */
function withLongNumbersAsTexts(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?(?<![\d.])\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
  )
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

function leadsToResult({ request, headers }: Exchange): boolean {
  const location = headers.get('Location') ?? ''
  if (request.method !== 'POST' || !URL.canParse(location, request.url)) return false
  const asked = new URL(request.url)
  const made = new URL(location, request.url)
  const service = asked.pathname.slice(0, asked.pathname.indexOf('/api/v1/') + '/api/v1/'.length)
  const isOther = made.pathname.replace(/\/$/, '') !== asked.pathname.replace(/\/$/, '')
  const isLogin = /\/(log-?in|sign-?in|auth|oauth2?|sso)(\/|$)/i.test(made.pathname)
  return made.origin === asked.origin && made.pathname.startsWith(service) && isOther && !isLogin
}

function isPage(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(new TextDecoder().decode(bytes.subarray(0, 200)))
}
