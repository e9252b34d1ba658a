/**
 * The mock as MSW handlers, for pages and for tests.
 *
 * @module countersign/msw
 */
import { type HttpHandler, http } from 'msw'
import { BrokenConnectionError, createMock, type Mock, type MockOptions } from '../src/index.ts'
import { requireKnownOptions } from '../src/known-options.ts'
import { type Answering, answeringWith, mockOptionNames } from '../src/mock.ts'
import { uploadStart } from '../src/profile/upload-start.ts'
import type { Persistence } from './persistence/open-page-archive.ts'

/** Options of {@link handlers}: those of `createMock`, and the addresses to answer. */
export interface HandlerOptions extends Omit<MockOptions, 'basePath' | 'publicBaseUrl'> {
  /**
   * Base address of the service, as the application calls it. Its path is the base path of the mock.
   *
   * @default 'http://127.0.0.1:4010'
   * @example `{ baseUrl: 'https://approvals.example' }`
   */
  readonly baseUrl?: string
  /**
   * Origin to which files are uploaded.
   *
   * @default the origin of `baseUrl`
   * @example `{ storageUrl: 'https://files.example' }`
   */
  readonly storageUrl?: string
  /**
   * Keeps state and uploaded files when the page is reloaded, in the browser: up to about 5 MB in `localStorage`, more in
   * IndexedDB. Only one page at a time: a second one loses its state on reload, and says so in the console. A call whose effect
   * cannot be stored answers 503 or 507, and has no effect.
   *
   * @default a reload loses everything
   * @example `{ persist: 'indexeddb' }`
   */
  readonly persist?: Persistence
  /**
   * A mock that you created yourself, for example to call `advance` or `decide`. The other options of a mock are then ignored.
   *
   * @default a mock with the other options
   * @example `{ mock: createMock({ approvers: 'manual' }) }`
   */
  readonly mock?: Mock
}

const { basePath: _, publicBaseUrl: __, ...sharedNames } = mockOptionNames
const handlerOptionNames: Readonly<Record<keyof HandlerOptions, true>> = {
  ...sharedNames,
  baseUrl: true,
  storageUrl: true,
  mock: true,
  persist: true,
}

/**
 * Creates MSW handlers that answer for the service and its storage, and for the admin API, which only the page or process
 * itself can reach.
 *
 * @param options - Addresses, and the options of the mock.
 *
 * @example
 * ```js
 * import { handlers } from 'countersign/msw'
 * import { setupServer } from 'msw/node'
 *
 * const server = setupServer(...handlers({ baseUrl: 'https://approvals.example' }))
 * server.listen()
 * const response = await fetch('https://approvals.example/api/v1/workflows/wf_1', { headers: { Authorization: 'test_a' } })
 * console.log(response.status) // 404
 * server.close()
 * ```
 */
export function handlers(options: HandlerOptions = {}): HttpHandler[] {
  requireKnownOptions(options, handlerOptionNames)
  const { baseUrl = 'http://127.0.0.1:4010', storageUrl, mock, persist, ...own } = options
  requireKnownPersistence(persist)
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  requireBase(base)
  const { origin, pathname } = new URL(base || '/', globalThis.location?.href)
  const storage = storageUrl ? new URL(storageUrl).origin : origin
  // Without a seed from the user, identifiers differ after a reload, so that no identifier is reused for something else.
  const seed = String(Math.random())
  const mockOptions = { seed, admin: { trusting: true }, storageOrigin: storage, ...own }
  const answer: Answering =
    persist && !mock
      ? persistently(persist, `countersign ${base}`, mockOptions)
      : answeringWith(mock ?? createMock(mockOptions))
  const prefix = pathname.replace(/(?<!\/)\/+$/, '')
  const answerBelow = (basePath: string) => {
    return async ({ request }: { readonly request: Request }) => {
      try {
        return await answer(request, basePath)
      } catch (error) {
        // The service worker turns only this answer into a network error. A caller that aborted has its error already, and MSW would print this one.
        if (error instanceof BrokenConnectionError || request.signal.aborted) return Response.error()
        throw error
      }
    }
  }
  const start = own.like && uploadStart(own.like)
  return [
    http.all(below(`${origin}${prefix}`, 'api/v1', '__admin', 'storage/tenants'), answerBelow(prefix)),
    http.all(below(storage, 'storage/tenants'), answerBelow('')),
    ...(start === undefined ? [] : [http.put(startingWith(storage + start), answerBelow(''))]),
  ]
}

/** Throws a `TypeError` for a place that does not exist. In JavaScript, no compiler refuses it. */
function requireKnownPersistence(where: Persistence | undefined): void {
  if (where === undefined || where === 'indexeddb' || where === 'localStorage') return
  throw new TypeError(`Unknown value of persist, '${where}'. Use 'indexeddb' or 'localStorage'.`)
}

/** Creates a mock whose state is stored in the browser. Few pages need its code, so that is loaded on demand. */
function persistently(where: Persistence, name: string, options: MockOptions): Answering {
  const creating = import('./persistence/persistent-mock.ts').then((code) => code.persistentMock(where, name, options))
  return async (request, basePath) => (await creating)(request, basePath)
}

/** Matches all URLs below an address. In a string path, MSW would interpret colons, brackets and asterisks. */
function below(address: string, ...parts: readonly string[]): RegExp {
  return startingWith(`${address}/`, `(${parts.join('|')})/`)
}

/** Matches an address, and after it `rest`, the source of an expression. */
function startingWith(address: string, rest = ''): RegExp {
  return new RegExp(`^${address.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}${rest}`)
}

/** Throws for an address that ends with the part which all calls have. */
function requireBase(base: string): void {
  if (base.endsWith('/api/v1'))
    throw new TypeError("The baseUrl ends with '/api/v1', which each call adds. Leave it out.")
}
