import { connections, type Task, throughput } from './load.ts'
import { compareSides, type Finding, type Goal, measureInTurns } from './row.ts'
import { cpuSeconds, type Server } from './servers.ts'

/** A server under load. */
export interface Side {
  readonly server: Server
  readonly task: Task
}

interface Race {
  readonly what: string
  readonly beside: string
  /** The goal for the tasks per second. */
  readonly goal: Goal | undefined
  /** The goal for the processor time. @default none */
  readonly costGoal?: Goal
  readonly ours: Side
  readonly theirs: Side
  /** Duration of each round on each side, in seconds. @default 2 */
  readonly seconds?: number
  /** Connections. @default 32 */
  readonly width?: number
  readonly rounds?: number
}

/**
 * Compares tasks per second, and the server's processor time per task. Processor time is independent of other programs on
 * the machine, and includes garbage collection on other threads.
 */
export async function race({
  what,
  beside,
  goal,
  costGoal,
  ours,
  theirs,
  seconds = 2,
  width = connections,
  rounds,
}: Race) {
  const run = (side: Side) => async () => {
    const before = cpuSeconds(side.server)
    const perSecond = await throughput(side.server.url, side.task, seconds, width)
    return { perSecond, cpu: ((cpuSeconds(side.server) - before) / (perSecond * seconds)) * 1e6 }
  }
  const pairs = await measureInTurns(run(ours), run(theirs), rounds)
  const speeds = pairs.map((pair) => ({ ours: pair.ours.perSecond, theirs: pair.theirs.perSecond }))
  const costs = pairs.map((pair) => ({ ours: pair.ours.cpu, theirs: pair.theirs.cpu }))
  const cost = 'the same in processor time of the server'
  return [
    compareSides({ what, beside, unit: '/s', goal }, speeds),
    compareSides({ what: cost, beside, unit: 'us', goal: costGoal }, costs),
  ] satisfies Finding[]
}
