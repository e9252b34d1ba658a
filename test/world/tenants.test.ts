import { expect, test } from 'vitest'
import { Tenants } from '../../src/world/tenants.ts'

const options = { seed: 'tenants', clockSpeed: 0 }

test('two keys whose digests begin with the same 48 bits have a world each', () => {
  const tenants = new Tenants(options)
  const [one, other] = ['test_61ghh', 'test_7vm03'].map((key) => tenants.ofKey(key))
  expect(one).not.toBe(other)
  expect(one?.tenantId.slice(0, 12)).toBe(other?.tenantId.slice(0, 12))
  expect(one?.tenantId).toMatch(/^[0-9a-f]{32}$/)
})
