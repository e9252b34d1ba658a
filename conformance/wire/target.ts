import { type Body, operations, type ServiceOperationId } from '../../src/contract/operations.ts'
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

/** Changes to a well-formed call. */
export interface CallOptions {
  /** @default the header with the key */
  readonly headers?: Readonly<Record<string, string>>
}

/** The deployment under test. Sends the documented calls, and any other request as it is. */
export class Target {
  readonly url: string
  readonly transport: Transport
  readonly secondKey: string | undefined
  /** The objects that the run has created on the deployment. */
  readonly leftBehind: Set<string>
  readonly #options: TargetOptions
  readonly #trace: Trace | undefined
  readonly #label: Label | undefined

  /** With `trace`, each call of the service has its headers. */
  constructor(
    options: TargetOptions,
    transport = new Transport(options),
    trace?: Trace,
    label?: Label,
    leftBehind = new Set<string>(),
  ) {
    this.url = options.url
    this.transport = transport
    this.secondKey = options.secondKey
    this.leftBehind = leftBehind
    this.#options = options
    this.#trace = trace
    this.#label = label
  }

  /** Returns a target for the same deployment whose requests have this label. */
  withLabel(label: Label): Target {
    return new Target(this.#options, this.transport, this.#trace, label, this.leftBehind)
  }

  /** Returns a target for the same deployment whose labels have this `about`. */
  about(about: string): Target {
    return this.#label ? this.withLabel({ ...this.#label, about }) : this
  }

  /** The header that carries the key (interface.md section 5). */
  get auth(): { Authorization: string } {
    return { Authorization: this.#options.apiKey }
  }

  createWorkflow(body: Partial<Body<'createWorkflow'>>, options?: CallOptions): Promise<Exchange> {
    return this.#call('createWorkflow', options, body)
  }

  /** Executes a workflow by its identifier as an answer shows it. */
  executeWorkflow(id: unknown, body: Partial<Body<'executeWorkflow'>>, options?: CallOptions): Promise<Exchange> {
    return this.#call('executeWorkflow', options, body, id)
  }

  /** Reads a workflow by its identifier as an answer shows it. */
  getWorkflow(id: unknown, options?: CallOptions): Promise<Exchange> {
    return this.#call('getWorkflow', options, undefined, id)
  }

  requestUpload(body: Partial<Body<'requestUpload'>>, options?: CallOptions): Promise<Exchange> {
    return this.#call('requestUpload', options, body)
  }

  confirmUpload(body: Body<'confirmUpload'>, options?: CallOptions): Promise<Exchange> {
    return this.#call('confirmUpload', options, body)
  }

  #call(
    call: ServiceOperationId,
    { headers = this.auth }: CallOptions = {},
    body?: object,
    id?: unknown,
  ): Promise<Exchange> {
    const { method, path } = operations[call]
    const address = this.url + path.replace('{workflow_id}', () => encodeURIComponent(String(id)))
    const json = { ...headers, 'Content-Type': 'application/json' }
    const sent = body ? { headers: json, body: JSON.stringify(body) } : { headers }
    return this.send(new BuiltCall(address, { method, ...sent }))
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
    const headers = { ...this.#trace?.(this.#label), ...this.#options.headers }
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    return this.#send(request)
  }

  async #send(request: OutgoingCall): Promise<Exchange> {
    const exchange = await this.transport.send(request, this.#label)
    const made = describeCreated(exchange)
    if (made !== undefined) this.leftBehind.add(made)
    return exchange
  }
}
