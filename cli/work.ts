import { run } from '../conformance/run/runner.ts'
import type { Time } from '../conformance/wire/transport.ts'
import { deploymentOf, orUnreachable } from './deployment.ts'
import type { Surroundings } from './news.ts'
import type { RunPlan } from './plan.ts'

/** What is done in a thread of its own, by its kind. Loads only what that work needs. */
const works = {
  suite: (plan: RunPlan, surroundings: Surroundings) => orUnreachable(plan, () => runSuiteHere(plan, surroundings)),
  learn: async (...given: Parameters<typeof import('./learn-planned.ts').learnPlanned>) =>
    (await import('./learn-planned.ts')).learnPlanned(...given),
  check: async (...given: Parameters<typeof import('./check-planned.ts').checkPlanned>) =>
    (await import('./check-planned.ts')).checkPlanned(...given),
  replay: async (...given: Parameters<typeof import('./replay.ts').replaySession>) =>
    (await import('./replay.ts')).replaySession(...given),
  compare: async (...given: Parameters<typeof import('./compare.ts').compareDeployments>) =>
    (await import('./compare.ts')).compareDeployments(...given),
} as const

type Works = typeof works

/** A task, as it is passed to a thread. */
export type Task = {
  [Kind in keyof Works]: { readonly kind: Kind; readonly given: Parameters<Works[Kind]>[0] }
}[keyof Works]

/** What becomes of a task; a number is an exit code. */
export type ResultOf<One extends Task> = Awaited<ReturnType<Works[One['kind']]>>

/** Carries out a task in this thread. */
export async function carryOut<One extends Task>(
  { kind, given }: One,
  surroundings: Surroundings,
): Promise<ResultOf<One>> {
  const work: (given: never, surroundings: Surroundings) => Promise<unknown> = works[kind]
  return (await work(given as never, surroundings)) as ResultOf<One>
}

/** Runs the suite as planned, and tells its course. */
async function runSuiteHere(plan: RunPlan, { tell, signal }: Surroundings) {
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
