import { Random } from '../../src/index.ts'
import type { Choice } from './mutant.ts'
import { axes, isSound } from './variants/index.ts'

/** The number of random candidates for each selected choice. */
const candidatesEach = 30

/** Draws a random choice: for each axis, the default or one of its values. */
export function drawChoice(random: Random): Choice {
  for (;;) {
    const choice = Object.fromEntries(
      axes.flatMap(({ axis, values }) => {
        const names = [undefined, ...Object.keys(values)]
        const value = names[Math.floor(random.draw() * names.length)]
        return value === undefined ? [] : [[axis, value]]
      }),
    )
    if (isSound(choice)) return choice
  }
}

/** Lists all pairs of values of two axes that can be combined. */
function allPairs(): Set<string> {
  const values = axes.flatMap(({ axis, values }) => Object.keys(values).map((value) => [axis, value] as const))
  const pairs = new Set<string>()
  for (const [a, x] of values) {
    for (const [b, y] of values) {
      if (a < b && isSound({ [a]: x, [b]: y })) pairs.add(`${a}=${x},${b}=${y}`)
    }
  }
  return pairs
}

function pairsOf(choice: Choice): string[] {
  const chosen = Object.entries(choice).sort(([a], [b]) => (a < b ? -1 : 1))
  return chosen.flatMap(([a, x], index) => chosen.slice(index + 1).map(([b, y]) => `${a}=${x},${b}=${y}`))
}

/** Selects a small set of choices such that every pair of values occurs in at least one of them. */
export function coveringChoices(seed = 'covering'): Choice[] {
  const random = new Random(seed)
  const open = allPairs()
  const choices: Choice[] = []
  const withGain = (choice: Choice) => ({ choice, gain: pairsOf(choice).filter((pair) => open.has(pair)).length })
  while (open.size > 0) {
    const drawn = Array.from({ length: candidatesEach }, () => drawChoice(random))
    // Put an uncovered pair into every candidate, so that each choice covers at least that one.
    const [first = ''] = open
    const pair = Object.fromEntries(first.split(',').map((part) => part.split('=')))
    const candidates = drawn.map((choice) => ({ ...choice, ...pair })).filter(isSound)
    candidates.push(pair)
    const { choice: best } = candidates.map(withGain).reduce((a, b) => (b.gain > a.gain ? b : a))
    for (const covered of pairsOf(best)) open.delete(covered)
    choices.push(best)
  }
  return choices
}
