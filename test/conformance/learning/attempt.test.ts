import { expect, test } from 'vitest'
import { type AnswerPlace, attempt, doubtOf, type Guess } from '../../../conformance/learning/sample.ts'

const guessAt = (pointer: string): Guess => ({ pointer, why: 'no fact explains it' })
const [a, b] = [guessAt('/a'), guessAt('/b')]
const outer: AnswerPlace = { pointer: '', name: '', depth: 0, guess: () => expect.unreachable() }

/** Makes guesses, and returns their number. */
const guessing =
  (...guesses: Guess[]) =>
  (place: AnswerPlace) => {
    for (const guess of guesses) place.guess(guess)
    return guesses.length
  }

/** Guesses at two places, the second of which is one too many. */
const guessesTooMuch = (place: AnswerPlace) => {
  guessing(a, b)(place)
  expect.unreachable()
}

test.each<[what: string, make: (place: AnswerPlace) => unknown, most: number | undefined, tried: object | undefined]>([
  ['keeps its guesses to itself', guessing(a, b), undefined, { made: 2, guesses: [a, b] }],
  ['counts each place once', guessing(a, a), 1, { made: 2, guesses: [a] }],
  ['with more guesses than another is given up', guessesTooMuch, 1, undefined],
  ['is given up within another one', (place) => attempt(place, () => guessing(a)(place)), 0, undefined],
  [
    'gives inner ones up as soon as it allows no more doubt',
    (place) => [attempt(place, guessesTooMuch), attempt(place, guessing(a))],
    1,
    { made: [undefined, { made: 1, guesses: [a] }] },
  ],
])('an attempt %s', (_, make, most, tried) => {
  const result = attempt(outer, make, most)
  if (tried) expect(result).toMatchObject(tried)
  else expect(result).toBeUndefined()
})

test('a guess for odd answers counts half', () => {
  expect(doubtOf([a, { ...b, isForOdd: true }])).toBe(1.5)
})
