import { count } from '../report/tally.ts'
import { outcomesIn, type ReplayedCall, type ReplayResult } from './result.ts'
import type { ReportRow, SessionReport } from './session-report.ts'

const outcomes = { same: 'same', other: 'different', unsent: 'undecided' } as const

/** Returns the row of a replayed call. */
export function rowOfCall({ name, outcome, reason, recorded, exchange }: ReplayedCall): ReportRow {
  return {
    name,
    outcome: outcomes[outcome],
    word: outcome,
    ...(reason !== undefined && { text: reason }),
    exchanges: [{ label: 'Recorded', record: recorded }, ...(exchange ? [{ label: 'Now', record: exchange }] : [])],
  }
}

/** Returns the report of a replay. */
export function reportOfReplay(result: ReplayResult): SessionReport {
  const { url, recordedAt, verdict, startedAt, durationMs, calls, leftOut, leftBehind, requests, notes } = result
  const left = [
    [leftOut.otherOrigins, 'to other origins'],
    [leftOut.otherCalls, 'that the contract does not have'],
    [leftOut.unreadable, 'that could not be read'],
  ] as const
  const omitted = left.filter(([number]) => number > 0).map(([number, what]) => `${count(number, 'call')} ${what}`)
  return {
    command: 'replay',
    subject: `session of ${recordedAt} at ${url}`,
    verdict,
    startedAt,
    durationMs,
    rows: calls.map(rowOfCall),
    notes: [
      ...notes,
      ...(omitted.length > 0 ? [`Left out: ${omitted.join(', ')}.`] : []),
      `${count(requests, 'request')} sent; ${count(leftBehind.length, 'item')} left behind.`,
    ],
    details: { url, recordedAt, requests, leftOut, leftBehind, counts: outcomesIn(calls), calls },
  }
}
