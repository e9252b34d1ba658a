import fc from 'fast-check'
import { expect, test } from 'vitest'
import profile from '../../examples/like-a-deployment/profile.json' with { type: 'json' }
import { createMock } from '../../src/index.ts'
import type { StartOptions } from '../../src/node/index.ts'
import { passOnTo, type UpstreamOptions } from '../../src/node/upstream.ts'
import type { Profile } from '../../src/profile/profile.ts'
import type { Incoming } from '../../src/wire/exchange.ts'
import { escapings, groupings, packings, runsIn } from '../support/encodings.ts'
import { leaksOf } from '../support/leaks.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sendRaw } from '../support/raw.ts'
import { freshKey, workflow } from '../support/service.ts'
import { started } from '../support/started.ts'
import { apiKey, passing } from '../support/upstream.ts'

const like = profile as Profile
const calls = ['createWorkflow'] as const
const keepsShape = 'The answer has the expected shape.'

/** Starts a deployment, and a mock that passes calls on to it. */
async function start(select: Partial<UpstreamOptions> = {}, options: StartOptions = {}, own: StartOptions = {}) {
  const { mock: deployment } = await started({ approvers: 'manual', ...own })
  const passed = await passing({ url: deployment.url, ...select }, options)
  const create = (headers?: Record<string, string>) => passed.call('POST', '/api/v1/workflows', workflow(), headers)
  return { ...passed, deployment, create, created: () => deployment.journal.read(apiKey).length }
}

test('a call with the header goes to the deployment, with its key, and is recorded', async () => {
  const { mock, create, created, sent, lines } = await start()
  await mustAnswer(create(), 201)
  expect(created()).toBe(0)
  const { json } = await mustAnswer(create({ 'X-Countersign-Upstream': 'yes' }), 201)
  expect([json.name, created()]).toEqual([workflow().name, 1])
  expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([apiKey])
  expect(lines.at(-1)?.refusal).toEqual({ code: 'upstream', detail: keepsShape })
  const recording = await mock.recording.read()
  expect(recording.log.entries).toHaveLength(2)
  expect(leaksOf(JSON.stringify(recording), apiKey.slice(5))).toEqual([])
})

test('an answer of the deployment comes without headers that act, in the sandbox', async () => {
  const headers = { 'Set-Cookie': 'a=b', Refresh: '0', 'X-Content-Type-Options': 'a', 'X-Kept': 'a' }
  const { create } = await start({ calls, fetch: async () => new Response('a', { headers }) })
  const answer = await create()
  const shown = [...Object.keys(headers), 'Content-Security-Policy'].map((name) => answer.headers.get(name))
  expect(shown).toEqual([null, null, 'nosniff', 'a', "default-src 'none'; sandbox"])
})

test('calls are selected by operation and by tenant', async () => {
  const byCall = await start({ calls })
  await byCall.create()
  const key = freshKey()
  const byTenant = await start({ tenants: [byCall.mock.tenants.idOf(key)] })
  await byTenant.create()
  expect([byCall.created(), byTenant.created()]).toEqual([1, 0])
  await byTenant.create({ Authorization: key })
  expect(byTenant.created()).toBe(1)
})

test.each([
  ['the contract', {}, { like }, /^It differs from the contract: .*\/workflow_id is missing/],
  ['nothing', { like }, { like }, keepsShape],
  ['the profile', { like }, {}, /^It differs from the profile: \/data is missing/],
])('the log says in what an answer differs from %s', async (_, options, own, detail) => {
  const { create, lines } = await start({ calls }, options, own)
  await create()
  expect(lines[0]?.refusal?.detail).toMatch(detail)
})

test.each([
  ['of a page elsewhere', { Origin: 'https://elsewhere.example' }],
  ['without a key', { Authorization: '' }],
  ['with a live key', { Authorization: 'sk_live_123456789' }],
])('a call %s never reaches the deployment', async (_, headers) => {
  const { create, sent } = await start({ calls })
  await create(headers)
  expect(sent).toEqual([])
})

test('a deployment that does not answer is a 502 that says so, without the key', async () => {
  const { create, deployment } = await start({ calls })
  await deployment.close()
  const { text } = await mustAnswer(create(), 502)
  expect(text).toContain('The deployment behind the mock did not answer: ')
  expect(leaksOf(text, apiKey.slice(5))).toEqual([])
})

const dots = ['..', '.', '%2e%2e', '%2E.', '..\\..', '\\', '%5c..', '%2f..']
const signsOfUrls = ['/', '?', '#', ';', '@', ':', '%00', '%zz', 'http://elsewhere.example', '//elsewhere.example']
const hostile = fc.array(
  fc.oneof(
    fc.constantFrom(...dots, ...signsOfUrls),
    fc.constantFrom('admin', '__admin', 'wf_1', 'execute', '%C3%A9'),
    fc.string({ unit: 'binary-ascii', maxLength: 5 }),
  ),
  { minLength: 1, maxLength: 8 },
)

test('a deployment only gets paths of the contract, below its own', async () => {
  const asked: [method: string, url: URL][] = []
  let count = 0
  const passOn = passOnTo({
    url: 'https://deployment.example/team',
    apiKey,
    fetch: async ({ method, url }) => {
      asked.push([method, new URL(url)])
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
      for (const [sent, { origin, hash, pathname }] of asked.splice(0)) {
        expect([sent, origin, hash]).toEqual([method, 'https://deployment.example', ''])
        expect(pathname).toMatch(new RegExp(`^/team/api/v1/workflows/[^/\\\\]+${end}$`))
        count += 1
      }
    }),
    { numRuns: 500 },
  )
  expect(count).toBeGreaterThan(50)
})

test.each(['..\\..\\admin', '..%5C..%5Cadmin', '%2e%2e%2fadmin', '.'])(
  'workflow %s is no other path of a deployment',
  async (id) => {
    const { port } = await start({ calls: ['getWorkflow'], fetch: async ({ url }) => new Response(url) })
    const head = 'Host: localhost\r\nAuthorization: test_a\r\n'
    const answer = await sendRaw(port, `GET /api/v1/workflows/${id} HTTP/1.1\r\n${head}\r\n`)
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
  const { mock, create, call, lines } = await start({ apiKey: signs, fetch: repeat, calls })
  const { text, json, headers } = await create()
  expect(json).toMatchObject({ name: 'kept', 'percent-encoded': '***key***' })
  const read = async (path: string) => (await call('GET', `/__admin${path}`)).text
  const sinks = {
    'the answer to the caller': `${text}${JSON.stringify([...headers])}`,
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
