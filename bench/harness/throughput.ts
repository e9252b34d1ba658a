import { connections, type Task, throughput } from './load.ts'
import { compared, type Finding, type Goal, inTurns } from './row.ts'
import { cpuSeconds, type Server } from './servers.ts'

/** A server under load. */
export interface Side {
  readonly server: Server
  readonly task: Task
}

interface Race {
  readonly what: string
  readonly beside: string
  readonly goal: Goal
  readonly ours: Side
  readonly theirs: Side
  /** Of each round, on each side. @default 2 */
  readonly seconds?: number
  /** @default 32 */
  readonly width?: number
  readonly rounds?: number
}

/**
 * Tasks done in a second on both sides; and what a task costs the server in processor time, which tells the same where other
 * programs use the machine, and more: the work of collecting garbage on other threads counts.
 */
export async function race({ what, beside, goal, ours, theirs, seconds = 2, width = connections, rounds }: Race) {
  const run = (side: Side) => async () => {
    const before = cpuSeconds(side.server)
    const perSecond = await throughput(side.server.url, side.task, seconds, width)
    return { perSecond, cpu: ((cpuSeconds(side.server) - before) / (perSecond * seconds)) * 1e6 }
  }
  const pairs = await inTurns(run(ours), run(theirs), rounds)
  const speeds = pairs.map((pair) => ({ ours: pair.ours.perSecond, theirs: pair.theirs.perSecond }))
  const costs = pairs.map((pair) => ({ ours: pair.ours.cpu, theirs: pair.theirs.cpu }))
  const cost = 'the same in processor time of the server'
  return [
    compared({ what, beside, unit: '/s', goal }, speeds),
    compared({ what: cost, beside, unit: 'us', goal: undefined }, costs),
  ] satisfies Finding[]
}
