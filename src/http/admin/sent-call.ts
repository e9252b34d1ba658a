import { type Body, operations, type Schemas } from '../../contract/operations.ts'
import type { Upload } from '../../domain/uploads/upload.ts'
import { bodyTextOf, type Incoming, type Outgoing, publicUrlOf } from '../../wire/exchange.ts'
import { Problem } from '../../wire/problem.ts'
import { pathWith } from '../../wire/router.ts'
import type { World } from '../../world/world.ts'
import { uploadUrlOf } from '../service/uploads.ts'

/** Returns a call of the service as the request of a tenant's client, which needs no key. Throws a `Problem`. */
export function requestFor(call: Body<'sendCall'>, incoming: Incoming): Incoming {
  const { operation_id: id, params = {}, body } = call
  const { method, path } = operations[id]
  const filled = pathWith(path, (name) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (!value) throw new Problem('invalid-parameter', `${id} needs ${name}. Add it to params.`)
    return value
  })
  let json = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body))
  const headers = json && { 'content-type': 'application/json', 'content-length': String(json.byteLength) }
  const readBody: Incoming['readBody'] = async (take) => {
    if (json) take(json)
    json = undefined
  }
  const { origin } = incoming
  return { method, origin, publicUrl: publicUrlOf(incoming), path: filled, search: '', ...headersOf(headers), readBody }
}

/** Returns the upload of a file, whose bytes are the body of `incoming`, to the URL that its session was given. */
export function uploadFor(upload: Upload, world: World, incoming: Incoming, storageUrl: string): Incoming {
  const [path = '', query = ''] = uploadUrlOf(upload, world, storageUrl).slice(storageUrl.length).split('?')
  const length = incoming.header('content-length')
  const headers = {
    'content-type': upload.request.content_type,
    ...(length !== undefined && { 'content-length': length }),
  }
  const { origin } = new URL(storageUrl)
  const address = { origin, publicUrl: storageUrl, path, asked: path, search: `?${query}` }
  return { ...incoming, method: 'PUT', ...address, ...headersOf(headers) }
}

function headersOf(headers: Readonly<Record<string, string>> = {}): Pick<Incoming, 'header' | 'headers'> {
  return { header: (name) => headers[name], headers: () => Object.entries(headers) }
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
function bodyOf(answer: Outgoing): unknown {
  const text = bodyTextOf(answer)
  if (!text) return null
  const type = answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  return answer.value !== undefined || /^application\/([\w.-]+\+)?json\b/.test(type) ? JSON.parse(text) : text
}
