import fc from 'fast-check'
import { expect, test } from 'vitest'
import { admin } from '../support/admin.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { cases } from '../support/sample.ts'
import { workflow } from '../support/service.ts'
import { play, show, stories } from '../support/tenant-story.ts'

test('as_of shows a tenant as it was when it stopped there', async () => {
  await fc.assert(
    fc.asyncProperty(stories, fc.infiniteStream(fc.nat()), async (story, order) => {
      const { moments, steer, id } = await play(story)
      // In any order, since worlds that were built before are used again.
      const shuffled = moments.map((moment) => ({ moment, rank: order.next().value })).sort((a, b) => a.rank - b.rank)
      for (const { moment } of shuffled) expect(await show(steer, id, moment.events)).toEqual(moment.shown)
    }),
    { numRuns: cases(50, 4) },
  )
})

test('looking at the past has no effect on the present', async () => {
  const { mock, world, steer, id, executed, key } = await (async () => {
    const mine = admin({ approvers: 'auto' })
    return { ...mine, id: mine.mock.tenants.idOf(mine.key) }
  })()
  await executed()
  const events = world.journal.length
  for (let asOf = 0; asOf <= events; asOf += 1) await show(steer, id, asOf)
  expect(world.journal.length).toBe(events)
  mock.advance('P30D', key)
  expect(world.sizes.running).toBe(0)
})

test('the memory of earlier worlds is limited, and freed when the memory is full', async () => {
  const { mock, steer, key, created } = admin()
  for (let index = 0; index < 12; index += 1) await created()
  const id = mock.tenants.idOf(key)
  const { memory } = mock.tenants
  const before = memory.used
  const used: number[] = []
  for (let asOf = 12; asOf > 0; asOf -= 1) {
    await steer('GET', `/workflows?tenant_id=${id}&as_of=${asOf}`)
    used.push(memory.used - before)
  }
  expect(Math.max(...used)).toBe(used[3])
  const hog = 2 ** 30
  memory.take(hog)
  expect(() => memory.requireSpace()).toThrow()
  expect(memory.used).toBe(before + hog)
  const past = await steer('GET', `/workflows?tenant_id=${id}&as_of=3`)
  expect([past.status, past.json.total]).toEqual([200, 3])
})

test('an event that was dropped cannot be shown, and the answer says which are kept', async () => {
  const { mock, world, steer, key } = admin({ maxExecutions: 20 })
  for (let index = 0; index < 230; index += 1) {
    const { steps, ...rest } = workflow()
    const definition = { ...rest, isSequential: true, steps: [] }
    world.handle({ type: 'CreateWorkflow', workflowId: `wf_${index}`, definition })
  }
  const id = mock.tenants.idOf(key)
  const first = world.journal.firstSeq
  expect(first).toBeGreaterThan(1)
  for (const path of nonEmpty([`/workflows?as_of=229&tenant_id=${id}`, `/tenants/export?tenant_id=${id}`])) {
    const { status, json } = await steer('GET', path)
    expect([status, json.code]).toEqual([404, 'events-dropped'])
    expect(json.detail).toContain(`event ${first}`)
  }
  await expect(mock.exportTenant(key)).rejects.toThrow(RangeError)
})

test.each([
  ['as_of=-1', 'as_of is not'],
  ['as_of=9', 'as_of is 9, but the last event is 0'],
  ['before=x', 'before is not'],
  ['limit=0', 'limit is not'],
])('lists refuse %s', async (query, why) => {
  const { mock, steer, key } = admin()
  const { status, json } = await steer('GET', `/workflows?tenant_id=${mock.tenants.idOf(key)}&${query}`)
  expect([status, json.code]).toEqual([400, 'invalid-parameter'])
  expect(json.detail).toContain(why)
})

test('pages of any size have each entry once, the latest first', async () => {
  const { mock, steer, key, created } = admin()
  const id = mock.tenants.idOf(key)
  const names: string[] = []
  for (let index = 0; index < 11; index += 1) {
    names.unshift((await created()).workflow_id)
    if (index % 3 === 0) mock.advance(1000, key)
  }
  for (const limit of nonEmpty([1, 2, 5, 11, 12])) {
    const seen: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const before: string = next === '' ? '' : `&before=${encodeURIComponent(next)}`
      const { json } = await steer('GET', `/workflows?tenant_id=${id}&limit=${limit}${before}`)
      expect(json.total).toBe(11)
      seen.push(...json.workflows.map((one: { workflow_id: string }) => one.workflow_id))
      next = json.next
    }
    expect(seen).toEqual(names)
  }
})

test('executions are listed by workflow and by state', async () => {
  const { mock, steer, key, executed } = admin({ approvers: 'manual' })
  const [one, other] = [await executed(), await executed()]
  mock.decide({ execution_id: one.execution_id, step_id: 'legal', decision: 'rejected' }, key)
  const id = mock.tenants.idOf(key)
  const list = async (query: string) =>
    (await steer('GET', `/executions?tenant_id=${id}&${query}`)).json.executions.map(
      ({ execution_id }: { execution_id: string }) => execution_id,
    )
  expect(await list(`workflow_id=${one.workflow_id}`)).toEqual([one.execution_id])
  expect(await list('status=running')).toEqual([other.execution_id])
  expect(await list('workflow_id=none')).toEqual([])
  expect((await steer('GET', `/executions?tenant_id=${id}&status=lost`)).status).toBe(400)
})

test('the times of an execution say what its simulated approver does', async () => {
  const { mock, steer, key, world, executed } = admin({ approvers: 'auto' })
  const { execution_id: executionId } = await executed()
  const path = `/executions/${executionId}?tenant_id=${mock.tenants.idOf(key)}`
  const [legal] = (await steer('GET', path)).json.times
  expect(legal).toMatchObject({ step_id: 'legal', stage: 0, taken_up_at: new Date(world.clock.now()).toISOString() })
  mock.advance(Date.parse(legal.due_at) - world.clock.now() - 1, key)
  expect(world.execution(executionId).stages[0]?.[0]?.status).toBe('assigned')
  mock.advance(1, key)
  expect(world.execution(executionId).stages[0]?.[0]?.decidedAt).toBe(Date.parse(legal.due_at))
  const [decided] = (await steer('GET', path)).json.times
  expect(decided).toEqual({ ...legal, due_at: null })
})

test('an upload says what it needs next, until it has expired', async () => {
  const { mock, steer, key, requested, stored, confirm } = admin()
  const path = `/uploads?tenant_id=${mock.tenants.idOf(key)}`
  const latest = async () => (await steer('GET', path)).json.uploads[0]
  const { expires_at } = await requested()
  expect(await latest()).toMatchObject({ state: 'requested', expires_at, crc32: null, sha256: null, is_kept: false })
  mock.advance('PT15M', key)
  expect(await latest()).toMatchObject({ state: 'expired' })
  mock.setSpeed(3600, key)
  const fast = await requested()
  mock.setSpeed(0, key)
  expect(await latest()).toMatchObject({ expires_at: fast.expires_at })
  const upload = await stored()
  expect(await latest()).toMatchObject({ state: 'stored', is_kept: true, missing: expect.stringContaining('Confirm') })
  await confirm(upload)
  expect(await latest()).toMatchObject({ state: 'confirmed', missing: null })
})

test('an object is sent as an attachment that no browser displays', async () => {
  const { mock, key, stored, requested, pdf } = admin()
  const id = mock.tenants.idOf(key)
  const read = (sessionId: string) =>
    mock.fetch(
      new Request(`http://localhost/__admin/uploads/${sessionId}/content?tenant_id=${id}`, {
        headers: { Host: 'localhost' },
      }),
    )
  const hostile = '"><script>\r\n.html'
  const { session_id } = await stored(hostile.replace('\r\n', "'(*)ü"))
  const answer = await read(session_id)
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(pdf)
  expect(answer.headers.get('Content-Type')).toBe('application/octet-stream')
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(answer.headers.get('Content-Security-Policy')).toContain('sandbox')
  expect(answer.headers.get('Content-Disposition')).toBe(
    "attachment; filename*=UTF-8''%22%3E%3Cscript%3E%27%28%2A%29%C3%BC.html",
  )
  const missing = await read((await requested()).session_id)
  expect([missing.status, (await missing.json()).code]).toEqual([404, 'object-not-kept'])
  expect((await read('00000000-0000-4000-8000-000000000000')).status).toBe(404)
})
