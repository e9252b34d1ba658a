import { checks } from '../conformance/judging/checks.ts'
import { notRunResult } from '../conformance/judging/judge-run.ts'
import type { RunVerdict } from '../conformance/judging/verdict.ts'
import type { CheckResult, ExchangeRecord, RunResult } from '../conformance/report/result.ts'
import { stopped } from '../conformance/run/runner.ts'
import { Redactor } from '../conformance/wire/redact.ts'
import { defaultMaxMs } from '../conformance/wire/transport.ts'
import type { News } from './news.ts'
import type { RunPlan } from './plan.ts'
import type { Reporting } from './reporting.ts'
import { inThread, type StartThread } from './thread.ts'

/** The time that a run has to end after its time limit, in milliseconds. */
const graceMs = 10_000

/**
 * Runs the suite in another thread and writes the reports. Throws if the deployment cannot be reached.
 * A run that had to be terminated is reported with its results so far.
 */
export async function runSuite(plan: RunPlan, reporting: Reporting, start: StartThread): Promise<RunVerdict> {
  const soFar = new RunSoFar(plan)
  const onNews = (news: News) => {
    soFar.note(news)
    if (news.kind === 'progress') reporting.onProgress(news.progress)
  }
  const stopAfterMs = (plan.maxMs ?? defaultMaxMs) + graceMs
  const options = { start, stopAfterMs, onNews, soFar: (why: string) => soFar.result(why) }
  return reporting.finish(await inThread({ kind: 'suite', given: plan }, options))
}

/** What is known of a run before its end. */
class RunSoFar {
  readonly #plan: RunPlan
  readonly #begun = Date.now()
  #runId = 'unknown'
  #sent = 0
  /** The latest result of each check. */
  readonly #results = new Map<string, CheckResult>()
  readonly #exchanges: ExchangeRecord[] = []
  readonly #leftBehind = new Set<string>()

  constructor(plan: RunPlan) {
    this.#plan = plan
  }

  note(news: News): void {
    if (news.kind === 'begun') this.#runId = news.runId
    if (news.kind === 'result') this.#results.set(news.result.id, { ...news.result, exchanges: [] })
    if (news.kind !== 'progress') return
    const { sent, exchange, made } = news.progress
    this.#sent = sent
    if (exchange) this.#exchanges.push(exchange)
    if (made !== undefined) this.#leftBehind.add(made)
  }

  /** Creates the result of a run whose thread was stopped by force. */
  result(why: string): RunResult {
    const {
      url,
      apiKey,
      secondKey,
      headers = {},
      profile = {},
      selected,
      tries = 3,
      gaps = true,
      notes = [],
    } = this.#plan
    const durationMs = Date.now() - this.#begun
    const answered = `${this.#sent} requests were sent, ${this.#exchanges.length} of them answered`
    return {
      url: new Redactor([apiKey, secondKey ?? ''], { headers }).text(url),
      runId: this.#runId,
      startedAt: new Date(this.#begun).toISOString(),
      durationMs,
      checks: checks.map(
        ({ id }) => this.#results.get(id) ?? notRunResult(id, 'Not reached before the run was stopped.'),
      ),
      gaps: [],
      located: {},
      findings: [],
      leftBehind: [...this.#leftBehind],
      requests: { sent: this.#sent, answeringMs: 0, waitingMs: 0 },
      exchanges: this.#exchanges,
      withheld: [],
      crashes: [],
      settings: { profile, hasSecondKey: secondKey !== undefined, selected, tries, asksQuestions: gaps },
      notes,
      ...stopped(
        `The run was stopped by force after ${Math.round(durationMs / 1000)} s, since ${why}: ${answered}. Look at the latest answer, which may keep it busy.`,
      ),
    }
  }
}
