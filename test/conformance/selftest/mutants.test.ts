import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requirement, requirementIds } from '../../../conformance/catalogue/catalogue.ts'
import { mutants } from '../../../conformance/selftest/mutants/index.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { rotated } from '../../support/sample.ts'
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

test('every documented check is the killer of a mutant', () => {
  const killed = new Set(mutants.flatMap(({ kills }) => kills))
  expect(nonEmpty(observable).filter((id) => !killed.has(id))).toEqual([])
})

test('the reference answers the same requests with the same answers', async () => {
  expect(await transcript(reference())).toBe(await transcript(reference()))
})

test('each commit has a part of a list, and four in a row have all of it', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.nat(), (list, turn) => {
      const parts = [0, 1, 2, 3].map((more) => rotated(list, turn + more))
      expect(parts.map(({ length }) => length)).not.toContain(0)
      expect(new Set(parts.flat())).toEqual(new Set(list))
    }),
  )
})
