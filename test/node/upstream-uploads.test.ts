import { createServer, type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readHar } from '../../conformance/session/read-har.ts'
import type { Incoming } from '../../src/http/wire/exchange.ts'
import type { LoggedRequest } from '../../src/http/wire/exchanges.ts'
import { createMock } from '../../src/index.ts'
import { type StartOptions, startMock } from '../../src/node/index.ts'
import { passOnTo } from '../../src/node/upstream.ts'
import { IssuedAddresses } from '../../src/node/upstream-uploads.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { replayOn } from '../conformance/replay/replay.ts'
import { leaksOf } from '../support/leaks.ts'
import { clientOf, freshKey } from '../support/service.ts'

const apiKey = 'test_upstream_9f8e7d6c5b4a'
const file = new Uint8Array(700_000).fill(37)
const upload = { file_name: 'contract.pdf', content_type: 'application/pdf', file_size: file.byteLength }

/** Starts a mock that passes all calls for uploads on to a deployment. */
async function startBefore(url: string, options: StartOptions = {}) {
  const [lines, sent] = [[] as LoggedRequest[], [] as Request[]]
  const send = (request: Request) => {
    sent.push(request)
    return fetch(request)
  }
  const passOn = passOnTo({ url, apiKey, fetch: send, calls: ['requestUpload', 'confirmUpload'] }, options.like)
  const mock = await startMock({ port: 0, record: true, passOn, onRequest: (line) => lines.push(line), ...options })
  onTestFinished(() => mock.close())
  const { call, confirm } = clientOf(mock)
  const post = () => call('POST', '/api/v1/upload/', upload)
  const put = (url: string, headers: Record<string, string> = {}, body: RequestInit['body'] = file) =>
    fetch(url, { method: 'PUT', headers: { 'Content-Type': upload.content_type, ...headers }, body })
  return { mock, lines, sent, post, put, confirm, request: async () => (await post()).json }
}

/** Starts a deployment whose storage is on another origin, and a mock before it. */
async function start(options: StartOptions = {}) {
  const deployment = await startMock({ port: 0, storagePort: 0, approvers: 'manual' })
  onTestFinished(() => deployment.close())
  return { deployment, ...(await startBefore(deployment.url, options)) }
}

/** Starts a service that issues addresses at `storage`, a server that answers files. */
async function startWithStorage(storage: Parameters<typeof createServer>[1]) {
  const listen = async (handle: Parameters<typeof createServer>[1]) => {
    const server = createServer(handle)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const stored = `${await listen(storage)}/bucket/tenants/1/contract.pdf?X-Amz-Expires=900&X-Amz-Signature=0123456789abcdef%2B`
  const service = await listen((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(`{ "upload_url": ${JSON.stringify(stored).replaceAll('/', '\\/')},\n "size": 12345678901234567890 }`)
  })
  return { stored, ...(await startBefore(service)) }
}

test('a file goes through the mock to storage on another origin, and is recorded', async () => {
  const { mock, deployment, lines, sent, request, confirm, put } = await start()
  const requested = await request()
  const { upload_url } = requested
  expect(upload_url.startsWith(`${mock.url}/__upstream/${new URL(deployment.storageUrl).host}/`)).toBe(true)
  const stored = await put(upload_url)
  expect([stored.status, await stored.text()]).toEqual([200, ''])
  expect((await confirm(requested)).status).toBe(200)
  expect(sent.map(({ url }) => new URL(url).origin)).toEqual(
    [deployment.url, deployment.storageUrl, deployment.url].map((url) => new URL(url).origin),
  )
  expect(lines.map(({ operationId, status, refusal }) => [operationId, status, refusal?.detail])).toEqual(
    ['requestUpload', 'putObject', 'confirmUpload'].map((id) => [id, 200, 'The answer has the expected shape.']),
  )
  const recording = JSON.stringify(await mock.recording.read())
  const signature = new URL(upload_url).searchParams.get('X-Amz-Signature') ?? ''
  expect([leaksOf(recording, apiKey.slice(5)), leaksOf(recording, signature)]).toEqual([[], []])
  const { calls } = await replayOn(
    createMock().fetch,
    Promise.resolve(readHar(JSON.parse(recording), { needsBodies: false })),
  )
  expect(calls.map(({ name, outcome }) => [name, outcome])).toEqual(
    ['requestUpload 1', 'putObject 1', 'confirmUpload 1'].map((name) => [name, 'same']),
  )
})

test('storage gets the length, type and own headers of a file, and no key', async () => {
  let seen: IncomingHttpHeaders = {}
  const { stored, lines, request, put } = await startWithStorage((incoming, response) => {
    seen = { ...incoming.headers, path: incoming.url }
    incoming.resume().on('end', () => response.writeHead(200, { ETag: '"1"' }).end('stored'))
  })
  const { upload_url } = await request()
  const own = { 'x-amz-meta-a': 'b', 'Content-Encoding': 'identity' }
  const answer = await put(upload_url, { ...own, Authorization: freshKey(), Cookie: 'a=b', Origin: 'http://localhost' })
  const { host, pathname, search } = new URL(stored)
  expect(seen).toMatchObject({ host, path: pathname + search, 'x-amz-meta-a': 'b', 'content-encoding': 'identity' })
  expect([seen['content-length'], seen['content-type']]).toEqual([String(file.byteLength), upload.content_type])
  expect([seen.authorization, seen.cookie, seen.origin, seen['transfer-encoding']]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([200, '"1"', 'stored'])
  expect(lines.at(-1)?.refusal?.detail).toMatch(
    /^It differs from the contract: the body is not empty\. Its Authorization/,
  )
  const empty = await put(upload_url, {}, '')
  expect([empty.status, seen['content-length']]).toEqual([200, '0'])
})

test('the rest of the answer stays as the deployment wrote it', async () => {
  const { mock, post, stored } = await startWithStorage((_, response) => response.end())
  const { text } = await post()
  const { host, pathname, search } = new URL(stored)
  expect(text).toBe(
    `{ "upload_url": ${JSON.stringify(`${mock.url}/__upstream/${host}${pathname}${search}`)},\n "size": 12345678901234567890 }`,
  )
})

test('a file reaches storage while the page is still sending it', async () => {
  let reached = () => {}
  const begun = new Promise<void>((resolve) => {
    reached = resolve
  })
  let size = 0
  const { request } = await startWithStorage((incoming, response) => {
    incoming.on('data', (part: Uint8Array) => {
      size += part.byteLength
      reached()
    })
    incoming.on('end', () => response.end())
  })
  const { upload_url } = await request()
  const answered = new Promise<number | undefined>((resolve, reject) => {
    const sending = sendRequest(upload_url, { method: 'PUT', headers: { 'Content-Length': 2 * file.byteLength } })
    sending.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject)
    sending.write(file)
    begun.then(() => sending.end(file), reject)
  })
  expect([await answered, size]).toEqual([200, 2 * file.byteLength])
})

test('a refusal of storage is the answer, also before the file has arrived', async () => {
  const { request, put, lines } = await startWithStorage((_, response) => response.writeHead(403).end('<Error/>'))
  const { upload_url } = await request()
  const answer = await put(upload_url)
  expect([answer.status, await answer.text()]).toEqual([403, '<Error/>'])
  expect(lines.at(-1)?.refusal?.detail).toBe('The deployment refused it with 403.')
})

test('storage that does not answer is a 502 that says so', async () => {
  const { request, put } = await startWithStorage((incoming) => incoming.destroy())
  const { upload_url } = await request()
  const answer = await put(upload_url)
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('did not answer: ')])
})

test('nothing is sent to an address that the deployment has not issued', async () => {
  const { mock, request, put, sent, lines } = await start()
  const { upload_url } = await request()
  const before = sent.length
  const elsewhere = [
    `${upload_url}0`,
    upload_url.replace('contract.pdf', 'other.pdf'),
    `${mock.url}/__upstream/a.example/b`,
  ]
  for (const url of elsewhere) {
    const answer = await put(url)
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('has not issued this address')])
  }
  expect((await put(upload_url, { Origin: 'https://elsewhere.example' })).status).toBe(403)
  expect((await fetch(upload_url)).status).toBe(405)
  expect(sent.length).toBe(before)
  expect(lines.at(-1)?.path).not.toContain('Signature')
})

test('pages may send files, as to the storage of the mock', async () => {
  const { request, put } = await start()
  const { upload_url } = await request()
  const origin = 'http://localhost:5173'
  const asked = {
    Origin: origin,
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'content-type',
  }
  const preflight = await fetch(upload_url, { method: 'OPTIONS', headers: asked })
  const headers = ['access-control-allow-origin', 'access-control-allow-headers', 'access-control-allow-methods']
  expect(headers.map((name) => preflight.headers.get(name))).toEqual([
    origin,
    'content-type',
    'DELETE,GET,HEAD,PATCH,POST,PUT',
  ])
  const answer = await put(upload_url, { Origin: origin })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin])
  expect(answer.headers.get('access-control-expose-headers')).toContain('ETag')
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
  const own = 'http://localhost:4010/__upstream/s3.example/a?b=c'
  const theirs = 'https://s3.example/a?b=c'
  const named = { data: { upload_url: theirs, also: theirs } }
  const elsewhere = { data: { put: [theirs] } }
  expect(replaceIn(addresses, named)).toEqual({ data: { upload_url: own, also: own } })
  expect(replaceIn(addresses, elsewhere)).toEqual(elsewhere)
  expect(replaceIn(addresses, elsewhere, like)).toEqual({ data: { put: [own] } })
  const long = `https://s3.example/${'a'.repeat(9000)}`
  for (const upload_url of ['ftp://s3.example/a', 'https://user:secret@s3.example/a', long, 'no address'])
    expect(replaceIn(addresses, { upload_url })).toEqual({ upload_url })
})
