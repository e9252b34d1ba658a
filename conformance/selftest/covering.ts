import { Random } from '../../src/index.ts'
import type { Choice } from './mutant.ts'
import { axes, isSound } from './variants/index.ts'

/** The number of random candidates for each selected choice. */
const candidatesEach = 30

/** The values of each axis to draw from, with undefined for the default. */
const draws = axes.map(({ axis, values }) => [axis, [undefined, ...Object.keys(values)]] as const)

/** Draws a random choice: for each axis, the default or one of its values. */
export function drawChoice(random: Random): Choice {
  for (;;) {
    const choice = Object.fromEntries(
      draws.flatMap(([axis, names]) => {
        const value = names[Math.floor(random.draw() * names.length)]
        return value === undefined ? [] : [[axis, value]]
      }),
    )
    if (isSound(choice)) return choice
  }
}

/** A number for each value of each axis, by `axis=value`. */
function numberValues(): ReadonlyMap<string, number> {
  const values = axes.flatMap(({ axis, values }) => Object.keys(values).map((value) => `${axis}=${value}`))
  return new Map(values.map((text, number) => [text, number]))
}

/** Lists all pairs of values of two axes that can be combined. */
function allPairs(): Choice[] {
  const values = axes.flatMap(({ axis, values }) => Object.keys(values).map((value) => [axis, value] as const))
  return values.flatMap(([a, x]) =>
    values.flatMap(([b, y]) => {
      const pair = { [a]: x, [b]: y }
      return a < b && isSound(pair) ? [pair] : []
    }),
  )
}

/** Selects a small set of choices such that every pair of values occurs in at least one of them. */
export function coveringChoices(seed = 'covering'): readonly Choice[] {
  const known = covering.get(seed) ?? selectCovering(seed)
  covering.set(seed, known)
  return known
}

/** The selected choices by seed. Several files of tests use the same ones. */
const covering = new Map<string, readonly Choice[]>()

function selectCovering(seed: string): Choice[] {
  const random = new Random(seed)
  const numbers = numberValues()
  const numbersOf = (choice: Choice) =>
    Object.entries(choice).map(([axis, value]) => numbers.get(`${axis}=${value}`) ?? Number.NaN)
  // Is 1 for two values that are not yet in one choice, in both orders. Some 30,000 pairs are looked up for each choice.
  const isOpen = new Uint8Array(numbers.size ** 2)
  const mark = (values: readonly number[], open: 0 | 1) => {
    for (const one of values) for (const other of values) isOpen[one * numbers.size + other] = open
  }
  const pairs = allPairs()
  for (const pair of pairs) mark(numbersOf(pair), 1)
  const withGain = (choice: Choice) => {
    const values = numbersOf(choice)
    let gain = 0
    for (const [at, one] of values.entries()) {
      for (let next = at + 1; next < values.length; next += 1) {
        gain += isOpen[one * numbers.size + (values[next] ?? 0)] ?? 0
      }
    }
    return { choice, gain }
  }
  const choices: Choice[] = []
  for (const pair of pairs) {
    if (withGain(pair).gain === 0) continue
    const drawn = Array.from({ length: candidatesEach }, () => drawChoice(random))
    // Put an uncovered pair into every candidate, so that each choice covers at least that one.
    const candidates = drawn.map((choice) => ({ ...choice, ...pair })).filter(isSound)
    candidates.push(pair)
    const { choice: best } = candidates.map(withGain).reduce((a, b) => (b.gain > a.gain ? b : a))
    mark(numbersOf(best), 0)
    choices.push(best)
  }
  return choices
}
