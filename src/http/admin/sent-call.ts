import { type Body, type OperationId, operations, type Schemas } from '../../contract/operations.ts'
import type { Upload } from '../../domain/uploads/upload.ts'
import type { World } from '../../world/world.ts'
import { uploadUrlOf } from '../service/uploads.ts'
import { type HeaderList, type Incoming, type Outgoing, publicUrlOf, WrittenJson } from '../wire/exchange.ts'
import { Problem } from '../wire/problem.ts'
import { pathWith } from '../wire/router.ts'

/** Returns a call of the service as the request of a tenant's client, which needs no key. Throws a `Problem`. */
export function requestFor(call: Body<'sendCall'>, tenantId: string, incoming: Incoming): SentCall {
  const { operation_id: id, params = {}, body } = call
  const { method, path } = operations[id]
  const filled = pathWith(path, (name) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (!value) throw missing(id, name)
    return value
  })
  const json = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body))
  const headers: HeaderList = json ? [['content-type', 'application/json'], lengthOf(json)] : []
  let rest = json
  const readBody: Incoming['readBody'] = async (take) => {
    if (rest) take(rest)
    rest = undefined
  }
  const { origin } = incoming
  const publicUrl = publicUrlOf(incoming)
  return new SentCall({ method, origin, publicUrl, path: filled, search: '', actsFor: tenantId }, headers, { readBody })
}

/** Returns the upload of a file, whose bytes are the body of `incoming`, to the URL that its session was given. */
export function uploadFor(upload: Upload, world: World, incoming: Incoming, storageUrl: string): SentCall {
  const [path = '', query = ''] = uploadUrlOf(upload, world, storageUrl).slice(storageUrl.length).split('?')
  const length = incoming.header('content-length')
  const headers: HeaderList = [
    ['content-type', upload.request.content_type],
    ...(length === undefined ? [] : ([['content-length', length]] as const)),
  ]
  const { origin } = new URL(storageUrl)
  return new SentCall({ method: 'PUT', origin, publicUrl: storageUrl, path, search: `?${query}` }, headers, incoming)
}

function missing(id: OperationId, name: string): Problem {
  return new Problem('invalid-parameter', `${id} needs ${name}. Add it to params.`)
}

function lengthOf({ byteLength }: Uint8Array): readonly [string, string] {
  return ['content-length', String(byteLength)]
}

/** Returns an answer as the client would see it. */
export function answerSeen(answer: Outgoing, { contractAnswer }: SentCall): Schemas['SentCallAnswer'] {
  const { status, headers } = answer
  const names = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  return {
    ...{ status, headers: names, body: bodyOf(answer) },
    contract_body: contractAnswer ? bodyOf(contractAnswer) : null,
  }
}

/** Returns the body of an answer: parsed if it is JSON, or a text; null if there is none. */
function bodyOf({ headers, body, value }: Outgoing): unknown {
  if (value !== undefined && !(value instanceof WrittenJson)) return value
  const written = value?.bytes ?? body
  const text = typeof written === 'string' || written === undefined ? written : new TextDecoder().decode(written)
  if (!text) return null
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  return value || /^application\/([\w.-]+\+)?json\b/.test(type) ? JSON.parse(text) : text
}

/** A call of the service that the admin API sends for a tenant. */
export class SentCall implements Incoming {
  readonly method: string
  readonly origin: string
  readonly publicUrl?: string
  readonly path: string
  readonly search: string
  readonly actsFor?: string
  readonly isOfContract = true
  readonly #headers: HeaderList
  readonly #body: Pick<Incoming, 'readBody' | 'release'>
  tenantId?: string
  operationId?: OperationId
  call?: Incoming['call']
  /** With a profile: the answer as the contract has it. */
  contractAnswer?: Outgoing

  constructor(
    request: Pick<Incoming, 'method' | 'origin' | 'publicUrl' | 'path' | 'search' | 'actsFor'>,
    headers: HeaderList,
    body: Pick<Incoming, 'readBody' | 'release'>,
  ) {
    this.method = request.method
    this.origin = request.origin
    if (request.publicUrl !== undefined) this.publicUrl = request.publicUrl
    this.path = request.path
    this.search = request.search
    if (request.actsFor !== undefined) this.actsFor = request.actsFor
    this.#headers = headers
    this.#body = body
  }

  header(name: string): string | undefined {
    return this.#headers.find(([other]) => other === name)?.[1]
  }

  headers(): HeaderList {
    return this.#headers
  }

  readBody(take: (chunk: Uint8Array) => boolean): Promise<void> {
    return this.#body.readBody(take)
  }

  release(chunk: Uint8Array): void {
    this.#body.release?.(chunk)
  }

  noteContract(answer: Outgoing): void {
    this.contractAnswer = answer
  }
}
