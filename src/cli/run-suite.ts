import { checks } from '../../conformance/judging/checks.ts'
import { notRunResult } from '../../conformance/judging/judge-run.ts'
import type { RunVerdict } from '../../conformance/judging/verdict.ts'
import type { RunResult } from '../../conformance/report/result.ts'
import { stopped } from '../../conformance/run/runner.ts'
import { Redactor } from '../../conformance/wire/redact.ts'
import { defaultMaxMs } from '../../conformance/wire/transport.ts'
import { unreachableError } from './connection.ts'
import type { Reporting } from './reporting.ts'
import type { RunPlan } from './run-options.ts'
import { type RunThread, type Stopped, supervise } from './supervise.ts'

/** Starts the thread of a run. */
export type StartRun = (plan: RunPlan) => RunThread

/** The time that a run has to end after its time limit, in milliseconds. */
const graceMs = 10_000

/**
 * Runs the suite in another thread and writes the reports. Throws if the deployment cannot be reached.
 * A run that had to be terminated is reported with its results so far.
 */
export async function runSuite(plan: RunPlan, reporting: Reporting, start: StartRun): Promise<RunVerdict> {
  const { onProgress, finish } = reporting
  const { maxMs = defaultMaxMs, url } = plan
  const stopAfterMs = maxMs + graceMs
  const begun = Date.now()
  const outcome = await supervise({ start: () => start(plan), stopAfterMs, onProgress })
  switch (outcome.kind) {
    case 'finished':
      return finish(outcome.run)
    case 'unreachable':
      throw unreachableError(url, outcome.reason, plan.connection)
    case 'stopped':
      return finish(resultOfStopped(plan, outcome, begun))
    default:
      return outcome satisfies never
  }
}

/** Creates the result of a run whose thread was terminated, from its results so far. */
function resultOfStopped(
  { url, apiKey, secondKey, headers = {}, profile = {}, selected, tries = 3, gaps = true, notes = [] }: RunPlan,
  { signal, runId = 'unknown', results, sent, exchanges, leftBehind }: Stopped,
  begun: number,
): RunResult {
  const known = new Map(results.map((result) => [result.id, { ...result, exchanges: [] }]))
  const durationMs = Date.now() - begun
  const asked = signal === undefined ? 'its time was over' : `${signal} had asked it to`
  const why = `The run was stopped by force after ${Math.round(durationMs / 1000)} s, since it did not end when ${asked}: ${sent} requests were sent, ${exchanges.length} of them answered. Look at the latest answer, which may keep it busy.`
  return {
    url: new Redactor([apiKey, secondKey ?? ''], { headers }).text(url),
    runId,
    startedAt: new Date(begun).toISOString(),
    durationMs,
    checks: checks.map(({ id }) => known.get(id) ?? notRunResult(id, 'Not reached before the run was stopped.')),
    gaps: [],
    located: {},
    findings: [],
    leftBehind,
    requests: { sent, answeringMs: 0, waitingMs: 0 },
    exchanges,
    withheld: [],
    crashes: [],
    settings: { profile, hasSecondKey: secondKey !== undefined, selected, tries, asksQuestions: gaps },
    notes,
    ...stopped(why),
  }
}
