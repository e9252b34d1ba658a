import type { RunResult } from '../result.ts'
import { verdicts } from '../verdict.ts'

/** `report.json`: the run for machines. */
export function jsonReport({ url, verdict, durationMs, checks, gaps, located, leftBehind }: RunResult) {
  const counts = Object.fromEntries(
    verdicts.map((verdict) => [verdict, checks.filter((check) => check.verdict === verdict).length]),
  )
  return { schemaVersion: 1, target: { url }, verdict, durationMs, counts, checks, gaps, located, leftBehind }
}
