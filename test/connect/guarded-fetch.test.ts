import type { lookup as systemLookup } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handlers } from '../../mocks/handlers.ts'
import { createClient as createPlainClient } from '../../src/client/index.ts'
import { ClientError, createClient } from '../../src/client/node.ts'
import { proxyFor } from '../../src/connect/connection.ts'
import { guardedFetch } from '../../src/connect/guarded-fetch.ts'
import { serve } from '../support/serve.ts'

let connections = 0
const server = createServer((_, response) => response.end('reached'))
server.on('connection', () => {
  connections += 1
})
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** A resolver that returns these addresses in order, and then repeats the last one. */
function resolver(...addresses: readonly string[]) {
  const asked: string[] = []
  const lookup = (host: string, _: object, callback: (error: null, found: object[]) => void) => {
    const address = addresses[Math.min(asked.length, addresses.length - 1)]
    asked.push(host)
    callback(null, [{ address, family: 4 }])
  }
  return { asked, lookup: lookup as typeof systemLookup }
}

/** Returns the reason why a request was refused, or the text of the answer. */
async function outcomeOf(sending: Promise<Response>): Promise<string> {
  return sending.then(
    (response) => response.text(),
    (error) => String(error.cause),
  )
}

const put = (url: string) => new Request(url, { method: 'PUT', body: 'x' })

test.each([
  'http://127.0.0.1',
  'http://127.1',
  'http://2130706433',
  'http://0x7f.0.0.1',
  'http://0177.0.0.1',
  'http://0.0.0.0',
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:7f00:1]',
  'http://[::1]',
  'http://[64:ff9b::7f00:1]',
  'http://localhost',
  'http://127.0.0.1.',
])('a public service leads to no connection to %s', async (url) => {
  const before = connections
  const outcome = await outcomeOf(guardedFetch('https://approvals.example')(put(`${url}:${port}/x`)))
  expect(outcome).toMatch(
    /^AddressRefused: \S+ (is|resolves to \S+,) a loopback address, but the service is at a public one$/,
  )
  expect(connections).toBe(before)
})

test.each(['localhost.localdomain', 'storage.example', '127.0.0.1.nip.example'])(
  'a name is refused for what it leads to: %s',
  async (host) => {
    const { lookup, asked } = resolver('127.0.0.1')
    const before = connections
    const outcome = await outcomeOf(
      guardedFetch('https://approvals.example', { lookup })(put(`http://${host}:${port}/`)),
    )
    expect(outcome).toContain(`${host} resolves to 127.0.0.1, a loopback address`)
    expect([asked, connections]).toEqual([[host], before])
  },
)

test('a name is looked up once for a connection, so a second answer changes nothing', async () => {
  const { lookup, asked } = resolver('127.0.0.1', '169.254.169.254')
  const send = guardedFetch(`http://approvals.example:${port}`, { lookup })
  expect(await outcomeOf(send(put(`http://approvals.example:${port}/`)))).toBe('reached')
  expect(asked).toEqual(['approvals.example'])
  expect(await outcomeOf(send(put(`http://storage.example:${port}/`)))).toContain('a link-local address')
})

test('a service whose name leads elsewhere later is not followed there', async () => {
  const { lookup } = resolver('127.0.0.1', '10.0.0.8')
  const send = guardedFetch(`http://approvals.example:${port}`, { lookup })
  expect(await outcomeOf(send(put(`http://approvals.example:${port}/`)))).toBe('reached')
  const moved = await outcomeOf(send(put('http://approvals.example:4011/')))
  expect(moved).toContain('resolves to 10.0.0.8, a private address, but it was a loopback one before')
})

test('a service on this machine may have its storage there', async () => {
  const send = guardedFetch(`http://127.0.0.1:${port}`)
  expect(await outcomeOf(send(put(`http://127.0.0.1:${port}/`)))).toBe('reached')
  expect(await outcomeOf(send(put(`http://localhost:${port}/`)))).toBe('reached')
})

test('a redirect that is followed is checked as well', async () => {
  const { url, close } = await serve(async () => Response.redirect('http://169.254.169.254/', 307))
  expect(await outcomeOf(guardedFetch(url)(new Request(url)))).toContain('a link-local address')
  close()
})

test('MSW answers before any connection is made', async () => {
  const mocked = setupServer(...handlers({ baseUrl: 'https://approvals.example' }))
  mocked.listen()
  const client = createClient({ baseUrl: 'https://approvals.example', apiKey: 'test_guarded' })
  const { document_id } = await client.uploadDocument(file, once)
  mocked.close()
  expect(document_id).toMatch(/^doc_/)
})

/** A service whose upload URLs lead to a given address. */
const serveLeadingTo = (upload_url: string) =>
  serve(async () => Response.json({ upload_url, session_id: 's', key: 'k' }))
const file = new File(['x'], 'a.txt')
const once = { retry: { attempts: 1 } }

test("uploadDocument does not follow a service to a cloud's metadata", async () => {
  const { url, close } = await serveLeadingTo('http://169.254.169.254/latest/meta-data')
  const failure = await createClient({ baseUrl: url })
    .uploadDocument(file, once)
    .catch((error) => error)
  close()
  expect(failure).toBeInstanceOf(ClientError)
  expect(failure).toMatchObject({ code: 'network-error', message: expect.stringContaining('a link-local address') })
})

test('a custom fetch decides itself which addresses a client may reach', async () => {
  const called: string[] = []
  const fetch = async ({ url }: Request) => {
    called.push(url)
    return Response.json({ upload_url: 'http://169.254.169.254/', session_id: 's', key: 'k' })
  }
  await createClient({ baseUrl: 'https://approvals.example', fetch }).uploadDocument(file, once)
  expect(called).toContain('http://169.254.169.254/')
})

test('both entries of the client have the same members', () => {
  const members = (client: object) => Object.keys(client).sort()
  const options = { baseUrl: 'https://approvals.example' }
  expect(members(createClient(options))).toEqual(members(createPlainClient(options)))
})

test.each([
  ['example.com', undefined],
  ['api.example.com', undefined],
  ['127.0.0.1', undefined],
  ['badexample.com', 'http://p.test'],
  ['example.com.test', 'http://p.test'],
])('with NO_PROXY=.example.com, %s is reached through %s', (host, proxy) => {
  expect(proxyFor(`http://${host}/`, { http: 'http://p.test', none: '.example.com' })).toBe(proxy)
})

test.each([
  [2, 'reached'],
  [3, 'its body has 3 content codings, more than 2'],
])('an answer in %i content codings is %s', async (count, expected) => {
  const codings = Array.from({ length: count }, () => 'gzip')
  const body = codings.reduce((bytes) => gzipSync(bytes), Buffer.from('reached'))
  const headers = { 'Content-Encoding': codings.join() }
  const { url, close } = await serve(async () => new Response(body, { headers }))
  expect(await outcomeOf(guardedFetch(url)(new Request(url)))).toContain(expected)
  close()
})
