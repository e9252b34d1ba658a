import { Random } from '../../src/index.ts'
import type { Choice } from './mutant.ts'
import { axes, isSound } from './variants/index.ts'

/** How many random choices are weighed for each one that is taken. */
const weighed = 30

/** Draws a choice: each axis has its default or one of its values. */
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

/** Every pair of values of two axes that may go together. */
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

/** Few choices of many values each, so that every pair of values stands in at least one of them. */
export function coveringChoices(seed = 'covering'): Choice[] {
  const random = new Random(seed)
  const open = allPairs()
  const choices: Choice[] = []
  const gain = (choice: Choice) => pairsOf(choice).filter((pair) => open.has(pair)).length
  while (open.size > 0) {
    const drawn = Array.from({ length: weighed }, () => drawChoice(random))
    // A pair that is still open goes into every draw, so that each choice covers at least that one.
    const [first = ''] = open
    const pair = Object.fromEntries(first.split(',').map((part) => part.split('=')))
    const candidates = drawn.map((choice) => ({ ...choice, ...pair })).filter(isSound)
    candidates.push(pair)
    const best = candidates.reduce((a, b) => (gain(b) > gain(a) ? b : a))
    for (const covered of pairsOf(best)) open.delete(covered)
    choices.push(best)
  }
  return choices
}
