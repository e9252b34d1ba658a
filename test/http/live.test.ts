import { expect, test } from 'vitest'
import { admin, follow } from '../support/admin.ts'
import { clientOf, freshKey, origin, workflow } from '../support/service.ts'

type Entries = { seq: number; type: string; status: number }[]
const seqs = (events: Entries) => events.map(({ seq }) => seq)

/** Creates a mock whose tenant is followed, so that bodies are kept. `next` waits for its next message. */
async function followed(options = {}) {
  const mine = admin(options)
  const next = await follow(mine.mock, mine.id)
  await next()
  return { ...mine, next, request: (id: number) => mine.read(`/requests/${id}`) }
}

test('a tenant is selected by its identifier in place of its key', async () => {
  const { steer, read, id, created } = admin()
  await created()
  const byId = `/journal?tenant_id=${id}`
  const { events } = await read('/journal')
  expect([events.length, (await steer('GET', byId)).json.events]).toEqual([1, events])
  const codeOf = async (path: string, headers = {}) => (await steer('GET', path, undefined, headers)).json.code
  expect(await codeOf('/journal?tenant_id=0123456789abcdef0123456789abcdef')).toBe('unknown-tenant')
  expect(await codeOf('/journal?tenant_id=mine')).toBe('invalid-parameter')
  expect(await codeOf(byId, { Authorization: freshKey() })).toBe('invalid-parameter')
})

test('a tenant that was reset is still known by its identifier', async () => {
  const { steer, id, created } = admin()
  await created()
  await steer('POST', `/reset?tenant_id=${id}`)
  expect((await steer('GET', `/journal?tenant_id=${id}`)).json.events).toEqual([])
})

test('tenants are listed with the latest used first, and without their keys', async () => {
  const { steer, created, id, key, details } = admin()
  const other = { Authorization: freshKey() }
  const opened = (await steer('POST', '/tenants', undefined, other)).json
  await created()
  const { tenants } = (await steer('GET', '/tenants')).json
  const first = { tenant_id: id, workflows: 1, executions: 0, first_event: 1, last_event: 1 }
  expect(tenants).toMatchObject([first, { tenant_id: opened.tenant_id }])
  expect(JSON.stringify(tenants)).not.toContain(key)
  await details('wf', other)
  expect((await steer('GET', '/tenants?limit=1')).json).toMatchObject({ total: 2, tenants: [opened] })
})

test('a list of tenants can be that of one', async () => {
  const { steer, read, id } = admin()
  await steer('POST', '/tenants', undefined, { Authorization: freshKey() })
  const one = { total: 1, tenants: [{ tenant_id: id }] }
  expect((await steer('GET', `/tenants?tenant_id=${id}`)).json).toMatchObject(one)
  expect(await read('/tenants')).toMatchObject(one)
})

test('a tenant is named by the end of its key, once that was used', async () => {
  const { steer, id } = admin()
  const nameFor = async (Authorization: string) =>
    (await steer('POST', '/tenants', undefined, { Authorization })).json.name
  expect(await nameFor('test_of_the_front_end')).toMatch(/^[0-9a-f]{6} …nt_end$/)
  expect(await nameFor('test_ab')).toMatch(/^[0-9a-f]{6} ….{3}$/)
  expect((await steer('GET', `/tenants?tenant_id=${id}`)).json.tenants[0].name).toContain('…')
})

test('the clock advances to the next decision, and not beyond', async () => {
  const { steer, steerOwn, read, executed, world } = admin({ approvers: 'auto' })
  await executed()
  const advance = async () => (await steerOwn('POST', '/clock/advance', { to: 'next-decision' })).json
  const decisions = () => world.journal.read(undefined, 'StepDecided')
  await advance()
  expect(decisions().map(({ at }) => at)).toEqual([world.clock.now()])
  // The first approver may have rejected.
  const isRunning = world.sizes.running === 1
  await advance()
  expect(decisions()).toHaveLength(isRunning ? 2 : 1)
  expect(await advance()).toEqual(await read('/clock'))
  expect((await steer('POST', '/clock/advance', { to: 'next-decision' })).json.code).toBe('invalid-parameter')
})

test('a stream tells the state, and then each event and request once', async () => {
  const { mock, id, created } = admin()
  const next = await follow(mock, id)
  expect(await next()).toMatchObject({ events: [], requests: [], lost: 0, tenants: 1, clock: { speed: 0 } })
  await created()
  expect(await next()).toMatchObject({
    events: [{ seq: 1, type: 'WorkflowCreated' }],
    requests: [{ operation_id: 'createWorkflow', status: 201, code: null }],
  })
  await created()
  expect(await next()).toMatchObject({ events: [{ seq: 2 }], requests: [{}] })
})

test('a stream of one tenant has nothing of another', async () => {
  const { mock, next, id, created } = await followed()
  await clientOf(mock).created()
  expect(await next()).toMatchObject({ tenants: 2, events: [], requests: [] })
  await created()
  expect((await next()).events).toMatchObject([{ tenant_id: id }])
})

test('a stream tells settings, waiting answers, the clock and a reset', async () => {
  const { mock, world, key, created, next } = await followed()
  await created()
  await next()
  mock.setSettings({ approvers: 'instant' }, key)
  expect((await next()).settings.approvers).toBe('instant')
  mock.next('getWorkflow', { status: 503 }, key)
  expect((await next()).next_answers).toBe(1)
  mock.advance('PT2H', key)
  expect((await next()).clock).toEqual({ now: new Date(world.clock.now()).toISOString(), speed: 0 })
  const { generation } = world
  mock.reset(key)
  const after = await next()
  expect([after.generation === generation, after.next_answers]).toEqual([false, 0])
})

test('a stream ends when the mock stops', async () => {
  const { mock, next } = await followed()
  const last = next()
  mock.exchanges.stop()
  expect(await last).toBeUndefined()
})

test.each([
  ['', [201]],
  ['&also=unassigned', [401, 404, 201]],
])('the changes of a tenant have the requests of its log, with "%s"', async (query, statuses) => {
  const { mock, read, created, get } = admin()
  const { last_request } = await read(`/changes?${query}`)
  for (const Authorization of [freshKey(), 'live_key']) await get('/api/v1/workflows/wf', { Authorization })
  await mock.fetch(`${origin}/nowhere`)
  await created()
  const { requests } = await read(`/requests?${query}`)
  expect((await read(`/changes?after_request=${last_request}${query}`)).requests).toEqual(requests)
  expect(requests.map(({ status }: { status: number }) => status)).toEqual(statuses)
})

test('other requests than the unassigned ones cannot be added', async () => {
  expect((await admin().read('/requests?also=all')).code).toBe('invalid-parameter')
})

test('pages of events are the whole journal', async () => {
  const { steer, read, executed } = admin()
  await executed()
  await executed()
  const all: Entries = (await read('/journal')).events
  const found: Entries = []
  for (let before = all.length + 1; before > 1; before = found[0]?.seq ?? 0) {
    found.unshift(...(await read(`/journal?limit=3&before=${before}`)).events)
  }
  expect(found).toEqual(all)
  const isEarlier = ({ type, seq }: Entries[number]) => type === 'StepAssigned' && seq < all.length
  const { events } = await read(`/journal?type=StepAssigned&before=${all.length}`)
  expect(seqs(events)).toEqual(seqs(all.filter(isEarlier)))
  expect((await steer('GET', '/journal?before=3')).json.code).toBe('invalid-parameter')
  expect((await read('/journal?before=0')).code).toBe('invalid-parameter')
})

test('the bodies of the last 50 requests are kept, and of all while a stream is open', async () => {
  const { mock, read, created } = admin()
  const kept = async (ids: number[]) => {
    const requests = await Promise.all(ids.map((id) => read(`/requests/${id}`)))
    return requests.map(({ request_body }) => request_body !== null)
  }
  for (let count = 0; count < 51; count += 1) await created()
  expect(await kept([1, 2, 51])).toEqual([false, true, true])
  const next = await follow(mock)
  await next()
  for (let count = 0; count < 51; count += 1) await created()
  expect(await kept([2])).toEqual([true])
  const { request_body, answer_body } = await read('/requests/2')
  expect(JSON.parse(request_body.text).name).toBe(workflow().name)
  expect(JSON.parse(answer_body.text).workflow_id).toMatch(/^wf_/)
  next.close()
  await created()
  expect(await kept([2, 103])).toEqual([false, true])
})

test('a long body is cut, and its whole size is told', async () => {
  const { create, request } = await followed()
  const approvers = Array.from({ length: 99 }, (_, index) => ({ email: `a${index}@example.com`, name: 'ü'.repeat(9) }))
  const [step] = workflow().steps
  const steps = Array.from({ length: 20 }, (_, at) => ({ ...step, step_id: `step_${at}`, order: at + 1, approvers }))
  const { text } = await create({ steps, unknown: 'x'.repeat(70_000) })
  const { request_body, answer_body } = await request(1)
  expect(answer_body).toMatchObject({ size: Buffer.byteLength(text), is_cut: true })
  expect([request_body.is_cut, request_body.size > 70_000]).toEqual([true, true])
  expect(request_body.text.length).toBeLessThanOrEqual(64 * 1024)
})

test.each([
  ['in its header', (key: string) => ({ headers: { 'X-Api-Key': key } })],
  ['in a name', (name: string) => ({ name })],
  ['in base64', (key: string) => ({ name: btoa(key) })],
  ['behind a scheme', (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })],
])('a request that is shown has no key %s', async (_, variation) => {
  const { post, steer, key } = await followed()
  const { headers, name = 'a' } = variation(key) as { headers?: Record<string, string>; name?: string }
  await post('/api/v1/workflows', { ...workflow(), name }, headers)
  const shown = JSON.stringify((await steer('GET', '/requests/1')).json)
  expect(shown).toContain('/api/v1/workflows')
  for (const secret of [key, btoa(key).replaceAll('=', '')]) expect(shown).not.toContain(secret)
})

test('a request that is shown has no signature', async () => {
  const { stored, request } = await followed()
  const { upload_url } = await stored()
  const [, signature = ''] = upload_url.match(/X-Amz-Signature=(\w+)/) ?? []
  const [asked, put] = [await request(1), await request(2)]
  expect(JSON.stringify([asked, put])).not.toContain(signature)
  expect(asked.answer_body.text).toContain('X-Amz-Signature=***1***')
  expect(put.request_body.text).toBe('256 bytes of application/pdf')
})

test('a refused request names its reason, and the requirements of the wrong fields', async () => {
  const { create, read } = admin()
  await create({ name: 'x'.repeat(101) })
  const { request, requirements, gaps } = await read('/requests/1')
  expect(request).toMatchObject({ status: 400, code: 'invalid-request', operation_id: 'createWorkflow' })
  expect(request.detail).toMatch(/^The body breaks 1 rule\..+ Fields: \/name\.$/)
  expect(requirements).toEqual(['workflow.name', 'workflow.name-at-most-100'])
  expect(gaps).toContain('gap.invalid-request-status')
})

test('a refused request names the first fields that are wrong, each once', async () => {
  const { post, read } = admin()
  await post('/api/v1/workflows', { steps: [...'abcde'].map((name) => ({ name, order: 0 })) })
  const { detail } = (await read('/requests/1')).request
  expect(detail).toMatch(/ Fields: (\/[\w/]+, ){2}\/[\w/]+ and \d+ more\.$/)
})

test('a refused upload names its reason as well', async () => {
  const { requested, store, read } = admin()
  await store(await requested(), 'too short')
  const { request } = await read('/requests/2')
  expect(request).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch', operation_id: 'putObject' })
})

const like = { version: 1, answers: { createWorkflow: { status: 201, body: { ref: { $: '/answer/workflow_id' } } } } }

test('with a profile, a call shows its answer as the contract writes it as well', async () => {
  const { mock, key, request, steerOwn } = await followed({ like })
  await mock.ready
  await clientOf(mock, key).created()
  const { contract_body, answer_body } = await request(1)
  expect(contract_body.workflow_id).toMatch(/^wf_/)
  expect(JSON.parse(answer_body.text)).toEqual({ ref: contract_body.workflow_id })
  const { json: sent } = await steerOwn('POST', '/calls', { operation_id: 'createWorkflow', body: workflow() })
  expect(sent.contract_body.workflow_id).toMatch(/^wf_/)
  expect(JSON.parse(sent.body)).toEqual({ ref: sent.contract_body.workflow_id })
})

/** Sends the body of a session's file through the admin API. */
async function write({ mock, id }: ReturnType<typeof admin>, session: string, body: string) {
  const address = `http://localhost/__admin/uploads/${session}/content?tenant_id=${id}`
  return (await mock.fetch(address, { method: 'PUT', body })).json()
}

test('the whole documented flow can be sent for a tenant', async () => {
  const mine = admin()
  const send = async (operation_id: string, params?: Record<string, string>, body?: unknown) =>
    (await mine.steerOwn('POST', '/calls', { operation_id, params, body })).json
  const { workflow_id } = (await send('createWorkflow', undefined, workflow())).body
  const file = { file_name: 'a b+ü.txt', content_type: 'text/plain', file_size: 5 }
  const upload = (await send('requestUpload', undefined, file)).body
  expect(await write(mine, upload.session_id, 'Hello')).toMatchObject({ status: 200, body: null })
  const { document_id } = (await send('confirmUpload', undefined, mine.confirmation(upload))).body
  const execution = { document_id, submitter_email: 'sam@example.com' }
  expect((await send('executeWorkflow', { workflow_id }, execution)).status).toBe(202)
  expect((await send('getWorkflow', { workflow_id })).body.execution_metrics.running).toBe(1)
  const { requests } = await mine.read('/requests')
  expect(requests.map(({ status }: { status: number }) => status)).toEqual([201, 200, 200, 200, 202, 200])
})

test.each([
  ['without its workflow', { operation_id: 'getWorkflow' }, { code: 'invalid-parameter' }],
  ['of storage', { operation_id: 'putObject', params: { session_id: 'x' } }, { code: 'invalid-request' }],
  ['of the admin API', { operation_id: 'resetWorlds' }, { code: 'invalid-request' }],
  [
    'that leaves its path',
    { operation_id: 'getWorkflow', params: { workflow_id: '../../../__admin/tenants' } },
    { status: 404, body: { code: 'workflow-not-found' } },
  ],
])('a call %s cannot be sent', async (_, call, answer) => {
  expect((await admin().steerOwn('POST', '/calls', call)).json).toMatchObject(answer)
})

test('a file is sent to a session as a client would, and refused as storage would', async () => {
  const mine = admin()
  const { session_id } = await mine.requested('a.txt', 5, 'text/plain')
  expect((await write(mine, 'none', 'Hello')).code).toBe('session-not-found')
  const refused = { status: 403, body: expect.stringContaining('<Error>') }
  expect(await write(mine, session_id, 'too long')).toMatchObject(refused)
  expect((await write(mine, session_id, 'Hello')).status).toBe(200)
  expect((await mine.read('/uploads')).uploads).toMatchObject([{ state: 'stored', file_size: 5 }])
})

test('no client can act for a tenant without its key', async () => {
  const { mock, id } = admin()
  const headers = { actsFor: id, 'X-Acts-For': id }
  const { status } = await mock.fetch(`${origin}/api/v1/workflows/wf?tenant_id=${id}`, { headers })
  expect(status).toBe(401)
})
