import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sendRaw } from '../support/raw.ts'
import { cases } from '../support/sample.ts'
import { workflow } from '../support/service.ts'
import { sharedMock, started } from '../support/started.ts'

const faults: unknown[] = []
const server = await sharedMock({ onFault: (error) => faults.push(error) })
const port = Number(new URL(server.url).port)
// The first call loads the admin API, and the first refusal what redacts, while a client that sends no more may already be gone.
for (const path of ['__admin/health', 'nowhere']) await fetch(`${server.url}/${path}`)

const host = 'Host: localhost\r\n'
const head = `${host}Authorization: test_edge\r\n`
const json = 'Content-Type: application/json\r\n'
const service = '/api/v1/workflows'
const health = '/__admin/health'
const closing = 'Connection: close\r\n'
const created = JSON.stringify(workflow())
const upload = JSON.stringify({ file_name: 'a.pdf', content_type: 'application/pdf', file_size: 1 })

const get = (target: string, headers = head) => `GET ${target} HTTP/1.1\r\n${headers}\r\n`
const getOne = (headers: string) => get(`${service}/x`, headers)
const post = (headers: string, body = '', target = service) => `POST ${target} HTTP/1.1\r\n${json}${headers}\r\n${body}`
const lengthOf = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n`
const statusesOf = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

type Row = [what: string, text: string, ...statuses: number[]]

/** Requests that no client library sends, with the expected statuses. RFC 9112 requires most of them. */
const rows: Row[] = [
  ['more than 16 KiB of headers', getOne(`${head}X: ${'x'.repeat(17_000)}\r\n`), 431],
  ['no Host', getOne('Authorization: test_edge\r\n'), 400],
  ['two Host lines for the admin API', get(health, `${host}Host: evil.example\r\n`), 400],
  ['two Host lines', getOne(`${host}Host: evil.example\r\n`), 400],
  [
    'Content-Length with Transfer-Encoding',
    post(`${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n`, '0\r\n\r\n'),
    400,
  ],
  ['two lengths', post(`${head}Content-Length: 2\r\nContent-Length: 3\r\n`, '{}'), 400],
  ['bare line feeds', 'GET /api/v1/workflows/x HTTP/1.1\nHost: localhost\n\n', 400],
  ['a folded header', getOne(`${head}X: a\r\n b\r\n`), 400],
  ['NUL in a header', getOne(`${head}X: a\0b\r\n`), 400],
  ['HTTP/0.9', 'GET /api/v1/workflows/x\r\n\r\n', 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ...[
    'foo://x/__admin/health',
    'ws://localhost/__admin/health',
    'file:///__admin/health',
    'http:///__admin/health',
    'http:\\\\localhost\\__admin\\health',
    'http://localhost\\__admin\\health',
    'http://user:password@localhost/__admin/health',
    'http://localhost:0/__admin/health',
    'http://localhost:99999/__admin/health',
    'http://local%zzhost/__admin/health',
    'http://[::1/__admin/health',
    'http://localhost/__admin/health#fragment',
    'blob:http://localhost/__admin/health',
    'localhost:4010',
    '*',
  ].map((target): Row => [`target ${target}`, get(target), 400]),
  ...['', 'a b/c@d', 'localhost:0', 'localhost:99999', 'local%zzhost', '1.2.3.4.5'].map(
    (name): Row => [`Host '${name}'`, getOne(`Host: ${name}\r\nAuthorization: test_edge\r\n`), 400],
  ),
  ['an address of another host', get('http://evil.example/api/v1/workflows/x'), 404],
  ['another host in an absolute target', get(`http://evil.example${health}`), 403],
  [
    'a foreign Host behind an address of this one, which counts',
    get(`http://localhost${health}`, 'Host: evil.example\r\n'),
    200,
  ],
  ['an absolute target in capitals', get(`HTTP://LOCALHOST${health}`), 200],
  ['an absolute target without a path', get('http://localhost?x'), 200],
  ['dot segments in an absolute target', get('http://localhost/api/../__admin/health'), 404],
  ['dot segments', get('/api/v1/../../__admin/health'), 404],
  ['dot segments, percent-encoded', get('/api/%2e%2e/__admin/health'), 404],
  ['a second slash', get('//evil.example/__admin/health'), 404],
  ['a path that decodes to nothing', get(`${service}/%zz%c3%28`), 404],
  ['OPTIONS for the server as a whole', `OPTIONS * HTTP/1.1\r\n${head}\r\n`, 204],
  ['CONNECT', `CONNECT localhost:80 HTTP/1.1\r\n${head}\r\n`, 405],
  ['TRACE', `TRACE ${service} HTTP/1.1\r\n${head}\r\n`, 405],
  ['a method of another protocol', `PURGE ${service} HTTP/1.1\r\n${head}\r\n`, 405],
  ['an unknown method', `FROB ${service} HTTP/1.1\r\n${head}\r\n`, 400],
  ['an unknown expectation', post(`${head}Expect: coffee\r\nContent-Length: 2\r\n`, '{}'), 417],
  ['an upgrade', getOne(`${head}Connection: Upgrade\r\nUpgrade: websocket\r\n`), 404],
  ['2 MB of JSON', post(`${head}Content-Length: 2000000\r\n`, ' '.repeat(2_000_000)), 413],
  ['a key that is sent twice', post(`${head}Authorization: test_b\r\n${lengthOf(created)}`, created), 401],
  [
    'the expectation of 100 Continue',
    post(`${head}${closing}Expect: 100-continue\r\n${lengthOf(created)}`, created),
    100,
    201,
  ],
  [
    'a refused body before another request',
    post(host + lengthOf(created), created) + get('/nowhere', head + closing),
    401,
    404,
  ],
  [
    'answers without a body before others',
    ['HEAD /api/v1/workflows', 'OPTIONS /api/v1/workflows', 'HEAD /nowhere']
      .map((line) => `${line} HTTP/1.1\r\n${head}\r\n`)
      .join('') + get('/nowhere', head + closing),
    ...[405, 204, 404, 404],
  ],
]

test.each(rows)('%s has its own status', async (_, text, ...statuses) => {
  expect(statusesOf(await sendRaw(port, text, { keepsOpen: statuses.length > 1 }))).toEqual(statuses)
  expect(faults).toEqual([])
})

test.each([
  [
    'its own in an absolute target',
    `POST https://files.example/api/v1/upload/ HTTP/1.1\r\n${head}`,
    'https://files.example',
  ],
  [
    'that of its Host header',
    `POST /api/v1/upload/ HTTP/1.1\r\nHost: a.local:8080\r\nAuthorization: test_edge\r\n`,
    'http://a.local:8080',
  ],
  ['this machine if it is HTTP/1.0', 'POST /api/v1/upload/ HTTP/1.0\r\nAuthorization: test_edge\r\n', undefined],
])('an upload address has the host of its request, %s', async (_, begin, origin) => {
  const answer = await sendRaw(port, `${begin}${json}${lengthOf(upload)}\r\n${upload}`)
  expect(answer).toContain(`"upload_url":"${origin ?? `http://localhost:${port}`}/storage/tenants/`)
})

test('an upload requested under a foreign scheme is refused, since it has no origin', async () => {
  const answer = await sendRaw(port, post(head + lengthOf(upload), upload, 'foo://x/api/v1/upload/'))
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json.*Send a path such as/s)
})

test('a client that sends CONNECT and leaves does not end the mock', async () => {
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`CONNECT localhost:80 HTTP/1.1\r\n${host}\r\n`, () => socket.resetAndDestroy())
    })
    socket.on('close', () => resolve())
  })
  expect(statusesOf(await sendRaw(port, getOne(head)))).toEqual([404])
})

const page = 'https://page.test'
const ofPage = `${head}Origin: ${page}\r\n`

test.each([
  ['too long headers', getOne(`${ofPage}X: ${'x'.repeat(17_000)}\r\n`), 431, page],
  ['another protocol', `GET / HTTP/9\r\n${ofPage}\r\n`, 400, page],
  ['a bad target', get('foo://x', ofPage), 400, page],
  ['a late body', post(`${ofPage}Content-Length: 9\r\n`, '{', '/api/v1/upload/'), 408, page],
  // Node does not show the headers so far.
  ['late headers', getOne(ofPage).slice(0, -2), 408, undefined],
] as const)('a page sees the status of %s', async (_, text, status, origin) => {
  const answers = [{}, { corsCredentials: true }, { cors: false }].map(async (options) => {
    const own = await started({ patience: { headersMs: 40, bodyMs: 40 }, ...options })
    const answer = await sendRaw(own.port, text, { keepsOpen: status === 408 })
    expect(statusesOf(answer)).toEqual([status])
    const header = (name: string) => new RegExp(`\\r\\n${name}: (.*)\\r\\n`).exec(answer)?.[1]
    return [header('Access-Control-Allow-Origin'), header('Access-Control-Allow-Credentials')]
  })
  expect(await Promise.all(answers)).toEqual([
    [origin ?? '*', undefined],
    [origin ?? '*', origin && 'true'],
    [undefined, undefined],
  ])
})

test('a changed byte in a valid request never gets a 5xx or stops the server', async () => {
  const valid = Buffer.from(post(head + lengthOf(created), created))
  const change = fc.tuple(fc.nat(valid.length - 1), fc.nat(255), fc.constantFrom('replace', 'insert', 'remove', 'cut'))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      let bytes = valid
      for (const [at, byte, how] of changes) {
        const added = how === 'replace' || how === 'insert' ? Buffer.of(byte) : Buffer.of()
        const rest = how === 'cut' ? Buffer.of() : bytes.subarray(how === 'insert' ? at : at + 1)
        bytes = Buffer.concat([bytes.subarray(0, at), added, rest])
      }
      expect(await sendRaw(port, bytes)).not.toMatch(/^HTTP\/1\.1 5/)
      expect(faults).toEqual([])
    }),
    { numRuns: cases(300, 50) },
  )
  expect(statusesOf(await sendRaw(port, valid))).toEqual([201])
})
