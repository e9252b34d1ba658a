import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { initObjects } from '../../src/node/s3/init.ts'
import { openS3 } from '../../src/node/s3/s3-store.ts'
import { startMock } from '../../src/node/start-mock.ts'
import { buildSharedMock } from '../../src/shared-mock.ts'
import { journalPath } from '../support/kept.ts'
import { listening } from '../support/listening.ts'
import { MemoryStreams } from '../support/memory-stream.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { clientOf, freshKey } from '../support/service.ts'
import { started } from '../support/started.ts'

interface FakeAnswer {
  readonly status?: number
  readonly code?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Seen extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  readonly body: string
}

const secret = 'the-secret-of-the-store'

/** Starts something that answers like a store, and verifies nothing. `become` changes its answers. */
async function fakeStore(answer: (request: Seen) => FakeAnswer = () => ({})) {
  let current = answer
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const one = { method, url, headers, body: await text(request) }
    seen.push(one)
    const { status = 200, code, body = '', headers: more = {} } = current(one)
    const error = `<Error><Code>${code}</Code><Message>It says ${secret}.</Message></Error>`
    response.writeHead(status, more).end(code === undefined ? body : error)
  })
  const endpoint = `http://127.0.0.1:${await listening(server)}`
  const options = { bucket: 'uploads', endpoint, accessKeyId: 'id', secretAccessKey: secret }
  const become = (other: typeof current) => {
    current = other
  }
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  const has = () => become(({ method }) => (method === 'HEAD' ? { headers: lengthOf(8) } : {}))
  return { seen, options, become, close, has }
}

const lengthOf = (length: number) => ({ 'Content-Length': String(length) })

/** Starts a mock whose files are in such a store, and requests an upload. */
async function startWithStore() {
  const store = await fakeStore()
  const client = await started({ objects: store.options })
  return { ...store, ...client, upload: await client.requested('a.pdf', 8) }
}

test('a mock asks the store for the file once, when the upload is confirmed', async () => {
  const { seen, has, upload, confirm } = await startWithStore()
  has()
  await mustAnswer(confirm({ ...upload, session_id: '00000000-0000-4000-8000-000000000000' }), 404)
  await mustAnswer(confirm(upload), 200)
  await mustAnswer(confirm(upload), 200)
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /uploads?list-type=2&max-keys=1',
    `HEAD ${new URL(upload.upload_url).pathname}`,
  ])
})

test('a file of another length, or none, confirms nothing', async () => {
  const { become, upload, confirm } = await startWithStore()
  for (const answer of [{ headers: lengthOf(9) }, { status: 404 }]) {
    become(() => answer)
    await mustAnswer(confirm(upload), 409, 'object-not-stored')
  }
})

test('a store that is away or refuses makes confirming answer 503, and nothing else', async () => {
  const { become, has, close, mock, upload, requested, confirm } = await startWithStore()
  for (const status of [403, 500, 503, 301] as const) {
    become(() => ({ status, code: 'Unknown' }))
    const { headers, json } = await mustAnswer(confirm(upload), 503, 'store-unavailable')
    expect([headers.get('Retry-After'), json.detail]).toEqual(['1', expect.stringContaining(String(status))])
  }
  has()
  await mustAnswer(confirm(upload), 200)
  const again = await requested('a.pdf', 8)
  close()
  const { text } = await mustAnswer(confirm(again), 503, 'store-unavailable')
  expect(text).toContain('ECONNREFUSED')
  expect(text).not.toContain(secret)
  expect(mock.journal.read().map(({ type }) => type)).toEqual([
    ...['UploadRequested', 'ObjectStored', 'UploadConfirmed'],
    'UploadRequested',
  ])
})

test('what one mock was asked for, another one confirms', async () => {
  const { options, has } = await fakeStore()
  const [streams, key] = [new MemoryStreams(), freshKey()]
  const build = async () => {
    const mock = await buildSharedMock({ store: await openS3(options), approvers: 'manual' }, streams.connect())
    onTestFinished(() => mock.tenants.stop())
    return clientOf(mock, key)
  }
  const [one, two] = [await build(), await build()]
  const upload = await one.requested('a.pdf', 8)
  has()
  await mustAnswer(two.confirm(upload), 200)
  await mustAnswer(one.confirm(upload), 200)
})

test('a restart and an export keep what the store has', async () => {
  const { options, has } = await fakeStore()
  const kept = { objects: options, journal: journalPath() }
  const first = await started(kept)
  const upload = await first.requested('a.pdf', 8)
  await first.mock.close()
  has()
  const { mock, key, confirm } = await started(kept, first.key)
  const { json } = await mustAnswer(confirm(upload), 200)
  expect(json).not.toHaveProperty('crc32')
  const other = await started({}, key)
  await other.mock.importTenant(await mock.exportTenant(key), key)
  expect((await other.confirm(upload)).json).toEqual(json)
})

test.each([
  ['NoSuchBucket', 404, /^The bucket uploads at 127\.0\.0\.1:\d+ does not exist\. Create it/],
  ['AccessDenied', 403, /need s3:ListBucket for the bucket, and s3:GetObject and s3:PutObject/],
  ['SignatureDoesNotMatch', 403, /Check the access key and its secret\.$/],
  ['RequestTimeTooSkewed', 403, /differs from that of the store of bucket .* by 72\d\d s\. Synchronise it\.$/],
  ['PermanentRedirect', 301, /: 301 PermanentRedirect .*\. Check address, region and bucket\.$/],
])('a mock does not start if the store says %s', async (code, status, message) => {
  const hoursAgo = new Date(Date.now() - 7_200_000).toUTCString()
  const { options } = await fakeStore(() => ({ status, code, headers: { Date: hoursAgo } }))
  const error = await startMock({ objects: options }).catch((error) => error)
  expect(error.message).toMatch(message)
  expect(error.stack).not.toContain(secret)
})

const nowhere = { bucket: 'uploads', endpoint: 'http://127.0.0.1:2', accessKeyId: 'id', secretAccessKey: secret }

test.each([
  ['a store that is away', { objects: nowhere }, /cannot be reached: .*ECONNREFUSED/],
  ['a wrong bucket', { objects: { ...nowhere, bucket: 'A' } }, "'A' is no name of a bucket"],
  ['a wrong address', { objects: { ...nowhere, endpoint: 'store' } }, 'is not an http:// or https:// URL'],
  ['a port for its own storage', { objects: nowhere, storagePort: 0 }, 'storage has no port'],
])('a mock does not start with %s', async (_, options, message) => {
  await expect(startMock(options)).rejects.toThrow(message)
})

test('a clock that differs a little is a warning', async () => {
  const warnings: string[] = []
  const open = async (headers: Record<string, string>) => {
    const { options } = await fakeStore(() => ({ headers }))
    await openS3(options, (warning) => warnings.push(warning))
  }
  await open({ Date: new Date(Date.now() + 300_000).toUTCString() })
  await open({})
  expect(warnings).toEqual([
    expect.stringMatching(/^The clock of this machine is (2[89]\d|300) s behind that of the store/),
  ])
})

test('the CORS rule replaces an earlier one of ours, and keeps those of others', async () => {
  let rules: string | undefined
  const { options, seen } = await fakeStore(({ method, body }) => {
    if (method === 'PUT') rules = body
    return rules === undefined ? { status: 404, code: 'NoSuchCORSConfiguration' } : { body: rules }
  })
  const pages = ['https://one.example', 'https://two.example']
  expect(await initObjects(options, pages)).toContain(
    `Pages on ${pages.join(', ')} may send files to bucket uploads at`,
  )
  expect(rules?.match(/<AllowedOrigin>[^<]*/g)).toEqual(pages.map((page) => `<AllowedOrigin>${page}`))
  expect(rules).toContain('<AllowedMethod>PUT</AllowedMethod>')
  const others = '<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>'
  rules = rules?.replace('<CORSRule>', `${others}<CORSRule>`)
  await initObjects(options, ['*'])
  expect(rules).toContain(others)
  expect(rules?.match(/<ID>countersign<\/ID>/g)).toHaveLength(1)
  expect(rules).not.toContain('one.example')
  expect(seen.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET', 'PUT'])
  expect(seen[1]?.headers['content-md5']).toMatch(/^[\w+/]{22}==$/)
})

test('a refused CORS rule names the missing rights', async () => {
  const { options } = await fakeStore(() => ({ status: 403, code: 'AccessDenied' }))
  await expect(initObjects(options, ['*'])).rejects.toThrow(/need s3:GetBucketCORS and s3:PutBucketCORS\.$/)
})
