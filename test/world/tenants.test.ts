import { expect, test } from 'vitest'
import { type Archive, noArchive } from '../../src/world/archive.ts'
import type { RecordedEvent } from '../../src/world/events.ts'
import { Tenants } from '../../src/world/tenants.ts'

const options = { seed: 'tenants', clockSpeed: 0 }

test('two keys whose digests begin with the same 48 bits have a world each', () => {
  const tenants = new Tenants(options)
  const [one, other] = ['test_61ghh', 'test_7vm03'].map((key) => tenants.ofKey(key))
  expect(one).not.toBe(other)
  expect(one?.tenantId.slice(0, 12)).toBe(other?.tenantId.slice(0, 12))
  expect(one?.tenantId).toMatch(/^[0-9a-f]{32}$/)
})

test('a key finds its world in a journal that knows it by 48 bits', () => {
  const earlier = new Tenants(options).idOf('test_before').slice(0, 12)
  const key = `tenants/${earlier}/uploads/1/a.pdf`
  const terms = { sessionId: 'session', key, fileName: 'a.pdf', contentType: 'application/pdf', fileSize: 1 }
  const requested: RecordedEvent = { seq: 1, at: 0, type: 'UploadRequested', ...terms }
  const archive: Archive = {
    ...noArchive,
    replay: (take) => take({ tenantId: earlier, record: requested, later: 0 }),
  }
  const world = new Tenants({ ...options, archive }).ofKey('test_before')
  expect(world.uploadByKey(key)).toMatchObject(terms)
})
