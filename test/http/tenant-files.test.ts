import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Step, WorkflowDefinition } from '../../src/domain/approval/workflow.ts'
import { createMock, type TenantFile } from '../../src/index.ts'
import { admin } from '../support/admin.ts'
import { cases } from '../support/sample.ts'
import { clientOf, freshKey } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'
import { play, show, stories } from '../support/tenant-story.ts'

/** Returns a file as text, with another tenant in the storage keys. */
const withTenant = (file: TenantFile, tenantId: string) =>
  JSON.stringify(file).replaceAll(/tenants\/[\da-f]{32}\//g, `tenants/${tenantId}/`)

/** Exports a tenant with an execution, after the approval of these steps. */
async function fileAfter(...steps: string[]): Promise<TenantFile> {
  const { mock, key, executed, decide } = admin()
  const { execution_id } = await executed()
  for (const step of steps) decide(execution_id, step)
  return mock.exportTenant(key)
}

test('an imported tenant answers every read as the exported one does', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const { mock, key, id, steer } = await play(story)
      const file = await mock.exportTenant(key)
      const other = admin()
      await other.mock.importTenant(file, key)
      expect(await show(other.steer, id)).toEqual(await show(steer, id))
      expect(other.mock.journal.read(key)).toEqual(mock.journal.read(key))
      expect(await other.mock.exportTenant(key)).toEqual(file)
      const [mine, theirs] = [clientOf(mock, key), clientOf(other.mock, key)]
      for (const { workflow_id } of (await theirs.get('/__admin/workflows')).json.workflows) {
        const { status, json } = await mine.details(workflow_id)
        expect(await theirs.details(workflow_id)).toMatchObject({ status, json })
      }
    }),
    { numRuns: cases(50, 4) },
  )
})

test('an imported tenant goes on as the exported one would', async () => {
  const { mock, executed, key, stored, requested, pdf } = admin()
  const { execution_id: executionId } = await executed()
  const { session_id } = await stored('second.pdf')
  await requested('third.pdf')
  const file = await mock.exportTenant(key)
  const other = admin()
  await other.mock.importTenant(file, other.key)
  const world = other.mock.tenants.ofKey(other.key)
  expect(world.sizes).toEqual(mock.tenants.ofKey(key).sizes)
  for (const stepId of ['legal', 'finance']) other.decide(executionId, stepId)
  expect(world.execution(executionId).status).toBe('approved')
  const { uploads } = await other.read('/uploads')
  const mine = uploads.find((upload: { session_id: string }) => upload.session_id === session_id)
  expect(mine.key).toContain(other.id)
  expect((await other.confirm(mine)).json).toMatchObject({ file_name: 'second.pdf', key: mine.key })
  expect(storedBytes(world, mine.key)).toEqual(pdf)
  // New identifiers must differ from those in the file.
  expect(JSON.stringify(file)).not.toContain((await other.created()).workflow_id)
})

test('a branch equals the tenant as it was, and leaves the tenant as it is', async () => {
  await fc.assert(
    fc.asyncProperty(stories, fc.nat(), async (story, which) => {
      const { mock, moments, steer, id, key } = await play(story)
      const moment = moments[which % Math.max(moments.length, 1)]
      if (!moment) return
      const before = mock.journal.read(key)
      const body = { as_of: moment.events, key: freshKey() }
      const { status, json } = await steer('POST', `/tenants/branch?tenant_id=${id}`, body)
      expect([status, json.last_event]).toEqual([201, moment.events])
      const shown = await show(steer, json.tenant_id)
      expect(JSON.stringify(shown).replaceAll(json.tenant_id, id)).toEqual(JSON.stringify(moment.shown))
      expect(json.now).toBe(before[moment.events - 1]?.at)
      expect(mock.journal.read(key)).toEqual(before)
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

test('neither the key nor the signing secret is in the file', async () => {
  const { mock, key, executed } = admin({ seed: 'a-secret-seed' })
  await executed()
  const text = JSON.stringify(await mock.exportTenant(key))
  for (const secret of [key, 'a-secret-seed', mock.tenants.ofKey(key).secret]) expect(text).not.toContain(secret)
})

/** Changes one value somewhere in a file: to another type, another number, another text, or nothing. */
function damage(value: unknown, path: readonly number[], to: unknown): unknown {
  const [first, ...rest] = path
  if (typeof value !== 'object' || value === null || first === undefined) return to
  const names = Object.keys(value)
  const name = names[first % Math.max(names.length, 1)]
  if (name === undefined) return to
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === name ? damage(item, rest, to) : item))
  return { ...value, [name]: damage((value as Record<string, unknown>)[name], rest, to) }
}

const wrong = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1e300, '', 'approved', 'x', {}, [], { __proto__: null, a: 1 }),
  fc.jsonValue(),
)

test('a damaged file is imported as it is or refused as a whole, with the place', async () => {
  const file = await fileAfter('legal', 'finance')
  const other = admin()
  const { memory } = other.mock.tenants
  const [size, used] = [other.mock.tenants.size, memory.used]
  let refused = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1000), { minLength: 1, maxLength: 7 }), wrong, async (path, to) => {
      const damaged = damage(file, path, to) as TenantFile
      const key = freshKey()
      const answer = await other.steer('POST', '/tenants/import', damaged, { Authorization: key })
      if (answer.status === 201) {
        const tenantId = other.mock.tenants.idOf(key)
        const again = await other.mock.exportTenant(key)
        expect(withTenant(again, tenantId)).toEqual(withTenant(damaged, tenantId))
        other.mock.reset(key)
      } else {
        refused += 1
        expect([answer.status, answer.json.code]).toEqual([400, 'invalid-request'])
        expect(answer.json.errors[0].pointer).toMatch(/^(|\/.*)$/)
      }
      expect([other.mock.tenants.size, memory.used]).toEqual([size, used])
    }),
    { numRuns: cases(1000, 50) },
  )
  expect(refused).toBeGreaterThan(0)
})

type Change = (file: { events: Record<string, unknown>[]; objects: Record<string, string> }) => unknown

/** Returns a change of the members of an event in a file. */
const eventWith =
  (index: number, change: object): Change =>
  ({ events }) =>
    Object.assign(events[index] ?? {}, change)

/** Returns a change of a member of the workflow in a file. */
const workflowWith = (change: (definition: WorkflowDefinition) => object): Change => {
  return ({ events: [created] }) => Object.assign(created?.definition ?? {}, change(created?.definition as never))
}
const stepsWith = (change: Partial<Step>) =>
  workflowWith(({ steps }) => ({ steps: steps.map((step) => ({ ...step, ...change })) }))

test.each<[string, Change, string]>([
  ['leaves an event out', ({ events }) => events.splice(2, 1), '/events/2/seq'],
  ['repeats a workflow', ({ events }) => events.push({ ...events[0], seq: 9, at: events[7]?.at }), '/events/8'],
  ['decides as another approver', eventWith(6, { email: 'x@y.z' }), '/events/6'],
  ['goes back in time', eventWith(3, { at: 5 }), '/events/3/at'],
  ['has no steps', workflowWith(() => ({ steps: [] })), '/events/0'],
  ['has steps without approvers', stepsWith({ approvers: [] }), '/events/0'],
  ['repeats a step_id', stepsWith({ step_id: 'same' }), '/events/0'],
  ['has steps of order -1e300', stepsWith({ order: -1e300 }), '/events/0'],
  ['has a name of 5,000 characters', workflowWith(() => ({ name: 'x'.repeat(5000) })), '/events/0'],
  ['has a lone surrogate', workflowWith(() => ({ name: '\ud800' })), '/events/0'],
  [
    'has an unconfirmed document',
    ({ events }) => Object.assign(events[4]?.request ?? {}, { document_id: 'x' }),
    '/events/4',
  ],
  ['has a URL for ever', eventWith(1, { validSeconds: 9e15 }), '/events/1/valid'],
  ['has an unknown member', eventWith(1, { note: 'x' }), '/events/1'],
  ['has an unknown event', eventWith(1, { type: 'Other' }), '/events/1/type'],
  [
    'has other bytes',
    ({ objects }) => Object.assign(objects, { [Object.keys(objects)[0] ?? '']: 'AAAA' }),
    '/objects/',
  ],
  ['lacks a content', (file) => Object.assign(file, { objects: {} }), '/objects'],
  ['has a stray object', ({ objects }) => Object.assign(objects, { ['0'.repeat(64)]: 'AAAA' }), '/objects/0000'],
  ['is another format', (file) => Object.assign(file, { format: 'x' }), '/format'],
  ['is of a later version', (file) => Object.assign(file, { version: 2 }), '/version'],
  ['was exported too early', (file) => Object.assign(file, { exported_at: '2020-01-01T00:00:00Z' }), '/exported_at'],
])('a file that %s is refused', async (_, change, place) => {
  const file = structuredClone(await fileAfter('legal'))
  change(file as never)
  const { steerOwn, mock, key, world } = admin()
  const { status, json } = await steerOwn('POST', '/tenants/import', file)
  expect([status, json.errors?.[0]?.pointer.startsWith(place)]).toEqual([400, true])
  await expect(mock.importTenant(file, key)).rejects.toThrow(RangeError)
  expect(world.journal.length).toBe(0)
})

/** Returns a JSON value whose objects have their members in reverse order, but for what a client has sent. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, /^(definition|request|stages)$/.test(name) ? member : reversed(member)])
      .reverse(),
  )
}

test('an import writes members in the order of the mock, whatever that of the file', async () => {
  const key = freshKey()
  const file = await fileAfter()
  const other = createMock({ clockSpeed: 0 })
  await other.importTenant(reversed(file) as TenantFile, key)
  const tenantId = other.tenants.idOf(key)
  expect(withTenant(await other.exportTenant(key), tenantId)).toBe(withTenant(file, tenantId))
})

test('an import ends when the memory is full, and frees what it took', async () => {
  const { mock, key, executed } = admin()
  for (let index = 0; index < 5; index += 1) await executed()
  const file = await mock.exportTenant(key)
  const small = createMock({ maxMemoryBytes: 20_000 })
  await expect(small.importTenant(file, 'test_small')).rejects.toMatchObject({ code: 'memory-full' })
  expect([small.tenants.size, small.tenants.memory.used]).toEqual([0, 0])
})

test('a tenant with events is not replaced, and an empty one keeps its settings', async () => {
  const { mock, key, created } = admin()
  await created()
  const file = await mock.exportTenant(key)
  await expect(mock.importTenant(file, key)).rejects.toMatchObject({ code: 'tenant-not-empty' })
  const empty = freshKey()
  mock.setSettings({ approvers: 'instant' }, empty)
  await mock.importTenant(file, empty)
  expect(mock.tenants.ofKey(empty).settings.approvers).toBe('instant')
})

test('an object is kept only as far as the limit of stored bytes allows', async () => {
  const { mock, key, stored } = admin()
  await stored()
  const file = await mock.exportTenant(key)
  const other = createMock({ maxStoredBytes: 10 })
  await other.importTenant(file, key)
  const world = other.tenants.ofKey(key)
  const [upload] = world.uploads()
  expect([upload?.status, storedBytes(world, upload?.key ?? '')]).toEqual(['stored', undefined])
})
