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

test('an attempt keeps its guesses to itself', () => {
  expect(attempt(outer, guessing('/a', '/b'))).toEqual({ made: 2, guesses: [guessAt('/a'), guessAt('/b')] })
})

test('several guesses of one place count once', () => {
  expect(attempt(outer, guessing('/a', '/a'), 1)?.guesses).toEqual([guessAt('/a')])
})

test('a guess for odd answers counts half', () => {
  expect(doubtOf([guessAt('/a'), { ...guessAt('/b'), isForOdd: true }])).toBe(1.5)
})

test('an attempt with more guesses than another is given up', () => {
  let isDone = false
  const tried = attempt(
    outer,
    (place) => {
      guessing('/a', '/b')(place)
      isDone = true
    },
    1,
  )
  expect(tried).toBeUndefined()
  expect(isDone).toBe(false)
  expect(attempt(outer, guessing('/a'), 1)).toEqual({ made: 1, guesses: [guessAt('/a')] })
})

test('an inner attempt does not hide that the outer one is given up', () => {
  const tried = attempt(outer, (place) => attempt(place, () => guessing('/a')(place)), 0)
  expect(tried).toBeUndefined()
})

test('an inner attempt is given up as soon as the outer one allows no more doubt', () => {
  let isDone = false
  const inner = (place: AnswerPlace) => {
    guessing('/a', '/b')(place)
    isDone = true
  }
  const tried = attempt(outer, (place) => [attempt(place, inner), attempt(place, guessing('/a'))], 1)
  expect(isDone).toBe(false)
  expect(tried?.made).toEqual([undefined, { made: 1, guesses: [guessAt('/a')] }])
})
