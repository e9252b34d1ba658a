/**
 * Requests and answers whose bodies are whole, for servers that are functions. The bodies of a `Request` and a `Response` are
 * streams, and creating those costs more than answering the call. Each has the members that wrappers use, and can be read
 * more than once.
 */
import type { Mock } from '../../src/index.ts'

type Content = string | Uint8Array<ArrayBuffer>

class Message {
  readonly headers: Headers
  readonly #content: Content | undefined
  #bytes: Uint8Array<ArrayBuffer> | undefined

  constructor(content: Content | undefined, headers: HeadersInit | undefined) {
    this.headers = headers instanceof Headers ? headers : new Headers(headers)
    this.#content = content
    if (typeof content !== 'string' || this.headers.has('Content-Type')) return
    this.headers = new Headers(this.headers)
    this.headers.set('Content-Type', 'text/plain;charset=UTF-8')
  }

  /** All bytes of the body. */
  get whole(): Uint8Array<ArrayBuffer> {
    const content = this.#content ?? ''
    this.#bytes ??= typeof content === 'string' ? new TextEncoder().encode(content) : content
    return this.#bytes
  }

  /** For wrappers that pass a body on as it is. */
  get body(): ReadableStream | null {
    return this.#content === undefined ? null : new Blob([this.whole]).stream()
  }

  get bodyUsed(): boolean {
    return false
  }

  async text(): Promise<string> {
    // Reading a body as text removes a byte order mark.
    if (typeof this.#content === 'string') return this.#content.replace(/^\ufeff/, '')
    return new TextDecoder().decode(this.whole)
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.whole.slice().buffer
  }

  clone(): this {
    return this
  }
}

/** A request with its body in memory. */
export class WholeRequest extends Message {
  readonly method: string
  readonly url: string
  readonly redirect: RequestRedirect
  readonly signal: AbortSignal | null | undefined

  constructor(url: string, { method = 'GET', headers, body, redirect = 'follow', signal }: RequestInit = {}) {
    super((body ?? undefined) as Content | undefined, headers)
    this.url = url
    this.method = method
    this.redirect = redirect
    this.signal = signal
  }
}

/** An answer with its body in memory. */
class WholeResponse extends Message {
  readonly status: number
  readonly type = 'default'

  constructor(
    content: Content | null | undefined,
    { status = 200, headers }: Pick<ResponseInit, 'status' | 'headers'> = {},
  ) {
    super(content ?? undefined, headers)
    this.status = status
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }
}

/** Creates a request; a whole one if it is made from such a one. */
export function requestLike(from: Request, url: string, init: RequestInit): Request {
  return isWhole(from) ? (new WholeRequest(url, init) as unknown as Request) : new Request(url, init)
}

/** Creates an answer; a whole one if it is made from such a one. */
export function responseLike(from: Response, body: BodyInit | null, init: ResponseInit): Response {
  return isWhole(from)
    ? (new WholeResponse(body as Content | null, init) as unknown as Response)
    : new Response(body, init)
}

/** Returns the body of an answer, for another one. */
export function passedOn(response: Response): BodyInit | null {
  if (!isWhole(response)) return response.body
  return response.whole.byteLength > 0 ? response.whole : null
}

function isWhole(message: object): message is Message {
  return message instanceof Message
}

/** Answers whole requests with whole answers, and others as the mock's `fetch` does. */
export function wholeServer({ fetch, apps }: Pick<Mock, 'fetch' | 'apps'>): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!isWhole(request)) return fetch(request)
    const { whole } = request
    const { origin, pathname, search } = new URL(request.url)
    const { status, headers, body, stream, isBroken } = await apps.both({
      method: request.method,
      origin,
      path: pathname,
      search,
      header: (name) => request.headers.get(name) ?? undefined,
      headers: () => [...request.headers],
      async readBody(take) {
        if (whole.byteLength > 0) take(whole)
      },
    })
    if (stream || isBroken) throw new TypeError('Only a request that is no WholeRequest gets such an answer.')
    const answer = new WholeResponse(body as Content | undefined, { status, headers: headers as [string, string][] })
    return answer as unknown as Response
  }
}
