import { expect, test } from 'vitest'
import { requirement, requirementIds } from '../../../conformance/catalogue/catalogue.ts'
import { mutants } from '../../../conformance/selftest/mutants/index.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { sampled } from '../../support/sample.ts'
import { transcript } from './transcript.ts'

const observable = requirementIds.filter((id) => {
  const { provenance, unobservable } = requirement(id)
  return provenance === 'documented' && unobservable === undefined
})

test('the identifiers of mutants are unique', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
})

test('a mutant kills documented checks, or names another source of its fact', () => {
  for (const { id, kills, mayKill, inherited } of nonEmpty(mutants)) {
    expect(kills.length > 0 !== (inherited !== undefined), id).toBe(true)
    expect(
      [...kills, ...mayKill].filter((requirementId) => !observable.includes(requirementId)),
      id,
    ).toEqual([])
    expect(
      mayKill.filter((requirementId) => kills.includes(requirementId)),
      id,
    ).toEqual([])
  }
})

test.each(nonEmpty(observable))('some mutant breaks %s', (id) => {
  expect(mutants.some(({ kills }) => kills.includes(id))).toBe(true)
})

test('the reference answers the same requests with the same answers', async () => {
  expect(await transcript(reference())).toBe(await transcript(reference()))
})

const sound = transcript(reference())

/** A mutant that changed no answer would turn no check red, so the gate finds it if it should kill one. */
const killNothing = mutants.filter(({ kills }) => kills.length === 0)

test.each(nonEmpty(sampled(killNothing).map((mutant) => [mutant.id, mutant] as const)))(
  '%s changes an answer',
  async (_, mutant) => {
    expect(await transcript(mutant.create()(reference()))).not.toBe(await sound)
  },
)
