import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sendExact } from '../support/raw.ts'
import { clientOf } from '../support/service.ts'
import { sharedMock, started } from '../support/started.ts'

const folder = fileURLToPath(new URL('../../dist/console', import.meta.url))
const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const mock = await sharedMock({ console: folder })

const get = (path = '/', headers: Record<string, string> = html, { url } = mock) => sendExact(url + path, { headers })

test('a browser gets the console, with a policy that allows only its own script', async () => {
  const { status, headers, text } = await get()
  expect([status, text]).toEqual([200, expect.stringContaining('<title>Countersign</title>')])
  expect(headers).toMatchObject({
    ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', vary: 'Accept' },
    'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; style-src 'self'; /),
    'x-content-type-options': 'nosniff',
  })
  expect(headers['content-security-policy']).not.toContain('unsafe')
})

test.each([
  ['a program', {}],
  ['a program that accepts anything', { Accept: '*/*' }],
  ['a program that accepts JSON', { Accept: 'application/json' }],
  ['a program that accepts text', { Accept: 'text/plain' }],
  ['kubelet', { 'User-Agent': 'kube-probe/1.31', Accept: '*/*', Connection: 'close', Host: '10.244.1.7:4010' }],
  ['a load balancer', { 'User-Agent': 'ELB-HealthChecker/2.0', Host: '10.0.0.12' }],
])('%s is told that the mock is ready', async (_, headers) => {
  const { status, text } = await get('/', headers)
  expect([status, text.slice(0, 18)]).toEqual([200, 'The mock is ready.'])
})

test('the script and the style are kept by browsers', async () => {
  const paths = [...(await get()).text.matchAll(/"(__console\/[^"]+)"/g)].map(([, path]) => path)
  const answers = await Promise.all(paths.map((path) => get(`/${path}`)))
  expect(answers.map(({ status, headers }) => [status, headers['content-type'], headers['cache-control']])).toEqual([
    [200, 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    [200, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ])
})

test.each(['/__console/', '/__console/none.js', '/__console/..%2Findex.js', '/__console/index.html'])(
  'the console has no file at %s',
  async (path) => {
    expect((await get(path)).status).toBe(404)
  },
)

test('a name that was rebound to this machine gets no console', async () => {
  const { status, headers, text } = await get('/', { ...html, Host: 'evil.example' })
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text).toContain("'evil.example' is not a loopback host.")
})

test('a page on another site can link to the console, and load nothing of it', async () => {
  const link = { ...html, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }
  const sent = [
    { ...link, 'Sec-Fetch-Dest': 'document' },
    { ...link, 'Sec-Fetch-Dest': 'iframe' },
    { ...html, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
    { ...html, Origin: 'http://evil.example' },
  ]
  const answers = await Promise.all(sent.map((headers) => get('/', headers)))
  const types = answers.map(({ headers }) => String(headers['content-type']).split(';')[0])
  expect(types).toEqual(['text/html', 'text/plain', 'text/plain', 'text/plain'])
})

test('with an admin token the console is served to other hosts, since it has no data', async () => {
  const { mock } = await started({ console: folder, adminToken: 'secret' })
  const { status, text } = await get('/', { ...html, Host: 'mock.example' }, mock)
  expect([status, text]).toEqual([200, expect.not.stringContaining('secret')])
})

test('without an admin API there is no console', async () => {
  const { mock } = await started({ console: folder, admin: false })
  expect((await get('/', html, mock)).headers['content-type']).toBe('text/plain; charset=utf-8')
})

test('the requests of the console are not logged', async () => {
  const { mock, call } = await started({ console: folder })
  await get('/', html, mock)
  expect((await call('GET', '/__admin/requests')).json).toEqual({ requests: [] })
})

test('a large file is stored, and its beginning shown, while a page follows', async () => {
  const stopped = new AbortController()
  const { body } = await fetch(`${mock.url}/__admin/stream`, { signal: stopped.signal })
  await body?.getReader().read()
  const bytes = 'The beginning. '.repeat(100_000)
  const { call, storedText } = clientOf(mock)
  await storedText(bytes)
  const { requests } = (await call('GET', '/__admin/requests?limit=1')).json
  const details = (await call('GET', `/__admin/requests/${requests[0].request_id}`)).json
  expect(details.request_body).toMatchObject({ size: bytes.length, is_cut: true })
  expect(bytes.startsWith(details.request_body.text)).toBe(true)
  stopped.abort()
})
