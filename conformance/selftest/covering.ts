import { Random } from '../../src/index.ts'
import type { Choice } from './mutant.ts'
import { axes, isSound } from './variants/index.ts'

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

/** A value of an axis, with its number among all values. */
interface Value {
  readonly axis: string
  readonly value: string
  readonly number: number
}

const values: readonly Value[] = axes
  .flatMap(({ axis, values }) => Object.keys(values).map((value) => ({ axis, value })))
  .map((one, number) => ({ ...one, number }))

const choiceOf = (chosen: readonly Value[]): Choice =>
  Object.fromEntries(chosen.map(({ axis, value }) => [axis, value]))

/** Lists all pairs of values of two axes that can be combined. */
function allPairs(): (readonly [Value, Value])[] {
  return values.flatMap((one) =>
    values.flatMap((other) => {
      const pair = [one, other] as const
      return one.axis < other.axis && isSound(choiceOf(pair)) ? [pair] : []
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

/**
 * Extends each pair that no choice has yet to a whole choice, axis by axis, by the value that completes the most such pairs (after
 * Cohen, Dalal, Fredman and Patton, The AETG System, IEEE Transactions on Software Engineering 23, 1997).
 */
function selectCovering(seed: string): Choice[] {
  const random = new Random(seed)
  // Is 1 for two values that are not yet in one choice, in both orders.
  const isOpen = new Uint8Array(values.length ** 2)
  const mark = (chosen: readonly Value[], open: 0 | 1) => {
    for (const one of chosen) for (const other of chosen) isOpen[one.number * values.length + other.number] = open
  }
  const gainOf = (one: Value, chosen: readonly Value[]) =>
    chosen.reduce((sum, other) => sum + (isOpen[one.number * values.length + other.number] ?? 0), 0)
  /** Chooses a value for each other axis. If none completes a pair, draws one, which may be the default. */
  const extend = (pair: readonly Value[]) => {
    const chosen = [...pair]
    const others = axes.filter(({ axis }) => pair.every((one) => one.axis !== axis))
    for (const { axis } of shuffled(others, random)) {
      const candidates = values
        .filter((one) => one.axis === axis && isSound(choiceOf([...chosen, one])))
        .map((one) => ({ one, gain: gainOf(one, chosen), left: gainOf(one, values), draw: random.draw() }))
      const [best] = candidates.sort((a, b) => b.gain - a.gain || b.left - a.left || b.draw - a.draw)
      if (best && (best.gain > 0 || random.draw() < 2 / 3)) chosen.push(best.one)
    }
    return chosen
  }
  const pairs = allPairs()
  for (const pair of pairs) mark(pair, 1)
  // Pairs of the axes with the most values determine the number of choices.
  pairs.sort((a, b) => sizeOf(b) - sizeOf(a))
  const choices: Choice[] = []
  for (const pair of pairs) {
    if (gainOf(pair[0], [pair[1]]) === 0) continue
    const chosen = extend(pair)
    mark(chosen, 0)
    choices.push(choiceOf(chosen))
  }
  return choices
}

const sizeOf = (pair: readonly Value[]) =>
  pair.reduce((product, { axis }) => product * values.filter((one) => one.axis === axis).length, 1)

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((one) => ({ one, place: random.draw() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one)
}
