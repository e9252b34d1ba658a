import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from '../contract/types.gen.ts'
import { noAnswer, refusal } from './error.ts'

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

/** The typed calls: they give `data` or `error` where the service answers, and reject with a `ClientError` where it does not. */
export function createCalls({ baseUrl, apiKey, fetch = (request) => globalThis.fetch(request) }: ClientOptions): Calls {
  // Environments that imitate a page have its address, but a fetch that takes none relative to it.
  const page = globalThis.location?.href
  requireBase(baseUrl)
  const base = page === undefined || URL.canParse(baseUrl) ? baseUrl : new URL(baseUrl || '/', page).href
  const calls = createFetchClient<paths>({ baseUrl: base, fetch })
  calls.use({
    onRequest({ request }) {
      const key = typeof apiKey === 'function' ? apiKey() : apiKey
      if (key) request.headers.set('Authorization', key)
    },
    onError: ({ error, request }) => noAnswer(error, request.signal),
  })
  return calls
}

/** Throws a `TypeError` if the paths of the contract would be appended twice. */
function requireBase(baseUrl: string): void {
  const [path = ''] = baseUrl.split(/[?#]/)
  if (!/\/api\/v1\/?$/.test(path)) return
  const meant = path.replace(/\/api\/v1\/?$/, '') || '/'
  throw new TypeError(`baseUrl ends in /api/v1, which every path begins with already. Use '${meant}'.`)
}

/** The data of a call, which is given as the promise that the client returned. Rejects with a `ClientError`. */
export async function dataOf<Data>(
  calling: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
  signal?: AbortSignal,
): Promise<NonNullable<Data>> {
  const { data, error, response } = await calling.catch((cause) => {
    throw noAnswer(cause, signal)
  })
  if (data === undefined || data === null) throw refusal(error, response.status)
  return data
}
