import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadSigner } from '../../src/node/s3/signer.ts'
import { type RunningMock, type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { encodeKey } from '../../src/world/presign.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { startSwift, type TestSwift } from '../support/swift.ts'

/** A file as the service is told of it. */
interface File {
  readonly name: string
  readonly type: string
  readonly size: number
}

/** An upload URL, and a way to see what is stored for it. */
interface Issued {
  readonly url: string
  /** Returns the stored bytes as text; undefined if there are none. */
  stored(): Promise<string | undefined>
}

/** Storage that can be asked for an upload URL whose time is up. */
interface Storage {
  issue(file: File, isExpired?: boolean): Promise<Issued>
}

interface Put {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Answer {
  readonly status: number
  /** The code of S3's error, or an empty text. */
  readonly code: string
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

let swift: TestSwift
let mocks: readonly RunningMock[]
let folder: string
let storages: { memory: Storage; folder: Storage; s3: Storage }

beforeAll(async () => {
  swift = await startSwift()
  folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  const start = (options: StartOptions) => startMock({ approvers: 'manual', graceMs: 100, ...options })
  const [inMemory, inFolder] = [await start({}), await start({ objects: folder })]
  mocks = [inMemory, inFolder]
  storages = { memory: ourStorage(inMemory), folder: ourStorage(inFolder), s3: await s3Storage() }
})

afterAll(async () => {
  for (const mock of mocks ?? []) await mock.close()
  if (folder) rmSync(folder, { recursive: true })
  await swift?.close()
})

let keys = 0

function ourStorage(mock: RunningMock): Storage {
  return {
    async issue({ name, type, size }, isExpired = false) {
      keys += 1
      const apiKey = `test_opinion_${keys}`
      const response = await fetch(`${mock.url}/api/v1/upload/`, {
        method: 'POST',
        headers: { Authorization: apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ file_name: name, content_type: type, file_size: size }),
      })
      const { upload_url: url, session_id: session } = await response.json()
      if (isExpired) mock.advance('PT16M', apiKey)
      const stored = async () => {
        const path = `${mock.url}/__admin/uploads/${session}/content`
        const answer = await fetch(path, { headers: { Authorization: apiKey } })
        return answer.status === 200 ? answer.text() : undefined
      }
      return { url, stored }
    },
  }
}

async function s3Storage(): Promise<Storage> {
  const signer = await loadSigner({ ...swift, credentials: { current: swift.credentials } })
  await swift.call('PUT', '/opinion')
  return {
    async issue({ name, type, size }, isExpired = false) {
      keys += 1
      const path = `/opinion/${encodeKey(`tenants/t/uploads/${keys}/${name}`)}`
      const headers = { 'Content-Type': type, 'Content-Length': String(size) }
      const at = Date.now() - (isExpired ? 16 * 60_000 : 0)
      const url = signer.presign({ method: 'PUT', path, headers, at }, 15 * 60)
      return {
        url,
        async stored() {
          const { url, headers } = signer.authorize({ method: 'GET', path })
          const answer = await send({ method: 'GET', url, headers, body: '' })
          return answer.status === 200 ? answer.text : undefined
        },
      }
    },
  }
}

/** Sends a request as it is, and the body with its length unless the headers say otherwise. */
function send({ method, url, headers, body }: Put): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const hasBody = method === 'PUT' || method === 'POST'
    const isChunked = headers['Transfer-Encoding'] !== undefined
    const length = isChunked || !hasBody ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const sent = request(url, { method, headers: { ...length, ...headers }, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        const code = text.match(/<Code>(.*)<\/Code>/)?.[1] ?? ''
        resolve({ status: response.statusCode ?? 0, code, text, headers: response.headers })
      })
    })
    sent.on('error', reject)
    sent.end(hasBody ? body : undefined)
  })
}

const body = '%PDF-1.7 a contract'
const file: File = { name: 'contract (1).pdf', type: 'application/pdf', size: body.length }
const base64 = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('base64')
const hex = (text: string) => createHash('sha256').update(text).digest('hex')

type Change = (put: Put) => Put

const withMethod =
  (method: string): Change =>
  (put) => ({ ...put, method })
const withBody =
  (text: string): Change =>
  (put) => ({ ...put, body: text })
const withUrl =
  (part: string | RegExp, other: string | ((part: string) => string)): Change =>
  (put) => ({ ...put, url: put.url.replace(part, other as string) })
const withHeader =
  (name: string, value: string): Change =>
  (put) => ({ ...put, headers: { ...put.headers, [name]: value } })
const withoutHeaders: Change = (put) => ({ ...put, headers: {} })

/** Returns what came of a PUT: status and code of the answer, and what is stored. */
async function outcomeOf(storage: Storage, change: Change, about = file, isExpired = false): Promise<string> {
  const { url, stored } = await storage.issue(about, isExpired)
  const content = about.size === 0 ? '' : body
  const put = change({ method: 'PUT', url, headers: { 'Content-Type': about.type }, body: content })
  let { status, code } = await send(put)
  // Swift's parts give each other little time, so a busy machine makes it unavailable now and then. Clients of S3 try again then.
  for (let tries = 1; status === 503 && tries < 5; tries += 1) ({ status, code } = await send(put))
  const text = await stored()
  const kept = text === undefined ? 'nothing' : text === content ? 'the file' : 'something else'
  return [status, code, kept].join(' ').replace('  ', ' ')
}

/** Changes of a right PUT that both answer in the same way. */
const agreed: Readonly<Record<string, readonly [change: Change, outcome: string]>> = {
  'the right file': [(put) => put, '200 the file'],
  'another type': [withHeader('Content-Type', 'text/plain'), '403 SignatureDoesNotMatch nothing'],
  'the type in capitals': [withHeader('Content-Type', 'Application/PDF'), '403 SignatureDoesNotMatch nothing'],
  'a parameter of the type': [withHeader('Content-Type', 'application/pdf; q=1'), '403 SignatureDoesNotMatch nothing'],
  'no type': [withoutHeaders, '403 SignatureDoesNotMatch nothing'],
  'a shorter body': [withBody(body.slice(1)), '403 SignatureDoesNotMatch nothing'],
  'a longer body': [withBody(`${body}!`), '403 SignatureDoesNotMatch nothing'],
  'an empty body': [withBody(''), '403 SignatureDoesNotMatch nothing'],
  'another key': [withUrl('contract', 'contrast'), '403 SignatureDoesNotMatch nothing'],
  'another signature': [withUrl(/(X-Amz-Signature=)[0-9a-f]{4}/, '$1zzzz'), '403 SignatureDoesNotMatch nothing'],
  'a shorter signature': [
    withUrl(/(X-Amz-Signature=[0-9a-f]{60})[0-9a-f]{4}/, '$1'),
    '403 SignatureDoesNotMatch nothing',
  ],
  'a longer validity': [withUrl('X-Amz-Expires=900', 'X-Amz-Expires=901'), '403 SignatureDoesNotMatch nothing'],
  'another time': [withUrl(/(X-Amz-Date=\d{8}T\d{4})\d\d/, '$161'), '403 SignatureDoesNotMatch nothing'],
  'another parameter': [withUrl(/$/, '&more=1'), '403 SignatureDoesNotMatch nothing'],
  'another host': [withHeader('Host', 'elsewhere.test'), '403 SignatureDoesNotMatch nothing'],
  'an encoded letter': [withUrl('contract', 'co%6Etract'), '200 the file'],
  'lower-case hexadecimal digits': [withUrl(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()), '200 the file'],
  'decoded brackets': [withUrl('%281%29', '(1)'), '200 the file'],
  'encoded slashes': [withUrl('/contract', '%2Fcontract'), '200 the file'],
  'the path encoded twice': [withUrl('%281%29', '%25281%2529'), '403 SignatureDoesNotMatch nothing'],
  'the query in another order': [
    withUrl(/\?(.*)$/, (query) => `?${query.slice(1).split('&').toReversed().join('&')}`),
    '200 the file',
  ],
  'an empty parameter at the end': [withUrl(/$/, '&'), '200 the file'],
  'an ordinary header more': [withHeader('X-Custom', 'a'), '200 the file'],
  'the right Content-MD5': [withHeader('Content-MD5', base64('md5', body)), '200 the file'],
  'the Content-MD5 of another file': [withHeader('Content-MD5', base64('md5', 'another')), '400 BadDigest nothing'],
  'a Content-MD5 that is no base64': [withHeader('Content-MD5', 'no base64!'), '400 InvalidDigest nothing'],
  'a Content-MD5 that is too short': [
    withHeader('Content-MD5', base64('md5', body).slice(4)),
    '400 InvalidDigest nothing',
  ],
  'the right x-amz-content-sha256': [withHeader('x-amz-content-sha256', hex(body)), '200 the file'],
  'an unsigned payload': [withHeader('x-amz-content-sha256', 'UNSIGNED-PAYLOAD'), '200 the file'],
  'the right checksum': [withHeader('x-amz-checksum-sha256', base64('sha256', body)), '200 the file'],
  'Expect: 100-continue': [withHeader('Expect', '100-continue'), '200 the file'],
}

test.each(nonEmpty(Object.entries(agreed)))(
  'all answer a PUT with %s in the same way',
  async (_, [change, outcome]) => {
    for (const ours of [storages.memory, storages.folder]) expect(await outcomeOf(ours, change)).toBe(outcome)
    expect(await outcomeOf(storages.s3, change)).toBe(outcome)
  },
)

/** Changes that they answer differently: our outcome, and that of S3. docs/storage.md has the reason for each. */
const different: Readonly<Record<string, readonly [change: Change, ours: string, s3: string]>> = {
  'no signature': [
    withUrl(/&X-Amz-Signature=[0-9a-f]*/, ''),
    ...(['403 SignatureDoesNotMatch nothing', '403 AccessDenied nothing'] as const),
  ],
  'a parameter that is sent twice': [
    withUrl(/&(X-Amz-Expires=900)/, '&$1&$1'),
    ...(['403 SignatureDoesNotMatch nothing', '200 the file'] as const),
  ],
  'chunks without a length': [
    withHeader('Transfer-Encoding', 'chunked'),
    ...(['411 MissingContentLength nothing', '403 SignatureDoesNotMatch nothing'] as const),
  ],
  GET: [withMethod('GET'), '405 MethodNotAllowed nothing', '403 SignatureDoesNotMatch nothing'],
  DELETE: [withMethod('DELETE'), '405 MethodNotAllowed nothing', '403 SignatureDoesNotMatch nothing'],
  POST: [withMethod('POST'), '405 MethodNotAllowed nothing', '501 NotImplemented nothing'],
  Authorization: [withHeader('Authorization', 'test_key'), '400 InvalidArgument nothing', '200 the file'],
  'x-amz-meta-name': [withHeader('x-amz-meta-name', 'a'), '200 the file', '403 AccessDenied nothing'],
  'Content-Encoding': [withHeader('Content-Encoding', 'gzip'), '403 AccessDenied nothing', '200 the file'],
  'Content-Range': [withHeader('Content-Range', 'bytes 0-18/19'), '501 NotImplemented nothing', '200 the file'],
  'a wrong x-amz-content-sha256': [
    withHeader('x-amz-content-sha256', hex('another')),
    ...(['400 XAmzContentSHA256Mismatch nothing', '200 the file'] as const),
  ],
  'a wrong x-amz-checksum-sha256': [
    withHeader('x-amz-checksum-sha256', base64('sha256', 'another')),
    ...(['400 BadDigest nothing', '200 the file'] as const),
  ],
  'If-None-Match': [withHeader('If-None-Match', '*'), '200 the file', '501 NotImplemented nothing'],
  'If-Match': [withHeader('If-Match', '"0"'), '404 NoSuchKey nothing', '501 NotImplemented nothing'],
}

test.each(nonEmpty(Object.entries(different)))('they differ for %s as documented', async (name, [change, ours, s3]) => {
  for (const storage of [storages.memory, storages.folder]) expect(await outcomeOf(storage, change)).toBe(ours)
  expect(await outcomeOf(storages.s3, change)).toBe(s3)
  const stated = (outcome: string) => outcome.replace(/ (nothing|the file)$/, '')
  expect(readFileSync('docs/storage.md', 'utf8')).toContain(`| ${name} | ${stated(ours)} | ${stated(s3)} |`)
})

const names = ["a b+c&d=e%20, (1)!*'~.pdf", 'Übergrößenträger.pdf', '名前 😀.pdf', '#?;:@.pdf', 'é'.normalize('NFD')]

test.each(nonEmpty(names))('all store a file named %s', async (name) => {
  for (const storage of nonEmpty(Object.values(storages))) {
    expect(await outcomeOf(storage, (put) => put, { ...file, name })).toBe('200 the file')
  }
})

test('all store an empty file, and refuse any file at an expired address', async () => {
  for (const storage of nonEmpty(Object.values(storages))) {
    expect(await outcomeOf(storage, (put) => put, { ...file, size: 0 })).toBe('200 the file')
    expect(await outcomeOf(storage, (put) => put, file, true)).toBe('403 AccessDenied nothing')
  }
})

test('all take a second PUT, keep the last file, and name it by another ETag', async () => {
  for (const storage of nonEmpty(Object.values(storages))) {
    const { url, stored } = await storage.issue(file)
    const right: Put = { method: 'PUT', url, headers: { 'Content-Type': file.type }, body }
    const first = await send(right)
    const again = await send(right)
    const other = await send({ ...right, body: body.toUpperCase() })
    expect([first, again, other].map(({ status, text }) => [status, text])).toEqual(Array(3).fill([200, '']))
    expect(first.headers.etag).toMatch(/^"[^"]+"$/)
    expect(again.headers.etag).toBe(first.headers.etag)
    expect(other.headers.etag).not.toBe(first.headers.etag)
    const refused = await send({ ...right, headers: { ...right.headers, 'Content-MD5': base64('md5', 'another') } })
    expect(refused.status).toBe(400)
    expect(await stored()).toBe(body.toUpperCase())
  }
})

test('all let a page on another origin send the file', async () => {
  for (const storage of nonEmpty(Object.values(storages))) {
    const { url } = await storage.issue(file)
    const asked = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'content-type' }
    const headers = { Origin: 'https://app.example', ...asked }
    const preflight = await send({ method: 'OPTIONS', url, headers, body: '' })
    expect([200, 204]).toContain(preflight.status)
    expect(preflight.headers['access-control-allow-origin']).toBe('https://app.example')
    expect(preflight.headers['access-control-allow-methods']).toContain('PUT')
    expect(preflight.headers['access-control-allow-headers']).toContain('content-type')
  }
})
