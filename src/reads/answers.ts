/** Connects bodies with the calls that they answer, wherever code parses them. */
import { callAt } from '../contract/call-at.ts'
import type { OperationId } from '../contract/operations.ts'

/** A call that was answered. */
export interface AnsweredRead {
  readonly operation: OperationId
  readonly status: number
}

/** Sends requests, as the global `fetch` does. */
// biome-ignore lint/suspicious/noExplicitAny: any function that is called like fetch, whatever its first parameter is
export type AnyFetch = (input: any, init?: any) => Promise<Response>

/** The most texts of bodies that are remembered until code parses them. */
const mostTexts = 200

/** Replaces the global functions that read bodies, so that `track` sees what they return. Returns a function that restores them, and one that follows another `fetch`. */
export function followAnswers(
  baseUrl: string | undefined,
  track: (value: unknown, call: AnsweredRead) => unknown,
): { readonly follow: <Fetch extends AnyFetch>(fetch: Fetch) => Fetch; readonly stop: () => void } {
  const calls = new WeakMap<Response, AnsweredRead>()
  /** The calls by the text of their bodies. Equal texts are parsed in the order in which they came. */
  const texts = new Map<string, AnsweredRead[]>()
  let isActive = true

  function callOf(response: Response): AnsweredRead | undefined {
    // MSW and others put their own fetch in place of the one that is followed. Then the address alone says which call it is.
    return calls.get(response) ?? called(undefined, response.url, response.status)
  }

  function called(method: string | undefined, url: string, status: number): AnsweredRead | undefined {
    if (!isActive || (baseUrl !== undefined && !url.startsWith(baseUrl))) return undefined
    const operation = callAt(method, url)
    return operation && { operation, status }
  }

  function remember(text: string, call: AnsweredRead): void {
    const waiting = texts.get(text)
    if (waiting) waiting.push(call)
    else texts.set(text, [call])
    const [oldest] = texts.keys()
    if (texts.size > mostTexts && oldest !== undefined) texts.delete(oldest)
  }

  function forget(text: string): AnsweredRead | undefined {
    const waiting = texts.get(text)
    const call = waiting?.shift()
    if (waiting?.length === 0) texts.delete(text)
    return call
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

  const restore = [
    replace(globalThis, 'fetch', (fetch) => follow(fetch)),
    replace(
      Response.prototype,
      'json',
      (json) =>
        async function (this: Response) {
          const call = callOf(this)
          const value: unknown = await json.call(this)
          return call ? track(value, call) : value
        },
    ),
    replace(
      Response.prototype,
      'text',
      (text) =>
        async function (this: Response) {
          const call = callOf(this)
          const body = await text.call(this)
          if (call) remember(body, call)
          return body
        },
    ),
    replace(
      Response.prototype,
      'clone',
      (clone) =>
        function (this: Response) {
          const call = callOf(this)
          const copy = clone.call(this)
          if (call) calls.set(copy, call)
          return copy
        },
    ),
    replace(JSON, 'parse', (parse) => (text, reviver) => {
      const value: unknown = parse(text, reviver)
      const call = texts.size > 0 && typeof text === 'string' ? forget(text) : undefined
      return call ? track(value, call) : value
    }),
  ]
  return {
    follow,
    stop() {
      isActive = false
      texts.clear()
      for (const undo of restore.toReversed()) undo()
    },
  }
}

function absolute(url: string): string {
  const page = globalThis.location?.href
  return URL.canParse(url) || page === undefined ? url : new URL(url, page).href
}

/** Replaces a member of an object. Returns a function that puts it back, unless something else was put there meanwhile. */
export function replace<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  replacement: (original: Owner[Name]) => Owner[Name],
): () => void {
  const original = owner[name]
  const own = replacement(original)
  owner[name] = own
  return () => {
    if (owner[name] === own) owner[name] = original
  }
}
