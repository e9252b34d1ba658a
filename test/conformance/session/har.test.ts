import { Ajv } from 'ajv'
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import formats from 'ajv-formats'
import schemas from 'har-schema'
import { expect, test } from 'vitest'
import { membersOf } from '../../../conformance/reading/locate.ts'
import { HarError, readHar } from '../../../conformance/session/read-har.ts'
import type { Exchange } from '../../../conformance/wire/exchange.ts'
import { createMock } from '../../../src/index.ts'
import { harOf } from '../../../src/session/har.ts'
import { escapings, packings } from '../../support/encodings.ts'
import { leaksOf } from '../../support/leaks.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { key, sessionOn } from '../learning/session.ts'

const creator = { name: 'countersign', version: '0.0.0' }

interface Entry {
  request: { method: string; url: string; headers: { name: string; value: string }[]; postData?: object }
  response: { status: number; content: Record<string, unknown>; headers: { name: string; value: string }[] }
  [more: string]: unknown
}
const entriesOf = (har: object) => (har as { log: { entries: Entry[] } }).log.entries
const fileOf = (entries: readonly object[], name = 'WebInspector') => ({
  log: { version: '1.2', creator: { name, version: '1' }, entries },
})

const written = async (fetch?: (request: Request) => Promise<Response>) => {
  const { exchanges, redact } = await sessionOn(fetch)
  return { exchanges, har: harOf(exchanges, { redact, creator }) }
}

test('a written session fits the schema of HAR 1.2', async () => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addMetaSchema(draft06)
  for (const schema of Object.values(schemas)) ajv.addSchema(schema)
  const { har } = await written()
  const validate = ajv.getSchema('har.json#')
  expect(validate?.(har), ajv.errorsText(validate?.errors)).toBe(true)
  expect(validate?.({ log: { version: '1.2', creator, entries: [{}] } })).toBe(false)
})

test('a written session reads back as the same exchanges', async () => {
  const { exchanges, har } = await written()
  const read = readHar(har)
  expect(read).toMatchObject({ base: 'http://mock.test', apiKey: '***key***' })
  expect(read.leftOut).toEqual({ otherOrigins: 0, otherCalls: 0, unreadable: 0 })
  expect(read.exchanges.map(({ name }) => name)).toEqual(exchanges.map(({ name }) => name))
  for (const [index, exchange] of nonEmpty([...read.exchanges.entries()])) {
    const { status, at, sent, sentBytes, bytes } = exchanges[index] ?? exchange
    expect(exchange).toMatchObject({ status, at, ...(sent !== undefined && { sent }), ...(sentBytes && { sentBytes }) })
    expect(exchange.bytes).toHaveLength(bytes.length)
  }
})

test('calls of the same millisecond are read in the order of the file', async () => {
  const { exchanges, har } = await written()
  const entries = entriesOf(har).map((entry) => ({ ...entry, startedDateTime: '2026-03-01T09:00:00.000Z' }))
  const methodsOf = (all: readonly Pick<Exchange, 'request'>[]) => all.map(({ request }) => request.method)
  expect(methodsOf(readHar(fileOf(entries, creator.name)).exchanges)).toEqual(methodsOf(exchanges))
})

test('a signature has one stand-in in the answer and in the address of the PUT', async () => {
  const { exchanges, har } = await written()
  const read = readHar(har).exchanges
  const url = (name: string) => read.find((exchange) => exchange.name === name)?.request.url
  const shown = String(membersOf(read[1]?.json).find(({ name }) => name === 'upload_url')?.value)
  expect(url('put object 1')).toBe(shown)
  expect(url('put object 2')).not.toBe(shown)
  const signature = (address: string | undefined) => new URL(address ?? '').searchParams.get('X-Amz-Signature') ?? ''
  const signatures = [shown, exchanges.find(({ name }) => name === 'put object 1')?.request.url].map(signature)
  expect(signatures).toEqual([1, 2].map(() => expect.stringMatching(/^[\da-f]{64}$/)))
  expect(signatures[0]).not.toBe(signatures[1])
})

/** The ways in which a deployment may repeat a secret. */
const spellings = [
  ...escapings,
  ...packings,
  ...[(text: string) => text.toUpperCase(), (text: string) => [...text].reverse().join('')].map((write) => ({ write })),
]

test('no secret is in a written session, however the deployment repeats it', async () => {
  const signature = 'f0e1d2c3b4a5968778695a4b3c2d1e0ff0e1d2c3b4a59687'
  const token = 'FwoGZXIvYXdzEBYaDNqx+3/Qk7Lm9ZpT2c=='
  const cookie = 'sid_0b9d8e7f6a5c4b3d'
  const mock = createMock()
  const { exchanges, har } = await written(async (request) => {
    request.headers.set('Cookie', `id=${cookie}`)
    const isPut = request.method === 'PUT'
    const { method, headers: sent } = request
    const bare = { method, headers: sent, body: isPut ? await request.arrayBuffer() : null }
    const answer = await mock.fetch(isPut ? new Request(request.url.replace(/&sig=.*$/, ''), bare) : request)
    const { status } = answer
    if (!answer.ok || isPut) {
      const bytes = Buffer.from(`\u0000\u00ff${key}`, 'latin1')
      return new Response(bytes, { status, headers: { 'Set-Cookie': `id=${cookie}` } })
    }
    const shown = (await answer.json()) as Record<string, unknown>
    if (typeof shown.upload_url === 'string') {
      shown.upload_url += `&sig=${signature}&X-Amz-Security-Token=${encodeURIComponent(token)}`
    }
    const repeated = [key, signature, token].flatMap((secret) => spellings.map(({ write }) => write(secret)))
    const headers = { 'X-Auth-Token': cookie, 'X-Seen': encodeURIComponent(key), Link: `</x?sig=${signature}>` }
    return Response.json({ ...shown, repeated, [key]: signature }, { status, headers })
  })
  expect(exchanges.length).toBeGreaterThan(10)
  const text = JSON.stringify(har)
  const secrets = [key.slice(5), signature, token, cookie]
  const spelled = secrets.flatMap((one) => [one, one.toUpperCase(), [...one].reverse().join('')])
  expect(spelled.flatMap((one) => leaksOf(text, one))).toEqual([])
  const bodies = entriesOf(har).map(({ response }) => Buffer.from(String(response.content.text), 'base64').toString())
  expect(bodies.flatMap((body) => leaksOf(body, key.slice(5)))).toEqual([])
  // The same session without redaction reveals all of them, so the search above would find them.
  const open = JSON.stringify(
    exchanges.map(({ bytes, request, headers }) => [Buffer.from(bytes).toString(), request.url, [...headers]]),
  )
  expect([key, signature, token, cookie].filter((one) => leaksOf(open, one).length === 0)).toEqual([])
})

/** Writes the first exchange of a session, with changes. */
async function writtenWith(change: (first: Awaited<ReturnType<typeof sessionOn>>['exchanges'][number]) => object) {
  const { exchanges, redact } = await sessionOn()
  const [first] = exchanges
  if (!first) throw new TypeError('The session is empty.')
  return entriesOf(harOf([{ ...first, ...change(first) }], { redact, creator }))[0]
}

test('headers other than well-known ones are written without their values', async () => {
  const sent = { 'X-Gateway': 'short', Authorization: 'Bearer other', Cookie: 'a=b', Accept: 'text/plain' }
  const entry = await writtenWith(({ request }) => ({ request: { ...request, headers: new Headers(sent) } }))
  expect(Object.fromEntries(entry?.request.headers.map(({ name, value }) => [name, value]) ?? [])).toEqual({
    accept: 'text/plain',
    authorization: 'Bearer ***',
    cookie: '***',
    'x-gateway': '***',
  })
})

test('binary answers are written as base64, large ones as a description', async () => {
  const contentOf = async (bytes: Uint8Array) => (await writtenWith(() => ({ bytes })))?.response.content
  expect(await contentOf(new Uint8Array([0, 255, 7]))).toMatchObject({ size: 3, text: 'AP8H', encoding: 'base64' })
  const large = await contentOf(new Uint8Array(64 * 1024 + 1).fill(255))
  expect(large).not.toHaveProperty('text')
  expect(large?.comment).toMatch(/^65537 bytes, SHA-256 [\da-f]{64}, MD5 [\da-f]{32}, CRC-32 [\da-f]{8}$/)
  expect(await contentOf(new Uint8Array(10_000_000).fill(97))).not.toHaveProperty('text')
})

const base = 'https://approvals.example/team/api/v1'
const json = { mimeType: 'application/json' }

/** An entry as Chromium's "Save all as HAR" writes it. */
const call = (
  seconds: number,
  what: string,
  status: number,
  content: object = { text: '{}' },
  sent?: string,
): Entry => {
  const [method = '', path = ''] = what.split(' ')
  return {
    ...{ _initiator: { type: 'script' }, connection: '443', time: 12.5 },
    request: {
      ...{ method, url: path.startsWith('/') ? base + path : path, httpVersion: 'http/2.0' },
      headers: Object.entries({
        ':authority': 'approvals.example',
        authorization: 'test_mine',
        'content-type': 'application/json',
      }).map(([name, value]) => ({ name, value })),
      ...(sent && { postData: { ...json, text: sent } }),
    },
    response: { status, headers: [], content: { size: 20, ...json, ...content }, _error: null },
    startedDateTime: `2026-03-01T09:00:0${seconds}.000Z`,
  } as Entry
}

function chromium(): Entry[] {
  const upload_url = 'https://bucket.s3.example/tenants/a/x.pdf?sig=1'
  const put = call(3, `PUT ${upload_url}`, 200, { size: 0, mimeType: 'x-unknown' })
  put.request.headers = [{ name: 'content-length', value: '4321' }]
  return [
    call(0, 'OPTIONS /workflows', 204),
    put,
    call(1, 'POST /workflows', 201, { text: '{"id":7}' }, '{"name":"a"}'),
    call(2, 'POST /upload/', 200, { text: JSON.stringify({ upload_url, session_id: 's' }) }, '{"file_name":"x.pdf"}'),
    call(4, 'GET /workflows/7', 200, { size: 8, encoding: 'base64', text: btoa('{"id":7}') }),
    call(5, 'GET /workflows/7', 200, { size: 8 }),
    // Blocked.
    call(6, 'GET /workflows/7', 0),
    call(7, 'GET /users/me', 200),
    call(8, 'GET https://cdn.example/app.js', 200),
    call(9, 'PUT https://bucket.s3.example/other', 200),
  ]
}

test('a file of Chromium is read: pseudo-headers, base64, preflights, missing bodies', () => {
  const read = readHar(fileOf(chromium()))
  expect(read.exchanges.map(({ name, status }) => [name, status])).toEqual([
    ['createWorkflow 1', 201],
    ['requestUpload 1', 200],
    ['putObject 1', 200],
    ['getWorkflow 1', 200],
  ])
  expect(read).toMatchObject({ base: 'https://approvals.example/team', apiKey: 'test_mine' })
  expect(read.leftOut).toEqual({ otherOrigins: 2, otherCalls: 1, unreadable: 2 })
  const [create, , put, details] = read.exchanges
  expect(create).toMatchObject({ sent: '{"name":"a"}', json: { id: 7 }, durationMs: 12.5 })
  expect([...(create?.request.headers.keys() ?? [])]).toEqual(['authorization', 'content-type'])
  expect(put?.sentBytes?.size).toBe(4321)
  expect(details?.json).toEqual({ id: 7 })
})

test('a file without keys, and with some bodies elsewhere, is read as far as it goes', () => {
  const entries = chromium().map(({ request, response, ...entry }, index) => ({
    ...entry,
    request: { ...request, headers: request.headers.filter(({ name }) => name !== 'authorization') },
    response: { ...response, ...(index === 4 && { content: { size: -1, mimeType: '', _file: 'a.json' } }) },
  }))
  const { apiKey, exchanges, leftOut } = readHar(fileOf(entries, 'Playwright'))
  expect([apiKey, exchanges[0]?.request.headers.get('authorization')]).toEqual(['***key***', '***key***'])
  expect(exchanges.map(({ name }) => name)).toEqual(['createWorkflow 1', 'requestUpload 1', 'putObject 1'])
  expect(leftOut.unreadable).toBe(3)
})

test('with calls to several addresses, one has to be chosen', () => {
  const creating = (start = '') => call(1, `POST ${start}/workflows`, 201)
  const file = fileOf([creating(), creating('http://localhost:4010/api/v1')])
  expect(() => readHar(file)).toThrow(
    /2 addresses: https:\/\/approvals\.example\/team, http:\/\/localhost:4010\. Choose/,
  )
  expect(readHar(file, { url: 'http://localhost:4010/' })).toMatchObject({
    base: 'http://localhost:4010',
    leftOut: { otherOrigins: 1 },
  })
  expect(() => readHar(file, { url: 'https://elsewhere.example' })).toThrow(
    /no call of this API to https:\/\/elsewhere/,
  )
})

test.each([
  ['is no HAR', { a: 1 }, /^The file is not HAR: .*\. Save/],
  ['has no documented call', fileOf(chromium().slice(8)), /^The file has no call of this API.*\. Record/],
  [
    'has no bodies',
    fileOf([call(5, 'GET /workflows/7', 200, {})]),
    /^None of the answers .* has its body in the file\. Record/,
  ],
])('a file that %s is refused with a sentence', (_, file, message) => {
  expect(() => readHar(file)).toThrow(HarError)
  expect(() => readHar(file)).toThrow(message)
})

test('a file with odd members is read without an error', () => {
  const requests = [7, { method: 'GET', url: 'nowhere' }, { method: 'GET', url: 'data:,x' }]
  const odd = [null, 7, [], {}, ...requests.map((request) => ({ request }))]
  const read = readHar(fileOf([...odd, call(1, 'POST /workflows', 201)] as object[]))
  expect(read.leftOut.unreadable).toBe(odd.length)
  expect(read.exchanges).toHaveLength(1)
})
