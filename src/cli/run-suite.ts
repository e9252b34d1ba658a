import { checks } from '../../conformance/judging/checks.ts'
import { notRunResult } from '../../conformance/judging/judge-run.ts'
import type { RunVerdict } from '../../conformance/judging/verdict.ts'
import type { RunResult } from '../../conformance/report/result.ts'
import { Redactor } from '../../conformance/wire/redact.ts'
import { defaultMaxMs } from '../../conformance/wire/transport.ts'
import type { Reporting } from './reporting.ts'
import type { RunPlan } from './run-options.ts'
import { type Stopped, supervise } from './supervise.ts'

/** How long a run may take to come to its end once its time is over, in milliseconds. */
const graceMs = 10_000

/**
 * Runs the suite in a thread of its own, whose code is `worker`, and writes the reports. Throws when there is no verdict: because
 * nothing answers, or because the run had to be stopped, after reporting what it found.
 */
export async function runSuite(plan: RunPlan, { onResult, finish }: Reporting, worker: URL): Promise<RunVerdict> {
  const { maxMs = defaultMaxMs, url } = plan
  const stopAfterMs = maxMs + graceMs
  const begun = new Date().toISOString()
  const outcome = await supervise({ code: worker, data: plan, stopAfterMs, onResult })
  switch (outcome.kind) {
    case 'finished':
      return finish(outcome.run)
    case 'unreachable':
      throw new Error(`${url} cannot be reached (${outcome.reason}). Check the address, and that the deployment runs.`)
    case 'stopped': {
      const seconds = stopAfterMs / 1000
      const { results, sent } = outcome
      const expected = checks.filter(({ id }) => plan.selected.includes(id)).length
      const latest = results.at(-1)?.id ?? 'none'
      const why = `The run was stopped after ${seconds} s, while it was busy with an answer: ${sent} requests were sent, ${results.length} of ${expected} checks had a result, the latest ${latest}. Look at what the deployment answers.`
      await finish(stoppedRun(plan, outcome, { begun, durationMs: stopAfterMs, why }))
      throw new Error(why)
    }
    default:
      return outcome satisfies never
  }
}

/** The part of a run that is known when it is stopped. */
function stoppedRun(
  { url, apiKey, secondKey, profile = {}, selected, tries = 3, gaps = true, notes = [] }: RunPlan,
  { results, sent }: Stopped,
  { begun, durationMs, why }: { begun: string; durationMs: number; why: string },
): RunResult {
  const known = new Map(results.map((result) => [result.id, { ...result, exchanges: [] }]))
  return {
    url: new Redactor([apiKey, secondKey ?? '']).text(url),
    runId: 'stopped',
    startedAt: begun,
    durationMs,
    verdict: 'could-not-run',
    checks: checks.map(({ id }) => known.get(id) ?? notRunResult(id, 'The run was stopped before it.')),
    gaps: [],
    located: {},
    findings: [],
    leftBehind: [],
    requests: { sent, answeringMs: 0, waitingMs: 0 },
    exchanges: [],
    withheld: [],
    crashes: [],
    settings: { profile, hasSecondKey: secondKey !== undefined, selected, tries, asksQuestions: gaps },
    notes: [...notes, why],
  }
}
