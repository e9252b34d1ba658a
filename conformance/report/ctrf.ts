import { noBaseline } from '../judging/baseline.ts'
import { showHiddenInLines } from '../wire/inert.ts'
import { type Case, casesOf } from './cases.ts'
import { jsonText } from './json.ts'
import type { RunResult } from './result.ts'

/**
 * Writes `ctrf-report.json`, in the Common Test Report Format (ctrf.io, 0.0). As in `junit.xml`, a test has failed if and only if
 * the deployment does not conform or was not shown to.
 */
export function ctrfReport(result: RunResult, baseline = noBaseline): string {
  const tests = casesOf(result, baseline).map((one) => testOf(one, result))
  const having = (status: Status) => tests.filter((test) => test.status === status).length
  const start = Date.parse(result.startedAt)
  const duration = Math.round(result.durationMs)
  return jsonText({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    runId: result.runId,
    generatedBy: 'countersign',
    results: {
      tool: { name: 'countersign' },
      summary: {
        tests: tests.length,
        passed: having('passed'),
        failed: having('failed'),
        skipped: having('skipped'),
        pending: 0,
        other: 0,
        start,
        stop: start + duration,
        duration,
      },
      tests,
      extra: { url: result.url, verdict: result.verdict },
    },
  })
}

type Status = 'passed' | 'failed' | 'skipped'

function testOf({ area, name, durationMs, outcome, text, seen }: Case, { checks }: RunResult) {
  const status: Status = outcome === undefined ? 'passed' : outcome.tag === 'skipped' ? 'skipped' : 'failed'
  const message = outcome?.message ?? text
  const shown = outcome && text
  return {
    testId: name,
    name,
    status,
    duration: Math.round(durationMs),
    suite: ['countersign', area],
    rawStatus: checks.find(({ id }) => id === name)?.verdict ?? 'run',
    ...(message && { message: showHiddenInLines(message) }),
    ...((shown || seen) && { trace: showHiddenInLines([shown, seen].filter(Boolean).join('\n\n')) }),
  }
}
