import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { initObjects } from '../../src/node/s3/init.ts'
import { openS3 } from '../../src/node/s3/s3-store.ts'
import { type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { buildSharedMock } from '../../src/shared-mock.ts'
import { MemoryStreams } from '../support/memory-stream.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'
import { clientOf, freshKey, type Upload } from '../support/service.ts'

interface FakeAnswer {
  readonly status?: number
  readonly code?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const secret = 'the-secret-of-the-store'

/** Starts something that answers like a store, and verifies nothing. `become` changes its answers. */
async function fakeStore(answer: (request: Seen) => FakeAnswer = () => ({})) {
  let current = answer
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body }
      seen.push(one)
      const { status = 200, code, body: text = '', headers: more = {} } = current(one)
      response.writeHead(status, more)
      response.end(
        code === undefined ? text : `<Error><Code>${code}</Code><Message>It says ${secret}.</Message></Error>`,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = { bucket: 'uploads', endpoint, accessKeyId: 'id', secretAccessKey: secret }
  return {
    ...{ seen, close, options },
    become(other: typeof current) {
      current = other
    },
  }
}

async function start(options: StartOptions) {
  const mock = await startMock({ graceMs: 100, ...options })
  onTestFinished(() => mock.close())
  return mock
}

type Client = ReturnType<typeof clientOf>

/** Requests an upload of 8 bytes, and returns it with a function that confirms it. */
async function requested(client: Client) {
  const upload: Upload = await client.requested('a.pdf', 8)
  return { upload, confirm: (by: Client = client) => by.confirm(upload) }
}

const there: FakeAnswer = { headers: { 'Content-Length': '8' } }
const isHead = ({ method }: Seen) => method === 'HEAD'

test('a mock asks the store for the file once, when the upload is confirmed', async () => {
  const { options, seen, become } = await fakeStore()
  const client = clientOf(await start({ objects: options }))
  const { upload, confirm } = await requested(client)
  become((request) => (isHead(request) ? there : {}))
  const unknown = { ...upload, session_id: '00000000-0000-4000-8000-000000000000' }
  expect((await client.confirm(unknown)).status).toBe(404)
  expect((await confirm()).status).toBe(200)
  expect((await confirm()).status).toBe(200)
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /uploads?list-type=2&max-keys=1',
    `HEAD ${new URL(upload.upload_url).pathname}`,
  ])
})

test('a file of another length, or none, confirms nothing', async () => {
  const { options, become } = await fakeStore()
  const { confirm } = await requested(clientOf(await start({ objects: options })))
  become(() => ({ headers: { 'Content-Length': '9' } }))
  expect((await confirm()).json.code).toBe('object-not-stored')
  become(() => ({ status: 404 }))
  expect((await confirm()).json.code).toBe('object-not-stored')
})

test('a store that is away or refuses makes confirming answer 503, and nothing else', async () => {
  const { options, become, close } = await fakeStore()
  const mock = await start({ objects: options })
  const { confirm } = await requested(clientOf(mock))
  for (const status of [403, 500, 503, 301] as const) {
    become(() => ({ status, code: 'Unknown' }))
    const refused = await confirm()
    expect([refused.status, refused.headers.get('Retry-After'), refused.json.code]).toEqual([
      503,
      '1',
      'store-unavailable',
    ])
    expect(refused.json.detail).toContain(String(status))
  }
  become((request) => (isHead(request) ? there : {}))
  expect((await confirm()).status).toBe(200)
  const again = await requested(clientOf(mock))
  await close()
  const away = await again.confirm()
  expect([away.status, away.json.code]).toEqual([503, 'store-unavailable'])
  expect(away.json.detail).toContain('ECONNREFUSED')
  expect(JSON.stringify(away.json)).not.toContain(secret)
  expect(mock.journal.read().map(({ type }) => type)).toEqual([
    ...['UploadRequested', 'ObjectStored', 'UploadConfirmed'],
    'UploadRequested',
  ])
})

test('what one mock was asked for, another one confirms', async () => {
  const { options, become } = await fakeStore()
  const streams = new MemoryStreams()
  const key = freshKey()
  const mocks = [1, 2].map(async () =>
    buildSharedMock({ store: await openS3(options), approvers: 'manual' }, streams.connect()),
  )
  const [one, two] = await Promise.all(mocks)
  onTestFinished(() => {
    one?.tenants.stop()
    two?.tenants.stop()
  })
  if (!one || !two) throw new TypeError('There are two mocks.')
  const { confirm } = await requested(clientOf(one, key))
  become((request) => (isHead(request) ? there : {}))
  expect((await confirm(clientOf(two, key))).status).toBe(200)
  expect((await confirm()).status).toBe(200)
})

test('a restart and an export keep what the store has', async () => {
  const { options, become } = await fakeStore()
  const journal = join(scratch(), 'mock.journal')
  const key = freshKey()
  const first = await startMock({ objects: options, journal, graceMs: 100 })
  const { confirm } = await requested(clientOf(first, key))
  await first.close()
  become((request) => (isHead(request) ? there : {}))
  const second = await start({ objects: options, journal })
  const confirmed = await confirm(clientOf(second, key))
  expect(confirmed.status).toBe(200)
  expect(confirmed.json).not.toHaveProperty('crc32')
  const other = await start({})
  await other.importTenant(await second.exportTenant(key), key)
  expect((await confirm(clientOf(other, key))).json).toEqual(confirmed.json)
})

const refusals: readonly (readonly [code: string, status: number, message: RegExp])[] = [
  ['NoSuchBucket', 404, /^The bucket uploads at 127\.0\.0\.1:\d+ does not exist\. Create it/],
  ['AccessDenied', 403, /need s3:ListBucket for the bucket, and s3:GetObject and s3:PutObject/],
  ['SignatureDoesNotMatch', 403, /Check the access key and its secret\.$/],
  ['RequestTimeTooSkewed', 403, /differs from that of the store of bucket .* by 72\d\d s\. Synchronise it\.$/],
  ['PermanentRedirect', 301, /: 301 PermanentRedirect .*\. Check address, region and bucket\.$/],
]

test.each(nonEmpty(refusals))('a mock does not start if the store says %s', async (code, status, message) => {
  const hoursAgo = new Date(Date.now() - 7_200_000).toUTCString()
  const { options } = await fakeStore(() => ({ status, code, headers: { Date: hoursAgo } }))
  const error = await startMock({ objects: options }).catch((error) => error)
  expect(error.message).toMatch(message)
  expect(error.stack).not.toContain(secret)
})

test('a mock does not start without its store, and names a wrong bucket and address', async () => {
  const { options, close } = await fakeStore()
  await close()
  await expect(startMock({ objects: options })).rejects.toThrow(/cannot be reached: .*ECONNREFUSED/)
  await expect(startMock({ objects: { ...options, bucket: 'A' } })).rejects.toThrow("'A' is no name of a bucket")
  await expect(startMock({ objects: { ...options, endpoint: 'store' } })).rejects.toThrow(
    'is not an http:// or https:// URL',
  )
  await expect(startMock({ objects: options, storagePort: 0 })).rejects.toThrow('storage has no port')
})

test('a clock that differs a little is a warning', async () => {
  const warnings: string[] = []
  const { options, become } = await fakeStore(() => ({
    headers: { Date: new Date(Date.now() + 300_000).toUTCString() },
  }))
  await openS3(options, (warning) => warnings.push(warning))
  expect(warnings).toEqual([
    expect.stringMatching(/^The clock of this machine is (2[89]\d|300) s behind that of the store/),
  ])
  become(() => ({}))
  await openS3(options, (warning) => warnings.push(warning))
  expect(warnings).toHaveLength(1)
})

test('the CORS rule replaces an earlier one of ours, and keeps those of others', async () => {
  let rules: string | undefined
  const { options, seen } = await fakeStore(({ method, body }) => {
    if (method === 'PUT') rules = body
    return rules === undefined ? { status: 404, code: 'NoSuchCORSConfiguration' } : { body: rules }
  })
  const said = await initObjects(options, ['https://one.example', 'https://two.example'])
  expect(said).toMatch(/^Pages on https:\/\/one\.example, https:\/\/two\.example may send files to bucket uploads at/)
  expect(rules?.match(/<AllowedOrigin>[^<]*/g)).toEqual([
    '<AllowedOrigin>https://one.example',
    '<AllowedOrigin>https://two.example',
  ])
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
