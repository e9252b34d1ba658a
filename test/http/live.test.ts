import { expect, test } from 'vitest'
import { admin, follow } from '../support/admin.ts'
import { clientOf, freshKey, origin, workflow } from '../support/service.ts'

test('a tenant is selected by its identifier in place of its key', async () => {
  const { steer, mine, world, created } = admin()
  await created()
  const { tenantId } = world
  const [byId, byKey] = [
    (await steer('GET', `/journal?tenant_id=${tenantId}`)).json,
    (await steer('GET', '/journal', undefined, mine)).json,
  ]
  expect(byId).toEqual(byKey)
  expect(byId.events).toHaveLength(1)
  expect((await steer('GET', '/journal?tenant_id=0123456789abcdef0123456789abcdef')).json.code).toBe('unknown-tenant')
  expect((await steer('GET', '/journal?tenant_id=mine')).json.code).toBe('invalid-parameter')
  const other = { Authorization: freshKey() }
  expect((await steer('GET', `/journal?tenant_id=${tenantId}`, undefined, other)).json.code).toBe('invalid-parameter')
})

test('a tenant that was reset is still known by its identifier', async () => {
  const { steer, world, created } = admin()
  await created()
  await steer('POST', `/reset?tenant_id=${world.tenantId}`)
  expect((await steer('GET', `/journal?tenant_id=${world.tenantId}`)).json.events).toEqual([])
})

test('tenants are listed with the latest used first, and without their keys', async () => {
  const { steer, created, world, mock, key } = admin()
  const other = freshKey()
  const opened = (await steer('POST', '/tenants', undefined, { Authorization: other })).json
  await created()
  const { json } = await steer('GET', '/tenants')
  expect(json.tenants.map(({ tenant_id }: { tenant_id: string }) => tenant_id)).toEqual([
    world.tenantId,
    opened.tenant_id,
  ])
  expect(json.tenants[0]).toMatchObject({ workflows: 1, executions: 0, first_event: 1, last_event: 1 })
  expect(JSON.stringify(json)).not.toContain(key)
  await mock.fetch(`${origin}/api/v1/workflows/wf`, { headers: { Authorization: other } })
  expect((await steer('GET', '/tenants?limit=1')).json).toMatchObject({ total: 2, tenants: [opened] })
})

test('the clock advances to the next decision, and not beyond', async () => {
  const { steer, executed, world } = admin({ approvers: 'auto' })
  await executed()
  const path = `/clock/advance?tenant_id=${world.tenantId}`
  const decisions = () => world.journal.read(undefined, 'StepDecided').length
  await steer('POST', path, { to: 'next-decision' })
  expect([decisions(), world.journal.read(undefined, 'StepDecided')[0]?.at]).toEqual([1, world.clock.now()])
  // The first approver may have rejected.
  const isRunning = world.sizes.running === 1
  await steer('POST', path, { to: 'next-decision' })
  expect(decisions()).toBe(isRunning ? 2 : 1)
  const { json } = await steer('GET', `/clock?tenant_id=${world.tenantId}`)
  expect((await steer('POST', path, { to: 'next-decision' })).json).toEqual(json)
  expect((await steer('POST', '/clock/advance', { to: 'next-decision' })).json.code).toBe('invalid-parameter')
})

test('a stream tells the state, and then each event and request once', async () => {
  const { mock, world, created } = admin()
  const next = await follow(mock, world.tenantId)
  expect(await next()).toMatchObject({ events: [], requests: [], lost: 0, tenants: 1, clock: { speed: 0 } })
  await created()
  const first = await next()
  expect(first.events.map(({ seq, type }: { seq: number; type: string }) => [seq, type])).toEqual([
    [1, 'WorkflowCreated'],
  ])
  expect(first.requests).toMatchObject([{ operation_id: 'createWorkflow', status: 201, code: null }])
  await created()
  const second = await next()
  expect([second.events.map(({ seq }: { seq: number }) => seq), second.requests.length]).toEqual([[2], 1])
})

test('a stream of one tenant has nothing of another', async () => {
  const { mock, world, created } = admin()
  const next = await follow(mock, world.tenantId)
  await next()
  await clientOf(mock).created()
  expect(await next()).toMatchObject({ tenants: 2, events: [], requests: [] })
  await created()
  expect((await next()).events).toMatchObject([{ tenant_id: world.tenantId }])
})

test.each(['', '&also=unassigned'])(
  'the changes of a tenant have the requests of its log, with "%s"',
  async (query) => {
    const { mock, steer, world, created } = admin()
    const at = `?tenant_id=${world.tenantId}${query}`
    const { last_request } = (await steer('GET', `/changes${at}`)).json
    await mock.fetch(`${origin}/api/v1/workflows/wf`, { headers: { Authorization: freshKey() } })
    await mock.fetch(`${origin}/api/v1/workflows/wf`, { headers: { Authorization: 'live_key' } })
    await mock.fetch(`${origin}/nowhere`)
    await created()
    const log = (await steer('GET', `/requests${at}`)).json.requests
    expect((await steer('GET', `/changes${at}&after_request=${last_request}`)).json.requests).toEqual(log)
    const statuses = log.map(({ status }: { status: number }) => status)
    expect(statuses).toEqual(query === '' ? [201] : [401, 404, 201])
  },
)

test('other requests than the unassigned ones cannot be added', async () => {
  const { steer } = admin()
  expect((await steer('GET', '/requests?also=all')).json.code).toBe('invalid-parameter')
})

test('a list of tenants can be that of one', async () => {
  const { steer, world, mine } = admin()
  await steer('POST', '/tenants', undefined, { Authorization: freshKey() })
  const one = { total: 1, tenants: [{ tenant_id: world.tenantId }] }
  expect((await steer('GET', `/tenants?tenant_id=${world.tenantId}`)).json).toMatchObject(one)
  expect((await steer('GET', '/tenants', undefined, mine)).json).toMatchObject(one)
})

test('pages of events are the whole journal', async () => {
  const { steer, world, executed } = admin()
  await executed()
  await executed()
  const at = `/journal?tenant_id=${world.tenantId}`
  const { events: all } = (await steer('GET', at)).json
  const found: { seq: number }[] = []
  for (let before = all.length + 1; before > 1; before = found[0]?.seq ?? 0) {
    found.unshift(...(await steer('GET', `${at}&limit=3&before=${before}`)).json.events)
  }
  expect(found).toEqual(all)
  const assigned = (await steer('GET', `${at}&type=StepAssigned&before=${all.length}`)).json.events
  expect(assigned.map(({ seq }: { seq: number }) => seq)).toEqual(
    all
      .filter(({ type, seq }: { type: string; seq: number }) => type === 'StepAssigned' && seq < all.length)
      .map(({ seq }: { seq: number }) => seq),
  )
  expect((await steer('GET', '/journal?before=3')).json.code).toBe('invalid-parameter')
  expect((await steer('GET', `${at}&before=0`)).json.code).toBe('invalid-parameter')
})

test('a stream tells settings, waiting answers, the clock and a reset', async () => {
  const { mock, world, key, created } = admin()
  await created()
  const next = await follow(mock, world.tenantId)
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
  const { mock } = admin()
  const next = await follow(mock)
  await next()
  const last = next()
  mock.exchanges.stop()
  expect(await last).toBeUndefined()
})

test('the bodies of the last 50 requests are kept, and of all while a stream is open', async () => {
  const { mock, steer, created } = admin()
  const isKept = async (id: number) => (await steer('GET', `/requests/${id}`)).json.request_body !== null
  for (let count = 0; count < 51; count += 1) await created()
  expect([await isKept(1), await isKept(2), await isKept(51)]).toEqual([false, true, true])
  const next = await follow(mock)
  await next()
  for (let count = 0; count < 51; count += 1) await created()
  expect(await isKept(2)).toBe(true)
  const { request_body, answer_body } = (await steer('GET', '/requests/2')).json
  expect(JSON.parse(request_body.text).name).toBe(workflow().name)
  expect(JSON.parse(answer_body.text).workflow_id).toMatch(/^wf_/)
  next.close()
  await created()
  expect([await isKept(2), await isKept(103)]).toEqual([false, true])
})

test('a long answer is cut, and its whole size is told', async () => {
  const { call, steer } = admin()
  const approvers = Array.from({ length: 99 }, (_, index) => ({ email: `a${index}@example.com`, name: 'ü'.repeat(9) }))
  const steps = Array.from({ length: 20 }, (_, order) => ({
    ...workflow().steps[0],
    step_id: `step_${order}`,
    order: order + 1,
    approvers,
  }))
  const { json } = await call('POST', '/api/v1/workflows', { ...workflow(), steps })
  const { answer_body } = (await steer('GET', '/requests/1')).json
  expect(answer_body).toMatchObject({ size: Buffer.byteLength(JSON.stringify(json)), is_cut: true })
})

test('a tenant is named by the end of its key, once that was used', async () => {
  const { steer, world } = admin()
  const nameFor = async (Authorization: string) =>
    (await steer('POST', '/tenants', undefined, { Authorization })).json.name
  expect(await nameFor('test_of_the_front_end')).toMatch(/^[0-9a-f]{6} …nt_end$/)
  expect(await nameFor('test_ab')).toMatch(/^[0-9a-f]{6} ….{3}$/)
  expect((await steer('GET', `/tenants?tenant_id=${world.tenantId}`)).json.tenants[0].name).toContain('…')
})

test.each([
  ['in its header', (key: string) => ({ headers: { 'X-Api-Key': key } })],
  ['in a name', (key: string) => ({ body: { ...workflow(), name: key } })],
  ['in base64', (key: string) => ({ body: { ...workflow(), name: btoa(key) } })],
  ['behind a scheme', (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })],
])('a request that is shown has no key %s', async (_, variation) => {
  const { mock, call, steer, key } = admin()
  await (await follow(mock))()
  const { headers = {}, body = workflow() } = variation(key) as { headers?: Record<string, string>; body?: object }
  await call('POST', '/api/v1/workflows', body, headers)
  const shown = JSON.stringify((await steer('GET', '/requests/1')).json)
  expect(shown).toContain('/api/v1/workflows')
  expect(shown).not.toContain(key)
  expect(shown).not.toContain(btoa(key).replaceAll('=', ''))
})

test('a request that is shown has no signature', async () => {
  const { mock, stored, steer } = admin()
  await (await follow(mock))()
  const { upload_url } = await stored()
  const [, signature = ''] = upload_url.match(/X-Amz-Signature=(\w+)/) ?? []
  for (const id of [1, 2]) expect(JSON.stringify((await steer('GET', `/requests/${id}`)).json)).not.toContain(signature)
  expect((await steer('GET', '/requests/1')).json.answer_body.text).toContain('X-Amz-Signature=***1***')
  expect((await steer('GET', '/requests/2')).json.request_body.text).toBe('256 bytes of application/pdf')
})

test('a refused request names its reason, and the requirements of the wrong fields', async () => {
  const { call, steer } = admin()
  await call('POST', '/api/v1/workflows', { ...workflow(), name: 'x'.repeat(101) })
  const { request, requirements, gaps } = (await steer('GET', '/requests/1')).json
  expect(request).toMatchObject({ status: 400, code: 'invalid-request', operation_id: 'createWorkflow' })
  expect(request.detail).toMatch(/^The body breaks 1 rule\..+ Fields: \/name\.$/)
  expect(requirements).toEqual(['workflow.name', 'workflow.name-at-most-100'])
  expect(gaps).toContain('gap.invalid-request-status')
})

test('a refused request names the first fields that are wrong, each once', async () => {
  const { call, steer } = admin()
  const steps = [...'abcde'].map((name) => ({ name, order: 0 }))
  await call('POST', '/api/v1/workflows', { steps })
  const { detail } = (await steer('GET', '/requests/1')).json.request
  expect(detail).toMatch(/ Fields: (\/[\w/]+, ){2}\/[\w/]+ and \d+ more\.$/)
})

test('a refused upload names its reason as well', async () => {
  const { requested, put, steer } = admin()
  const upload = await requested()
  await put(upload.upload_url, 'too short', upload.headers)
  const { request } = (await steer('GET', '/requests/2')).json
  expect(request).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch', operation_id: 'putObject' })
})

test('with a profile, a request shows its body as the contract writes it as well', async () => {
  const like = { version: 1, answers: { createWorkflow: { status: 201, body: { ref: { $: '/answer/workflow_id' } } } } }
  const { mock, steer, key } = admin({ like })
  await mock.ready
  await (await follow(mock))()
  await clientOf(mock, key).created()
  const { contract_body, answer_body } = (await steer('GET', '/requests/1')).json
  expect(contract_body).toMatchObject({ workflow_id: expect.stringMatching(/^wf_/) })
  expect(JSON.parse(answer_body.text)).toEqual({ ref: contract_body.workflow_id })
})

test('the whole documented flow can be sent for a tenant', async () => {
  const { mock, steer, world } = admin()
  const send = async (operation_id: string, params?: Record<string, string>, body?: unknown) =>
    (await steer('POST', `/calls?tenant_id=${world.tenantId}`, { operation_id, params, body })).json
  const write = async (session: string, body: string) => {
    const address = `http://localhost/__admin/uploads/${session}/content?tenant_id=${world.tenantId}`
    return (await mock.fetch(address, { method: 'PUT', body })).json()
  }
  const { workflow_id } = (await send('createWorkflow', undefined, workflow())).body
  const file = { file_name: 'a b+ü.txt', content_type: 'text/plain', file_size: 5 }
  const { session_id, key } = (await send('requestUpload', undefined, file)).body
  expect(await write(session_id, 'Hello')).toMatchObject({ status: 200, body: null })
  const confirmation = { session_id, completed_files: [{ key, file_name: file.file_name }] }
  const { document_id } = (await send('confirmUpload', undefined, confirmation)).body
  const execution = { document_id, submitter_email: 'sam@example.com' }
  expect((await send('executeWorkflow', { workflow_id }, execution)).status).toBe(202)
  expect((await send('getWorkflow', { workflow_id })).body.execution_metrics.running).toBe(1)
  const { requests } = (await steer('GET', `/requests?tenant_id=${world.tenantId}`)).json
  expect(requests.map(({ status }: { status: number }) => status)).toEqual([201, 200, 200, 200, 202, 200])
})

test.each([
  ['without its workflow', { operation_id: 'getWorkflow' }, 'invalid-parameter'],
  ['of storage', { operation_id: 'putObject', params: { session_id: 'x' } }, 'invalid-request'],
  ['of the admin API', { operation_id: 'resetWorlds' }, 'invalid-request'],
])('a call %s cannot be sent', async (_, call, code) => {
  const { steer, world } = admin()
  expect((await steer('POST', `/calls?tenant_id=${world.tenantId}`, call)).json.code).toBe(code)
})

test('a file is sent to a session as a client would, and refused as storage would', async () => {
  const { mock, steer, world, requested } = admin()
  const { session_id } = await requested('a.txt', 5, 'text/plain')
  const write = async (session: string, body: string) => {
    const address = `http://localhost/__admin/uploads/${session}/content?tenant_id=${world.tenantId}`
    return (await mock.fetch(address, { method: 'PUT', body })).json()
  }
  expect((await write('none', 'Hello')).code).toBe('session-not-found')
  expect(await write(session_id, 'too long')).toMatchObject({ status: 403, body: expect.stringContaining('<Error>') })
  expect((await write(session_id, 'Hello')).status).toBe(200)
  const { uploads } = (await steer('GET', `/uploads?tenant_id=${world.tenantId}`)).json
  expect(uploads).toMatchObject([{ state: 'stored', file_size: 5 }])
})

test('with a profile, a call that is sent shows the answer of the contract too', async () => {
  const like = { version: 1, answers: { createWorkflow: { status: 201, body: { ref: { $: '/answer/workflow_id' } } } } }
  const { mock, steer, world } = admin({ like })
  await mock.ready
  const call = { operation_id: 'createWorkflow', body: workflow() }
  const { json } = await steer('POST', `/calls?tenant_id=${world.tenantId}`, call)
  expect(json.contract_body.workflow_id).toMatch(/^wf_/)
  expect(JSON.parse(json.body)).toEqual({ ref: json.contract_body.workflow_id })
})

test('a call that is sent cannot leave the path of its operation', async () => {
  const { steer, world } = admin()
  const call = { operation_id: 'getWorkflow', params: { workflow_id: '../../../__admin/tenants' } }
  const { json } = await steer('POST', `/calls?tenant_id=${world.tenantId}`, call)
  expect(json).toMatchObject({ status: 404, body: { code: 'workflow-not-found' } })
})

test('no client can act for a tenant without its key', async () => {
  const { mock, world } = admin()
  const headers = { actsFor: world.tenantId, 'X-Acts-For': world.tenantId }
  const { status } = await mock.fetch(`${origin}/api/v1/workflows/wf?tenant_id=${world.tenantId}`, { headers })
  expect(status).toBe(401)
})
