import { type Comparison, compare } from './routing/compare.ts'
import { type RouterName, routerNames } from './routing/routers.ts'
import { settings, sweep } from './routing/settings.ts'
import type { Interval } from './routing/statistics.ts'

/**
 * Compares smart routing with simpler routers and with an oracle. Counts from the first execution, when the router knows
 * nothing yet, or from the first after a change. `--sweep` measures other settings, `--json` prints JSON. Exits 1 if a goal
 * is missed.
 */
const isSweep = process.argv.includes('--sweep')
const executions = 2500
const seeds = isSweep ? 10 : 20
const names: readonly RouterName[] = isSweep
  ? ['smart', 'oracle', 'greedy oracle', 'least-loaded', 'round-robin']
  : routerNames
const comparisons = (isSweep ? sweep : settings).map((setting) => compare(setting, names, executions, seeds))
const aims = isSweep ? [] : comparisons.flatMap(aimsOf)
const report = process.argv.includes('--json')
  ? JSON.stringify({ executions, seeds, comparisons, aims }, undefined, 2)
  : [
      `${executions} executions a run, ${seeds} seeds, minutes; ± is the 95 % interval over seeds.`,
      ...formatTable(),
    ].join('\n')
process.stdout.write(`${report}\n`)
if (aims.some(({ reached }) => !reached)) process.exitCode = 1

interface Aim {
  readonly aim: string
  readonly measured: number
  readonly reached: boolean
}

/** Checks the goals of smart routing: close to the oracle, closer without a change, and far below round-robin. */
function aimsOf({ setting, outcomes }: Comparison): Aim[] {
  const smart = outcomes.find(({ router }) => router === 'smart')
  const hasChange = settings.some(({ name, change }) => name === setting && change)
  const most = (what: keyof typeof limits, limit: number): Aim[] => {
    const measured = smart?.[what].mean ?? Number.NaN
    return [{ aim: `${setting}: mean at most ${limit} x ${limits[what]}`, measured, reached: measured <= limit }]
  }
  const limits = { toOracle: "the oracle's", toRoundRobin: "round-robin's" }
  return hasChange ? most('toOracle', 1.2) : [...most('toOracle', 1.1), ...most('toRoundRobin', 0.75)]
}

function formatTable(): string[] {
  const head = formatLine('router', 'mean', 'p95', 'x oracle', 'x round-robin')
  const blocks = comparisons.flatMap(({ setting, outcomes }) => [
    '',
    setting,
    head,
    ...outcomes.map(({ router, meanMinutes, p95Minutes, toOracle, toRoundRobin }) =>
      formatLine(
        router,
        formatInterval(meanMinutes, 1),
        formatInterval(p95Minutes, 1),
        formatInterval(toOracle, 3),
        formatInterval(toRoundRobin, 3),
      ),
    ),
  ])
  const verdicts = aims.map(
    ({ aim, measured, reached }) => `${reached ? 'reached' : 'MISSED '}  ${aim} (${measured.toFixed(3)})`,
  )
  return [...blocks, '', ...verdicts]
}

function formatInterval({ mean, plusMinus }: Interval, digits: number): string {
  return `${mean.toFixed(digits)} ± ${plusMinus.toFixed(digits)}`
}

function formatLine(router: string, ...cells: readonly string[]): string {
  return `  ${router.padEnd(14)}${cells.map((cell) => cell.padStart(17)).join('')}`
}
