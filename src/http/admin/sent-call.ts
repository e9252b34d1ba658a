import { type OperationId, operations, type Schemas } from '../../contract/operations.ts'
import type { World } from '../../world/world.ts'
import { signedPathOf } from '../service/uploads.ts'
import type { HeaderList, Incoming, Outgoing } from '../wire/exchange.ts'
import { Problem } from '../wire/problem.ts'

/** A call of the service that the admin API sends for a tenant. */
export interface CallToSend {
  readonly operation_id: OperationId
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Returns a call of the service as the request of a tenant's client, which needs no key. Throws a `Problem`. */
export function requestFor(call: CallToSend, tenantId: string, origin: string): Incoming {
  const { operation_id: id, params = {}, body } = call
  const { method, path } = operations[id]
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(params, name) || params[name] === '') throw missing(id, name)
    return encodeURIComponent((params[name] ?? '').toWellFormed())
  })
  const json = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body))
  const headers: HeaderList = json ? [['content-type', 'application/json'], lengthOf(json)] : []
  return new SentCall({ method, origin, path: filled, search: '', actsFor: tenantId, headers }, json)
}

/** Returns the upload of a file to the URL that its session was given. Throws a `Problem`. */
export function uploadFor(call: CallToSend, world: World, origin: string): Incoming {
  const sessionId = call.params?.session_id
  if (sessionId === undefined) throw missing(call.operation_id, 'session_id')
  const upload = world.upload(sessionId.toLowerCase())
  const bytes = bytesOf(call.body)
  const { contentType } = upload
  const [path = '', query = ''] = signedPathOf(upload, world).split('?')
  const headers: HeaderList = [['content-type', contentType], lengthOf(bytes)]
  return new SentCall({ method: 'PUT', origin, path, search: `?${query}`, headers }, bytes)
}

function bytesOf(body: unknown): Uint8Array {
  try {
    if (typeof body === 'string') return Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
  throw new Problem(
    'invalid-parameter',
    'The body of putObject is not a text in base64. Send the bytes of the file so.',
  )
}

function missing(id: OperationId, name: string): Problem {
  return new Problem('invalid-parameter', `${id} needs ${name}. Add it to params.`)
}

function lengthOf({ byteLength }: Uint8Array): readonly [string, string] {
  return ['content-length', String(byteLength)]
}

/** Returns an answer as the client would see it. */
export function answerSeen({ status, headers, body }: Outgoing): Schemas['SentCallAnswer'] {
  const text = typeof body === 'string' || body === undefined ? body : new TextDecoder().decode(body)
  const names = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(names['content-type'] ?? '')
  return { status, headers: names, body: text ? (isJson ? JSON.parse(text) : text) : null }
}

class SentCall implements Incoming {
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly search: string
  readonly actsFor?: string
  readonly #headers: HeaderList
  #body: Uint8Array | undefined
  tenantId?: string
  operationId?: OperationId
  call?: Incoming['call']

  constructor(
    request: Pick<Incoming, 'method' | 'origin' | 'path' | 'search' | 'actsFor'> & { readonly headers: HeaderList },
    body: Uint8Array | undefined,
  ) {
    this.method = request.method
    this.origin = request.origin
    this.path = request.path
    this.search = request.search
    if (request.actsFor !== undefined) this.actsFor = request.actsFor
    this.#headers = request.headers
    this.#body = body
  }

  header(name: string): string | undefined {
    return this.#headers.find(([other]) => other === name)?.[1]
  }

  headers(): HeaderList {
    return this.#headers
  }

  async readBody(take: (chunk: Uint8Array) => boolean): Promise<void> {
    const body = this.#body
    this.#body = undefined
    if (body) take(body)
  }
}
