import { type HttpHandler, http } from 'msw'
import { BrokenConnectionError, createMock, type Mock, type MockOptions } from '../src/index.ts'
import { requireKnownOptions } from '../src/known-options.ts'
import { mockOptionNames } from '../src/mock.ts'

export interface HandlerOptions extends MockOptions {
  /** Base address of the service that is mocked, as the application calls it. @default the mock server's, http://127.0.0.1:4010 */
  readonly baseUrl?: string
  /** Origin that uploads go to. @default the base address's */
  readonly storageUrl?: string
  /** A mock that you steer yourself; the other options are its own then. @default one that is made of the options */
  readonly mock?: Mock
}

const handlerOptionNames: Readonly<Record<keyof HandlerOptions, true>> = {
  ...mockOptionNames,
  baseUrl: true,
  storageUrl: true,
  mock: true,
}

/**
 * Handlers for `setupWorker` and `setupServer` that forward to the reference: the service, its storage, and the admin API,
 * which only the page or process itself can reach here.
 */
export function handlers(options: HandlerOptions = {}): HttpHandler[] {
  requireKnownOptions(options, handlerOptionNames)
  const { baseUrl = 'http://127.0.0.1:4010', storageUrl, mock, ...own } = options
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  const { origin, pathname } = new URL(base || '/', globalThis.location?.href)
  const storage = storageUrl ? new URL(storageUrl).origin : origin
  const reference = mock ?? createMock({ admin: { trusting: true }, storageOrigin: storage, ...own })
  const prefix = pathname.replace(/(?<!\/)\/+$/, '')
  const answerTo = async (request: Request) => {
    try {
      return await reference.fetch(request)
    } catch (error) {
      // The only answer that the worker takes for a network error.
      if (error instanceof BrokenConnectionError) return Response.error()
      throw error
    }
  }
  const forward = async ({ request }: { readonly request: Request }) => {
    const response = await answerTo(await withoutPrefix(request, prefix))
    const location = response.headers.get('Location')
    if (location?.startsWith('/')) response.headers.set('Location', prefix + location)
    return response
  }
  return [
    http.all(below(`${origin}${prefix}`, 'api/v1', '__admin'), forward),
    http.all(below(storage, 'storage/tenants'), ({ request }) => answerTo(request)),
  ]
}

/** Matches all URLs below an address. In a string path, MSW would interpret colons, brackets and asterisks. */
function below(address: string, ...parts: readonly string[]): RegExp {
  return new RegExp(`^${address.replaceAll(/[.*+?()[\]\\]/g, '\\$&')}/(${parts.join('|')})/`)
}

/** Removes the prefix of the base URL from a request, since the service's paths are relative to it (interface.md section 1). */
async function withoutPrefix(request: Request, prefix: string): Promise<Request> {
  if (!prefix) return request
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(prefix.length)
  const { method, headers } = request
  const body = request.body && (await request.arrayBuffer())
  return new Request(url, { method, headers, ...(body && { body }) })
}
