import type { Finding, Strength } from '../reading/finding.ts'
import { truncate } from '../wire/inert.ts'

/** Formats a value for a message: as JSON, truncated to 200 characters. */
export function show(value: unknown): string {
  return value === undefined ? 'missing' : truncate(JSON.stringify(value) ?? 'missing', 200)
}

/** Creates the finding of a value at a place of an answer, without rejected candidates. */
export function findingAt(
  what: string,
  answer: string,
  place: string,
  value: unknown,
  rule: string,
  strength: Strength = 'proven',
): Finding {
  return { what, answer, value, place, rule, strength, rejected: [] }
}
