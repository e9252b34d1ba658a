import { type Verdict, verdicts } from '../judging/verdict.ts'
import type { CheckResult } from './result.ts'

/** Counts the checks by verdict, including zeros. */
export function tally(checks: readonly CheckResult[]): Record<Verdict, number> {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  for (const { verdict } of checks) counts[verdict] += 1
  return counts
}

/** Formats a number with its noun: `1 check`, `2 checks`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}

/** Formats a duration: `340 ms`, `12.3 s`, `4 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}
