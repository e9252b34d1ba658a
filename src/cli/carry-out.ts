import { run } from '../../conformance/run/runner.ts'
import type { Time } from '../../conformance/wire/transport.ts'
import { deploymentOf, orUnreachable } from './deployment.ts'
import type { Surroundings } from './news.ts'
import type { RunPlan } from './run-options.ts'
import type { Results, Task } from './thread.ts'

/** Carries out a task in this thread. Loads only what that task needs. */
export async function carryOut(task: Task, surroundings: Surroundings): Promise<Results[Task['kind']]> {
  switch (task.kind) {
    case 'suite':
      return orUnreachable(task.plan, () => runSuiteHere(task.plan, surroundings))
    case 'learn': {
      const { learnPlanned } = await import('./learn-planned.ts')
      return orUnreachable(task.plan, () => learnPlanned(task, surroundings))
    }
    case 'replay': {
      const { replaySession } = await import('./replay-session.ts')
      return replaySession(task, surroundings)
    }
    case 'compare': {
      const { compareDeployments } = await import('./compare-sides.ts')
      return compareDeployments(task, surroundings)
    }
    default:
      return task satisfies never
  }
}

/** Runs the suite as planned, and tells its course. */
async function runSuiteHere(plan: RunPlan, { tell, signal }: Surroundings): Promise<Results['suite']> {
  const begun = performance.now()
  const result = await run({
    ...(await deploymentOf(plan)),
    selects: (id) => plan.selected.includes(id),
    ...(plan.isReference && { time: withoutPauses() }),
    signal,
    onBegin: (runId) => tell({ kind: 'begun', runId }),
    onProgress: (progress) => tell({ kind: 'progress', progress }),
    onResult: (result) => tell({ kind: 'result', result }),
  })
  return { ...result, durationMs: Math.round(performance.now() - begun) }
}

/** Returns a time whose pauses are over at once: nothing in the built-in reference is delayed. */
function withoutPauses(): Time {
  let skipped = 0
  const now = () => performance.now() + skipped
  return {
    now,
    async sleep(ms) {
      skipped += ms
    },
  }
}
