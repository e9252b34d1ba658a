import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from '../contract/types.gen.ts'
import { requireKnownOptions } from '../known-options.ts'
import { errorFromAnswer, errorWithoutAnswer } from './error.ts'

/** Options of `createClient`. */
export interface ClientOptions {
  /**
   * Base address of the service. In a page, a relative one is resolved against the page's address.
   *
   * @example `{ baseUrl: 'https://approvals.example' }`
   */
  readonly baseUrl: string
  /**
   * API key, sent unchanged in `Authorization` (interface.md section 5), or a function that returns it for each call.
   *
   * @default none
   * @example `{ apiKey: () => process.env.API_KEY }`
   */
  readonly apiKey?: string | (() => string | undefined)
  /**
   * Sends every request, those to storage included.
   *
   * @default the global fetch at the time of the call
   * @example `{ fetch: (request) => fetch(request, { cache: 'no-store' }) }`
   */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** The service's calls, typed by the contract. */
export type Calls = Client<paths>

const clientOptionNames: Readonly<Record<keyof ClientOptions, true>> = { baseUrl: true, apiKey: true, fetch: true }

/** Creates the typed calls. They return `data` or `error` if the service answers, and reject with a `ClientError` if not. */
export function createCalls(options: ClientOptions): Calls {
  requireKnownOptions(options, clientOptionNames)
  const { baseUrl, apiKey, fetch = (request) => globalThis.fetch(request) } = options
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
  const meant = path.replace(/\/api\/v1\/?$/, '')
  if (meant === path) return
  throw new TypeError(`baseUrl ends in /api/v1, but every path already starts with it. Use '${meant || '/'}'.`)
}

/**
 * Returns the data of a call. Takes the promise that the client returned, and rejects with a `ClientError`.
 *
 * @example
 * ```js
 * import { createMock } from 'countersign'
 * import { createClient, dataOf } from 'countersign/client'
 *
 * const client = createClient({ baseUrl: 'https://approvals.example', apiKey: 'test_a', fetch: createMock().fetch })
 * const approvers = [{ email: 'lena@example.com', name: 'Lena' }]
 * const step = { step_id: 'legal', name: 'Legal', order: 1, approvers, estimated_duration: 60 }
 * const { workflow_id } = await dataOf(
 *   client.POST('/api/v1/workflows', { body: { name: 'Contract', steps: [{ ...step, type: 'approval' }] } }),
 * )
 * console.log(workflow_id)
 * ```
 */
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
