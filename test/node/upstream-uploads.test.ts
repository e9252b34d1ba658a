import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, request as sendRequest } from 'node:http'
import { expect, test } from 'vitest'
import { readHar } from '../../conformance/session/read-har.ts'
import { createMock } from '../../src/index.ts'
import { IssuedAddresses } from '../../src/node/upstream-uploads.ts'
import type { Profile } from '../../src/profile/profile.ts'
import type { Incoming } from '../../src/wire/exchange.ts'
import { replayOn } from '../conformance/replay/replay.ts'
import { leaksOf } from '../support/leaks.ts'
import { listening } from '../support/listening.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { freshKey } from '../support/service.ts'
import { started } from '../support/started.ts'
import { apiKey, passing } from '../support/upstream.ts'

const file = new Uint8Array(700_000).fill(37)

/** Starts a mock that passes all calls for uploads on to a deployment, and requests an upload. */
async function uploadTo(url: string) {
  const client = await passing({ url, calls: ['requestUpload', 'confirmUpload'] })
  const upload = await client.requested('contract.pdf', file.byteLength)
  const send = (headers: Record<string, string> = {}, address = upload.upload_url, body: BodyInit = file) =>
    client.put(address, body, { 'Content-Type': 'application/pdf', ...headers })
  return { ...client, upload, url: upload.upload_url as string, send }
}

/** Does the same with a deployment whose storage is on another origin. */
async function start() {
  const { mock: deployment } = await started({ storagePort: 0, approvers: 'manual' })
  return { deployment, ...(await uploadTo(deployment.url)) }
}

/** Does the same with a service that issues addresses at `storage`, a server that answers files. */
async function startWithStorage(storage: RequestListener) {
  const listenAt = async (handle: RequestListener) => `http://127.0.0.1:${await listening(createServer(handle))}`
  const query = 'X-Amz-Expires=900&X-Amz-Signature=0123456789abcdef%2B'
  const place = new URL(`${await listenAt(storage)}/bucket/tenants/1/contract.pdf?${query}`)
  const text = `{ "upload_url": ${JSON.stringify(place).replaceAll('/', '\\/')},\n "size": 12345678901234567890 }`
  const service = await listenAt((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(text)
  })
  return { place, ...(await uploadTo(service)) }
}

test('a file goes through the mock to storage on another origin, and is recorded', async () => {
  const { mock, deployment, lines, sent, upload, url, confirm, send } = await start()
  expect(url.startsWith(`${mock.url}/__upstream/${new URL(deployment.storageUrl).host}/`)).toBe(true)
  expect((await mustAnswer(send(), 200)).text).toBe('')
  await mustAnswer(confirm(upload), 200)
  expect(sent.map(({ url }) => new URL(url).origin)).toEqual(
    [deployment.url, deployment.storageUrl, deployment.url].map((url) => new URL(url).origin),
  )
  const names = ['requestUpload', 'putObject', 'confirmUpload']
  expect(lines.map(({ operationId, status, refusal }) => [operationId, status, refusal?.detail])).toEqual(
    names.map((name) => [name, 200, 'The answer has the expected shape.']),
  )
  const recording = await mock.recording.read()
  const signature = new URL(url).searchParams.get('X-Amz-Signature') ?? ''
  const leaks = nonEmpty([apiKey.slice(5), signature]).flatMap((secret) => leaksOf(JSON.stringify(recording), secret))
  expect(leaks).toEqual([])
  const session = Promise.resolve(readHar(recording, { needsBodies: false }))
  const { calls } = await replayOn(createMock().fetch, session)
  expect(calls.map(({ name, outcome }) => [name, outcome])).toEqual(names.map((name) => [`${name} 1`, 'same']))
})

test('storage gets the length, type and own headers of a file, and no key', async () => {
  let seen: IncomingHttpHeaders = {}
  const { place, lines, url, send } = await startWithStorage((incoming, response) => {
    seen = { ...incoming.headers, path: incoming.url }
    incoming.resume().on('end', () => response.writeHead(200, { ETag: '"1"' }).end('stored'))
  })
  const own = { 'x-amz-meta-a': 'b', 'Content-Encoding': 'identity' }
  const answer = await send({ ...own, Authorization: freshKey(), Cookie: 'a=b', Origin: 'http://localhost' })
  expect(seen).toMatchObject({
    ...{ host: place.host, path: place.pathname + place.search, 'x-amz-meta-a': 'b', 'content-encoding': 'identity' },
    ...{ 'content-length': String(file.byteLength), 'content-type': 'application/pdf' },
  })
  const kept = ['authorization', 'cookie', 'origin', 'transfer-encoding'].filter((name) => name in seen)
  expect([kept, answer.status, answer.headers.get('etag'), answer.text]).toEqual([[], 200, '"1"', 'stored'])
  expect(lines.at(-1)?.refusal?.detail).toMatch(
    /^It differs from the contract: the body is not empty\. Its Authorization/,
  )
  await mustAnswer(send({}, url, ''), 200)
  expect(seen['content-length']).toBe('0')
})

test('the rest of the answer stays as the deployment wrote it', async () => {
  const { mock, call, place } = await startWithStorage((_, response) => response.end())
  const file = { file_name: 'contract.pdf', content_type: 'application/pdf', file_size: 1 }
  const { text } = await call('POST', '/api/v1/upload/', file)
  const url = `${mock.url}/__upstream/${place.host}${place.pathname}${place.search}`
  expect(text).toBe(`{ "upload_url": ${JSON.stringify(url)},\n "size": 12345678901234567890 }`)
})

test('a file reaches storage while the page is still sending it', async () => {
  let size = 0
  const reached = new EventEmitter()
  const { url } = await startWithStorage((incoming, response) => {
    incoming.on('data', (part: Uint8Array) => {
      size += part.byteLength
      reached.emit('begun')
    })
    incoming.on('end', () => response.end())
  })
  const sending = sendRequest(url, { method: 'PUT', headers: { 'Content-Length': 2 * file.byteLength } })
  sending.write(file)
  await once(reached, 'begun')
  sending.end(file)
  const [{ statusCode }] = await once(sending, 'response')
  expect([statusCode, size]).toEqual([200, 2 * file.byteLength])
})

test('a refusal of storage is the answer, also before the file has arrived', async () => {
  const { send, lines } = await startWithStorage((_, response) => response.writeHead(403).end('<Error/>'))
  expect((await mustAnswer(send(), 403)).text).toBe('<Error/>')
  expect(lines.at(-1)?.refusal?.detail).toBe('The deployment refused it with 403.')
})

test('storage that does not answer is a 502 that says so', async () => {
  const { send } = await startWithStorage((incoming) => incoming.destroy())
  expect((await mustAnswer(send(), 502)).text).toContain('did not answer: ')
})

test('nothing is sent to an address that the deployment has not issued', async () => {
  const { mock, url, send, put, sent, lines } = await start()
  const before = sent.length
  const elsewhere = [`${url}0`, url.replace('contract.pdf', 'other.pdf'), `${mock.url}/__upstream/a.example/b`]
  for (const other of nonEmpty(elsewhere)) {
    expect((await mustAnswer(send({}, other), 403)).text).toContain('has not issued this address')
  }
  await mustAnswer(send({ Origin: 'https://elsewhere.example' }), 403)
  await mustAnswer(put(url, null, {}, 'GET'), 405)
  expect(sent.length).toBe(before)
  expect(lines.at(-1)?.path).not.toContain('Signature')
})

test('pages may send files, as to the storage of the mock', async () => {
  const { url, send, put } = await start()
  const page = { Origin: 'http://localhost:5173' }
  const asked = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'content-type' }
  const preflight = await put(url, null, { ...page, ...asked }, 'OPTIONS')
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    'access-control-allow-origin': page.Origin,
    'access-control-allow-headers': 'content-type',
    'access-control-allow-methods': 'DELETE,GET,HEAD,PATCH,POST,PUT',
  })
  const { headers } = await mustAnswer(send(page), 200)
  expect(headers.get('access-control-allow-origin')).toBe(page.Origin)
  expect(headers.get('access-control-expose-headers')).toContain('ETag')
})

const at = (url: string) => {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname, search } as Incoming
}

/** Returns an answer as the page gets it. */
function replaceIn(addresses: IssuedAddresses, value: object, like?: Profile) {
  const answer = { status: 200, headers: [], body: new TextEncoder().encode(JSON.stringify(value)) }
  const { body } = addresses.replaceIn(answer, { request: at('http://localhost:4010'), tenantId: 'a' }, like)
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
}

test('the latest 1,000 addresses are known, each for 24 hours', () => {
  let now = 0
  const addresses = new IssuedAddresses(() => now)
  const theirs = Array.from({ length: 1001 }, (_, index) => `https://s3.example/${index}`)
  const own: string[] = theirs.map((upload_url) => replaceIn(addresses, { upload_url }).upload_url)
  expect(own[1]).toBe('http://localhost:4010/__upstream/s3.example/1')
  expect(own.map((url) => addresses.find(at(url))?.url)).toEqual([undefined, ...theirs.slice(1)])
  now = 24 * 3_600_000
  expect(addresses.find(at(own[1000] ?? ''))).toBeUndefined()
})

test('an address is found by its documented name, or at the place of the profile', () => {
  const addresses = new IssuedAddresses()
  const like = { locators: { upload_url: '/data/put/0' } } as unknown as Profile
  const [own, theirs] = ['http://localhost:4010/__upstream/s3.example/a?b=c', 'https://s3.example/a?b=c']
  const elsewhere = { data: { put: [theirs] } }
  expect(replaceIn(addresses, { data: { upload_url: theirs, also: theirs } })).toEqual({
    data: { upload_url: own, also: own },
  })
  expect(replaceIn(addresses, elsewhere)).toEqual(elsewhere)
  expect(replaceIn(addresses, elsewhere, like)).toEqual({ data: { put: [own] } })
  const long = `https://s3.example/${'a'.repeat(9000)}`
  for (const upload_url of ['ftp://s3.example/a', 'https://user:secret@s3.example/a', long, 'no address'])
    expect(replaceIn(addresses, { upload_url })).toEqual({ upload_url })
})
