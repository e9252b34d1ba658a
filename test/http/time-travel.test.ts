import fc from 'fast-check'
import { expect, test } from 'vitest'
import { admin } from '../support/admin.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { cases } from '../support/sample.ts'
import { clientOf, freshKey, workflow } from '../support/service.ts'
import { play, show, stories } from '../support/tenant-story.ts'

test('as_of, and a branch, show a tenant as it was when it stopped there', async () => {
  await fc.assert(
    fc.asyncProperty(stories, fc.infiniteStream(fc.nat()), async (story, order) => {
      const { mock, moments, steer, id, key } = await play(story)
      const journal = mock.journal.read(key)
      // In any order, since worlds that were built before are used again.
      const ranked = moments.map((moment) => ({ ...moment, rank: order.next().value }))
      for (const { events, shown } of ranked.sort((a, b) => a.rank - b.rank)) {
        expect(await show(steer, id, events)).toEqual(shown)
        const body = { as_of: events, key: freshKey() }
        const { json } = await mustAnswer(steer('POST', `/tenants/branch?tenant_id=${id}`, body), 201)
        expect(json).toMatchObject({ last_event: events, now: journal[events - 1]?.at })
        const branch = JSON.stringify(await show(steer, json.tenant_id)).replaceAll(json.tenant_id, id)
        expect(branch).toEqual(JSON.stringify(shown))
      }
      expect(mock.journal.read(key)).toEqual(journal)
    }),
    { numRuns: cases(50, 4) },
  )
})

test('a branch amid a decision has the whole decision', async () => {
  const { mock, steerOwn, decide, executed, key: own } = admin()
  const { execution_id: executionId } = await executed({ isSequential: false })
  const before = mock.journal.read(own).length
  decide(executionId, 'legal', 'rejected')
  expect(mock.journal.read(own).length).toBe(before + 3)
  const key = freshKey()
  const { json } = await steerOwn('POST', '/tenants/branch', { as_of: before + 1, key })
  expect(json.last_event).toBe(before + 3)
  expect(mock.tenants.ofKey(key).execution(executionId).status).toBe('rejected')
})

test('looking at the past has no effect on the present', async () => {
  const { mock, world, steer, id, executed, key } = admin({ approvers: 'auto' })
  await executed()
  const events = world.journal.length
  for (let asOf = 0; asOf <= events; asOf += 1) await show(steer, id, asOf)
  expect(world.journal.length).toBe(events)
  mock.advance('P30D', key)
  expect(world.sizes.running).toBe(0)
})

test('the memory of earlier worlds is limited, and freed when the memory is full', async () => {
  const { mock, steerOwn, created } = admin()
  for (let index = 0; index < 12; index += 1) await created()
  const { memory } = mock.tenants
  const before = memory.used
  const used: number[] = []
  for (let asOf = 12; asOf > 0; asOf -= 1) {
    await steerOwn('GET', `/workflows?as_of=${asOf}`)
    used.push(memory.used - before)
  }
  expect(Math.max(...used)).toBe(used[3])
  const hog = 2 ** 30
  memory.take(hog)
  expect(() => memory.requireSpace()).toThrow()
  expect(memory.used).toBe(before + hog)
  expect(await steerOwn('GET', '/workflows?as_of=3')).toMatchObject({ status: 200, json: { total: 3 } })
})

test('an event that was dropped cannot be shown, and the answer says which are kept', async () => {
  const { mock, world, steerOwn, key } = admin({ maxExecutions: 20 })
  const definition = { ...workflow(), isSequential: true, steps: [] }
  for (let index = 0; index < 230; index += 1)
    world.handle({ type: 'CreateWorkflow', workflowId: `wf_${index}`, definition })
  const first = world.journal.firstSeq
  expect(first).toBeGreaterThan(1)
  for (const path of ['/workflows?as_of=229', '/tenants/export']) {
    const { json } = await mustAnswer(steerOwn('GET', path), 404, 'events-dropped')
    expect(json.detail).toContain(`event ${first}`)
  }
  await expect(mock.exportTenant(key)).rejects.toThrow(RangeError)
})

test('executions are listed by workflow, by state and in pages', async () => {
  const { read, decide, executed } = admin()
  const [one, other, third] = [await executed(), await executed(), await executed()].map((each) => each.execution_id)
  const { workflow_id } = (await read(`/executions/${one}`)).execution
  decide(one, 'legal', 'rejected')
  const list = async (query: string) => {
    const { executions, next, total } = await read(`/executions?${query}`)
    return { ids: executions.map(({ execution_id }: { execution_id: string }) => execution_id), next, total }
  }
  expect((await list(`workflow_id=${workflow_id}`)).ids).toEqual([one])
  expect((await list('workflow_id=none')).ids).toEqual([])
  expect((await list('status=running')).ids).toEqual([third, other])
  const { next, ...first } = await list('limit=2')
  expect(first).toEqual({ ids: [third, other], total: 3 })
  expect(await list(`limit=2&before=${encodeURIComponent(next)}`)).toEqual({ ids: [one], next: null, total: 3 })
})

test('the times of an execution say what its simulated approver does', async () => {
  const { mock, read, key, world, executed } = admin({ approvers: 'auto' })
  const { execution_id: executionId } = await executed()
  const times = async () => (await read(`/executions/${executionId}`)).times[0]
  const legal = await times()
  expect(legal).toMatchObject({ step_id: 'legal', stage: 0, taken_up_at: new Date(world.clock.now()).toISOString() })
  const step = () => world.execution(executionId).stages[0]?.[0]
  mock.advance(Date.parse(legal.due_at) - world.clock.now() - 1, key)
  expect(step()?.status).toBe('assigned')
  mock.advance(1, key)
  expect(step()?.decidedAt).toBe(Date.parse(legal.due_at))
  expect(await times()).toEqual({ ...legal, due_at: null })
})

test('an upload says what it needs next, until it has expired', async () => {
  const { mock, read, key, requested, stored, confirm } = admin()
  const latest = async () => (await read('/uploads')).uploads[0]
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
  const { mock, mine, key, stored, requested, pdf } = admin()
  const { download } = clientOf(mock, key)
  const hostile = await stored(`"><script>'(*)ü.html`)
  const path = `http://localhost/__admin/uploads/${hostile.session_id}/content`
  const answer = await mock.fetch(path, { headers: mine })
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(pdf)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
    'content-disposition': "attachment; filename*=UTF-8''%22%3E%3Cscript%3E%27%28%2A%29%C3%BC.html",
  })
  await mustAnswer(download(await requested()), 404, 'object-not-kept')
  await mustAnswer(download({ ...hostile, session_id: '00000000-0000-4000-8000-000000000000' }), 404)
})
