import { expect, test } from 'vitest'
import { Random } from '../../src/world/random.ts'

test('the same seed gives the same draws, another seed others', () => {
  const draws = (seed: string) => {
    const random = new Random(seed)
    return [random.id('wf'), random.uuid(), random.draw()]
  }
  expect(draws('a')).toEqual(draws('a'))
  expect(draws('a')).not.toEqual(draws('b'))
})

test('identifiers are of the documented shape and differ', () => {
  const random = new Random('shape')
  const ids = Array.from({ length: 1000 }, () => random.id('wf'))
  const uuids = Array.from({ length: 1000 }, () => random.uuid())
  for (const id of ids) expect(id).toMatch(/^wf_[0-9a-z]{16}$/)
  for (const uuid of uuids)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set([...ids, ...uuids]).size).toBe(2000)
})

test('draws are spread evenly, and normal draws have mean 0 and deviation 1', () => {
  const random = new Random('spread')
  const draws = Array.from({ length: 20_000 }, () => random.draw())
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  expect(Math.min(...draws)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...draws)).toBeLessThan(1)
  expect(mean(draws)).toBeCloseTo(0.5, 1)
  const normals = Array.from({ length: 20_000 }, () => random.normal())
  expect(mean(normals)).toBeCloseTo(0, 1)
  expect(mean(normals.map((value) => value ** 2))).toBeCloseTo(1, 1)
})
