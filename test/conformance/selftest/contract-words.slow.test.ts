/** Without the English words that are not in the contract's own names: they order candidates, and decide nothing alone. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { wordsOf } from '../../../conformance/reading/names.ts'
import { words } from '../../../conformance/reading/words.ts'
import { redOf } from '../../../conformance/selftest/gate.ts'
import kills from '../../../conformance/selftest/kills.gen.json' with { type: 'json' }
import { mutants } from '../../../conformance/selftest/mutants/index.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documentedAmong } from '../../../conformance/selftest/run-on.ts'
import { soundShapes } from '../../../conformance/selftest/shapes.ts'
import { singleChoices, variant } from '../../../conformance/selftest/variants/index.ts'
import { members } from '../../../src/contract/members.gen.ts'
import { locatorNames } from '../../../src/profile/profile-names.gen.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { sampled } from '../../support/sample.ts'

const names = [...Object.values(members).flatMap((one) => Object.keys(one)), ...locatorNames]
const known = new Set(names.flatMap(wordsOf).flatMap((word) => [word, word.replace(/s$/, '')]))
const isOfContract = (text: string) => wordsOf(text).every((word) => known.has(word))
const left = Object.entries(words).map(([role, list]) => [role, list.filter(isOfContract)] as const)

const table = '../../../conformance/reading/words.ts'
let suite: typeof import('../../../conformance/selftest/run-on.ts')

// The suite is loaded again with the smaller table; other files share the modules that were loaded before.
beforeAll(async () => {
  vi.resetModules()
  vi.doMock(table, () => ({ words: Object.fromEntries(left) }))
  suite = await import('../../../conformance/selftest/run-on.ts')
})
afterAll(() => {
  vi.doUnmock(table)
  vi.resetModules()
})

/** The mutants whose own names are other words, such as `shortest` or `finished`: without these, nothing accuses them. */
const toldByWords = [
  ...['bottleneck-is-fastest-and-severe', 'bottlenecks-absent-beside-wrapped', 'completion-time-above-longest'],
  ...['mean-longer-than-all-times'],
  ...['mean-of-no-executions', 'one-run-number', 'running-counted-as-ended', 'step-duration-negative'],
]

const tried = new Set([...sampled(mutants, 48), ...mutants.filter(({ id }) => toldByWords.includes(id))])

test.each(nonEmpty([...tried].map((mutant) => [mutant.id, mutant] as const)))('still red on %s', async (id, mutant) => {
  const { checks } = await suite.runOn(mutant.wrapper(reference()))
  const all: Readonly<Record<string, readonly string[]>> = kills
  const expected = toldByWords.includes(id) ? [] : all[id]
  expect(redOf(checks)).toEqual(expected)
})

const sound = [
  ...sampled(singleChoices, 16).map((choice) => [JSON.stringify(choice), variant(choice)(reference)] as const),
  ...sampled(soundShapes, 16).map(([id, wrapper]) => [id, wrapper(reference())] as const),
]

test.each(nonEmpty(sound))('still sound: %s', async (_, server) => {
  expect(redOf(documentedAmong((await suite.runOn(server)).checks))).toEqual([])
})
