import { quantileOf } from '../routing/statistics.ts'

/** What a figure has to reach; no goal where it is only said. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number } | undefined

/** A figure over several rounds. */
export interface Spread {
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

/** A line of the table. */
export interface Finding {
  readonly what: string
  /** What it is measured beside; nothing for a figure that stands alone. */
  readonly beside?: string
  /** Both sides as they were measured, in the median. */
  readonly ours?: string
  readonly theirs?: string
  readonly figure: Spread
  /** Of the figure: `x` is times the other side's. */
  readonly unit: 'x' | 's' | 'us' | 'MiB' | 'KiB'
  readonly goal?: Goal
  readonly rounds: number
}

/** One thing that is measured, with all that is measured beside it. */
export interface Row {
  readonly name: string
  readonly measure: () => Promise<Finding[]>
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: quantileOf(values, 0.5), lowest: Math.min(...values), highest: Math.max(...values) }
}

export interface Comparison {
  readonly what: string
  readonly beside: string
  readonly unit: string
  readonly goal: Goal
}

/** What was measured in a round, on both sides. */
export interface Pair<T> {
  readonly ours: T
  readonly theirs: T
}

/** Rounds where nothing else is said. */
const usualRounds = 7

/**
 * Measures ours and theirs in turns, so that whatever else the machine does falls on both. A first round warms both up and
 * is not counted.
 */
export async function inTurns<T>(
  ours: () => Promise<T>,
  theirs: () => Promise<T>,
  rounds = usualRounds,
): Promise<Pair<T>[]> {
  const pairs: Pair<T>[] = []
  for (let round = 0; round <= rounds; round += 1) {
    // Whoever comes second may find the machine warmer, so they take turns in that too.
    const first = round % 2 === 0 ? await ours() : await theirs()
    const second = round % 2 === 0 ? await theirs() : await ours()
    pairs.push(round % 2 === 0 ? { ours: first, theirs: second } : { ours: second, theirs: first })
  }
  return pairs.slice(1)
}

/** Both sides and their ratio, which is taken within a round. */
export function compared({ what, beside, unit, goal }: Comparison, pairs: readonly Pair<number>[]): Finding {
  const median = (values: readonly number[]) => `${rounded(spreadOf(values).median)} ${unit}`
  return {
    what,
    beside,
    ours: median(pairs.map(({ ours }) => ours)),
    theirs: median(pairs.map(({ theirs }) => theirs)),
    figure: spreadOf(pairs.map(({ ours, theirs }) => ours / theirs)),
    unit: 'x',
    goal,
    rounds: pairs.length,
  }
}

/** A figure that stands alone, taken several times. */
export async function alone(
  what: string,
  unit: Finding['unit'],
  goal: Goal,
  take: () => Promise<number>,
  rounds = usualRounds,
): Promise<Finding> {
  const values: number[] = []
  for (let round = 0; round < rounds; round += 1) values.push(await take())
  return { what, figure: spreadOf(values), unit, goal, rounds }
}

export function isReached({ figure: { median }, goal }: Finding): boolean {
  if (!goal) return true
  return 'atLeast' in goal ? median >= goal.atLeast : median <= goal.atMost
}

/** Three digits are more than the noise leaves. */
export function rounded(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return Number(value.toPrecision(3)).toString()
}
