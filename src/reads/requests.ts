/** Follows the answers that `XMLHttpRequest` gets, where there is one. */
import { absolute, replace } from './replace.ts'
import type { AnsweredRead } from './texts.ts'

/** Tracks what code reads of bodies. */
interface Following {
  /** Returns the documented call of a request; undefined for any other request. */
  readonly called: (method: string, url: string, status: number) => AnsweredRead | undefined
  readonly remember: (text: string, call: AnsweredRead) => void
  readonly track: (value: unknown, call: AnsweredRead) => unknown
  /** Returns what is running. */
  readonly reader: () => string | undefined
}

/** A request that was opened. */
interface Opened {
  readonly method: string
  readonly url: string
  /** The test that was running then. */
  readonly test: string | undefined
  isSeen: boolean
  /** The tracked body. */
  value?: unknown
}

/** The most requests that an interceptor may answer at the same time. */
const mostIntercepted = 50

/** Finds answers that an interceptor such as MSW's puts on the request itself, so that none of our functions gives them. */
export interface Intercepted {
  /** Returns the call of a finished request with this text. */
  take(text: string): AnsweredRead | undefined
  /** Returns the calls of finished requests whose texts were not parsed. */
  unparsed(): AnsweredRead[]
}

/** Follows what code reads of `XMLHttpRequest`. `restore` puts the original members back. */
export function followRequests(following: Following): {
  readonly intercepted: Intercepted
  readonly restore: readonly (() => void)[]
} {
  const requests = new Map<XMLHttpRequest, Opened>()
  const known = new WeakMap<XMLHttpRequest, Opened>()
  const intercepted = interceptedAmong(requests, following)
  if (typeof XMLHttpRequest === 'undefined') return { intercepted, restore: [] }
  const { prototype } = XMLHttpRequest
  const see = (request: XMLHttpRequest, body: unknown) => seen(request, known.get(request), body, following)
  const { called, reader } = following
  return {
    intercepted,
    restore: [
      replace(
        prototype,
        'open',
        (open) =>
          function (this: XMLHttpRequest, ...parts: Parameters<XMLHttpRequest['open']>) {
            const [method, url] = parts
            const address = { method: String(method).toUpperCase(), url: absolute(String(url)) }
            const opened: Opened = { ...address, test: reader(), isSeen: false }
            known.set(this, opened)
            if (called(opened.method, opened.url, 0)) requests.set(this, opened)
            const [oldest] = requests.keys()
            if (requests.size > mostIntercepted && oldest) requests.delete(oldest)
            return open.apply(this, parts)
          } as XMLHttpRequest['open'],
      ),
      replaceGetter(prototype, 'response', see),
      replaceGetter(prototype, 'responseText', see),
    ],
  }
}

function interceptedAmong(requests: Map<XMLHttpRequest, Opened>, { called }: Following): Intercepted {
  const callOf = (request: XMLHttpRequest, opened: Opened) => {
    const call = Object.hasOwn(request, 'response') ? callOfRequest(request, opened, called) : undefined
    return call && { ...call, ...(opened.test !== undefined && { test: opened.test }) }
  }
  return {
    take(text) {
      for (const [request, opened] of requests) {
        const call = callOf(request, opened)
        if (!call || !isText(request) || request.responseText !== text) continue
        requests.delete(request)
        return call
      }
      return undefined
    },
    unparsed: () => [...requests].flatMap(([request, opened]) => callOf(request, opened) ?? []),
  }
}

function callOfRequest(request: XMLHttpRequest, opened: Opened, called: Following['called']): AnsweredRead | undefined {
  if (request.readyState !== XMLHttpRequest.DONE) return undefined
  return called(opened.method, request.responseURL || opened.url, request.status)
}

/** Returns what code gets in the place of a body. */
function seen(request: XMLHttpRequest, opened: Opened | undefined, body: unknown, following: Following): unknown {
  const { called, remember, track } = following
  const call = opened && callOfRequest(request, opened, called)
  if (!call) return body
  if (request.responseType === 'json') {
    if (body === null || typeof body !== 'object') return body
    // The same body is the same value at each read.
    opened.value ??= track(body, call)
    return opened.value
  }
  if (!opened.isSeen) {
    opened.isSeen = true
    if (typeof body === 'string') remember(body, call)
    else if (body instanceof ArrayBuffer) remember(new TextDecoder().decode(body), call)
    else if (body instanceof Blob) body.text().then((text) => remember(text, call))
  }
  return body
}

const isText = ({ responseType }: XMLHttpRequest) => responseType === '' || responseType === 'text'

/** Lets `see` change what a getter returns. Returns a function that puts the getter back, unless something else was put there. */
function replaceGetter(
  owner: XMLHttpRequest,
  name: 'response' | 'responseText',
  see: (request: XMLHttpRequest, value: unknown) => unknown,
): () => void {
  const original = Object.getOwnPropertyDescriptor(owner, name)
  const read = original?.get
  if (!original || !read) return () => undefined
  function get(this: XMLHttpRequest): unknown {
    return see(this, read?.call(this))
  }
  Object.defineProperty(owner, name, { ...original, get })
  return () => {
    if (Object.getOwnPropertyDescriptor(owner, name)?.get === get) Object.defineProperty(owner, name, original)
  }
}
