import { expect, test } from 'vitest'
import { run } from '../../conformance/run/runner.ts'
import { aliasKeys } from '../../conformance/selftest/aliases.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { changeRequest, onCalls, type ServerFunction } from '../../conformance/selftest/wrapper.ts'
import { createMock } from '../../src/index.ts'

const keys = { apiKey: 'test_first', secondKey: 'test_second' }

/** Runs the suite on a server. Returns the result of the check of tenants, and the run. */
async function tenantsOn(fetch: ServerFunction, selected = keys as Partial<typeof keys>) {
  const options = { url: 'http://mock.test', apiKey: keys.apiKey, ...selected, fetch, gaps: false }
  const { verdict, checks } = await run({ ...options, time: virtualTime() })
  return { run: verdict, check: checks.find(({ id }) => id === 'tenants.are-isolated') }
}

/** The reference, except that a call treats the key of the second tenant like that of the first. */
const unscoped = (call: 'getWorkflow' | 'executeWorkflow' | 'confirmUpload'): ServerFunction =>
  onCalls([call], async (request, inner) => {
    const isSecond = request.headers.get('Authorization') === keys.secondKey
    return inner(isSecond ? await changeRequest(request, { headers: { Authorization: keys.apiKey } }) : request)
  })(createMock().fetch)

test.each(['getWorkflow', 'executeWorkflow', 'confirmUpload'] as const)(
  '%s for another tenant is a warning',
  async (call) => {
    const { run, check } = await tenantsOn(unscoped(call))
    expect(check).toMatchObject({ verdict: 'fail', provenance: 'inherited' })
    expect(check?.message).toMatch(/answered 20\d to the key of another tenant/)
    expect(run).toBe('conforming')
  },
)

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
    const { headers, status } = response
    const shown = known.reduce((so, one, index) => so.replaceAll(one, String(index + 1)), text)
    return new Response(shown, {
      status,
      headers: new Headers([...headers].filter(([name]) => name !== 'content-length')),
    })
  }
}

test('a tenant that reads its own workflow under the same number accuses nothing', async () => {
  const { run, check } = await tenantsOn(numberedByTenant())
  expect([run, check?.verdict]).toEqual(['conforming', 'pass'])
  expect(check?.message).toContain('which has a workflow of its own with that identifier')
})

test('a confirmed session of another tenant is a warning with any numbering', async () => {
  const numbered = numberedByTenant(unscoped('confirmUpload'))
  const { check } = await tenantsOn(numbered)
  expect(check).toMatchObject({ verdict: 'fail', provenance: 'inherited' })
  expect(check?.message).toMatch(/^POST \/api\/v1\/upload\/confirm answered 200 to the key of another tenant/)
})

test('a deployment that confirms any session is not accused of mixing tenants', async () => {
  const fetch = onCalls(['confirmUpload'], async (request, inner) => {
    const response = await inner(request)
    return response.status === 404 ? Response.json({ document_id: 'doc_of_nobody' }) : response
  })(createMock().fetch)
  expect((await tenantsOn(fetch)).check?.verdict).toBe('pass')
})

test('two keys of one tenant accuse nothing, and the message names the key to change', async () => {
  const fetch: ServerFunction = async (request) => {
    const isSecond = request.headers.get('Authorization') === keys.secondKey
    return mock.fetch(isSecond ? await changeRequest(request, { headers: { Authorization: keys.apiKey } }) : request)
  }
  const mock = createMock()
  const options = { url: 'http://mock.test', ...keys, fetch, gaps: false }
  const { verdict, checks } = await run({ ...options, time: virtualTime() })
  const prefix = checks.find(({ id }) => id === 'completed-file.key-begins-with-tenants')
  expect(verdict).toBe('undecided')
  expect(prefix?.verdict).toBe('inconclusive')
  expect(prefix?.message).toContain('Set COUNTERSIGN_API_KEY_2 to a key of another tenant.')
})

test('a key with the prefix of the tenant who first used the file name fails', async () => {
  const tenants = new Map<string, string>()
  const wrapper = aliasKeys((key, name) => {
    const tenant = tenants.get(name) ?? key.split('/')[1] ?? ''
    tenants.set(name, tenant)
    return key.replace(/^tenants\/[^/]+/, `tenants/${tenant}`)
  })
  const options = { url: 'http://mock.test', ...keys, fetch: wrapper(createMock().fetch), gaps: false }
  const { checks } = await run({ ...options, time: virtualTime() })
  const prefix = checks.find(({ id }) => id === 'completed-file.key-begins-with-tenants')
  expect(prefix?.message).toContain('Keys of two tenants begin with')
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
  const options = { url: 'http://mock.test', ...own, fetch: wrapper(createMock().fetch), gaps: false }
  const { verdict, checks } = await run({ ...options, time: virtualTime() })
  expect(verdict).toBe('conforming')
  expect(checks.find(({ id }) => id === 'completed-file.key-begins-with-tenants')).toMatchObject({
    verdict: 'accepted',
    message: expect.stringContaining('cannot be compared'),
  })
})

test('the reference keeps tenants apart', async () => {
  const { check } = await tenantsOn(createMock().fetch)
  expect(check).toMatchObject({ verdict: 'pass', flaky: false })
})

test('without a second key, no request is sent for another tenant', async () => {
  const { check } = await tenantsOn(createMock().fetch, {})
  expect(check?.verdict).toBe('not-applicable')
})
