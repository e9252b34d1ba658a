import { expect, test } from 'vitest'
import { admin, follow } from '../support/admin.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { clientOf, freshKey, origin, workflow } from '../support/service.ts'

/** Creates a mock whose tenant is followed, so that bodies are kept. `next` waits for its next message. */
async function followed(options = {}) {
  const mine = admin(options)
  const next = await follow(mine.mock, mine.id)
  await next()
  return { ...mine, next, request: (id: number) => mine.read(`/requests/${id}`) }
}

test('a tenant is selected by its identifier in place of its key, also after a reset', async () => {
  const { steer, read, id, created } = admin()
  await created()
  const journal = async (headers = {}) => steer('GET', `/journal?tenant_id=${id}`, undefined, headers)
  const { events } = await read('/journal')
  expect([events.length, (await journal()).json.events]).toEqual([1, events])
  await mustAnswer(journal({ Authorization: freshKey() }), 400, 'invalid-parameter')
  await steer('POST', `/reset?tenant_id=${id}`)
  expect((await journal()).json.events).toEqual([])
})

test('tenants are listed with the latest used first, or one, without their keys', async () => {
  const { steer, read, created, id, key, details } = admin()
  const open = async (Authorization: string) => (await steer('POST', '/tenants', undefined, { Authorization })).json
  const list = async (query = '') => (await steer('GET', `/tenants${query}`)).json
  const opened = await open('test_of_the_front_end')
  expect(opened.name).toMatch(/^[0-9a-f]{6} …nt_end$/)
  await created()
  const first = { tenant_id: id, workflows: 1, executions: 0, first_event: 1, last_event: 1 }
  const { tenants } = await list()
  expect(tenants).toMatchObject([first, { tenant_id: opened.tenant_id }])
  expect(JSON.stringify(tenants)).not.toContain(key)
  const one = { total: 1, tenants: [first] }
  expect([await list(`?tenant_id=${id}`), await read('/tenants')]).toMatchObject([one, one])
  await details('wf', { Authorization: 'test_of_the_front_end' })
  expect(await list('?limit=1')).toMatchObject({ total: 2, tenants: [opened] })
  expect((await open('test_ab')).name).toMatch(/^[0-9a-f]{6} ….{3}$/)
})

test('the clock advances to the next decision, and not beyond', async () => {
  const { steerOwn, read, executed, world } = admin({ approvers: 'auto' })
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
})

test('a stream tells each event and request of its tenant once', async () => {
  const { mock, id, created } = admin()
  const next = await follow(mock, id)
  expect(await next()).toMatchObject({ events: [], requests: [], lost: 0, tenants: 1, clock: { speed: 0 } })
  await created()
  expect(await next()).toMatchObject({
    events: [{ seq: 1, type: 'WorkflowCreated', tenant_id: id }],
    requests: [{ operation_id: 'createWorkflow', status: 201, code: null }],
  })
  await clientOf(mock).created()
  expect(await next()).toMatchObject({ tenants: 2, events: [], requests: [] })
  await created()
  expect(await next()).toMatchObject({ events: [{ seq: 2 }], requests: [{}] })
})

test('a stream tells settings, waiting answers, the clock, a reset and its end', async () => {
  const { mock, world, key, next } = await followed()
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

test('pages of events are the whole journal', async () => {
  const { read, executed } = admin()
  await executed()
  await executed()
  const page = async (query = ''): Promise<{ type: string }[]> => (await read(`/journal?${query}`)).events
  const all = await page()
  const found: unknown[] = []
  for (let before = all.length + 1; before > 1; before -= 3) found.unshift(...(await page(`limit=3&before=${before}`)))
  expect(found).toEqual(all)
  const earlier = all.slice(0, -1).filter(({ type }) => type === 'StepAssigned')
  expect(await page(`type=StepAssigned&before=${all.length}`)).toEqual(earlier)
})

test('the bodies of the last 50 requests are kept, and of all while a stream is open', async () => {
  const { mock, read, created } = admin()
  const kept = async (id: number) => (await read(`/requests/${id}`)).request_body !== null
  const createMany = async () => {
    for (let count = 0; count < 51; count += 1) await created()
  }
  await createMany()
  expect([await kept(1), await kept(2), await kept(51)]).toEqual([false, true, true])
  const next = await follow(mock)
  await createMany()
  const { request_body, answer_body } = await read('/requests/2')
  expect(JSON.parse(request_body.text).name).toBe(workflow().name)
  expect(JSON.parse(answer_body.text).workflow_id).toMatch(/^wf_/)
  next.close()
  await created()
  expect([await kept(2), await kept(103)]).toEqual([false, true])
})

test('a long body is cut, and its whole size is told', async () => {
  const { create, request } = await followed()
  const approvers = Array.from({ length: 99 }, (_, index) => ({ email: `a${index}@example.com`, name: 'ü'.repeat(9) }))
  const [step] = workflow().steps
  const steps = Array.from({ length: 20 }, (_, at) => ({ ...step, step_id: `step_${at}`, order: at + 1, approvers }))
  const { text } = await create({ steps })
  const { request_body, answer_body } = await request(1)
  const size = Buffer.byteLength(JSON.stringify({ ...workflow(), steps }))
  expect(request_body).toMatchObject({ size, is_cut: true })
  expect(answer_body).toMatchObject({ size: Buffer.byteLength(text), is_cut: true })
  expect(request_body.text.length).toBeLessThanOrEqual(64 * 1024)
})

test('a request that is shown has no key and no signature', async () => {
  const { post, stored, steer, key } = await followed()
  await post('/api/v1/workflows', { ...workflow(), name: `${key} ${btoa(key)}` }, { 'X-Api-Key': key })
  await post('/api/v1/workflows', workflow(), { Authorization: `Bearer ${key}` })
  const [, signature = ''] = (await stored()).upload_url.match(/X-Amz-Signature=(\w+)/) ?? []
  const shown = JSON.stringify(
    await Promise.all([1, 2, 3, 4].map(async (id) => (await steer('GET', `/requests/${id}`)).json)),
  )
  for (const secret of [key, btoa(key).replaceAll('=', ''), signature]) expect(shown).not.toContain(secret)
  for (const text of ['X-Amz-Signature=***1***', '256 bytes of application/pdf']) expect(shown).toContain(text)
})

test('a refused request names its reason, and the first fields that are wrong', async () => {
  const { create, post, requested, store, read } = admin()
  await create({ name: 'x'.repeat(101) })
  const { request, requirements, gaps } = await read('/requests/1')
  expect(request).toMatchObject({ status: 400, code: 'invalid-request', operation_id: 'createWorkflow' })
  expect(request.detail).toMatch(/^The body breaks 1 rule\..+ Fields: \/name\.$/)
  expect(requirements).toEqual(['workflow.name', 'workflow.name-at-most-100'])
  expect(gaps).toContain('gap.invalid-request-status')
  await post('/api/v1/workflows', { steps: [...'abcde'].map((name) => ({ name, order: 0 })) })
  expect((await read('/requests/2')).request.detail).toMatch(/ Fields: (\/[\w/]+, ){2}\/[\w/]+ and \d+ more\.$/)
  await store(await requested(), 'too short')
  const refused = { status: 403, code: 'SignatureDoesNotMatch', operation_id: 'putObject' }
  expect((await read('/requests/4')).request).toMatchObject(refused)
})

const like = { version: 1, answers: { createWorkflow: { status: 201, body: { ref: { $: '/answer/workflow_id' } } } } }

test('with a profile, a call shows its answer as the contract writes it as well', async () => {
  const { mock, key, request, steerOwn } = await followed({ like })
  await mock.ready
  await clientOf(mock, key).created()
  const { contract_body, answer_body } = await request(1)
  const { json: sent } = await steerOwn('POST', '/calls', { operation_id: 'createWorkflow', body: workflow() })
  for (const [contract, answer] of [
    [contract_body, answer_body.text],
    [sent.contract_body, sent.body],
  ]) {
    expect(contract.workflow_id).toMatch(/^wf_/)
    expect(JSON.parse(answer)).toEqual({ ref: contract.workflow_id })
  }
})

test('the whole documented flow can be sent for a tenant, and is refused as usual', async () => {
  const { mock, id, steerOwn, confirmation, read } = admin()
  const send = async (operation_id: string, params?: Record<string, string>, body?: unknown) =>
    (await steerOwn('POST', '/calls', { operation_id, params, body })).json
  const write = async (session: string, body: string) => {
    const address = `http://localhost/__admin/uploads/${session}/content?tenant_id=${id}`
    return (await mock.fetch(address, { method: 'PUT', body })).json()
  }
  const { workflow_id } = (await send('createWorkflow', undefined, workflow())).body
  const file = { file_name: 'a b+ü.txt', content_type: 'text/plain', file_size: 5 }
  const upload = (await send('requestUpload', undefined, file)).body
  expect((await write('none', 'Hello')).code).toBe('session-not-found')
  const refused = { status: 403, body: expect.stringContaining('<Error>') }
  expect(await write(upload.session_id, 'too long')).toMatchObject(refused)
  expect(await write(upload.session_id, 'Hello')).toMatchObject({ status: 200, body: null })
  expect((await read('/uploads')).uploads).toMatchObject([{ state: 'stored', file_size: 5 }])
  const { document_id } = (await send('confirmUpload', undefined, confirmation(upload))).body
  const execution = { document_id, submitter_email: 'sam@example.com' }
  expect((await send('executeWorkflow', { workflow_id }, execution)).status).toBe(202)
  expect((await send('getWorkflow', { workflow_id })).body.execution_metrics.running).toBe(1)
  const leaving = await send('getWorkflow', { workflow_id: '../../../__admin/tenants' })
  expect(leaving).toMatchObject({ status: 404, body: { code: 'workflow-not-found' } })
  const { requests } = await read('/requests')
  const statuses = requests.map(({ status }: { status: number }) => status)
  expect(statuses).toEqual([201, 200, 403, 200, 200, 202, 200, 404])
})

test('no client can act for a tenant without its key', async () => {
  const { mock, id } = admin()
  const headers = { actsFor: id, 'X-Acts-For': id }
  const { status } = await mock.fetch(`${origin}/api/v1/workflows/wf?tenant_id=${id}`, { headers })
  expect(status).toBe(401)
})
