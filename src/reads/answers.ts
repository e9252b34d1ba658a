/** Connects bodies with the calls that they answer, wherever code parses them. */
import { callAt } from '../contract/call-at.ts'
import type { OperationId } from '../contract/operations.ts'
import { absolute, replace } from './replace.ts'

/** Sends requests, as the global `fetch` does. */
// biome-ignore lint/suspicious/noExplicitAny: any function that is called like fetch, whatever its first parameter is
export type AnyFetch = (input: any, init?: any) => Promise<Response>

/** A call that was answered. */
export interface AnsweredRead {
  readonly operation: OperationId
  readonly status: number
  /** The test that was running when code read the body as text. */
  readonly test?: string | undefined
}

/** What is told of the bodies that code reads. */
interface Watching {
  /** Base address of the service. */
  readonly baseUrl: string | undefined
  readonly track: (value: unknown, call: AnsweredRead) => unknown
  /** Is told of bodies that were read as text and that nothing parsed. */
  readonly asText: (call: AnsweredRead) => void
  readonly reader: () => string | undefined
}

/** An `XMLHttpRequest` that was opened. */
interface Opened {
  readonly method: string
  readonly url: string
  /** The test that was running then. */
  readonly test: string | undefined
  isSeen: boolean
  /** The tracked body. */
  value?: unknown
}

/** The most texts that are remembered. */
const mostTexts = 200
/** The most requests that an interceptor may answer at the same time. */
const mostIntercepted = 50

/** Replaces the global functions that read bodies, and remembers which calls the bodies answer. */
export class Answers {
  readonly #watching: Watching
  readonly #calls = new WeakMap<Response, AnsweredRead>()
  /** The calls that texts answer. Equal texts are parsed in the order in which they came. */
  readonly #texts = new Map<string, AnsweredRead[]>()
  readonly #opened = new WeakMap<XMLHttpRequest, Opened>()
  /** Documented requests whose bodies may still be on them. */
  readonly #requests = new Map<XMLHttpRequest, Opened>()
  readonly #restore: readonly (() => void)[]
  #isActive = true

  constructor(watching: Watching) {
    this.#watching = watching
    this.#restore = [
      ...(typeof XMLHttpRequest === 'undefined' ? [] : this.#replaceRequests()),
      replace(globalThis, 'fetch', (fetch) => this.follow(fetch)),
      ...this.#replaceReaders(),
      replace(JSON, 'parse', (parse) => (text, reviver) => {
        const value: unknown = parse(text, reviver)
        const call = typeof text === 'string' ? this.#take(text) : undefined
        return call ? this.#watching.track(value, call) : value
      }),
    ]
  }

  /** Follows the answers of another `fetch`. */
  follow<Fetch extends AnyFetch>(fetch: Fetch): Fetch {
    const followed: AnyFetch = async (input, init) => {
      const response = await fetch(input, init)
      const request = input instanceof Request ? input : undefined
      const method = String(init?.method ?? request?.method ?? 'GET').toUpperCase()
      const url = response.url || absolute(request?.url ?? String(input))
      this.#note(response, this.#called(method, url, response.status))
      return response
    }
    return followed as Fetch
  }

  /** Returns the documented call of a request; undefined for any other request. */
  #called(method: string | undefined, url: string, status: number): AnsweredRead | undefined {
    const { baseUrl } = this.#watching
    if (!this.#isActive || (baseUrl !== undefined && !url.startsWith(baseUrl))) return undefined
    const operation = callAt(method, url)
    return operation && { operation, status }
  }

  /**
   * Remembers a body that code reads as text. If it is neither a JSON object nor a list, it has no members to track. A text that is never
   * parsed may be used in any way, and nothing says how.
   */
  #remember(text: string, call: AnsweredRead, test = this.#watching.reader()): void {
    if (!/^\s*[[{]/.test(text)) return
    this.#texts.set(text, [...(this.#texts.get(text) ?? []), { ...call, test }])
    const [oldest] = this.#texts
    if (this.#texts.size <= mostTexts || !oldest) return
    this.#texts.delete(oldest[0])
    for (const call of oldest[1]) this.#watching.asText(call)
  }

  /** Returns the calls whose bodies were read as text that nothing has parsed so far. */
  unparsed(): AnsweredRead[] {
    this.#collect()
    return [...this.#texts.values()].flat()
  }

  /** Restores what was replaced. */
  stop(): void {
    for (const call of this.unparsed()) this.#watching.asText(call)
    this.#texts.clear()
    this.#isActive = false
    for (const undo of this.#restore.toReversed()) undo()
  }

  /** Returns the call that a text answers, and forgets the text. */
  #take(text: string): AnsweredRead | undefined {
    this.#collect()
    const waiting = this.#texts.get(text)
    const call = waiting?.shift()
    if (waiting?.length === 0) this.#texts.delete(text)
    return call
  }

  #note(response: Response, call: AnsweredRead | undefined): void {
    if (call) this.#calls.set(response, call)
  }

  /** MSW and other tools replace the followed fetch with their own. Then only the address says which call it is. */
  #callOf(response: Response): AnsweredRead | undefined {
    return this.#calls.get(response) ?? this.#called(undefined, response.url, response.status)
  }

  /** Replaces the methods of `Response` that read a body. Returns functions that put them back. */
  #replaceReaders(): (() => void)[] {
    const answers = this
    /** Returns a method that reads the body of an answer, and gives it to `see` if the answer is followed. */
    const reading = <Body>(read: () => Promise<Body>, see: (body: Body, call: AnsweredRead) => Body | Promise<Body>) =>
      async function (this: Response): Promise<Body> {
        const call = answers.#callOf(this)
        const body = await read.call(this)
        return call ? see(body, call) : body
      }
    /** Returns a method that reads the body of an answer, and remembers its text. */
    const readingText = <Body>(read: () => Promise<Body>, textOf: (body: Body) => string | Promise<string>) =>
      reading(read, async (body, call) => {
        answers.#remember(await textOf(body), call)
        return body
      })
    const { prototype } = Response
    return [
      replace(prototype, 'json', (json) => reading(json, answers.#watching.track)),
      replace(prototype, 'text', (text) => readingText(text, (body) => body)),
      replace(prototype, 'arrayBuffer', (bytes) => readingText(bytes, (body) => new TextDecoder().decode(body))),
      replace(prototype, 'blob', (blob) => readingText(blob, (body) => body.text())),
      replace(
        prototype,
        'clone',
        (clone) =>
          function (this: Response) {
            const call = answers.#callOf(this)
            const copy = clone.call(this)
            answers.#note(copy, call)
            return copy
          },
      ),
    ]
  }

  #replaceRequests(): (() => void)[] {
    const answers = this
    const { prototype } = XMLHttpRequest
    const see = (request: XMLHttpRequest, body: unknown) => answers.#seen(request, body)
    return [
      replace(
        prototype,
        'open',
        (open) =>
          function (this: XMLHttpRequest, ...parts: Parameters<XMLHttpRequest['open']>) {
            const [method, url] = parts
            answers.#open(this, String(method).toUpperCase(), absolute(String(url)))
            return open.apply(this, parts)
          } as XMLHttpRequest['open'],
      ),
      replaceGetter(prototype, 'response', see),
      replaceGetter(prototype, 'responseText', see),
    ]
  }

  #open(request: XMLHttpRequest, method: string, url: string): void {
    const opened: Opened = { method, url, test: this.#watching.reader(), isSeen: false }
    this.#opened.set(request, opened)
    if (this.#called(method, url, 0)) this.#requests.set(request, opened)
    const [oldest] = this.#requests.keys()
    if (this.#requests.size > mostIntercepted && oldest) this.#requests.delete(oldest)
  }

  /** Finds answers that an interceptor such as MSW's has put on the request itself, so that none of our functions gave them. */
  #collect(): void {
    for (const [request, opened] of this.#requests) {
      const call = Object.hasOwn(request, 'response') ? this.#callOfRequest(request, opened) : undefined
      if (!call) continue
      this.#requests.delete(request)
      const { responseType } = request
      if (responseType === '' || responseType === 'text') this.#remember(request.responseText, call, opened.test)
      else this.#watching.asText({ ...call, test: opened.test })
    }
  }

  #callOfRequest(request: XMLHttpRequest, { method, url }: Opened): AnsweredRead | undefined {
    if (request.readyState !== XMLHttpRequest.DONE) return undefined
    return this.#called(method, request.responseURL || url, request.status)
  }

  /** Returns what code gets in the place of a body. */
  #seen(request: XMLHttpRequest, body: unknown): unknown {
    const opened = this.#opened.get(request)
    const call = opened && this.#callOfRequest(request, opened)
    if (!call) return body
    if (request.responseType === 'json') {
      if (body === null || typeof body !== 'object') return body
      // The same body is the same value at each read.
      opened.value ??= this.#watching.track(body, call)
      return opened.value
    }
    if (!opened.isSeen) {
      opened.isSeen = true
      if (typeof body === 'string') this.#remember(body, call)
      else if (body instanceof ArrayBuffer) this.#remember(new TextDecoder().decode(body), call)
      else if (body instanceof Blob) body.text().then((text) => this.#remember(text, call))
    }
    return body
  }
}

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
