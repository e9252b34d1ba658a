import { Connection } from './connection.ts'
import { type Server, usageOf } from './processes.ts'

/** A line of the table. */
export interface Finding {
  readonly what: string
  /** The unit of `ours` and `theirs`. */
  readonly unit: string
  /** The values of all rounds. */
  readonly ours: readonly number[]
  /** What ours are compared with: the figure is then the ratio in each round. */
  readonly beside?: string
  readonly theirs?: readonly number[]
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number }
}

/** A measurement, with all comparisons of it. */
export type Row = () => Promise<Finding[]>

/**
 * Measures each side in turns, so that other load on the machine affects all of them. The first round warms them up and is not
 * counted. Returns the values of each side.
 */
export async function inTurns<T>(rounds: number, ...sides: readonly (() => Promise<T>)[]): Promise<T[][]> {
  const values: T[][] = sides.map(() => [])
  for (let round = 0; round <= rounds; round += 1) {
    const order = [...sides.entries()]
    // The last may find a warmer machine, so the order alternates too.
    if (round % 2 > 0) order.reverse()
    for (const [index, take] of order) {
      const value = await take()
      if (round > 0) values[index]?.push(value)
    }
  }
  return values
}

/** A server under load, with the work that each connection repeats. */
export interface Side {
  readonly server: Server
  readonly task: (connection: Connection) => Promise<unknown>
}

/** Creates a side that repeats one request. */
export function repeating(server: Server, request: Uint8Array): Side {
  return { server, task: (connection) => connection.send(request) }
}

interface Race extends Pick<Finding, 'what' | 'goal'> {
  readonly beside: string
  readonly ours: Side
  readonly theirs: Side
  /** The goal for the processor time. @default none */
  readonly costGoal?: { readonly atMost: number }
  /** Connections. @default 32 */
  readonly width?: number
  /** @default 7 */
  readonly rounds?: number
}

const seconds = 2

/**
 * Compares tasks per second, and the server's processor time per task. Processor time is independent of other programs on
 * the machine, and includes garbage collection on other threads.
 */
export async function race({ what, beside, ours, theirs, goal, costGoal, width = 32, rounds = 7 }: Race) {
  const [mine = [], other = []] = await inTurns(rounds, ...[ours, theirs].map((side) => () => load(side, width)))
  const sides = (part: 'perSecond' | 'cpu') => ({
    beside,
    ours: mine.map((one) => one[part]),
    theirs: other.map((one) => one[part]),
  })
  const cost = 'the same in processor time of the server'
  return [
    { what, unit: '/s', ...sides('perSecond'), ...(goal && { goal }) },
    { what: cost, unit: 'us', ...sides('cpu'), ...(costGoal && { goal: costGoal }) },
  ] satisfies Finding[]
}

/** Each connection starts its next task as soon as the last has ended. */
async function load({ server, task }: Side, width: number) {
  const open = await Promise.all(Array.from({ length: width }, () => Connection.open(server.url)))
  const [begun, { cpuSeconds }] = [performance.now(), usageOf(server)]
  let done = 0
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() < begun + seconds * 1000) {
        await task(connection)
        done += 1
      }
    }),
  )
  const took = (performance.now() - begun) / 1000
  for (const connection of open) connection.close()
  return { perSecond: done / took, cpu: ((usageOf(server).cpuSeconds - cpuSeconds) / done) * 1e6 }
}

/** Returns the least value that a share of at least `share` of the values does not exceed. */
function quantileOf(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN
}

/** Formats the findings as lines of a Markdown table. */
export function tableOf(findings: readonly (Finding & { readonly row: string })[]): string {
  const lines = findings.map(({ row, what, beside = '', ours, theirs, unit, goal }) => {
    const values = theirs ? ours.map((value, round) => value / (theirs[round] ?? Number.NaN)) : ours
    const median = quantileOf(values, 0.5)
    const sides = theirs ? [ours, theirs].map((side) => `${format(quantileOf(side, 0.5))} ${unit}`) : ['', '']
    const range = `${format(Math.min(...values))} … ${format(Math.max(...values))}`
    return [row, what, beside, ...sides, `${format(median)} ${theirs ? 'x' : unit}`, range, ...verdictOf(median, goal)]
  })
  const head = ['row', 'what', 'beside', 'ours', 'theirs', 'figure', 'from … to', 'goal', '']
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function verdictOf(median: number, goal: Finding['goal']): [goal: string, verdict: string] {
  if (!goal) return ['', '']
  const [limit, isReached] =
    'atLeast' in goal
      ? [`at least ${goal.atLeast}`, median >= goal.atLeast]
      : [`at most ${goal.atMost}`, median <= goal.atMost]
  return [limit, isReached ? 'reached' : 'missed']
}

/** Formats a figure with three digits, which is more than the noise allows. */
function format(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
