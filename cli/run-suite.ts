import { checks } from '../conformance/judging/checks.ts'
import { notRunResult } from '../conformance/judging/judge-run.ts'
import type { Progress } from '../conformance/report/progress.ts'
import type { CheckResult, ExchangeRecord, RunResult } from '../conformance/report/result.ts'
import { stopped } from '../conformance/run/runner.ts'
import { Redactor } from '../conformance/wire/redact.ts'
import { defaultMaxMs } from '../conformance/wire/transport.ts'
import type { News } from './news.ts'
import type { RunPlan } from './plan.ts'
import { inThread, type StartThread } from './thread.ts'

/** The time that a run has to end after its time limit, in milliseconds. */
const graceMs = 10_000

/**
 * Runs the suite in another thread, shows its progress, and returns its result; if the run had to be terminated, that of its results
 * so far. Throws if the deployment cannot be reached.
 */
export function runSuite(plan: RunPlan, shown: Pick<Progress, 'onProgress'>, start: StartThread): Promise<RunResult> {
  const stopAfterMs = (plan.maxMs ?? defaultMaxMs) + graceMs
  return inThread({ kind: 'suite', given: plan }, { start, stopAfterMs, shown, ...runSoFar(plan) })
}

/** Notes what is known of a run, and makes its result if its thread was stopped by force. */
function runSoFar(plan: RunPlan) {
  const begun = Date.now()
  let runId = 'unknown'
  let sent = 0
  /** The latest result of each check. */
  const results = new Map<string, CheckResult>()
  const exchanges: ExchangeRecord[] = []
  const leftBehind = new Set<string>()
  const onNews = (news: News) => {
    if (news.kind === 'begun') runId = news.runId
    if (news.kind === 'result') results.set(news.result.id, { ...news.result, exchanges: [] })
    if (news.kind !== 'progress') return
    const { exchange, made } = news.progress
    sent = news.progress.sent
    if (exchange) exchanges.push(exchange)
    if (made !== undefined) leftBehind.add(made)
  }
  const soFar = (why: string): RunResult => {
    const { url, apiKey, secondKey, headers = {}, profile = {}, selected, tries = 3, gaps = true, notes = [] } = plan
    const durationMs = Date.now() - begun
    const answered = `${sent} requests were sent, ${exchanges.length} of them answered`
    return {
      url: new Redactor([apiKey, secondKey ?? ''], { headers }).text(url),
      runId,
      startedAt: new Date(begun).toISOString(),
      durationMs,
      checks: checks.map(({ id }) => results.get(id) ?? notRunResult(id, 'Not reached before the run was stopped.')),
      ...{ gaps: [], located: {}, findings: [], leftBehind: [...leftBehind] },
      requests: { sent, answeringMs: 0, waitingMs: 0 },
      exchanges,
      withheld: [],
      crashes: [],
      settings: { profile, hasSecondKey: secondKey !== undefined, selected, tries, asksQuestions: gaps },
      notes,
      ...stopped(
        `The run was stopped by force after ${Math.round(durationMs / 1000)} s, since ${why}: ${answered}. Look at the latest answer, which may keep it busy.`,
      ),
    }
  }
  return { onNews, soFar }
}
