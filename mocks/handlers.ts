/**
 * The mock as MSW handlers, for pages and for tests.
 *
 * @module countersign/msw
 */
import { type HttpHandler, http } from 'msw'
import { createMock, type Mock, type MockOptions } from '../src/index.ts'

/** Options of {@link handlers}: those of `createMock`, and the addresses to answer. */
export interface HandlerOptions extends MockOptions {
  /**
   * Base address of the service, as the application calls it.
   *
   * @default 'http://127.0.0.1:4010'
   * @example `{ baseUrl: 'https://approvals.example' }`
   */
  readonly baseUrl?: string
  /**
   * Origin that files are uploaded to.
   *
   * @default the origin of `baseUrl`
   * @example `{ storageUrl: 'https://files.example' }`
   */
  readonly storageUrl?: string
  /**
   * A mock that you created yourself, for example to call `advance` or `decide`. The other options of a mock are then ignored.
   *
   * @default a mock with the other options
   * @example `{ mock: createMock({ approvers: 'manual' }) }`
   */
  readonly mock?: Mock
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
export function handlers({
  baseUrl = 'http://127.0.0.1:4010',
  storageUrl,
  mock,
  ...options
}: HandlerOptions = {}): HttpHandler[] {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  const { origin, pathname } = new URL(base || '/', globalThis.location?.href)
  const storage = storageUrl ? new URL(storageUrl).origin : origin
  const reference = mock ?? createMock({ admin: { trusting: true }, storageOrigin: storage, ...options })
  const prefix = pathname.replace(/(?<!\/)\/+$/, '')
  const forward = async ({ request }: { readonly request: Request }) => {
    const response = await reference.fetch(await unprefixed(request, prefix))
    const location = response.headers.get('Location')
    if (location?.startsWith('/')) response.headers.set('Location', prefix + location)
    return response
  }
  return [
    http.all(below(`${origin}${prefix}`, 'api/v1', '__admin'), forward),
    http.all(below(storage, 'storage/tenants'), ({ request }) => reference.fetch(request)),
  ]
}

/** Every address that begins so. A path as the library reads it would give colons, brackets and stars a meaning. */
function below(address: string, ...parts: readonly string[]): RegExp {
  return new RegExp(`^${address.replaceAll(/[.*+?()[\]\\]/g, '\\$&')}/(${parts.join('|')})/`)
}

/** The request as the service sees it, whose paths are relative to the base address (interface.md section 1). */
async function unprefixed(request: Request, prefix: string): Promise<Request> {
  if (!prefix) return request
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(prefix.length)
  const { method, headers } = request
  const body = request.body && (await request.arrayBuffer())
  return new Request(url, { method, headers, ...(body && { body }) })
}
