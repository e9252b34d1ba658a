import createClient from 'openapi-fetch'
import type { Body } from '../../src/contract/operations.ts'
import type { paths } from '../../src/contract/types.gen.ts'
import { isPrivate } from './addresses.ts'
import type { Exchange } from './exchange.ts'
import type { Label } from './label.ts'
import { describeCreated } from './left-behind.ts'
import type { Trace } from './trace.ts'
import { BuiltCall, longestAddress, type OutgoingCall, Transport, type TransportOptions } from './transport.ts'

export interface TargetOptions extends TransportOptions {
  /**
   * Base address of the deployment, without a trailing slash.
   *
   * @example `{ url: 'https://approvals.example' }`
   */
  readonly url: string
  readonly apiKey: string
  /**
   * API key of a second tenant. With it, the suite checks that tenants are isolated.
   *
   * @default those checks do not run
   * @example `{ secondKey: process.env.API_KEY_2 ?? '' }`
   */
  readonly secondKey?: string
  /**
   * Further headers of every call of the service; none is sent to storage. Their values are redacted like keys.
   *
   * @default none
   * @example `{ headers: { 'X-Gateway-Key': process.env.GATEWAY_KEY ?? '' } }`
   */
  readonly headers?: Readonly<Record<string, string>>
}

/** The answer that the typed client gets, which only builds requests. */
const notSent = new Response(null, { status: 204 })

type Send = (request: OutgoingCall) => Promise<Response>

/** Changes to a well-formed call. */
export interface CallOptions {
  /** @default the header with the key */
  readonly headers?: HeadersInit
}

/** The deployment under test. Sends the documented calls, and any other request as it is. */
export class Target {
  readonly url: string
  readonly transport: Transport
  readonly secondKey: string | undefined
  /** The objects that the run has created on the deployment. */
  readonly leftBehind: Set<string>
  readonly #options: TargetOptions
  readonly #client: ReturnType<typeof createClient<paths>>
  readonly #label: Label | undefined

  readonly #trace: Trace | undefined

  /** With `trace`, each call of the service has its headers. */
  constructor(
    options: TargetOptions,
    transport = new Transport(options),
    trace?: Trace,
    parent?: Target,
    label?: Label,
  ) {
    this.url = options.url
    this.transport = transport
    this.secondKey = options.secondKey
    this.leftBehind = parent?.leftBehind ?? new Set()
    this.#options = options
    // The client needs only the constructor, and builds the call as data.
    this.#client = parent
      ? parent.#client
      : createClient<paths>({ baseUrl: options.url, Request: BuiltCall as unknown as typeof Request })
    this.#label = label
    this.#trace = trace
  }

  /** Returns a target for the same deployment whose requests have this label. */
  withLabel(label: Label): Target {
    return new Target(this.#options, this.transport, this.#trace, this, label)
  }

  /** Returns a target for the same deployment whose labels have this `about`. */
  about(about: string): Target {
    return this.#label ? this.withLabel({ ...this.#label, about }) : this
  }

  /** The header that carries the key (interface.md section 5). */
  get auth(): { Authorization: string } {
    return { Authorization: this.#options.apiKey }
  }

  createWorkflow(body: Partial<Body<'createWorkflow'>>, { headers = this.auth }: CallOptions = {}): Promise<Exchange> {
    const init = { body: body as Body<'createWorkflow'>, headers }
    return this.#capture((fetch) => this.#client.POST('/api/v1/workflows', { ...init, ...rawOptions(fetch) }))
  }

  executeWorkflow(
    workflow_id: string,
    body: Partial<Body<'executeWorkflow'>>,
    { headers = this.auth }: CallOptions = {},
  ): Promise<Exchange> {
    const init = { body: body as Body<'executeWorkflow'>, headers, params: { path: { workflow_id } } }
    return this.#capture((fetch) =>
      this.#client.POST('/api/v1/workflows/{workflow_id}/execute', { ...init, ...rawOptions(fetch) }),
    )
  }

  getWorkflow(workflow_id: string, { headers = this.auth }: CallOptions = {}): Promise<Exchange> {
    const init = { headers, params: { path: { workflow_id } } }
    return this.#capture((fetch) =>
      this.#client.GET('/api/v1/workflows/{workflow_id}', { ...init, ...rawOptions(fetch) }),
    )
  }

  requestUpload(body: Partial<Body<'requestUpload'>>, { headers = this.auth }: CallOptions = {}): Promise<Exchange> {
    const init = { body: body as Body<'requestUpload'>, headers }
    return this.#capture((fetch) => this.#client.POST('/api/v1/upload/', { ...init, ...rawOptions(fetch) }))
  }

  confirmUpload(body: Body<'confirmUpload'>, { headers = this.auth }: CallOptions = {}): Promise<Exchange> {
    const init = { body, headers }
    return this.#capture((fetch) => this.#client.POST('/api/v1/upload/confirm', { ...init, ...rawOptions(fetch) }))
  }

  /** Sends any text with the key, as the given content type. */
  post(path: string, body: string, contentType: string): Promise<Exchange> {
    const headers = { ...this.auth, 'Content-Type': contentType }
    return this.send(new BuiltCall(this.url + path, { method: 'POST', headers, body }))
  }

  /** Uploads bytes to an upload URL, without the key (interface.md section 4.5). */
  putObject(uploadUrl: string, contentType: string, bytes: Uint8Array<ArrayBuffer>): Promise<Exchange> {
    return this.put(uploadUrl, { 'Content-Type': contentType }, bytes)
  }

  /**
   * Uploads bytes to an address that the server has chosen. Throws `Undecided` without sending if that is not safe: if a public
   * deployment names a private address, or if the address contains a password.
   */
  async put(address: string, headers: Record<string, string>, bytes: Uint8Array<ArrayBuffer>): Promise<Exchange> {
    const { hostname, username, password, href } = new URL(address)
    const bare = new URL(href)
    bare.username = ''
    bare.password = ''
    const request = new BuiltCall(bare.href, { method: 'PUT', headers, body: bytes })
    if (address.length > longestAddress) {
      throw this.transport.withhold(request, `the address is longer than ${longestAddress} characters`, this.#label)
    }
    if (!this.#options.checksAddresses && isPrivate(hostname) && !isPrivate(new URL(this.url).hostname)) {
      throw this.transport.withhold(request, `${hostname} is a private address`, this.#label)
    }
    if (username || password) throw this.transport.withhold(request, 'the address contains a password', this.#label)
    return this.#send(request)
  }

  /** Sends any request to the service, and records the object that it creates. Throws `Undecided` if there is no usable answer. */
  async send(request: OutgoingCall): Promise<Exchange> {
    const headers = { ...this.#trace?.headers(this.#label), ...this.#options.headers }
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    return this.#send(request)
  }

  async #send(request: OutgoingCall): Promise<Exchange> {
    const exchange = await this.transport.send(request, this.#label)
    const made = describeCreated(exchange)
    if (made !== undefined) this.leftBehind.add(made)
    return exchange
  }

  /** Builds a request with the typed client, and sends it. */
  async #capture(call: (fetch: Send) => Promise<unknown>): Promise<Exchange> {
    let built: OutgoingCall | undefined
    await call(async (request) => {
      built = request
      return notSent
    })
    if (!built) throw new TypeError('The typed client built no request. Check the version of openapi-fetch.')
    return this.send(built)
  }
}

function rawOptions(fetch: Send) {
  return { fetch, parseAs: 'stream' } as const
}
