import { type Body, type OperationId, operations, type Schemas } from '../../contract/operations.ts'
import type { Upload } from '../../domain/uploads/upload.ts'
import type { World } from '../../world/world.ts'
import { uploadUrlOf } from '../service/uploads.ts'
import { type HeaderList, type Incoming, type Outgoing, publicUrlOf, WrittenJson } from '../wire/exchange.ts'
import { Problem } from '../wire/problem.ts'
import { pathWith } from '../wire/router.ts'

/** Returns a call of the service as the request of a tenant's client, which needs no key. Throws a `Problem`. */
export function requestFor(call: Body<'sendCall'>, incoming: Incoming): Incoming {
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
  return { method, origin, publicUrl: publicUrlOf(incoming), path: filled, search: '', ...headersOf(headers), readBody }
}

/** Returns the upload of a file, whose bytes are the body of `incoming`, to the URL that its session was given. */
export function uploadFor(upload: Upload, world: World, incoming: Incoming, storageUrl: string): Incoming {
  const [path = '', query = ''] = uploadUrlOf(upload, world, storageUrl).slice(storageUrl.length).split('?')
  const length = incoming.header('content-length')
  const headers: HeaderList = [
    ['content-type', upload.request.content_type],
    ...(length === undefined ? [] : ([['content-length', length]] as const)),
  ]
  const { origin } = new URL(storageUrl)
  const { readBody, release } = incoming
  const request = {
    method: 'PUT',
    origin,
    publicUrl: storageUrl,
    path,
    search: `?${query}`,
    ...headersOf(headers),
    readBody,
  }
  return release ? { ...request, release } : request
}

function headersOf(headers: HeaderList): Pick<Incoming, 'header' | 'headers'> {
  return { header: (name) => headers.find(([other]) => other === name)?.[1], headers: () => headers }
}

function missing(id: OperationId, name: string): Problem {
  return new Problem('invalid-parameter', `${id} needs ${name}. Add it to params.`)
}

function lengthOf({ byteLength }: Uint8Array): readonly [string, string] {
  return ['content-length', String(byteLength)]
}

/** Returns an answer as the client would see it. */
export function answerSeen(answer: Outgoing): Schemas['SentCallAnswer'] {
  const { status, headers, contract } = answer
  const names = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  return {
    ...{ status, headers: names, body: bodyOf(answer) },
    contract_body: contract ? bodyOf(contract) : null,
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
