import { expect, test } from 'vitest'
import { coveringChoices } from '../../../conformance/selftest/covering.ts'
import { axes, choiceText, isSound, singleChoices } from '../../../conformance/selftest/variants/index.ts'
import { nonEmpty } from '../../support/non-empty.ts'

const choices = coveringChoices()

test('every two values that can be combined are in one choice', () => {
  const known = new Set(
    choices.flatMap((choice) => {
      const values = Object.entries(choice).map(([axis, value]) => choiceText({ [axis]: value }))
      return values.flatMap((one) => values.map((other) => `${one} ${other}`))
    }),
  )
  const lacking = nonEmpty(singleChoices).flatMap((one) =>
    singleChoices
      .filter((other) => Object.keys(one)[0] !== Object.keys(other)[0] && isSound({ ...one, ...other }))
      .map((other) => `${choiceText(one)} ${choiceText(other)}`)
      .filter((pair) => !known.has(pair)),
  )
  expect(lacking).toEqual([])
})

test('each choice is sound, and they are few', () => {
  expect(choices.filter((choice) => !isSound(choice))).toEqual([])
  // No fewer than the pairs of values of the two largest axes would do. Some pairs cannot be combined in one more.
  const [largest = 0, second = 0] = axes.map(({ values }) => Object.keys(values).length).toSorted((x, y) => y - x)
  expect(choices.length).toBeLessThan(largest * second * 1.3)
})
