import { noBaseline } from '../judging/baseline.ts'
import type { RunResult } from './result.ts'
import { tally } from './tally.ts'

/** The version of `report.json`. Other versions are not read. */
export const schemaVersion = 2

/** Builds `report.json`, as described by report.schema.json. */
export function jsonReport(result: RunResult, baseline = noBaseline) {
  const { url, verdict, durationMs, checks, gaps, leftBehind } = result
  const { runId, startedAt, located, findings, requests, exchanges, withheld, crashes, settings, notes } = result
  return {
    schemaVersion,
    target: { url },
    verdict,
    durationMs,
    counts: tally(checks),
    checks: checks.map(({ id, requirement, section, provenance, level, verdict, message, ...more }) => {
      return { id, requirement, section, provenance, level, verdict, message, ...more }
    }),
    gaps: gaps.map(({ id, observed, sameAsOurs }) => ({ id, observed, sameAsOurs })),
    leftBehind,
    runId,
    startedAt,
    located,
    findings,
    requests,
    exchanges,
    withheld,
    crashes,
    settings,
    notes,
    baseline: {
      expected: baseline.expected,
      unexpectedPasses: baseline.unexpectedPasses,
      expired: baseline.expired,
    },
    ...(result.reads && { reads: result.reads }),
    ...(result.stopped !== undefined && { stopped: result.stopped }),
    ...(result.profileFlaws && { profileFlaws: result.profileFlaws }),
  }
}

/** Writes JSON with escapes for all characters that a terminal or a web page may interpret, or that are invisible. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  return `${text.replaceAll(/[<\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Noncharacter_Code_Point}\u007f-\u009f]/gu, escapeUnits)}\n`
}

function escapeUnits(character: string): string {
  // JSON escapes are UTF-16 code units.
  return [...Array(character.length).keys()]
    .map((place) => `\\u${character.charCodeAt(place).toString(16).padStart(4, '0')}`)
    .join('')
}
