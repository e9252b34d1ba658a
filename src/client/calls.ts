import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from '../contract/types.gen.ts'
import { errorFromAnswer, errorWithoutAnswer } from './error.ts'

export interface ClientOptions {
  /** The service's base address, such as `https://approvals.example`; relative ones mean the page's own origin. */
  readonly baseUrl: string
  /** Sent as it is in `Authorization` (interface.md section 5). A function is asked for each call. @default none */
  readonly apiKey?: string | (() => string | undefined)
  /** Sends every request, also to storage. @default the platform's fetch, as it is at the time of the call */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** The service's calls, typed by the contract. */
export type Calls = Client<paths>

/** Creates the typed calls. They return `data` or `error` if the service answers, and reject with a `ClientError` if not. */
export function createCalls({ baseUrl, apiKey, fetch = (request) => globalThis.fetch(request) }: ClientOptions): Calls {
  // Environments that imitate a page, such as jsdom, have a location, but their fetch takes no relative URL.
  const page = globalThis.location?.href
  requireBase(baseUrl)
  const base = page === undefined || URL.canParse(baseUrl) ? baseUrl : new URL(baseUrl || '/', page).href
  const calls = createFetchClient<paths>({ baseUrl: base, fetch })
  calls.use({
    onRequest({ request }) {
      const key = typeof apiKey === 'function' ? apiKey() : apiKey
      if (key) request.headers.set('Authorization', key)
    },
    onError: ({ error, request }) => errorWithoutAnswer(error, request.signal),
  })
  return calls
}

/** Throws a `TypeError` if the paths of the contract would be appended twice. */
function requireBase(baseUrl: string): void {
  const [path = ''] = baseUrl.split(/[?#]/)
  if (!/\/api\/v1\/?$/.test(path)) return
  const meant = path.replace(/\/api\/v1\/?$/, '') || '/'
  throw new TypeError(`baseUrl ends in /api/v1, but every path already starts with it. Use '${meant}'.`)
}

/** The data of a call, which is given as the promise that the client returned. Rejects with a `ClientError`. */
export async function dataOf<Data>(
  calling: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
  signal?: AbortSignal,
): Promise<NonNullable<Data>> {
  const { data, error, response } = await calling.catch((cause) => {
    throw errorWithoutAnswer(cause, signal)
  })
  if (data === undefined || data === null) throw errorFromAnswer(error, response.status)
  return data
}
