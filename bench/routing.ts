import { type Comparison, compare } from './routing/compare.ts'
import { type RouterName, routerNames } from './routing/routers.ts'
import { settings, sweep } from './routing/settings.ts'
import type { Interval } from './routing/statistics.ts'

/**
 * Compares smart routing with simpler routers and with an oracle. Everything is counted from the first execution on, when
 * nothing is known, or from the first after a change. `--sweep` looks elsewhere, `--json` answers machines; fails when an
 * aim is missed.
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
  : [`${executions} executions a run, ${seeds} seeds, minutes; ± is the 95 % interval over seeds.`, ...table()].join(
      '\n',
    )
process.stdout.write(`${report}\n`)
if (aims.some(({ reached }) => !reached)) process.exitCode = 1

interface Aim {
  readonly aim: string
  readonly measured: number
  readonly reached: boolean
}

/** Smart routing's aims: near the oracle, nearer when nothing changes, and far below round-robin. */
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

function table(): string[] {
  const head = line('router', 'mean', 'p95', 'x oracle', 'x round-robin')
  const blocks = comparisons.flatMap(({ setting, outcomes }) => [
    '',
    setting,
    head,
    ...outcomes.map(({ router, meanMinutes, p95Minutes, toOracle, toRoundRobin }) =>
      line(router, of(meanMinutes, 1), of(p95Minutes, 1), of(toOracle, 3), of(toRoundRobin, 3)),
    ),
  ])
  const verdicts = aims.map(
    ({ aim, measured, reached }) => `${reached ? 'reached' : 'MISSED '}  ${aim} (${measured.toFixed(3)})`,
  )
  return [...blocks, '', ...verdicts]
}

function of({ mean, plusMinus }: Interval, digits: number): string {
  return `${mean.toFixed(digits)} ± ${plusMinus.toFixed(digits)}`
}

function line(router: string, ...cells: readonly string[]): string {
  return `  ${router.padEnd(14)}${cells.map((cell) => cell.padStart(17)).join('')}`
}
