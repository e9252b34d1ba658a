import { expect, test } from 'vitest'
import { createKeptMock, fill, journalPath, key, objectsOf } from '../support/kept.ts'

const branch = 'test_branch'

test.each(['stop', 'kill'])('an imported tenant outlives a %s: events, objects and time', async (end) => {
  const path = journalPath()
  const first = createKeptMock(path)
  await fill(first)
  const file = await first.mock.exportTenant(key)
  first.mock.advance('P30D')
  await first.mock.importTenant(file, branch)
  const before = await first.mock.exportTenant(branch)
  if (end === 'stop') first.stop()
  const second = createKeptMock(path)
  expect(await second.mock.exportTenant(branch)).toEqual(before)
  expect(Object.keys(before.objects)).toHaveLength(1)
  expect(second.mock.tenants.ofKey(branch).clock.now()).toBeLessThan(second.mock.tenants.clock.now())
})

test('a refused import leaves nothing in the journal or beside it', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  await fill(first)
  const { exported_at, ...file } = await first.mock.exportTenant(key)
  first.mock.reset()
  await expect(first.mock.importTenant({ ...file, exported_at: 'never' }, branch)).rejects.toThrow('/exported_at')
  first.stop()
  expect(objectsOf(path)).toEqual([])
  expect(createKeptMock(path).mock.journal.read()).toEqual([])
})
