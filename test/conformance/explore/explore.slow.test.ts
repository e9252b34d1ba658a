import { expect, test } from 'vitest'
import { reference } from '../../../conformance/selftest/reference.ts'
import { singleChoices, variant } from '../../../conformance/selftest/variants/index.ts'
import { createMock } from '../../../src/index.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { exploreBeside } from './explore.ts'
import { plantedFaults, realisticFaults } from './planted.ts'

/** Those that need calls right after each other are found with few seeds only. */
const rarelyFound = 'create, read, request and put in a row: the put fails'
const oftenFound = Object.entries(plantedFaults).filter(([name]) => name !== rarelyFound)

test.each(nonEmpty(oftenFound))('found: %s', async (_, create) => {
  const found: number[] = []
  for (const seed of [1, 2, 3]) {
    const { found: difference } = await exploreBeside(create(), seed)
    if (difference) found.push(difference.session.length)
  }
  expect(found.length).toBeGreaterThanOrEqual(2)
})

test('most mistakes of real services are found with one seed', async () => {
  const found: string[] = []
  for (const [name, create] of nonEmpty(Object.entries(realisticFaults))) {
    const { found: difference } = await exploreBeside(create(), 1)
    if (difference && difference.session.length <= 5) found.push(name)
  }
  expect(found.length).toBeGreaterThanOrEqual(7)
})

test('two instances of one deployment do not differ', async () => {
  for (const choice of nonEmpty(singleChoices.filter((_, index) => index % 40 === 0))) {
    const [one, other] = [variant(choice)(reference), variant(choice)(reference)]
    const { found } = await exploreBeside(one, 5, other)
    expect([choice, found?.text]).toEqual([choice, undefined])
  }
})

test('a deployment in another shape does not differ from the reference', async () => {
  const other = variant({ 'workflow-id': 'location-only', envelope: 'result', 'error-status': 'invalid-422' })(
    reference,
  )
  const { found, answered, sent, notes } = await exploreBeside(other, 1)
  expect([found?.text, notes]).toEqual([undefined, ['B shows its identifiers at other places than the contract.']])
  expect(answered).toBeGreaterThan(150)
  expect(sent).toBeLessThanOrEqual(500)
})

test('what shows only sometimes is noise', async () => {
  const inner = reference()
  let calls = 0
  const { found, noise } = await exploreBeside(async (request) => {
    calls += 1
    return calls % 41 === 0 ? Response.json({ error: 'Not now.' }, { status: 409 }) : inner(request)
  }, 3)
  expect(found).toBeUndefined()
  expect(noise).toBeGreaterThan(0)
})

test('what depends on time and chance is no difference', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const [one, other] = [createMock({ seed: 'a' }).fetch, createMock({ seed: 'b' }).fetch]
    const { found, answered } = await exploreBeside(one, seed, other)
    expect([seed, found?.text]).toEqual([seed, undefined])
    expect(answered).toBeGreaterThan(150)
  }
})
