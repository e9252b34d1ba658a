import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { sendRaw } from '../support/raw.ts'
import { cases } from '../support/sample.ts'
import { workflow } from '../support/service.ts'

let server: RunningMock
let port: number
const faults: unknown[] = []

beforeAll(async () => {
  server = await startMock({ port: 0, onFault: (error) => faults.push(error) })
  port = Number(new URL(server.url).port)
  // The first call loads the admin API, and the first refusal what redacts, while a client that sends no more may already be gone.
  await fetch(`${server.url}/__admin/health`)
  await fetch(`${server.url}/nowhere`)
})
afterAll(() => server.close())

const head = 'Host: localhost\r\nAuthorization: test_edge\r\n'
const json = `${head}Content-Type: application/json\r\n`
const call = 'GET /api/v1/workflows/x HTTP/1.1\r\n'

/** Requests that no client library sends, with the expected status. RFC 9112 requires most of them. */
test.each([
  ['more than 16 KiB of headers', `${call}${head}X: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
  ['no Host', `${call}Authorization: test_edge\r\n\r\n`, 400],
  ['an empty Host', `${call}Host: \r\n\r\n`, 400],
  ['a Host that is none', `${call}Host: a b/c@d\r\n\r\n`, 400],
  [
    'two Host lines for the admin API',
    'GET /__admin/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n',
    400,
  ],
  [
    'Content-Length with Transfer-Encoding',
    `POST /api/v1/workflows HTTP/1.1\r\n${json}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ['two lengths', `POST /api/v1/workflows HTTP/1.1\r\n${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
  ['bare line feeds', 'GET /api/v1/workflows/x HTTP/1.1\nHost: localhost\n\n', 400],
  ['a folded header', `${call}${head}X: a\r\n b\r\n\r\n`, 400],
  ['NUL in a header', `${call}${head}X: a\0b\r\n\r\n`, 400],
  ['HTTP/0.9', 'GET /api/v1/workflows/x\r\n\r\n', 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['an address of another host', `GET http://evil.example/api/v1/workflows/x HTTP/1.1\r\n${head}\r\n`, 404],
  [
    'a foreign Host behind an address of this one, which counts',
    'GET http://localhost/__admin/health HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    200,
  ],
  ['two Host lines', `${call}Host: localhost\r\nHost: evil.example\r\n\r\n`, 400],
  ['another host in an absolute target', `GET http://evil.example/__admin/health HTTP/1.1\r\n${head}\r\n`, 403],
  ['an absolute target in capitals', `GET HTTP://LOCALHOST/__admin/health HTTP/1.1\r\n${head}\r\n`, 200],
  ['an absolute target without a path', `GET http://localhost?x HTTP/1.1\r\n${head}\r\n`, 200],
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
  ].map((target): [string, string, number] => [`target ${target}`, `GET ${target} HTTP/1.1\r\n${head}\r\n`, 400]),
  ...['localhost:0', 'localhost:99999', 'local%zzhost', '1.2.3.4.5'].map((host): [string, string, number] => [
    `Host ${host}`,
    `${call}Host: ${host}\r\nAuthorization: test_edge\r\n\r\n`,
    400,
  ]),
  ['OPTIONS for the server as a whole', `OPTIONS * HTTP/1.1\r\n${head}\r\n`, 204],
  ['CONNECT', `CONNECT localhost:80 HTTP/1.1\r\n${head}\r\n`, 405],
  ['dot segments in an absolute target', `GET http://localhost/api/../__admin/health HTTP/1.1\r\n${head}\r\n`, 404],
  ['dot segments', `GET /api/v1/../../__admin/health HTTP/1.1\r\n${head}\r\n`, 404],
  ['dot segments, percent-encoded', `GET /api/%2e%2e/__admin/health HTTP/1.1\r\n${head}\r\n`, 404],
  ['a second slash', `GET //evil.example/__admin/health HTTP/1.1\r\n${head}\r\n`, 404],
  ['a path that decodes to nothing', `GET /api/v1/workflows/%zz%c3%28 HTTP/1.1\r\n${head}\r\n`, 404],
  ['TRACE', `TRACE /api/v1/workflows HTTP/1.1\r\n${head}\r\n`, 405],
  ['a method of another protocol', `PURGE /api/v1/workflows HTTP/1.1\r\n${head}\r\n`, 405],
  ['an unknown method', `FROB /api/v1/workflows HTTP/1.1\r\n${head}\r\n`, 400],
  [
    'an unknown expectation',
    `POST /api/v1/workflows HTTP/1.1\r\n${json}Expect: coffee\r\nContent-Length: 2\r\n\r\n{}`,
    417,
  ],
  ['an upgrade', `${call}${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 404],
  [
    '2 MB of JSON',
    `POST /api/v1/workflows HTTP/1.1\r\n${json}Content-Length: 2000000\r\n\r\n${' '.repeat(2_000_000)}`,
    413,
  ],
])('%s has its own status', async (_, text, status) => {
  expect(await sendRaw(port, text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(faults).toEqual([])
})

test('an upload requested under a foreign scheme is refused, since it has no origin', async () => {
  const body = JSON.stringify({ file_name: 'a.pdf', content_type: 'application/pdf', file_size: 1 })
  const rest = `HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`
  const answer = await sendRaw(port, `POST foo://x/api/v1/upload/ ${rest}`)
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json.*Send a path such as/s)
  const absolute = await sendRaw(port, `POST https://files.example/api/v1/upload/ ${rest}`)
  expect(absolute).toContain('"upload_url":"https://files.example/storage/tenants/')
})

test('a client that sends CONNECT and leaves does not end the mock', async () => {
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', () => socket.resetAndDestroy())
    })
    socket.on('close', () => resolve())
  })
  expect(await sendRaw(port, `${call}${head}\r\n`)).toMatch(/^HTTP\/1\.1 404 /)
})

const page = 'https://page.test'
const late = `POST /api/v1/upload/ HTTP/1.1\r\n${json}Origin: ${page}\r\nContent-Length: 9\r\n\r\n{`
const refusedAtTheEdge: readonly [string, string, number, string | undefined][] = [
  ['too long headers', `${call}${head}Origin: ${page}\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431, page],
  ['another protocol', `GET / HTTP/9\r\n${head}Origin: ${page}\r\n\r\n`, 400, page],
  ['a bad target', `GET foo://x HTTP/1.1\r\n${head}Origin: ${page}\r\n\r\n`, 400, page],
  ['a late body', late, 408, page],
  // Node does not show the headers so far.
  ['late headers', `${call}${head}Origin: ${page}\r\n`, 408, undefined],
]

test.each(refusedAtTheEdge)('a page sees the status of %s', async (_, text, status, origin) => {
  const answers = [{}, { corsCredentials: true }, { cors: false }].map(async (options) => {
    const own = await startMock({ patience: { headersMs: 40, bodyMs: 40 }, graceMs: 0, ...options })
    const answer = await sendRaw(Number(new URL(own.url).port), text, { keepsOpen: status === 408 })
    await own.close()
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    const header = (name: string) => new RegExp(`\\r\\n${name}: (.*)\\r\\n`).exec(answer)?.[1]
    return [header('Access-Control-Allow-Origin'), header('Access-Control-Allow-Credentials')]
  })
  expect(await Promise.all(answers)).toEqual([
    [origin ?? '*', undefined],
    [origin ?? '*', origin && 'true'],
    [undefined, undefined],
  ])
})

test('HEAD is answered like GET, without a body', async () => {
  const [get, headOnly] = await Promise.all(
    ['GET', 'HEAD'].map((name) => sendRaw(port, `${name} /api/v1/workflows/x HTTP/1.1\r\n${head}\r\n`)),
  )
  const [, body] = get?.split('\r\n\r\n') ?? []
  expect(body).toContain('workflow-not-found')
  expect(headOnly).toMatch(/^HTTP\/1\.1 404 /)
  expect(headOnly?.split('\r\n\r\n')[1]).toBe('')
})

test('a changed byte in a valid request never gets a 5xx or stops the server', async () => {
  const body = JSON.stringify(workflow())
  const valid = Buffer.from(`POST /api/v1/workflows HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`)
  const change = fc.tuple(fc.nat(valid.length - 1), fc.nat(255), fc.constantFrom('replace', 'insert', 'remove', 'cut'))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      let bytes = valid
      for (const [at, byte, how] of changes) {
        const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
        const rest = { replace: after.subarray(1), insert: after, remove: after.subarray(1), cut: Buffer.of() }[how]
        bytes = Buffer.concat([before, how === 'replace' || how === 'insert' ? Buffer.of(byte) : Buffer.of(), rest])
      }
      expect(await sendRaw(port, bytes)).not.toMatch(/^HTTP\/1\.1 5/)
      expect(faults).toEqual([])
    }),
    { numRuns: cases(300, 50) },
  )
  expect(await sendRaw(port, valid)).toMatch(/^HTTP\/1\.1 201 /)
})
