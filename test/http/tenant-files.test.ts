import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMock, type TenantFile } from '../../src/index.ts'
import { openJournal } from '../../src/node/journal/journal-file.ts'
import { admin } from '../support/admin.ts'
import { journalPath } from '../support/kept.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { cases, draws } from '../support/sample.ts'
import { clientOf, freshKey } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'
import { play, playOn, show, stories } from '../support/tenant-story.ts'

/** Returns a file as text, with another tenant in the storage keys. */
const withTenant = (file: TenantFile, tenantId: string) =>
  JSON.stringify(file).replaceAll(/tenants\/[\da-f]{32}\//g, `tenants/${tenantId}/`)

/** Exports a tenant with an execution, after these decisions. */
async function fileAfter(...decisions: [step: string, decision?: 'rejected'][]): Promise<TenantFile> {
  const { mock, key, executed, stored, decide } = admin()
  const { execution_id } = await executed()
  for (const decision of decisions) decide(execution_id, ...decision)
  if (decisions.length > 1) await stored('second.pdf')
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
  const { mock, executed, key, stored, requested, pdf, world } = admin()
  const { execution_id: executionId } = await executed()
  const { session_id } = await stored('second.pdf')
  await requested('third.pdf')
  const file = await mock.exportTenant(key)
  const other = admin()
  await other.mock.importTenant(file, other.key)
  const theirs = other.mock.tenants.ofKey(other.key)
  expect(theirs.sizes).toEqual(world.sizes)
  for (const stepId of ['legal', 'finance']) other.decide(executionId, stepId)
  expect(theirs.execution(executionId).status).toBe('approved')
  const { uploads } = await other.read('/uploads')
  const mine = uploads.find((upload: { session_id: string }) => upload.session_id === session_id)
  expect(mine.key).toContain(other.id)
  expect((await other.confirm(mine)).json).toMatchObject({ file_name: 'second.pdf', key: mine.key })
  expect(storedBytes(theirs, mine.key)).toEqual(pdf)
  // New identifiers must differ from those in the file.
  expect(JSON.stringify(file)).not.toContain((await other.created()).workflow_id)
})

test('neither the key nor the signing secret is in the file', async () => {
  const { mock, key, executed, world } = admin({ seed: 'a-secret-seed' })
  await executed()
  const text = JSON.stringify(await mock.exportTenant(key))
  for (const secret of [key, 'a-secret-seed', world.secret]) expect(text).not.toContain(secret)
})

type Members = Record<string, unknown>

/** Returns all members of objects and lists in a JSON value. */
function placesIn(value: unknown): [holder: Members, name: string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [[value as Members, name], ...placesIn(member)])
}

const wrong = [
  ...[0, -1, 1, 0.5, 1e300, -1e300, Number.MAX_SAFE_INTEGER, Date.UTC(9998, 0), true, false, null, {}],
  ...['', 'same', '\ud800', 'x'.repeat(5000), 'low', 'high', 'approved', 'rejected'],
]

/** Returns another value, often of the same type, which rules may overlook more easily than another type. */
function another(old: unknown, draw: number): unknown {
  if (Array.isArray(old)) return [[], [...old, ...old], old.toReversed(), old.slice(1)][draw % 4]
  if (draw % 3 === 0 && typeof old === 'number') return old + draw - 500
  if (draw % 3 === 0 && typeof old === 'string') return `${old}${draw}`
  const alike = wrong.filter((value) => draw % 9 === 1 || typeof value === typeof old)
  return alike[draw % alike.length]
}

/** A change of one member. Its name is drawn first, so that rare members are changed as often as others. */
const mutation = fc
  .tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000))
  .map(([nameAt, placeAt, draw]) => (file: unknown) => {
    const places = placesIn(file)
    const names = [...new Set(places.map(([, name]) => name))]
    const named = places.filter(([, name]) => name === names[nameAt % names.length])
    const [holder, name] = named[placeAt % named.length] as (typeof places)[number]
    holder[name] = another(holder[name], draw)
  })

test('a changed file is refused as a whole, with the place, or no later call fails', async () => {
  const files = await Promise.all([fileAfter(), fileAfter(['legal']), fileAfter(['legal'], ['finance', 'rejected'])])
  const { mock, steer } = admin()
  const { memory } = mock.tenants
  const [size, used] = [mock.tenants.size, memory.used]
  const counts = { refused: 0, imported: 0 }
  const goesOn = fc.option(fc.tuple(stories, stories), { freq: 1 })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(mutation, { maxLength: 2 }),
      goesOn,
      async (whole, changes, parts) => {
        const file = structuredClone(whole)
        for (const change of changes) change(file)
        const key = freshKey()
        const answer = await steer('POST', '/tenants/import', file, { Authorization: key })
        if (answer.status === 201) {
          const tenantId = mock.tenants.idOf(key)
          expect(withTenant(await mock.exportTenant(key), tenantId)).toEqual(withTenant(file, tenantId))
          mock.reset(key)
          counts.imported += 1
          if (parts) await goOn(file, parts)
        } else {
          counts.refused += 1
          expect([answer.status, answer.json.code]).toEqual([400, 'invalid-request'])
          expect(answer.json.errors[0].pointer).toMatch(/^(|\/.*)$/)
        }
        expect([mock.tenants.size, memory.used]).toEqual([size, used])
      },
    ),
    { numRuns: cases(draws(1000), 20) },
  )
  expect(Math.min(counts.imported, counts.refused)).toBeGreaterThan(0)
})

type Story = Parameters<typeof playOn>[1]

/** Imports a file into a mock with a journal, and makes calls before and after its restart, as after a kill. */
async function goOn(file: TenantFile, parts: readonly Story[]): Promise<void> {
  const [path, key] = [journalPath(), freshKey()]
  let archive = openJournal(path)
  const start = () => {
    archive.close()
    archive = openJournal(path)
    return admin({ archive, onWarning: (message: string) => expect.fail(message) }, key)
  }
  await start().mock.importTenant(file, key)
  for (const story of parts) await playOn(start(), story)
  const { json } = await start().steerOwn('GET', '/tenants/export')
  expect((await admin().steerOwn('POST', '/tenants/import', json)).status).toBe(201)
  archive.close()
}

/** Sets a member of a file, which a JSON Pointer names. */
function set(file: unknown, pointer: string, value: unknown): void {
  const names = pointer.slice(1).split('/')
  const last = names.pop() ?? ''
  Object.assign(names.reduce<unknown>((at, name) => Reflect.get(at as object, name), file) as object, { [last]: value })
}

const step = '/events/0/definition/steps/1'

test.each<[string, pointer: string, value: unknown, place?: string]>([
  ['leaves an event out', '/events/2/seq', 4],
  ['decides as another approver', '/events/6/email', 'x@y.z', '/events/6'],
  ['goes back in time', '/events/3/at', 5],
  ['has no steps', '/events/0/definition/steps', [], '/events/0'],
  ['has a step without approvers', `${step}/approvers`, [], '/events/0'],
  ['repeats a step_id', `${step}/step_id`, 'legal', '/events/0'],
  ['has a step of order -1e300', `${step}/order`, -1e300, '/events/0'],
  ['has a name of 5,000 characters', '/events/0/definition/name', 'x'.repeat(5000), '/events/0'],
  ['has a lone surrogate', '/events/0/definition/name', '\ud800', '/events/0'],
  ['has an unconfirmed document', '/events/4/request/document_id', 'x', '/events/4'],
  ['has a URL for ever', '/events/1/validSeconds', 9e15, '/events/1/valid'],
  ['has an unknown member', '/events/1/note', 'x', '/events/1'],
  ['has an unknown event', '/events/1/type', 'Other'],
  ['lacks a content', '/objects', {}],
  ['has a stray object', `/objects/${'0'.repeat(64)}`, 'AAAA', '/objects/0000'],
  ['is another format', '/format', 'x'],
  ['is of a later version', '/version', 2],
  ['was exported too early', '/exported_at', '2020-01-01T00:00:00Z'],
])('a file that %s is refused', async (_, pointer, value, place = pointer) => {
  const file = structuredClone(await fileAfter(['legal']))
  set(file, pointer, value)
  const { steerOwn, mock, key, world } = admin()
  const { json } = await mustAnswer(steerOwn('POST', '/tenants/import', file), 400)
  expect(json.errors[0].pointer.startsWith(place)).toBe(true)
  await expect(mock.importTenant(file, key)).rejects.toThrow(RangeError)
  expect(world.journal.length).toBe(0)
})

test('a file with other bytes, or a workflow twice, is refused', async () => {
  const { steerOwn } = admin()
  const { events, objects, ...file } = JSON.parse(JSON.stringify(await fileAfter(['legal'])))
  const changed = Object.fromEntries(Object.keys(objects).map((digest) => [digest, 'AAAA']))
  const again = { ...events[0], seq: 9, at: events[7].at }
  for (const [wrong, place] of [
    [{ ...file, events, objects: changed }, '/objects/'],
    [{ ...file, events: [...events, again], objects }, '/events/8'],
  ] as const) {
    const { json } = await mustAnswer(steerOwn('POST', '/tenants/import', wrong), 400)
    expect(json.errors[0].pointer.startsWith(place)).toBe(true)
  }
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
  const { tenants, importTenant } = createMock({ maxMemoryBytes: 20_000 })
  const importing = importTenant(await mock.exportTenant(key), 'test_small')
  await expect(importing).rejects.toMatchObject({ code: 'memory-full' })
  expect([tenants.size, tenants.memory.used]).toEqual([0, 0])
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
  const { key: path } = await stored()
  const { tenants, importTenant } = createMock({ maxStoredBytes: 10 })
  await importTenant(await mock.exportTenant(key), key)
  const world = tenants.ofKey(key)
  expect([world.uploadByKey(path)?.status, storedBytes(world, path)]).toEqual(['stored', undefined])
})
