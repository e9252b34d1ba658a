import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import like from '../../examples/like-a-deployment/profile.json' with { type: 'json' }
import type { Incoming } from '../../src/http/wire/exchange.ts'
import type { LoggedRequest } from '../../src/http/wire/exchanges.ts'
import { createMock } from '../../src/index.ts'
import { type StartOptions, startMock } from '../../src/node/index.ts'
import { passOnTo, type UpstreamOptions } from '../../src/node/upstream.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { escapings, groupings, packings, runsIn } from '../support/encodings.ts'
import { leaksOf } from '../support/leaks.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sendRaw } from '../support/raw.ts'
import { freshKey, workflow } from '../support/service.ts'

const apiKey = 'test_upstream_5e4d3c2b1a0f'

/** Starts a deployment, and a mock that passes calls on to it. */
async function start(select: Partial<UpstreamOptions> = {}, options: StartOptions = {}, own: StartOptions = {}) {
  const deployment = await startMock({ port: 0, approvers: 'manual', ...own })
  const [keys, lines] = [new Set<string | null>(), [] as LoggedRequest[]]
  const send = (request: Request) => {
    keys.add(request.headers.get('authorization'))
    return fetch(request)
  }
  const upstream = { url: deployment.url, apiKey, fetch: send, ...select }
  const passOn = passOnTo(upstream, options.like)
  const mock = await startMock({ port: 0, record: true, passOn, onRequest: (line) => lines.push(line), ...options })
  onTestFinished(async () => {
    await Promise.all([deployment.close(), mock.close()])
  })
  const create = (headers: Record<string, string> = {}) =>
    fetch(`${mock.url}/api/v1/workflows`, {
      method: 'POST',
      headers: { Authorization: freshKey(), 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(workflow()),
    })
  const created = () => deployment.journal.read(apiKey).length
  return { mock, deployment, create, created, keys, lines }
}

test('a call with the header goes to the deployment, with its key, and is recorded', async () => {
  const { mock, create, created, keys, lines } = await start()
  expect((await create()).status).toBe(201)
  expect(created()).toBe(0)
  const response = await create({ 'X-Countersign-Upstream': 'yes' })
  expect([response.status, (await response.json()).name, created()]).toEqual([201, workflow().name, 1])
  expect(keys).toEqual(new Set([apiKey]))
  expect(lines.at(-1)?.refusal).toEqual({ code: 'upstream', detail: 'The answer has the expected shape.' })
  const recording = JSON.stringify(await mock.recording.read())
  expect(JSON.parse(recording).log.entries).toHaveLength(2)
  expect(leaksOf(recording, apiKey.slice(5))).toEqual([])
})

test('an answer of the deployment comes without headers that act, in the sandbox', async () => {
  const headers = { 'Set-Cookie': 'a=b', Refresh: '0', 'X-Content-Type-Options': 'a', 'X-Kept': 'a' }
  const { create } = await start({ calls: ['createWorkflow'], fetch: async () => new Response('a', { headers }) })
  const answer = await create()
  const names = ['Set-Cookie', 'Refresh', 'X-Content-Type-Options', 'X-Kept', 'Content-Security-Policy']
  const shown = names.map((name) => answer.headers.get(name))
  expect(shown).toEqual([null, null, 'nosniff', 'a', "default-src 'none'; sandbox"])
})

test('calls are selected by operation and by tenant', async () => {
  const byCall = await start({ calls: ['createWorkflow'] })
  await byCall.create()
  expect(byCall.created()).toBe(1)
  const key = freshKey()
  const { tenants } = byCall.mock
  const byTenant = await start({ tenants: [tenants.idOf(key)] })
  await byTenant.create()
  expect(byTenant.created()).toBe(0)
  await byTenant.create({ Authorization: key })
  expect(byTenant.created()).toBe(1)
})

test('the log says in what an answer differs from the contract, or from the profile', async () => {
  const [other, known] = [{ like: like as Profile }, { like: like as Profile }]
  const strange = await start({ calls: ['createWorkflow'] }, {}, other)
  await strange.create()
  expect(strange.lines[0]?.refusal?.detail).toMatch(/^It differs from the contract: .*\/workflow_id is missing/)
  const learned = await start({ calls: ['createWorkflow'] }, known, other)
  await learned.create()
  expect(learned.lines[0]?.refusal?.detail).toBe('The answer has the expected shape.')
  const changed = await start({ calls: ['createWorkflow'] }, known)
  await changed.create()
  expect(changed.lines[0]?.refusal?.detail).toMatch(/^It differs from the profile: \/data is missing/)
})

test.each([
  ['of a page elsewhere', { Origin: 'https://elsewhere.example' }],
  ['without a key', { Authorization: '' }],
  ['with a live key', { Authorization: 'sk_live_123456789' }],
])('a call %s never reaches the deployment', async (_, headers) => {
  const { create, created, keys } = await start({ calls: ['createWorkflow'] })
  await create(headers)
  expect([created(), keys.size]).toEqual([0, 0])
})

test('a deployment that does not answer is a 502 that says so, without the key', async () => {
  const { create, deployment } = await start({ calls: ['createWorkflow'] })
  await deployment.close()
  const response = await create()
  const text = await response.text()
  expect([response.status, text]).toEqual([
    502,
    expect.stringContaining('The deployment behind the mock did not answer: '),
  ])
  expect(leaksOf(text, apiKey.slice(5))).toEqual([])
})

const hostile = fc.array(
  fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '%2E.',
      '..\\..',
      '\\',
      '%5c..',
      '%2f..',
      '/',
      '?',
      '#',
      ';',
      '@',
      ':',
      '%00',
      '%zz',
    ),
    fc.constantFrom('admin', '__admin', 'wf_1', 'execute', 'http://elsewhere.example', '//elsewhere.example', '%C3%A9'),
    fc.string({ unit: 'binary-ascii', maxLength: 5 }),
  ),
  { minLength: 1, maxLength: 8 },
)

test('a deployment only gets paths of the contract, below its own', async () => {
  const asked: { method: string; url: URL }[] = []
  let count = 0
  const passOn = passOnTo({
    url: 'https://deployment.example/team',
    apiKey,
    fetch: async ({ method, url }) => {
      asked.push({ method, url: new URL(url) })
      return new Response(null, { status: 404 })
    },
    calls: ['getWorkflow', 'executeWorkflow'],
  })
  const mock = createMock({ passOn })
  await fc.assert(
    fc.asyncProperty(hostile, hostile, fc.constantFrom('', '/execute'), async (parts, query, end) => {
      const method = end === '' ? 'GET' : 'POST'
      const incoming: Incoming = {
        ...{ method, origin: 'http://localhost:4010', path: `/api/v1/workflows/${parts.join('')}${end}` },
        search: `?${query.join('')}`,
        header: (name) => (name === 'authorization' ? 'test_a' : undefined),
        headers: () => [['authorization', 'test_a']],
        readBody: async () => {},
      }
      await mock.apps.both(incoming)
      for (const { method: sent, url } of asked.splice(0)) {
        expect([sent, url.origin, url.hash]).toEqual([method, 'https://deployment.example', ''])
        expect(url.pathname).toMatch(new RegExp(`^/team/api/v1/workflows/[^/\\\\]+${end}$`))
        count += 1
      }
    }),
    { numRuns: 500 },
  )
  expect(count).toBeGreaterThan(50)
})

test.each(['..\\..\\..\\..\\admin', '..%5C..%5Cadmin', '%2e%2e%2f%2e%2e%2fadmin', '..', '%2e%2e', '.'])(
  'workflow %s is no other path of a deployment',
  async (id) => {
    const { mock } = await start({
      calls: ['getWorkflow'],
      url: 'http://127.0.0.1:9',
      fetch: async ({ url }) => new Response(url),
    })
    const { port } = new URL(mock.url)
    const answer = await sendRaw(
      Number(port),
      `GET /api/v1/workflows/${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: test_a\r\n\r\n`,
    )
    expect(answer).toMatch(/\/api\/v1\/workflows\/[^/\\]+$|"code":"workflow-not-found"/)
  },
)
/** A key with the characters that encodings escape, and the same in groups, where separators are left out. */
const signs = 'test_cAnArY+/=&<>"Zz9~qT4x%K'
const secrets = [signs.slice(5), signs.slice(5).replaceAll(/[/~]/g, '')]
const encodings = nonEmpty([...escapings, ...packings, ...groupings])

/** Answers with the key that it was called with, in every encoding. */
async function repeat(request: Request) {
  const key = request.headers.get('authorization') ?? ''
  const written = Object.fromEntries(encodings.map(({ name, write }) => [name, write(key)]))
  const headers = { 'X-Echo': encodeURIComponent(key), 'X-Auth-Token': btoa(key), 'Set-Cookie': `key=${key}` }
  return Response.json({ name: 'kept', ...written, [key]: 'as a name' }, { status: 201, headers })
}

test('a deployment that repeats the key, in any encoding, shows it to nobody', async () => {
  const select = { apiKey: signs, fetch: repeat, calls: ['createWorkflow'] as const }
  const { mock, create, lines } = await start(select)
  const response = await create()
  const answer = await response.text()
  expect(JSON.parse(answer)).toMatchObject({ name: 'kept', 'percent-encoded': '***key***' })
  const read = async (path: string) => (await fetch(`${mock.url}/__admin${path}`)).text()
  const sinks = {
    'the answer to the caller': `${answer}${JSON.stringify([...response.headers])}`,
    'the recording': JSON.stringify(await mock.recording.read()),
    'a captured request': await read('/requests/1'),
    'the requests': await read('/requests'),
    'the changes': await read('/changes?after_request=0'),
    'the log': JSON.stringify(lines),
  }
  for (const [sink, text] of nonEmpty(Object.entries(sinks))) {
    expect(text.length, sink).toBeGreaterThan(50)
    // The texts of JSON, and those of JSON within it, without their escapes.
    const texts = [text, text.replaceAll(/\\(["\\/])/g, '$1'), text.replaceAll('\\\\', '\\').replaceAll('\\"', '"')]
    const leaks = encodings.flatMap(({ name, read }) =>
      texts.flatMap((one) => secrets.flatMap((secret) => runsIn(read(one), secret))).map((run) => `${run}, ${name}`),
    )
    expect({ sink, leaks }).toEqual({ sink, leaks: [] })
  }
})
