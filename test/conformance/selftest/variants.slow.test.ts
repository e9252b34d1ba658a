import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Choice } from '../../../conformance/selftest/mutant.ts'
import { axes, choiceText, isSound, singleChoices, variant } from '../../../conformance/selftest/variants/index.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { isDeep } from '../../support/sample.ts'
import { playFlow } from './flow.ts'

/** Random choices; about every third axis differs from the reference. */
const choices = fc
  .tuple(
    ...axes.map(({ axis, values }) =>
      fc
        .oneof(
          { weight: 2, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.constantFrom(...Object.keys(values)) },
        )
        .map((value) => ({ axis, value })),
    ),
  )
  .map((picked) =>
    Object.fromEntries(picked.flatMap(({ axis, value }) => (value === undefined ? [] : [[axis, value]]))),
  )
  .filter((choice: Choice) => isSound(choice))

test('the axes are unique', () => {
  expect(new Set(axes.map(({ axis }) => axis)).size).toBe(axes.length)
})

test('a value or an axis that does not exist is named', () => {
  expect(() => variant({ envelope: 'paper' })).toThrow("has no value 'paper'")
  expect(() => variant({ colour: 'red' })).toThrow("Unknown axis 'colour'")
  expect(() => variant({ envelope: 'constructor' })).toThrow("has no value 'constructor'")
})

test('the reference carries the documented flow', () => playFlow({}))

test.each(nonEmpty(singleChoices.map((choice) => [choiceText(choice), choice] as const)))(
  '%s carries the documented flow',
  (_, choice) => playFlow(choice),
)

test('any combination carries the documented flow', async () => {
  await fc.assert(
    fc.asyncProperty(choices, (choice) => playFlow(choice)),
    { numRuns: isDeep ? 300 : 30, seed: 20260301 },
  )
})
