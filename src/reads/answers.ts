/** Connects bodies with the calls that they answer, wherever code parses them. */
import { callAt } from '../contract/call-at.ts'
import { absolute, replace } from './replace.ts'
import { followRequests } from './requests.ts'
import { type AnsweredRead, AnswerTexts } from './texts.ts'

/** Sends requests, as the global `fetch` does. */
// biome-ignore lint/suspicious/noExplicitAny: any function that is called like fetch, whatever its first parameter is
export type AnyFetch = (input: any, init?: any) => Promise<Response>

/** Tracks what code reads of answers. */
export interface Following {
  /** Follows the answers of another `fetch`. */
  readonly follow: <Fetch extends AnyFetch>(fetch: Fetch) => Fetch
  /** Returns the calls whose bodies were read as text that nothing has parsed so far. */
  readonly unparsed: () => AnsweredRead[]
  /** Restores what was replaced. */
  readonly stop: () => void
}

/** What is told of the bodies that code reads. */
interface Watching {
  readonly track: (value: unknown, call: AnsweredRead) => unknown
  /** Is told of bodies that were read as text and that nothing parsed. */
  readonly asText: (call: AnsweredRead) => void
  readonly reader: () => string | undefined
}

/** Replaces the global functions that read bodies, so that `track` sees what they return. */
export function followAnswers(baseUrl: string | undefined, { track, asText, reader }: Watching): Following {
  const calls = new WeakMap<Response, AnsweredRead>()
  const texts = new AnswerTexts(asText)
  let isActive = true

  function called(method: string | undefined, url: string, status: number): AnsweredRead | undefined {
    if (!isActive || (baseUrl !== undefined && !url.startsWith(baseUrl))) return undefined
    const operation = callAt(method, url)
    return operation && { operation, status }
  }

  function remember(text: string, call: AnsweredRead): void {
    const test = reader()
    texts.remember(text, { ...call, ...(test !== undefined && { test }) })
  }

  function follow<Fetch extends AnyFetch>(fetch: Fetch): Fetch {
    const followed: AnyFetch = async (input, init) => {
      const response = await fetch(input, init)
      const request = input instanceof Request ? input : undefined
      const method = String(init?.method ?? request?.method ?? 'GET').toUpperCase()
      const url = response.url || absolute(request?.url ?? String(input))
      const call = called(method, url, response.status)
      if (call) calls.set(response, call)
      return response
    }
    return followed as Fetch
  }

  const requests = followRequests({ called, track, remember, reader })
  const restore = [
    ...requests.restore,
    replace(globalThis, 'fetch', (fetch) => follow(fetch)),
    ...replaceReaders({
      // MSW and other tools replace the followed fetch with their own. Then only the address says which call it is.
      callOf: (response) => calls.get(response) ?? called(undefined, response.url, response.status),
      ...{ calls, track, remember },
    }),
    replace(JSON, 'parse', (parse) => (text, reviver) => {
      const value: unknown = parse(text, reviver)
      const call = typeof text === 'string' ? (texts.take(text) ?? requests.intercepted.take(text)) : undefined
      return call ? track(value, call) : value
    }),
  ]
  return {
    follow,
    unparsed: () => [...texts.unparsed(), ...requests.intercepted.unparsed()],
    stop() {
      for (const call of requests.intercepted.unparsed()) asText(call)
      texts.clear()
      isActive = false
      for (const undo of restore.toReversed()) undo()
    },
  }
}

/** Replaces the methods of `Response` that read a body. Returns functions that put them back. */
function replaceReaders({
  callOf,
  calls,
  track,
  remember,
}: Pick<Watching, 'track'> & {
  readonly callOf: (response: Response) => AnsweredRead | undefined
  readonly calls: WeakMap<Response, AnsweredRead>
  readonly remember: (text: string, call: AnsweredRead) => void
}): (() => void)[] {
  /** Returns a method that reads the body of an answer, and gives it to `see` if the answer is followed. */
  const reading = <Body>(read: () => Promise<Body>, see: (body: Body, call: AnsweredRead) => Body | Promise<Body>) =>
    async function (this: Response): Promise<Body> {
      const call = callOf(this)
      const body = await read.call(this)
      return call ? see(body, call) : body
    }
  /** Returns a method that reads the body of an answer, and remembers its text. */
  const readingText = <Body>(read: () => Promise<Body>, textOf: (body: Body) => string | Promise<string>) =>
    reading(read, async (body, call) => {
      remember(await textOf(body), call)
      return body
    })
  const { prototype } = Response
  return [
    replace(prototype, 'json', (json) => reading<unknown>(json, track)),
    replace(prototype, 'text', (text) => readingText(text, (body) => body)),
    replace(prototype, 'arrayBuffer', (bytes) => readingText(bytes, (body) => new TextDecoder().decode(body))),
    replace(prototype, 'blob', (blob) => readingText(blob, (body) => body.text())),
    replace(
      prototype,
      'clone',
      (clone) =>
        function (this: Response) {
          const call = callOf(this)
          const copy = clone.call(this)
          if (call) calls.set(copy, call)
          return copy
        },
    ),
  ]
}
