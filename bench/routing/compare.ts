import { simulate, workflowId } from '../simulation.ts'
import { type RouterName, routers } from './routers.ts'
import { type Setting, simulationOf } from './settings.ts'
import { type Interval, intervalOf, meanOf, quantileOf } from './statistics.ts'

/** The results of a router in a setting. Times are from arrival to completion, in minutes. */
interface Outcome {
  readonly router: RouterName
  readonly meanMinutes: Interval
  readonly p95Minutes: Interval
  /** The mean divided by the mean of the oracle, and of round-robin, in runs with the same seed. */
  readonly toOracle: Interval
  readonly toRoundRobin: Interval
}

export interface Comparison {
  readonly setting: string
  readonly outcomes: readonly Outcome[]
}

interface Run {
  readonly mean: number
  readonly p95: number
}

/** Runs each router with the same seeds, and so with the same arrivals. */
export function compare(setting: Setting, names: readonly RouterName[], executions: number, seeds: number): Comparison {
  const runs = new Map(
    names.map((name) => [name, Array.from({ length: seeds }, (_, seed) => run(setting, name, executions, seed))]),
  )
  const meansOf = (name: RouterName) => (runs.get(name) ?? []).map(({ mean }) => mean)
  const over = (name: RouterName, other: RouterName) => {
    const others = meansOf(other)
    return intervalOf(meansOf(name).map((mean, seed) => mean / (others[seed] ?? Number.NaN)))
  }
  const outcomes = names.map((router) => ({
    router,
    meanMinutes: intervalOf(meansOf(router)),
    p95Minutes: intervalOf((runs.get(router) ?? []).map(({ p95 }) => p95)),
    toOracle: over(router, 'oracle'),
    toRoundRobin: over(router, 'round-robin'),
  }))
  return { setting: setting.name, outcomes }
}

function run(setting: Setting, name: RouterName, executions: number, seed: number): Run {
  const { truth, countFrom, ...simulation } = simulationOf(setting, executions)
  const world = simulate({ ...simulation, seed, router: routers[name](seed, truth) })
  const times = world
    .recentExecutions(workflowId, executions)
    .filter(({ startedAt }) => startedAt >= countFrom)
    .map(({ startedAt, completedAt = Number.NaN }) => (completedAt - startedAt) / 60_000)
  return { mean: meanOf(times), p95: quantileOf(times, 0.95) }
}
