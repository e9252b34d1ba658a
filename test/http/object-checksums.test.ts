/** Checksums of a stored file: CRC-32 in answers, SHA-256 only if two files must not be confused. */

import { createHash } from 'node:crypto'
import { crc32 as ofNode } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32 } from '../../src/checksums/crc.ts'
import { createMock } from '../../src/index.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { admin } from '../support/admin.ts'
import { createKeptMock, journalPath } from '../support/kept.ts'
import { clientOf, freshKey } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** Two texts with the same length and the same CRC-32. */
const twins = ['plumless', 'buckeroo'].map(bytesOf) as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>]

test('the portable CRC-32 is that of Node, whole and in parts', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (one, other) => {
      expect(crc32(other, crc32(one))).toBe(ofNode(Buffer.concat([one, other])))
    }),
    { examples: Array.from({ length: 256 }, (_, byte) => [Uint8Array.of(byte), new Uint8Array()]), numRuns: 356 },
  )
  expect(crc32(twins[0])).toBe(crc32(twins[1]))
})

test('a journal keeps two files apart that have the same CRC-32', async () => {
  const path = journalPath()
  const first = createKeptMock(path)
  const sessions = [await first.upload(twins[0]), await first.upload(twins[1])]
  first.stop()
  const { world } = createKeptMock(path)
  expect(sessions.map(({ key }) => storedBytes(world, key))).toEqual(twins)
})

test('an earlier state and a branch do not show another file with the same CRC-32', async () => {
  const { mock, steer, steerOwn, id, key, requested, store } = admin()
  const upload = await requested('a.pdf', twins[0].byteLength)
  await store(upload, twins[0])
  const asOf = mock.journal.read(key).length
  await store(upload, twins[1])
  const kept = async (tenantId: string, query = '') =>
    (await steer('GET', `/uploads?tenant_id=${tenantId}${query}`)).json.uploads[0].is_kept
  const { tenant_id } = (await steerOwn('POST', '/tenants/branch', { as_of: asOf, key: freshKey() })).json
  expect([await kept(id), await kept(id, `&as_of=${asOf}`), await kept(tenant_id)]).toEqual([true, false, false])
})

test('a tenant file names contents by their SHA-256, and its CRC-32 must be right', async () => {
  const { mock, key, stored, pdf } = admin()
  await stored()
  const file = await mock.exportTenant(key)
  expect(Object.keys(file.objects)).toEqual([sha256Of(pdf)])
  const other = createMock()
  await other.importTenant(file, key)
  expect((await other.exportTenant(key)).objects).toEqual(file.objects)
  const wrong = JSON.parse(JSON.stringify(file).replaceAll(/"crc32":"[\da-f]{8}"/g, '"crc32":"00000000"'))
  await expect(other.importTenant(wrong, freshKey())).rejects.toThrow('must have the CRC-32 of its upload')
})

const json = { 'content-type': 'application/json' }

test.each<[string, NonNullable<Profile['answers']>]>([
  ['ETag', { putObject: { status: 200, headers: { etag: { $: '/object/sha256' } } } }],
  ['confirmation', { confirmUpload: { status: 200, headers: json, body: { sum: { $: '/answer/sha256' } } } }],
])('a deployment whose %s shows a SHA-256 is still answered like that', async (_, answers) => {
  const { requested, store, confirm } = clientOf(createMock({ like: { version: 1, answers } }))
  const upload = await requested('a.pdf', 8)
  const stored = await store(upload, twins[0])
  const { sum } = (await confirm(upload)).json
  expect([stored.headers.get('ETag'), sum]).toContain(sha256Of(twins[0]))
})
