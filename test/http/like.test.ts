/** A mock that answers like a deployment. `test/conformance/selftest/learned.slow.test.ts` measures how far it does. */
import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { clientOf, workflow } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

const json = { 'content-type': 'application/json' }
const origin = 'http://mock.test'
const workflows = '/api/v1/workflows'

type Like = Omit<Profile, 'version'>

/** Creates a mock that answers like a profile, and a client of it. */
function clientLike(like: Like) {
  const mock = createMock({ like: { version: 1, ...like }, approvers: 'instant' })
  return { mock, ...clientOf(mock, undefined, origin) }
}

const linked: Like = {
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
  const { post } = clientLike(linked)
  const { headers } = await post(path + workflows, { ...workflow(), name: 'a' })
  expect(headers.get('Location')).toBe(`${origin}${path}/workflows/a`)
  const body = { document_id: 'd', submitter_email: 'sam@example.com' }
  expect((await post(`${path}${workflows}/none/execute`, body)).json).toEqual({ at: origin + path })
})

test('another path before the API is unknown', async () => {
  expect((await clientLike(linked).post('/sap/api/v1/workflows', workflow())).status).toBe(404)
})

test('a priority and a type that only a deployment accepts come back unchanged', async () => {
  const names = ['createWorkflow enum /steps/*/type', 'executeWorkflow enum /priority']
  const like = { accepts: ['document-not-confirmed', ...names] }
  const { mock, key, created, execute } = clientLike(like)
  const steps = workflow().steps.map((step) => ({ ...step, type: 'review' }))
  const { workflow_id, ...answered } = await created({ steps })
  expect(answered.steps).toEqual(steps)
  const executed = await execute(workflow_id, 'd', { priority: 'urgent' })
  expect(executed).toMatchObject({ status: 202, json: { priority: 'urgent' } })
  const copy = clientLike(like)
  await copy.mock.importTenant(await mock.exportTenant(key), key)
  for (const one of [mock, copy.mock]) {
    const { json } = await clientOf(one, key).details(workflow_id)
    expect(json.steps).toEqual(steps)
    expect(json).toMatchObject({ recent_executions: [{ priority: 'urgent' }], execution_metrics: { approved: 1 } })
  }
})

test.each([
  [[], 401],
  [['key-with-scheme'], 404],
])('with %j accepted, Bearer before the key is answered with %i', async (accepts, status) => {
  const { key, details } = clientLike({ accepts })
  await mustAnswer(details('none', { Authorization: `Bearer ${key}` }), status)
})

/** Requests an upload of 4 bytes from a mock. Returns a function that sends bytes to its address. */
async function uploadTo(like: Like) {
  const { mock, key, requested, store } = clientLike(like)
  const upload = await requested('a.pdf', 4)
  return {
    put: async (sent: string, more: Record<string, string> = {}) => (await store(upload, sent, more)).status,
    objects: () => storedBytes(mock.tenants.ofKey(key), upload.key),
  }
}

test.each<[string, number, string, Record<string, string>]>([
  ['SignatureDoesNotMatch type', 403, 'abcd', { 'Content-Type': 'text/plain' }],
  ['SignatureDoesNotMatch length', 403, 'abcdef', {}],
  ['SignatureDoesNotMatch length', 403, 'ab', {}],
  ['SignatureDoesNotMatch length', 403, 'ab', { 'Content-Length': '2' }],
  ['InvalidArgument', 400, 'abcd', { Authorization: 'test_nobody' }],
  ['BadDigest', 400, 'abcd', { 'Content-MD5': '1B2M2Y8AsgTpgAmY7PhCfg==' }],
  ['PreconditionFailed', 404, 'abcd', { 'If-Match': '"none"' }],
  ['AccessDenied encoding', 403, 'abcd', { 'Content-Encoding': 'gzip' }],
])('storage accepts %s if the deployment does', async (name, status, sent, headers) => {
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

const [step] = workflow().steps
const { step_id: _, ...lacking } = { ...step }
const twice = ['s1', 's2'].map((step_id) => ({ ...step, step_id, order: 1 }))

test.each<[string, object, string]>([
  ['unique /steps/*/order', { steps: twice }, '/steps/1/order'],
  ['additionalProperties', { colour: 'red' }, '/colour'],
  ['maxLength /name', { name: '𝒳'.repeat(60) }, '/name'],
  // The contract has a default for it.
  ['required /description', { description: undefined }, '/description'],
])('only a deployment with the rule %s refuses a workflow', async (rule, change, pointer) => {
  await mustAnswer(clientLike({}).create(change), 201)
  const strict = clientLike({ refuses: [`createWorkflow ${rule}`] })
  const { json } = await mustAnswer(strict.create(change), 400)
  expect(json.errors).toEqual([expect.objectContaining({ pointer, rule: rule.split(' ')[0] })])
  await mustAnswer(strict.create(), 201)
})

const cors = { service: false, storage: true }

test.each([
  [undefined, workflows, false],
  [undefined, '/storage/x', true],
  [true, workflows, true],
  [false, '/storage/x', false],
])('cors %j: pages on other origins may call %s: %j', async (option, path, isAllowed) => {
  const mock = createMock({ like: { version: 1, cors }, ...(option !== undefined && { cors: option }) })
  const preflight = { Origin: 'https://page.test', 'Access-Control-Request-Method': 'PUT' }
  const { headers } = await clientOf(mock).call('OPTIONS', path, undefined, preflight)
  expect(headers.has('Access-Control-Allow-Origin')).toBe(isAllowed)
})

test('only pages get the CORS headers of the mock, others those of the profile', async () => {
  const headers = { ...json, 'access-control-allow-origin': '*', vary: 'Accept' }
  const learned = { at: '2026-03-01T09:00:00.000Z', answers: 40 }
  const { post } = clientLike({ learned, answers: { createWorkflow: { status: 201, headers, body: {} } } })
  const create = async (more: Record<string, string>) => {
    const answer = await post(workflows, workflow(), more)
    const names = ['access-control-allow-origin', 'access-control-expose-headers', 'vary']
    return names.map((name) => answer.headers.get(name))
  }
  expect(await create({})).toEqual(['*', null, 'Accept'])
  const exposed = expect.stringContaining('Location')
  expect(await create({ Origin: 'https://page.example' })).toEqual(['https://page.example', exposed, 'Accept, Origin'])
})

test('of several broken rules, only those that the deployment enforces are refused', async () => {
  const refusal = { status: 422, headers: json, body: { $each: '/problem/errors', item: { $: '0/pointer' } } }
  const accepts = ['document-not-confirmed', 'executeWorkflow type /document_id']
  const { created, execute } = clientLike({ accepts, refusals: { 'invalid-request': refusal } })
  const { workflow_id } = await created()
  const submit = (submitter_email: string) => execute(workflow_id, '', { document_id: 7, submitter_email })
  expect((await submit('sam@example.com')).status).toBe(202)
  expect((await submit('sam')).json).toEqual(['/submitter_email'])
})

test.each([
  ['OPTIONS', 405],
  ['OPTIONS missing-key', 401],
])('OPTIONS is refused as %s, if the deployment refuses it', async (name, status) => {
  const { put } = clientLike({ cors: { service: false }, refuses: [name] })
  await mustAnswer(put(origin + workflows, null, {}, 'OPTIONS'), status)
})

test('errors name a field as a list of its names, and repeat the object that lacks it', async () => {
  const loc = { $concat: [['body'], { $: '0/pointer', as: 'segments' }] }
  const item = { loc, input: { $: '0/echo' }, name: { $: '0/pointer', as: 'pascal' } }
  const body = { detail: { $each: '/problem/errors', item } }
  const { create } = clientLike({ refusals: { 'invalid-request': { status: 422, headers: json, body } } })
  expect((await create({ steps: [lacking] })).json).toEqual({
    detail: [{ loc: ['body', 'steps', 0, 'step_id'], input: lacking, name: 'StepId' }],
  })
})
