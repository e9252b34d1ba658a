import { run } from '../conformance/run/runner.ts'
import { callDeployment } from './deployment.ts'
import type { Surroundings } from './news.ts'
import type { RunPlan } from './plan.ts'

/** What is done in a thread of its own, by its kind. Loads only what that work needs. */
const works = {
  suite: async () => runSuiteHere,
  learn: async () => (await import('./learn-work.ts')).learnPlanned,
  check: async () => (await import('./learn-work.ts')).checkPlanned,
  replay: async () => (await import('./replay.ts')).replaySession,
  compare: async () => (await import('./compare.ts')).compareDeployments,
} as const

type Works = { [Kind in keyof typeof works]: Awaited<ReturnType<(typeof works)[Kind]>> }

/** A task, as it is passed to a thread. */
export type Task = {
  [Kind in keyof Works]: { readonly kind: Kind; readonly given: Parameters<Works[Kind]>[0] }
}[keyof Works]

/** What becomes of a task; a number is an exit code. */
export type ResultOf<One extends Task> = Awaited<ReturnType<Works[One['kind']]>>

/** Carries out a task in this thread. */
export async function carryOut({ kind, given }: Task, surroundings: Surroundings): Promise<ResultOf<Task>> {
  const work: (given: never, surroundings: Surroundings) => Promise<ResultOf<Task>> = await works[kind]()
  return work(given as never, surroundings)
}

/** Runs the suite as planned, and tells its course. */
async function runSuiteHere(plan: RunPlan, { tell, signal }: Surroundings) {
  const begun = performance.now()
  const result = await callDeployment(plan, (deployment) =>
    run({
      ...deployment,
      selects: (id) => plan.selected.includes(id),
      ...(plan.isReference && { time: withoutPauses() }),
      signal,
      onBegin: (runId) => tell({ kind: 'begun', runId }),
      onProgress: (progress) => tell({ kind: 'progress', progress }),
      onResult: (result) => tell({ kind: 'result', result }),
    }),
  )
  return { ...result, durationMs: Math.round(performance.now() - begun) }
}

/** Returns a time whose pauses are over at once: nothing in the built-in reference is delayed. */
function withoutPauses() {
  let skipped = 0
  return {
    now: () => performance.now() + skipped,
    sleep: async (ms: number) => {
      skipped += ms
    },
  }
}
