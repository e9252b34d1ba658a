import createClient from 'openapi-fetch'
import type { Body } from '../src/contract/operations.ts'
import type { paths } from '../src/contract/types.gen.ts'
import { type Exchange, exchangeOf, TransportError } from './exchange.ts'

export interface TargetOptions {
  /** Base address, without a trailing slash. */
  readonly url: string
  readonly apiKey: string
  /** Sends a request. @default the network */
  readonly fetch?: (request: Request) => Promise<Response>
  /** @default 10000 */
  readonly timeoutMs?: number
}

type Send = (request: Request) => Promise<Response>

/** The deployment under test: the documented calls, well formed, and anything else as a raw request. */
export class Target {
  readonly url: string
  readonly #options: TargetOptions
  readonly #client: ReturnType<typeof createClient<paths>>

  constructor(options: TargetOptions) {
    this.url = options.url
    this.#options = options
    this.#client = createClient<paths>({ baseUrl: options.url })
  }

  /** The header that carries the key (interface.md section 5). */
  get auth(): { Authorization: string } {
    return { Authorization: this.#options.apiKey }
  }

  createWorkflow(body: Partial<Body<'createWorkflow'>>, headers: HeadersInit = this.auth): Promise<Exchange> {
    const init = { body: body as Body<'createWorkflow'>, headers }
    return this.#capture((fetch) => this.#client.POST('/api/v1/workflows', { ...init, ...raw(fetch) }))
  }

  executeWorkflow(
    workflow_id: string,
    body: Body<'executeWorkflow'>,
    headers: HeadersInit = this.auth,
  ): Promise<Exchange> {
    const init = { body, headers, params: { path: { workflow_id } } }
    return this.#capture((fetch) =>
      this.#client.POST('/api/v1/workflows/{workflow_id}/execute', { ...init, ...raw(fetch) }),
    )
  }

  getWorkflow(workflow_id: string, headers: HeadersInit = this.auth): Promise<Exchange> {
    const init = { headers, params: { path: { workflow_id } } }
    return this.#capture((fetch) => this.#client.GET('/api/v1/workflows/{workflow_id}', { ...init, ...raw(fetch) }))
  }

  requestUpload(body: Body<'requestUpload'>, headers: HeadersInit = this.auth): Promise<Exchange> {
    const init = { body, headers }
    return this.#capture((fetch) => this.#client.POST('/api/v1/upload/', { ...init, ...raw(fetch) }))
  }

  confirmUpload(body: Body<'confirmUpload'>, headers: HeadersInit = this.auth): Promise<Exchange> {
    const init = { body, headers }
    return this.#capture((fetch) => this.#client.POST('/api/v1/upload/confirm', { ...init, ...raw(fetch) }))
  }

  /** Puts bytes at an upload URL; carries no key (interface.md section 4.5). */
  putObject(uploadUrl: string, contentType: string, bytes: Uint8Array<ArrayBuffer>): Promise<Exchange> {
    return this.send(new Request(uploadUrl, { method: 'PUT', headers: { 'Content-Type': contentType }, body: bytes }))
  }

  /** Sends any request. Throws a `TransportError` where no answer comes. */
  async send(request: Request): Promise<Exchange> {
    const { fetch: send = fetch, timeoutMs = 10_000 } = this.#options
    try {
      // A redirect is an answer; following it could take the key elsewhere.
      const bounded = new Request(request, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
      return await exchangeOf(bounded, await send(bounded))
    } catch (error) {
      if (error instanceof TransportError) throw error
      throw new TransportError(`${request.method} ${new URL(request.url).pathname}`, reasonOf(error))
    }
  }

  /** Lets the typed client build a request, and keeps the exchange that it led to. */
  async #capture(call: (fetch: Send) => Promise<unknown>): Promise<Exchange> {
    let captured: Exchange | undefined
    await call(async (request) => {
      captured = await this.send(request)
      return new Response(null, { status: 204 })
    })
    if (!captured) throw new TypeError('The client sent no request')
    return captured
  }
}

function raw(fetch: Send) {
  return { fetch, parseAs: 'stream' } as const
}

/** Why no answer came, in the system's words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'the time is over'
  const cause = error.cause as (Error & { code?: string }) | undefined
  return cause?.code ?? cause?.message ?? error.message
}
