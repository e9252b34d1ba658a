import { noBaseline } from '../judging/baseline.ts'
import { cut } from '../wire/inert.ts'
import type { ExchangeRecord, RunResult } from './result.ts'
import { tally } from './tally.ts'

/** The version of `report.json`. A reader of one version reads no other. */
export const schemaVersion = 2

/** As much of a body as a report holds, in characters. A longer one is cut, and can then not be judged again. */
const longestBody = 64 * 1024

function withinLimit(exchange: ExchangeRecord): ExchangeRecord {
  const { requestBody = '', responseBody } = exchange
  if (Math.max(requestBody.length, responseBody.length) <= longestBody) return exchange
  return {
    ...exchange,
    ...(exchange.requestBody !== undefined && { requestBody: cut(requestBody, longestBody) }),
    responseBody: cut(responseBody, longestBody),
    isCut: true,
  }
}

/** `report.json`: the run for machines, as report.schema.json describes it. */
export function jsonReport(result: RunResult, baseline = noBaseline) {
  const { url, verdict, durationMs, checks, gaps, leftBehind } = result
  const { runId, startedAt, located, requests, exchanges, withheld, crashes, settings, notes } = result
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
    requests,
    exchanges: exchanges.map(withinLimit),
    withheld,
    crashes,
    settings,
    notes,
    baseline: { expected: baseline.expected, unexpectedPasses: baseline.unexpectedPasses },
  }
}

/** JSON as text that no terminal obeys and no web page runs: whatever is not plain to see is written as an escape. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  return `${text.replaceAll(/[<\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Noncharacter_Code_Point}\u007f-\u009f]/gu, escaped)}\n`
}

function escaped(character: string): string {
  // By UTF-16 units, as JSON has it.
  return [...Array(character.length).keys()]
    .map((place) => `\\u${character.charCodeAt(place).toString(16).padStart(4, '0')}`)
    .join('')
}
