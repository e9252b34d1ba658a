import { expect, test } from 'vitest'
import type { RequirementId } from '../../conformance/catalogue/catalogue.ts'
import { aliasKeys } from '../../conformance/selftest/aliases.ts'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { changeRequest, onCalls, type ServerFunction, type Wrapper } from '../../conformance/selftest/wrapper.ts'
import { createMock } from '../../src/index.ts'

const keys = { apiKey: 'test_first', secondKey: 'test_second' }

/** Returns the result of one check on a server that sees two keys. */
async function judge(id: RequirementId, fetch: ServerFunction, given: Partial<typeof keys> = keys) {
  const { checks } = await runOn(fetch, { tries: 3, ...given, selects: (one) => one === id })
  return checks.find((check) => check.id === id)
}

const isolated = (fetch: ServerFunction, given?: Partial<typeof keys>) => judge('tenants.are-isolated', fetch, given)
const prefix = (fetch: ServerFunction, given?: Partial<typeof keys>) =>
  judge('completed-file.key-begins-with-tenants', fetch, given)

/** Treats the key of the second tenant like that of the first. */
const asFirst: Wrapper = (server) => async (request) => {
  const isSecond = request.headers.get('Authorization') === keys.secondKey
  return server(isSecond ? await changeRequest(request, { headers: { Authorization: keys.apiKey } }) : request)
}

/** The reference, except that one call does not tell tenants apart. */
const unscoped = (call: 'getWorkflow' | 'executeWorkflow' | 'confirmUpload') =>
  onCalls([call], (request, inner) => asFirst(inner)(request))(createMock().fetch)

/** A server, except that each tenant numbers its workflows from 1 on. */
function numberedByTenant(fetch: ServerFunction = createMock().fetch): ServerFunction {
  const numbers = new Map<string, string[]>()
  return async (request) => {
    const key = request.headers.get('Authorization') ?? ''
    const known = numbers.get(key) ?? []
    numbers.set(key, known)
    const url = request.url.replace(/(?<=workflows\/)\d+/, (number) => known[Number(number) - 1] ?? 'none')
    const response = await fetch(await changeRequest(request, { url }))
    if (!response.headers.get('Content-Type')?.includes('json')) return response
    const text = await response.text()
    const id: unknown = JSON.parse(text).workflow_id
    if (typeof id === 'string' && !known.includes(id)) known.push(id)
    response.headers.delete('content-length')
    return new Response(
      known.reduce((shown, one, index) => shown.replaceAll(one, String(index + 1)), text),
      response,
    )
  }
}

const warns = {
  verdict: 'fail',
  provenance: 'inherited',
  flaky: false,
  message: expect.stringMatching(/^\S+ \S+ answered 20\d to the key of another tenant/),
}
const confirmsAnySession = onCalls(['confirmUpload'], async (request, inner) => {
  const response = await inner(request)
  return response.status === 404 ? Response.json({ document_id: 'doc_of_nobody' }) : response
})

test.each([
  ['shows a workflow to another tenant', unscoped('getWorkflow'), warns],
  ['executes one for another tenant', unscoped('executeWorkflow'), warns],
  ['confirms for another tenant', unscoped('confirmUpload'), warns],
  [
    'confirms for another tenant, with any numbering',
    numberedByTenant(unscoped('confirmUpload')),
    { verdict: 'fail', message: expect.stringMatching(/^POST \/api\/v1\/upload\/confirm answered 200 to the key of/) },
  ],
  [
    'numbers workflows by tenant',
    numberedByTenant(),
    {
      verdict: 'pass',
      message: expect.stringContaining('which has a workflow of its own with that identifier'),
    },
  ],
  ['confirms any session', confirmsAnySession(createMock().fetch), { verdict: 'pass' }],
  ['keeps tenants apart', createMock().fetch, { verdict: 'pass', flaky: false }],
] as const)('a deployment that %s is judged', async (_, fetch, expected) => {
  expect(await isolated(fetch)).toMatchObject(expected)
})

test('a deployment that mixes tenants conforms, since the check does not bind', async () => {
  const { verdict, checks } = await runOn(unscoped('getWorkflow'), keys)
  expect(verdict).toBe('conforming')
  expect(checks.find(({ id }) => id === 'tenants.are-isolated')?.verdict).toBe('fail')
})

test('without a second key, no request is sent for another tenant', async () => {
  expect(await isolated(createMock().fetch, { apiKey: keys.apiKey })).toMatchObject({ verdict: 'not-applicable' })
})

test('two keys of one tenant accuse nothing, and the message names the key to change', async () => {
  expect(await prefix(asFirst(createMock().fetch))).toMatchObject({
    verdict: 'inconclusive',
    message: expect.stringContaining('Set COUNTERSIGN_API_KEY_2 to a key of another tenant.'),
  })
})

test('a key with the prefix of the tenant who first used the file name fails', async () => {
  const tenants = new Map<string, string>()
  const wrapper = aliasKeys((key, name) => {
    const tenant = tenants.get(name) ?? key.split('/')[1] ?? ''
    tenants.set(name, tenant)
    return key.replace(/^tenants\/[^/]+/, `tenants/${tenant}`)
  })
  expect((await prefix(wrapper(createMock().fetch)))?.message).toContain('Keys of two tenants begin with')
})

test('a prefix made of the API key is redacted, so two of them are not compared', async () => {
  const own = { apiKey: 'test_471110x1', secondKey: 'test_883310y2' }
  const unused = Object.values(own).map((key) => key.replace('test_', ''))
  const names = new Map<string, string>()
  const wrapper = aliasKeys((key) => {
    const [, tenant = '', ...rest] = key.split('/')
    names.set(tenant, names.get(tenant) ?? unused.shift() ?? tenant)
    return ['tenants', names.get(tenant), ...rest].join('/')
  })
  expect(await prefix(wrapper(createMock().fetch), own)).toMatchObject({
    verdict: 'accepted',
    message: expect.stringContaining('cannot be compared'),
  })
})
