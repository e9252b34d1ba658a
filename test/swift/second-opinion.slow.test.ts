import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadSigner } from '../../src/node/s3/signer.ts'
import { type RunningMock, type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { encodeKey } from '../../src/world/presign.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sendExact } from '../support/raw.ts'
import { sharedScratch } from '../support/scratch.ts'
import { clientOf, errorCodeIn } from '../support/service.ts'
import { startSwift, type TestSwift } from '../support/swift.ts'

const body = '%PDF-1.7 a contract'
const file = { name: 'contract (1).pdf', type: 'application/pdf', size: body.length }

/** An upload URL, and a function that returns what is stored for it as text; undefined if nothing is. */
interface Issued {
  readonly url: string
  stored(): Promise<string | undefined>
}

/** Issues an upload URL, or one whose time is up. */
type Storage = (about: typeof file, isExpired?: boolean) => Promise<Issued>

interface Put {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const folder = sharedScratch()
let swift: TestSwift
let mocks: readonly RunningMock[]
let ours: readonly Storage[]
let s3: Storage
let all: readonly Storage[]

beforeAll(async () => {
  swift = await startSwift()
  const start = (options: StartOptions) => startMock({ approvers: 'manual', graceMs: 100, ...options })
  mocks = [await start({}), await start({ objects: folder })]
  ours = mocks.map(ourStorage)
  s3 = await s3Storage()
  all = [...ours, s3]
})

afterAll(async () => {
  for (const mock of mocks ?? []) await mock.close()
  await swift?.close()
})

const ourStorage =
  (mock: RunningMock): Storage =>
  async ({ name, type, size }, isExpired = false) => {
    const { key, requested, download } = clientOf(mock)
    const upload = await requested(name, size, type)
    if (isExpired) mock.advance('PT16M', key)
    return { url: upload.upload_url, stored: async () => textIn(await download(upload)) }
  }

const textIn = ({ status, text }: { readonly status: number; readonly text: string }) =>
  status === 200 ? text : undefined

async function s3Storage(): Promise<Storage> {
  const signer = await loadSigner({ ...swift, credentials: { current: swift.credentials } })
  await swift.call('PUT', '/opinion')
  let issued = 0
  return async ({ name, type, size }, isExpired = false) => {
    issued += 1
    const path = `/opinion/${encodeKey(`tenants/t/uploads/${issued}/${name}`)}`
    const headers = { 'Content-Type': type, 'Content-Length': String(size) }
    const at = Date.now() - (isExpired ? 16 * 60_000 : 0)
    const stored = async () => {
      const { url, headers } = signer.authorize({ method: 'GET', path })
      return textIn(await sendExact(url, { headers }))
    }
    return { url: signer.presign({ method: 'PUT', path, headers, at }, 15 * 60), stored }
  }
}

/** Sends a request as it is, and the body with its length unless the headers say otherwise. */
function send({ method, url, headers, body }: Put) {
  if (method !== 'PUT' && method !== 'POST') return sendExact(url, { method, headers })
  const length = headers['Transfer-Encoding'] ? {} : { 'Content-Length': Buffer.byteLength(body) }
  return sendExact(url, { method, headers: { ...length, ...headers }, body })
}

const base64 = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('base64')
const hex = (text: string) => createHash('sha256').update(text).digest('hex')

type Change = (put: Put) => Put

const same: Change = (put) => put
const withPut =
  (change: Partial<Put>): Change =>
  (put) => ({ ...put, ...change })
const withUrl =
  (part: string | RegExp, other: string | ((part: string) => string)): Change =>
  (put) => ({ ...put, url: put.url.replace(part, other as string) })
const withHeader =
  (name: string, value: string): Change =>
  (put) => ({ ...put, headers: { ...put.headers, [name]: value } })

/** Returns what came of a PUT: status and code of the answer, and what is stored. */
async function outcomeOf(issue: Storage, change: Change, about = file, isExpired = false): Promise<string> {
  const { url, stored } = await issue(about, isExpired)
  const content = about.size === 0 ? '' : body
  const put = change({ method: 'PUT', url, headers: { 'Content-Type': about.type }, body: content })
  let answer = await send(put)
  // Swift's parts give each other little time, so a busy machine makes it unavailable now and then. Clients of S3 try again then.
  for (let tries = 1; answer.status === 503 && tries < 5; tries += 1) answer = await send(put)
  const text = await stored()
  const kept = text === undefined ? 'nothing' : text === content ? 'the file' : 'something else'
  return [answer.status, errorCodeIn(answer.text), kept].filter(Boolean).join(' ')
}

/** Changes of a right PUT that both answer in the same way, by the outcome. */
const agreed: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  '200 the file': {
    'the right file': same,
    'an encoded letter': withUrl('contract', 'co%6Etract'),
    'lower-case hexadecimal digits': withUrl(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    'decoded brackets': withUrl('%281%29', '(1)'),
    'encoded slashes': withUrl('/contract', '%2Fcontract'),
    'the query in another order': withUrl(/(?<=\?).*$/, (query) => query.split('&').toReversed().join('&')),
    'an empty parameter at the end': withUrl(/$/, '&'),
    'an ordinary header more': withHeader('X-Custom', 'a'),
    'the right Content-MD5': withHeader('Content-MD5', base64('md5', body)),
    'the right x-amz-content-sha256': withHeader('x-amz-content-sha256', hex(body)),
    'an unsigned payload': withHeader('x-amz-content-sha256', 'UNSIGNED-PAYLOAD'),
    'the right checksum': withHeader('x-amz-checksum-sha256', base64('sha256', body)),
    'Expect: 100-continue': withHeader('Expect', '100-continue'),
  },
  '403 SignatureDoesNotMatch nothing': {
    'another type': withHeader('Content-Type', 'text/plain'),
    'the type in capitals': withHeader('Content-Type', 'Application/PDF'),
    'a parameter of the type': withHeader('Content-Type', 'application/pdf; q=1'),
    'no type': withPut({ headers: {} }),
    'a shorter body': withPut({ body: body.slice(1) }),
    'a longer body': withPut({ body: `${body}!` }),
    'an empty body': withPut({ body: '' }),
    'another key': withUrl('contract', 'contrast'),
    'another signature': withUrl(/(X-Amz-Signature=)[0-9a-f]{4}/, '$1zzzz'),
    'a shorter signature': withUrl(/(X-Amz-Signature=[0-9a-f]{60})[0-9a-f]{4}/, '$1'),
    'a longer validity': withUrl('X-Amz-Expires=900', 'X-Amz-Expires=901'),
    'another time': withUrl(/(X-Amz-Date=\d{8}T\d{4})\d\d/, '$161'),
    'another parameter': withUrl(/$/, '&more=1'),
    'another host': withHeader('Host', 'elsewhere.test'),
    'the path encoded twice': withUrl('%281%29', '%25281%2529'),
  },
  '400 BadDigest nothing': { 'the Content-MD5 of another file': withHeader('Content-MD5', base64('md5', 'another')) },
  '400 InvalidDigest nothing': {
    'a Content-MD5 that is no base64': withHeader('Content-MD5', 'no base64!'),
    'a Content-MD5 that is too short': withHeader('Content-MD5', base64('md5', body).slice(4)),
  },
}
const agreedRows = Object.entries(agreed).flatMap(([outcome, changes]) =>
  Object.entries(changes).map(([name, change]) => [name, outcome, change] as const),
)

test.each(nonEmpty(agreedRows))('all answer %s with %s', async (_, outcome, change) => {
  for (const storage of nonEmpty(all)) expect(await outcomeOf(storage, change)).toBe(outcome)
})

const unsigned = '403 SignatureDoesNotMatch nothing'

/** Changes that they answer differently: our outcome, and that of S3. docs/storage.md has the reason for each. */
const different: readonly (readonly [name: string, change: Change, ours: string, s3: string])[] = [
  ['no signature', withUrl(/&X-Amz-Signature=[0-9a-f]*/, ''), unsigned, '403 AccessDenied nothing'],
  ['a parameter that is sent twice', withUrl(/&(X-Amz-Expires=900)/, '&$1&$1'), unsigned, '200 the file'],
  [
    ...(['chunks without a length', withHeader('Transfer-Encoding', 'chunked')] as const),
    ...(['411 MissingContentLength nothing', unsigned] as const),
  ],
  ['GET', withPut({ method: 'GET' }), '405 MethodNotAllowed nothing', unsigned],
  ['DELETE', withPut({ method: 'DELETE' }), '405 MethodNotAllowed nothing', unsigned],
  ['POST', withPut({ method: 'POST' }), '405 MethodNotAllowed nothing', '501 NotImplemented nothing'],
  ['Authorization', withHeader('Authorization', 'test_key'), '400 InvalidArgument nothing', '200 the file'],
  ['x-amz-meta-name', withHeader('x-amz-meta-name', 'a'), '200 the file', '403 AccessDenied nothing'],
  ['Content-Encoding', withHeader('Content-Encoding', 'gzip'), '403 AccessDenied nothing', '200 the file'],
  ['Content-Range', withHeader('Content-Range', 'bytes 0-18/19'), '501 NotImplemented nothing', '200 the file'],
  [
    ...(['a wrong x-amz-content-sha256', withHeader('x-amz-content-sha256', hex('another'))] as const),
    ...(['400 XAmzContentSHA256Mismatch nothing', '200 the file'] as const),
  ],
  [
    ...(['a wrong x-amz-checksum-sha256', withHeader('x-amz-checksum-sha256', base64('sha256', 'another'))] as const),
    ...(['400 BadDigest nothing', '200 the file'] as const),
  ],
  ['If-None-Match', withHeader('If-None-Match', '*'), '200 the file', '501 NotImplemented nothing'],
  ['If-Match', withHeader('If-Match', '"0"'), '404 NoSuchKey nothing', '501 NotImplemented nothing'],
]

test.each(different)('they differ for %s as documented', async (name, change, our, their) => {
  for (const storage of nonEmpty(ours)) expect(await outcomeOf(storage, change)).toBe(our)
  expect(await outcomeOf(s3, change)).toBe(their)
  const stated = (outcome: string) => outcome.replace(/ (nothing|the file)$/, '')
  expect(readFileSync('docs/storage.md', 'utf8')).toContain(`| ${name} | ${stated(our)} | ${stated(their)} |`)
})

test.each(["a b+c&d=e%20, (1)!*'~.pdf", 'Übergrößenträger.pdf', '名前 😀.pdf', '#?;:@.pdf', 'é'.normalize('NFD')])(
  'all store a file named %s',
  async (name) => {
    for (const storage of nonEmpty(all)) expect(await outcomeOf(storage, same, { ...file, name })).toBe('200 the file')
  },
)

test('all store an empty file, and refuse any file at an expired address', async () => {
  for (const storage of nonEmpty(all)) {
    expect(await outcomeOf(storage, same, { ...file, size: 0 })).toBe('200 the file')
    expect(await outcomeOf(storage, same, file, true)).toBe('403 AccessDenied nothing')
  }
})

test('all take a second PUT, keep the last file, and name it by another ETag', async () => {
  for (const issue of nonEmpty(all)) {
    const { url, stored } = await issue(file)
    const right: Put = { method: 'PUT', url, headers: { 'Content-Type': file.type }, body }
    const [first, again, other] = [
      await send(right),
      await send(right),
      await send({ ...right, body: body.toUpperCase() }),
    ]
    expect([first, again, other].map(({ status, text }) => [status, text])).toEqual(Array(3).fill([200, '']))
    expect(first.headers.etag).toMatch(/^"[^"]+"$/)
    expect(again.headers.etag).toBe(first.headers.etag)
    expect(other.headers.etag).not.toBe(first.headers.etag)
    expect((await send(withHeader('Content-MD5', base64('md5', 'another'))(right))).status).toBe(400)
    expect(await stored()).toBe(body.toUpperCase())
  }
})

test('all let a page on another origin send the file', async () => {
  for (const issue of nonEmpty(all)) {
    const { url } = await issue(file)
    const asked = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'content-type' }
    const preflight = await sendExact(url, { method: 'OPTIONS', headers: { Origin: 'https://app.example', ...asked } })
    expect([200, 204]).toContain(preflight.status)
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': expect.stringContaining('content-type'),
    })
  }
})
