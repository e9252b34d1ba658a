import fc from 'fast-check'
import { nastyHeaderValue, nastyJson, nastyNames, nastyPathPart, preferences, wordsOf } from './texts.ts'

/** The parts of a request that a mutation can change. */
export interface Draft {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | undefined
}

type Mutation = (draft: Draft) => Draft
/** Changes that are applied to a request in order. */
export type Mutations = readonly Mutation[]

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Replaces, inserts, removes or doubles bytes of a body. */
const bytes: fc.Arbitrary<Mutation> = fc
  .array(
    fc.record({
      at: fc.nat(),
      how: fc.constantFrom('replace', 'insert', 'remove', 'repeat', 'cut'),
      byte: fc.oneof(fc.nat(255), fc.constantFrom(0x00, 0x22, 0x5c, 0x7b, 0x7d, 0x80, 0xc0, 0xed, 0xf5, 0xff)),
      length: fc.integer({ min: 1, max: 8 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((changes) => (draft) => {
    let body = Buffer.from(draft.body ?? [])
    for (const { at, how, byte, length } of changes) {
      const place = at % (body.length + 1)
      const [before, after] = [body.subarray(0, place), body.subarray(place)]
      const parts = {
        replace: [before, Buffer.of(byte), after.subarray(1)],
        insert: [before, Buffer.of(byte), after],
        remove: [before, after.subarray(length)],
        repeat: [before, after.subarray(0, length), after],
        cut: [before],
      }[how]
      body = Buffer.concat(parts)
    }
    return { ...draft, body }
  })

/** Replaces one value of a JSON body with a hostile text, or adds the text beside it. */
const member: fc.Arbitrary<Mutation> = fc
  .record({
    pick: fc.nat(),
    json: nastyJson,
    how: fc.constantFrom('value', 'name', 'extra', 'doubled', 'missing'),
    name: nastyNames,
  })
  .map(({ pick, json, how, name }) => (draft) => {
    const text = decoder.decode(draft.body)
    // Matches the values of our own JSON texts; names are followed by a colon.
    const values = [...text.matchAll(/(?:"(\w+)":)?("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)(?=[,}\]])/g)]
    const value = values[pick % Math.max(values.length, 1)]
    if (!value) return { ...draft, body: encoder.encode(json) }
    const [found, key] = value
    const quoted = JSON.stringify(name)
    const put = {
      value: key ? `"${key}":${json}` : json,
      name: key ? `${quoted}:${value[2]}` : quoted,
      extra: key ? `${found},${quoted}:${json}` : `${found},${json}`,
      doubled: key ? `${found},"${key}":${json}` : `${found},${found}`,
      missing: key ? `${quoted}:0` : 'null',
    }[how]
    return { ...draft, body: encoder.encode(text.slice(0, value.index) + put + text.slice(value.index + found.length)) }
  })

const wholeBody: fc.Arbitrary<Mutation> = fc
  .oneof(
    nastyJson.map((text) => encoder.encode(text)),
    fc.uint8Array({ maxLength: 200 }).map((array) => new Uint8Array(array)),
    nastyJson.map((text) => encoder.encode(`\ufeff${text}`)),
    fc.constant(encoder.encode(`{"name":"${'x'.repeat(1_100_000)}"}`)),
  )
  .map((body) => (draft) => ({ ...draft, body }))

const headerNames = fc.constantFrom(
  ...wordsOf(`
    Authorization Content-Type Content-Length Host Origin Sec-Fetch-Site X-Admin-Token Accept
    Prefer Content-Encoding X-API-Key X-HTTP-Method-Override Access-Control-Request-Headers Range
  `),
)

const header: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(headerNames, nastyHeaderValue).map(([name, value]): Mutation => with_({ [name]: value })),
  fc.constantFrom('Authorization', 'Content-Type').map(
    (name): Mutation =>
      ({ headers, ...draft }) => {
        const { [name]: _, ...others } = headers
        return { ...draft, headers: others }
      },
  ),
  preferences.map((value): Mutation => with_({ Prefer: value })),
)

function with_(more: Record<string, string>): Mutation {
  return (draft) => ({ ...draft, headers: { ...draft.headers, ...more } })
}

const path: fc.Arbitrary<Mutation> = fc
  .record({ pick: fc.nat(), part: nastyPathPart, how: fc.constantFrom('replace', 'insert', 'append', 'character') })
  .map(({ pick, part, how }) => (draft) => {
    const [before = '', query] = draft.path.split('?')
    const parts = before.split('/')
    const place = 1 + (pick % parts.length)
    if (how === 'replace') parts.splice(place, 1, part)
    else if (how === 'insert') parts.splice(place, 0, part)
    else if (how === 'append') parts.push(part)
    else parts[place] = `${parts[place] ?? ''}${part}`
    return { ...draft, path: parts.join('/') + (query === undefined ? '' : `?${query}`) }
  })

const query: fc.Arbitrary<Mutation> = fc
  .oneof(
    nastyPathPart,
    preferences.map((text) => `__${text}`),
    fc
      .tuple(fc.constantFrom('limit', 'X-Amz-Date', 'X-Amz-Expires', 'X-Amz-Signature', 'x'), nastyPathPart)
      .map((pair) => pair.join('=')),
    fc.constantFrom(...wordsOf('limit=0 limit=1 limit=1e4 limit=10001 limit=-1 limit= limit=0x10')),
  )
  .map((text) => (draft) => ({ ...draft, path: `${draft.path}${draft.path.includes('?') ? '&' : '?'}${text}` }))

const method: fc.Arbitrary<Mutation> = fc
  .constantFrom(...wordsOf('GET HEAD POST PUT PATCH DELETE OPTIONS PROPFIND M-SEARCH x get'))
  .map((name) => (draft) => ({ ...draft, method: name }))

const one = fc.oneof(
  { weight: 4, arbitrary: bytes },
  { weight: 6, arbitrary: member },
  { weight: 1, arbitrary: wholeBody },
  { weight: 3, arbitrary: header },
  { weight: 2, arbitrary: path },
  { weight: 1, arbitrary: query },
  { weight: 1, arbitrary: method },
)

/** Mutations of a valid request. One request in four is not changed, so that the state grows. */
export const mutations: fc.Arbitrary<Mutations> = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.array(one, { minLength: 1, maxLength: 3 }) },
)

/** Returns a draft as a request. */
export function requestOf({ method, path, headers, body }: Draft, origin: string): Request {
  const withBody = body && !['GET', 'HEAD'].includes(method.toUpperCase())
  return new Request(origin + path, { method, headers, ...(withBody && { body }) })
}
