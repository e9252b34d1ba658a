import { expect, test } from 'vitest'
import { type AnswerPlace, attempt, doubtOf, type Guess } from '../../../conformance/learning/sample.ts'

const guessAt = (pointer: string): Guess => ({ pointer, why: 'no fact explains it' })
const outer: AnswerPlace = { pointer: '', name: '', depth: 0, guess: () => expect.unreachable() }

/** Guesses at several places. */
const guessing =
  (...pointers: string[]) =>
  (place: AnswerPlace) => {
    for (const pointer of pointers) place.guess(guessAt(pointer))
    return pointers.length
  }

test('an attempt keeps its guesses to itself, each place once', () => {
  expect(attempt(outer, guessing('/a', '/b'))).toEqual({ made: 2, guesses: [guessAt('/a'), guessAt('/b')] })
  expect(attempt(outer, guessing('/a', '/a'), 1)?.guesses).toEqual([guessAt('/a')])
})

test('a guess for odd answers counts half', () => {
  expect(doubtOf([guessAt('/a'), { ...guessAt('/b'), isForOdd: true }])).toBe(1.5)
})

/** Guesses at two places, the second of which is one too many. */
const guessesTooMuch = (place: AnswerPlace) => {
  guessing('/a', '/b')(place)
  expect.unreachable()
}

test('an attempt with more guesses than another is given up', () => {
  expect(attempt(outer, guessesTooMuch, 1)).toBeUndefined()
  expect(attempt(outer, guessing('/a'), 1)).toEqual({ made: 1, guesses: [guessAt('/a')] })
})

test('an inner attempt does not hide that the outer one is given up', () => {
  expect(attempt(outer, (place) => attempt(place, () => guessing('/a')(place)), 0)).toBeUndefined()
})

test('an inner attempt is given up as soon as the outer one allows no more doubt', () => {
  const tried = attempt(outer, (place) => [attempt(place, guessesTooMuch), attempt(place, guessing('/a'))], 1)
  expect(tried?.made).toEqual([undefined, { made: 1, guesses: [guessAt('/a')] }])
})
