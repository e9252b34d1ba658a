import { quantileOf } from '../routing/statistics.ts'

/** The goal of a figure; undefined if the figure is only reported. */
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
  /** The figure beside it; absent for an absolute figure. */
  readonly beside?: string
  /** The median of each side. */
  readonly ours?: string
  readonly theirs?: string
  readonly figure: Spread
  /** The unit of the figure; `x` is the ratio to the other side, and a count has none. */
  readonly unit: '' | 'x' | 's' | 'us' | 'MiB' | 'KiB'
  readonly goal?: Goal
  readonly rounds: number
}

/** A measurement, with all comparisons of it. */
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

/** The values of both sides in one round. */
export interface Pair<T> {
  readonly ours: T
  readonly theirs: T
}

const usualRounds = 7

/**
 * Measures both sides in turns, so that other load on the machine affects both. The first round warms both up and is not
 * counted.
 */
export async function measureInTurns<T>(
  ours: () => Promise<T>,
  theirs: () => Promise<T>,
  rounds = usualRounds,
): Promise<Pair<T>[]> {
  const pairs: Pair<T>[] = []
  for (let round = 0; round <= rounds; round += 1) {
    // The second may find a warmer machine, so the order alternates too.
    const first = round % 2 === 0 ? await ours() : await theirs()
    const second = round % 2 === 0 ? await theirs() : await ours()
    pairs.push(round % 2 === 0 ? { ours: first, theirs: second } : { ours: second, theirs: first })
  }
  return pairs.slice(1)
}

/** Computes the medians of both sides, and the spread of the ratio within each round. */
export function compareSides({ what, beside, unit, goal }: Comparison, pairs: readonly Pair<number>[]): Finding {
  const median = (values: readonly number[]) => `${formatFigure(spreadOf(values).median)} ${unit}`
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

/** Measures an absolute figure several times. */
export async function measureAlone(
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

/** Formats a figure with three digits, which is more than the noise allows. */
export function formatFigure(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return Number(value.toPrecision(3)).toString()
}
