/** A mock that answers like a deployment. `test/conformance/selftest/learned.slow.test.ts` measures how far it does. */
import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { freshKey, workflow } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

const json = { 'content-type': 'application/json' }

/** Sends JSON to a mock. */
const poster = (like: Profile) => {
  const mock = createMock({ like })
  const headers = { Authorization: freshKey(), 'Content-Type': 'application/json' }
  return (path: string, body: object) =>
    mock.fetch(`http://mock.test${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

const linked: Profile = {
  version: 1,
  basePath: '/sap/opu',
  answers: {
    createWorkflow: {
      status: 201,
      headers: { ...json, location: { $text: [{ $: '/base' }, '/workflows/', { $: '/answer/name' }] } },
      body: {},
    },
  },
  refusals: { 'workflow-not-found': { status: 404, headers: json, body: { at: { $: '/base' } } } },
}

test.each(['', '/sap/opu'])('links begin with the address that was called, %s', async (path) => {
  const created = await poster(linked)(`${path}/api/v1/workflows`, { ...workflow(), name: 'a' })
  expect(created.headers.get('Location')).toBe(`http://mock.test${path}/workflows/a`)
  const refused = await poster(linked)(`${path}/api/v1/workflows/none/execute`, {
    document_id: 'd',
    submitter_email: 'sam@example.com',
  })
  expect(await refused.json()).toEqual({ at: `http://mock.test${path}` })
})

test('another path before the API is unknown', async () => {
  expect((await poster(linked)('/sap/api/v1/workflows', workflow())).status).toBe(404)
})

test('a priority and a type that only a deployment accepts come back unchanged', async () => {
  const names = ['createWorkflow enum /steps/*/type', 'executeWorkflow enum /priority']
  const like = { version: 1, accepts: ['document-not-confirmed', ...names] } as const
  const mock = createMock({ like, approvers: 'instant' })
  const headers = { Authorization: freshKey(), 'Content-Type': 'application/json' }
  const post = (path: string, body: object) =>
    mock.fetch(`http://mock.test${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { steps, ...definition } = workflow()
  const reviewed = { ...definition, steps: steps.map((step) => ({ ...step, type: 'review' })) }
  const created = await (await post('/api/v1/workflows', reviewed)).json()
  const body = { document_id: 'd', submitter_email: 'sam@example.com', priority: 'urgent' }
  const executed = await post(`/api/v1/workflows/${created.workflow_id}/execute`, body)
  expect([executed.status, (await executed.json()).priority]).toEqual([202, 'urgent'])
  const expectBoth = async (one: typeof mock) => {
    const read = await one.fetch(`http://mock.test/api/v1/workflows/${created.workflow_id}`, { headers })
    const { steps, recent_executions, execution_metrics } = await read.json()
    expect(steps).toEqual(reviewed.steps)
    expect([recent_executions[0].priority, execution_metrics.approved]).toEqual(['urgent', 1])
  }
  expect(created.steps).toEqual(reviewed.steps)
  await expectBoth(mock)
  const copy = createMock({ like })
  await copy.importTenant(await mock.exportTenant(headers.Authorization), headers.Authorization)
  await expectBoth(copy)
})

/** Requests an upload of 4 bytes from a mock. Returns a function that sends bytes to its address. */
async function uploadTo(like: Omit<Profile, 'version'>) {
  const mock = createMock({ like: { version: 1, ...like } })
  const headers = { Authorization: freshKey(), 'Content-Type': 'application/json' }
  const body = JSON.stringify({ file_name: 'a.pdf', content_type: 'application/pdf', file_size: 4 })
  const requested = await mock.fetch('http://mock.test/api/v1/upload/', { method: 'POST', headers, body })
  const { upload_url, key } = await requested.json()
  const objects = () => storedBytes(mock.tenants.ofKey(headers.Authorization), key)
  const put = async (sent: string, more: Record<string, string> = {}) => {
    const own = { 'Content-Type': 'application/pdf', ...more }
    return (await mock.fetch(upload_url, { method: 'PUT', headers: own, body: sent })).status
  }
  return { put, objects }
}

test.each([
  ['SignatureDoesNotMatch type', 403, 'abcd', { 'Content-Type': 'text/plain' }],
  ['SignatureDoesNotMatch length', 403, 'abcdef', {}],
  ['SignatureDoesNotMatch length', 403, 'ab', {}],
  ['SignatureDoesNotMatch length', 403, 'ab', { 'Content-Length': '2' }],
  ['InvalidArgument', 400, 'abcd', { Authorization: 'test_nobody' }],
  ['BadDigest', 400, 'abcd', { 'Content-MD5': '1B2M2Y8AsgTpgAmY7PhCfg==' }],
  ['PreconditionFailed', 404, 'abcd', { 'If-Match': '"none"' }],
  ['AccessDenied encoding', 403, 'abcd', { 'Content-Encoding': 'gzip' }],
] as const)('storage accepts %s if the deployment does', async (name, status, sent, headers) => {
  const [strict, lenient] = [await uploadTo({}), await uploadTo({ accepts: [`putObject ${name}`] })]
  expect(await strict.put(sent, headers)).toBe(status)
  expect(await lenient.put(sent, headers)).toBe(200)
})

test('an object of another length than announced has no bytes of others', async () => {
  const { put, objects } = await uploadTo({ accepts: ['putObject SignatureDoesNotMatch length'] })
  await put('ab')
  expect(objects()).toBeUndefined()
  await put('abcdef', { 'Content-Length': '6' })
  expect(new TextDecoder().decode(objects())).toBe('abcdef')
})

test('a second file is refused if the deployment refuses it', async () => {
  const { put } = await uploadTo({ refuses: ['putObject again'] })
  expect([await put('abcd'), await put('abcd')]).toEqual([200, 412])
})

test.each([
  ['createWorkflow unique /steps/*/order', { steps: [1, 1].map((order) => ({ ...workflow().steps[0], order })) }],
  ['createWorkflow additionalProperties', { colour: 'red' }],
  ['createWorkflow maxLength /name', { name: '𝒳'.repeat(60) }],
])('a workflow is refused by the rule %s', async (rule, change) => {
  const { steps } = workflow()
  const steps2 = 'steps' in change ? change.steps?.map((step, at) => ({ ...step, step_id: `s${at}` })) : steps
  const body = { ...workflow(), ...change, steps: steps2 }
  expect((await poster({ version: 1 })('/api/v1/workflows', body)).status).toBe(201)
  const refused = await poster({ version: 1, refuses: [rule] })('/api/v1/workflows', body)
  expect([refused.status, (await refused.json()).errors]).toEqual([
    400,
    [expect.objectContaining({ rule: rule.split(' ')[1] })],
  ])
})

test('pages on other origins may call what the profile says, or the option', async () => {
  const like = { version: 1, cors: { service: false, storage: true } } as const
  const allowed = async (cors: boolean | undefined, path: string) => {
    const mock = createMock({ like, ...(cors !== undefined && { cors }) })
    const headers = { Origin: 'https://page.test', 'Access-Control-Request-Method': 'PUT' }
    const answer = await mock.fetch(`http://mock.test${path}`, { method: 'OPTIONS', headers })
    return answer.headers.has('Access-Control-Allow-Origin')
  }
  const [service, storage] = ['/api/v1/workflows', '/storage/tenants/a/b.pdf']
  expect([await allowed(undefined, service), await allowed(undefined, storage)]).toEqual([false, true])
  expect([await allowed(true, service), await allowed(false, storage)]).toEqual([true, false])
})

test('only pages get the CORS headers of the mock, others those of the profile', async () => {
  const headers = { ...json, 'access-control-allow-origin': '*', vary: 'Accept' }
  const learned = { at: '2026-03-01T09:00:00.000Z', answers: 40 }
  const like: Profile = { version: 1, learned, answers: { createWorkflow: { status: 201, headers, body: {} } } }
  const mock = createMock({ like })
  const create = async (more: object) => {
    const sent = { Authorization: freshKey(), 'Content-Type': 'application/json', ...more }
    const answer = await mock.fetch('http://mock.test/api/v1/workflows', {
      ...{ method: 'POST', headers: sent, body: JSON.stringify(workflow()) },
    })
    const names = ['access-control-allow-origin', 'access-control-expose-headers', 'vary']
    return names.map((name) => answer.headers.get(name))
  }
  expect(await create({})).toEqual(['*', null, 'Accept'])
  const [allowed, exposed, vary] = await create({ Origin: 'https://page.example' })
  expect([allowed, vary]).toEqual(['https://page.example', 'Accept, Origin'])
  expect(exposed).toContain('Location')
})

test('of several broken rules, only those that the deployment enforces are refused', async () => {
  const refusal = { status: 422, headers: json, body: { $each: '/problem/errors', item: { $: '0/pointer' } } }
  const accepts = ['document-not-confirmed', 'executeWorkflow type /document_id']
  const send = poster({ version: 1, accepts, refusals: { 'invalid-request': refusal } })
  const { workflow_id } = await (await send('/api/v1/workflows', workflow())).json()
  const execute = (submitter_email: string) =>
    send(`/api/v1/workflows/${workflow_id}/execute`, { document_id: 7, submitter_email })
  expect((await execute('sam@example.com')).status).toBe(202)
  expect(await (await execute('sam')).json()).toEqual(['/submitter_email'])
})

test('a field can be required although the contract has a default for it', async () => {
  const { name, steps } = workflow()
  const bare = { name, steps }
  const like: Profile = { version: 1, refuses: ['createWorkflow required /description'] }
  const refused = await poster(like)('/api/v1/workflows', bare)
  expect([refused.status, (await refused.json()).errors]).toEqual([
    400,
    [expect.objectContaining({ pointer: '/description', rule: 'required' })],
  ])
  expect((await poster(like)('/api/v1/workflows', { ...bare, description: 'a' })).status).toBe(201)
})

test.each([
  ['OPTIONS', 405],
  ['OPTIONS missing-key', 401],
])('OPTIONS is refused as %s, if the deployment refuses it', async (name, status) => {
  const mock = createMock({ like: { version: 1, cors: { service: false }, refuses: [name] } })
  const answer = await mock.fetch('http://mock.test/api/v1/workflows', { method: 'OPTIONS' })
  expect(answer.status).toBe(status)
})

test('errors name a field as a list of its names, and repeat the object that lacks it', async () => {
  const loc = { $concat: [['body'], { $: '0/pointer', as: 'segments' }] }
  const item = { loc, input: { $: '0/echo' }, name: { $: '0/pointer', as: 'pascal' } }
  const body = { detail: { $each: '/problem/errors', item } }
  const like: Profile = { version: 1, refusals: { 'invalid-request': { status: 422, headers: json, body } } }
  const [step] = workflow().steps
  const { step_id: _, ...lacking } = { ...step }
  const refused = await poster(like)('/api/v1/workflows', { ...workflow(), steps: [lacking] })
  expect(await refused.json()).toEqual({
    detail: [{ loc: ['body', 'steps', 0, 'step_id'], input: lacking, name: 'StepId' }],
  })
})
