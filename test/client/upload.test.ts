import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ClientError, createClient, dataOf, type UploadOptions, type UploadProgress } from '../../src/client/index.ts'
import { cases } from '../support/sample.ts'
import { freshKey, service } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

type Send = (request: Request) => Promise<Response>

/** Creates a client with its own mock. Requests pass through `over`. */
function createUploader(over: (send: Send) => Send = (send) => send, change: { apiKey?: string } = {}) {
  const { mock, key } = service()
  const sent: Request[] = []
  const send: Send = (request) => {
    sent.push(new Request(request.url, { method: request.method, headers: request.headers }))
    return mock.fetch(request)
  }
  const client = createClient({ baseUrl: 'http://mock.test', apiKey: key, fetch: over(send), ...change })
  const events = () => mock.journal.read(key).map(({ type }) => type)
  return { mock, key, sent, client, events, stored: (name: string) => storedBytes(mock.tenants.ofKey(key), name) }
}

const retry = { delayMs: 0 }
const pdf = new File(['%PDF-1.7 …'], 'contract.pdf', { type: 'application/pdf' })

/** Returns the error of an upload that fails. */
async function failureOf(uploading: Promise<unknown>): Promise<ClientError> {
  const error = await uploading.then(String, (thrown) => thrown)
  expect(error).toBeInstanceOf(ClientError)
  return error
}

/** Replaces the first answers to requests that match a pattern, or a later one. */
function replaceAnswer(pattern: RegExp, answer: () => Promise<Response> | Response, times = 1) {
  let seen = 0
  return (send: Send): Send =>
    async (request) => {
      if (!pattern.test(`${request.method} ${new URL(request.url).pathname}`)) return send(request)
      seen += 1
      return seen <= times ? answer() : send(request)
    }
}

const lost = () => Promise.reject(new TypeError('fetch failed'))
const serverText = '<Error><Code>InternalError</Code></Error>'
const serverError = () => new Response(serverText, { status: 500 })

test('any bytes under any name become a document that can be executed', async () => {
  const { client, stored } = createUploader()
  const names = fc
    .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
    .filter((name) => !/[/\\\p{Cc}]|^\.{1,2}$/u.test(name))
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), names, async (bytes, fileName) => {
      const document = await client.uploadDocument(new Blob([bytes as BlobPart]), { fileName })
      expect(document).toMatchObject({ file_name: fileName, file_size: bytes.byteLength })
      expect(document.document_id).toMatch(/^doc_/)
      expect(stored(document.key)).toEqual(bytes)
    }),
    { numRuns: cases(50, 10) },
  )
})

const hello = new TextEncoder().encode('hello')
const foreign = { name: 'a.txt', type: 'text/plain', size: hello.byteLength }

/** Reads every file as 'hello', as jsdom's reader would. */
class HelloReader {
  result?: ArrayBuffer
  onload = () => {}
  readAsArrayBuffer() {
    this.result = hello.buffer
    queueMicrotask(() => this.onload())
  }
}

test.each([
  ['jsdom 28', { ...foreign, arrayBuffer: async () => hello.buffer }],
  ['jsdom 27', foreign],
])('a file as in %s, which fetch does not know, arrives as its bytes', async (_, file) => {
  vi.stubGlobal('FileReader', HelloReader)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { client, stored } = createUploader()
  const { key } = await client.uploadDocument(file as File)
  expect(stored(key)).toEqual(hello)
})

test('a fault in code is thrown as it is, and is no network error', async () => {
  const fault = new TypeError('file.read is not a function')
  const throwFault = () => Promise.reject(fault)
  const { client } = createUploader(replaceAnswer(/confirm$/, throwFault))
  await expect(client.uploadDocument({ ...foreign, arrayBuffer: throwFault } as unknown as File)).rejects.toBe(fault)
  await expect(client.uploadDocument(pdf)).rejects.toBe(fault)
})

test('the key goes to the service and never to storage', async () => {
  const { client, sent, key } = createUploader()
  await client.uploadDocument(pdf)
  const keys = sent.map(({ method, headers }) => [method, headers.get('Authorization')].join())
  expect(keys).toEqual([`POST,${key}`, 'PUT,', `POST,${key}`])
})

test('progress begins at 0, grows, and ends at the full size', async () => {
  const { client } = createUploader()
  const seen: UploadProgress[] = []
  const file = new File([new Uint8Array(3_000_000)], 'a.bin')
  await client.uploadDocument(file, { onProgress: (progress) => seen.push(progress) })
  const loaded = seen.map((progress) => progress.loaded)
  expect([loaded[0], loaded.at(-1), loaded.length > 10]).toEqual([0, file.size, true])
  expect(loaded).toEqual([...new Set(loaded)].sort((a, b) => a - b))
  expect(new Set(seen.map(({ total }) => total))).toEqual(new Set([file.size]))
})

test('an upload that is aborted half-way stores nothing and confirms nothing', async () => {
  const { client, events } = createUploader()
  const controller = new AbortController()
  const onProgress = ({ loaded }: UploadProgress) => loaded > 100_000 && controller.abort()
  const options = { fileName: 'a.bin', onProgress, signal: controller.signal, retry }
  const failure = await failureOf(client.uploadDocument(new Blob([new Uint8Array(3_000_000)]), options))
  expect([failure.code, events()]).toEqual(['aborted', ['UploadRequested']])
})

const tooMany = () => new Response(null, { status: 429 })

test.each([
  ['asking for the URL', /upload\/$/],
  ['the PUT', /^PUT/],
  ['confirming', /confirm$/],
])('%s is retried after a network error, a 429 or a 5xx', async (_, pattern) => {
  for (const failure of [lost, serverError, ...(pattern.test('PUT') ? [] : [tooMany])]) {
    const { client, events } = createUploader(replaceAnswer(pattern, failure))
    await client.uploadDocument(pdf, { retry })
    expect(events().filter((type) => type === 'UploadConfirmed')).toHaveLength(1)
  }
})

const losing = (cause: unknown) => replaceAnswer(/./, () => Promise.reject(new TypeError('fetch failed', { cause })), 3)
const severalCauses = new AggregateError([new Error('connect ECONNREFUSED ::1:4010')], '')
const deepCause = new Error('proxy', { cause: new Error('no route') })
const reached = 'The service cannot be reached: '
const puts = (text: string, status: number, times = 1) =>
  replaceAnswer(/^PUT/, () => new Response(text, { status }), times)
const entities = '<Error><Code>Wrong</Code><Message>it&apos;s &lt;pdf&gt; &amp;amp; no more</Message></Error>'
const puttingOther = (send: Send) => async (request: Request) => {
  const { method, url, headers } = request
  return send(method === 'PUT' ? new Request(url, { method, headers, body: 'other' }) : request)
}
const asked = ['UploadRequested']

test.each<[string, (send: Send) => Send, string, string | RegExp, string[], UploadOptions?]>([
  ['a refused connection', losing({ code: 'ECONNREFUSED' }), 'network-error', `${reached}ECONNREFUSED. Check`, []],
  ['a certificate', losing(new Error('self-signed')), 'network-error', `${reached}self-signed. Check`, []],
  [
    'addresses that all refuse',
    losing(severalCauses),
    'network-error',
    `${reached}connect ECONNREFUSED ::1:4010. Check`,
    [],
  ],
  ['a proxy', losing(deepCause), 'network-error', `${reached}proxy: no route. Check`, []],
  ['storage that keeps failing', puts(serverText, 500, 3), 'storage-error', 'InternalError', asked],
  ['entities in XML', puts(entities, 403), 'storage-error', "it's <pdf> &amp; no more", asked],
  ['storage with a reason', puttingOther, 'storage-error', /SignatureDoesNotMatch \(The body has 5 bytes, but/, asked],
  [
    'a wrong name',
    (send) => send,
    'invalid-request',
    /breaks 1 rule\..* The first: \/file_name must match/,
    [],
    { fileName: 'a/b.txt' },
  ],
  ['an abort before it begins', (send) => send, 'aborted', 'aborted', [], { signal: AbortSignal.abort() }],
])('an upload that fails by %s says so, and has no effect', async (_, over, code, message, wanted, options = {}) => {
  const { client, events } = createUploader(over)
  const failure = await failureOf(client.uploadDocument(pdf, { retry, ...options }))
  expect([failure.code, events()]).toEqual([code, wanted])
  expect(failure.status).toBe(
    { 'storage-error': failure.message.includes('Internal') ? 500 : 403, 'invalid-request': 400 }[code],
  )
  expect(failure.message).toMatch(message)
})

test.each([
  ['once', 1, ['UploadRequested', 'UploadRequested', 'ObjectStored', 'UploadConfirmed']],
  ['always', Number.POSITIVE_INFINITY, undefined],
])('a URL that expires between the steps is replaced by a new one: %s', async (_, times, expected) => {
  let expired = 0
  const { client, mock, key, events } = createUploader((send) => async (request) => {
    const answer = await send(request)
    expired += 1
    if (expired <= times) mock.advance('P1D', key)
    return answer
  })
  const uploading = client.uploadDocument(pdf, { retry })
  if (!expected) return expect((await failureOf(uploading)).code).toBe('upload-url-expired')
  await uploading
  expect(events()).toEqual(expected)
})

test('a refused confirmation has the problem’s code and text, and is not retried', async () => {
  const { client, sent } = createUploader(puts('', 200))
  const failure = await failureOf(client.uploadDocument(pdf, { retry }))
  expect([failure.code, failure.status]).toEqual(['object-not-stored', 409])
  expect(failure.message).toBe(failure.problem?.detail)
  expect(sent.length).toBe(2)
})

test.each([
  [undefined, 'missing-key'],
  ['', 'missing-key'],
  ['live_key', 'not-a-test-key'],
])('the key %j is refused by the service, which says what to do', async (apiKey, code) => {
  const { client, events } = createUploader(undefined, { apiKey } as { apiKey?: string })
  const failure = await failureOf(client.uploadDocument(pdf, { retry }))
  expect([failure.code, failure.status, events()]).toEqual([code, 401, []])
  expect(failure.message).toMatch(/Send|Use/)
})

test('a file without a name, or too large, is refused before the upload', async () => {
  const { client, sent } = createUploader()
  await expect(client.uploadDocument(new Blob(['a']))).rejects.toThrow(/Set the option fileName/)
  const huge = Object.assign(new Blob(['a']), { name: 'huge.bin' })
  Object.defineProperty(huge, 'size', { value: 2 ** 40 })
  expect((await failureOf(client.uploadDocument(huge, { retry }))).code).toBe('file-too-large')
  expect(sent.length).toBe(1)
})

test('a key that changes is read for each call', async () => {
  const { mock } = service()
  const keys = [freshKey(), freshKey()]
  const client = createClient({ baseUrl: 'http://mock.test', apiKey: () => keys.shift(), fetch: mock.fetch })
  const failure = await failureOf(client.uploadDocument(pdf, { retry }))
  expect([failure.code, mock.tenants.size]).toEqual(['session-not-found', 3])
})

test.each([502, 503, 504])('a gateway that answers %i is called one', async (status) => {
  const client = createClient({
    baseUrl: 'http://mock.test',
    fetch: async () => new Response('<h1>Bad</h1>', { status }),
  })
  const failure = await failureOf(
    dataOf(client.GET('/api/v1/workflows/{workflow_id}', { params: { path: { workflow_id: 'a' } } })),
  )
  expect([failure.status, failure.message]).toEqual([status, expect.stringContaining(`A gateway answered ${status}`)])
})

test.each(['https://a.example/api/v1', 'https://a.example/api/v1/', '/api/v1'])(
  'the baseUrl %s is refused',
  (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(/^baseUrl ends in \/api\/v1, but .* Use '/)
  },
)
