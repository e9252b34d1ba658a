import type { SentBytes } from '../../src/session/digests.ts'
import { failureIn, hasOtherCode, isAlike } from '../reading/failure-report.ts'
import { truncate } from './inert.ts'
import type { Label } from './label.ts'
import { ownWords } from './own-words.ts'

/** The part of a request that is needed after it was sent. */
export type SentRequest = Pick<Request, 'method' | 'url' | 'headers'>

/** A request and its answer. */
export interface Exchange {
  readonly request: SentRequest
  /** The time at which the request was sent, in milliseconds since 1970; absent in transcripts. */
  readonly at?: number
  /** The step that sent it; absent for the initial probe of the address. */
  readonly label?: Label
  /** The request's body as text; absent if it had none or is binary. */
  readonly sent?: string
  /** Size and digests of a binary request body. */
  readonly sentBytes?: SentBytes
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  /** The parsed body; absent if it is not JSON, or is cut. */
  readonly json?: unknown
  /** True if the transcript has only a part of the body, so that it cannot be judged. */
  readonly isCut?: boolean
  /** True if the same request was retried, as the deployment asked. Checks ignore this answer. */
  readonly isSentAgain?: boolean
  readonly durationMs: number
}

/** A request whose outcome does not depend on the deployment's rules, so that a check cannot decide. */
export class Undecided extends Error {
  constructor(
    what: string,
    became: string,
    /** The system's own message. */
    readonly reason: string,
  ) {
    super(`${what} ${became}: ${reason}.`)
  }
}

/** A request without a usable answer, because of the network or a limit. */
export class TransportError extends Undecided {
  constructor(what: string, reason: string) {
    super(what, 'got no answer', reason)
  }
}

/** Formats the method and path of a request. Omits the query, which may contain a signature. */
export function pathOf(request: SentRequest): string {
  return `${request.method} ${new URL(request.url).pathname}`
}

/** Describes an exchange: method, path and status; if it is a refusal, also the server's own message. */
export function describeAnswer(exchange: Exchange): string {
  const { request, status, headers } = exchange
  const target = status >= 300 && status < 400 ? headers.get('Location') : null
  const leads = target === null ? '' : ` with Location: ${truncate(target, longestLocation)}`
  return `${pathOf(request)} answered ${status}${leads}${status >= 400 ? quoteOwnWords(exchange) : ''}`
}

/** The most characters of a target that are shown. */
const longestLocation = 100

function quoteOwnWords(exchange: Exchange): string {
  const words = ownWords(exchange)
  return words === undefined ? '' : ` ("${words}")`
}

/**
 * Returns true if an answer reports success: a 2xx whose body is neither an error nor a web page, a 201 with a `Location`, or
 * a 303 that leads to the result (RFC 9110 sections 15.3.2 and 15.4.4).
 */
export function succeeded(answer: Exchange): boolean {
  const { status, headers } = answer
  if (status === 303) return redirectsToResult(answer)
  if (status < 200 || status > 299) return false
  return (status === 201 && headers.has('Location')) || describeFailure(answer) === undefined
}

/** Describes the sign of failure in an answer's body, or returns undefined if there is none. Ignores the status. */
function describeFailure({ bytes, json }: Exchange): string | undefined {
  if (json === undefined) return isPage(bytes) ? 'a web page as its body' : undefined
  const member = failureIn(json)
  return member === undefined ? undefined : `an error in the member ${member.slice(0, 100)} of its body`
}

/** Describes a refusal; if its status is a 2xx, also the sign of failure in its body. */
export function describeRefusal(answer: Exchange): string {
  if (answer.status >= 300) return describeAnswer(answer)
  const told = describeFailure(answer)
  return `${describeAnswer(answer)}${told ? ` with ${told}` : ''}${quoteOwnWords(answer)}`
}

/** Returns true if two refusals are the same except for numbers, identifiers and the path. */
export function isRefusedAlike(one: Exchange, other: Exchange): boolean {
  const said = (answer: Exchange) =>
    (ownWords(answer) ?? '').replaceAll(new URL(answer.request.url).pathname, '').replaceAll(/[\da-f-]{8,}|\d+/gi, '#')
  return one.status >= 400 && one.status === other.status && said(one) === said(other)
}

/**
 * Returns true if a call that should be refused was carried out: it succeeded, and its answer resembles that of the valid
 * call. If the valid call's answer has no JSON, compares the status and the presence of `Location`.
 */
export function succeededLike(answer: Exchange, control: Exchange): boolean {
  if (!succeeded(answer)) return false
  if (control.json !== undefined) return isAlike(answer.json, control.json)
  return answer.status === control.status && answer.headers.has('Location') === control.headers.has('Location')
}

/** Returns true if a call was carried out. A deployment that always answers 200 refuses with another code than that of a valid call. */
export function succeededBeside(answer: Exchange, control: Exchange | undefined): boolean {
  return succeeded(answer) && !(control && hasOtherCode(answer.json, control.json))
}

/** Returns the first 1000 bytes of a body as text, in which an identifier may be; empty if the body is JSON. */
export function plainText({ json, bytes }: Exchange): string {
  return json === undefined ? new TextDecoder().decode(bytes.subarray(0, 1000)).trim() : ''
}

/** Parses the body of the request. Returns undefined if it is not JSON. */
export function sentJson({ request, sent }: Pick<Exchange, 'request' | 'sent'>): unknown {
  if (sent === undefined) return undefined
  const known = sentBodies.get(request)
  if (known?.sent === sent) return known.json
  const json = parseJson(new TextEncoder().encode(sent))
  sentBodies.set(request, { sent, json })
  return json
}

/** Parsed bodies of requests, which several copies of an exchange share. Many checks compare the same one with answers. */
const sentBodies = new WeakMap<SentRequest, { readonly sent: string; readonly json: unknown }>()

/** Lets the copy of an exchange share the parsed body of its request, if it has the same text. */
export function shareSentJson(from: Pick<Exchange, 'request'>, to: Pick<Exchange, 'request'>): void {
  const known = sentBodies.get(from.request)
  if (known) sentBodies.set(to.request, known)
}

/** Parses a body as JSON, with or without a byte order mark. Returns undefined if it is not JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length > maxDepth && depthOf(bytes) > maxDepth) return undefined
  try {
    const text = new TextDecoder().decode(bytes)
    const json: unknown = JSON.parse(text)
    return long.test(text) ? JSON.parse(withLongNumbersAsTexts(text)) : json
  } catch {
    return undefined
  }
}

/** Returns a function that parses bodies as JSON. What is the same is parsed once, and so searched once: it is the same value. */
export function jsonParser(): (bytes: Uint8Array) => unknown {
  const known = new Map<string, unknown>()
  return (bytes) => {
    const text = new TextDecoder().decode(bytes)
    if (!known.has(text)) known.set(text, parseJson(bytes))
    return known.get(text)
  }
}

/** Integers that may exceed a double (RFC 8259 section 6). Databases use such numbers as identifiers. */
const long = /\d{16}/

/** Quotes the long integers of valid JSON, so that they keep all digits. */
function withLongNumbersAsTexts(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?(?<![\d.])\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
  )
}

/** The deepest nesting that is parsed. Deeper answers could exhaust the stack of our recursive functions. */
const maxDepth = 500

function depthOf(bytes: Uint8Array): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === 0x5b || byte === 0x7b) {
      depth += 1
      if (depth > deepest) deepest = depth
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1
  }
  return deepest
}

function redirectsToResult({ request, headers }: Exchange): boolean {
  const location = headers.get('Location') ?? ''
  if (request.method !== 'POST' || !URL.canParse(location, request.url)) return false
  const asked = new URL(request.url)
  const made = new URL(location, request.url)
  const service = asked.pathname.slice(0, asked.pathname.indexOf('/api/v1/') + '/api/v1/'.length)
  const isOther = made.pathname.replace(/\/$/, '') !== asked.pathname.replace(/\/$/, '')
  const isLogin = /\/(log-?in|sign-?in|auth|oauth2?|sso)(\/|$)/i.test(made.pathname)
  return made.origin === asked.origin && made.pathname.startsWith(service) && isOther && !isLogin
}

/** Returns true if an answer is a web page with a status of success. */
export function isWebPage({ status, bytes, json }: Exchange): boolean {
  return status >= 200 && status <= 299 && json === undefined && isPage(bytes)
}

function isPage(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(new TextDecoder().decode(bytes.subarray(0, 200)))
}
