import { expect, test } from 'vitest'
import { type AnswerPlace, attempt, type Guess } from '../../../conformance/learning/sample.ts'

const guess: Guess = { pointer: '/name', why: 'no fact explains it' }
const outer: AnswerPlace = { pointer: '', name: '', depth: 0, guess: () => expect.unreachable() }

/** Guesses several times. */
const guessing = (times: number) => (place: AnswerPlace) => {
  for (let time = 0; time < times; time += 1) place.guess(guess)
  return times
}

test('an attempt keeps its guesses to itself', () => {
  expect(attempt(outer, guessing(2))).toEqual({ made: 2, guesses: [guess, guess] })
})

test('an attempt with more guesses than another is given up', () => {
  let isDone = false
  const tried = attempt(
    outer,
    (place) => {
      guessing(2)(place)
      isDone = true
    },
    1,
  )
  expect(tried).toBeUndefined()
  expect(isDone).toBe(false)
  expect(attempt(outer, guessing(1), 1)).toEqual({ made: 1, guesses: [guess] })
})

test('an inner attempt does not hide that the outer one is given up', () => {
  const tried = attempt(outer, (place) => attempt(place, () => guessing(1)(place)), 0)
  expect(tried).toBeUndefined()
})
