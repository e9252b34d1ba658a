import { truncate } from '../wire/inert.ts'

/** Formats a value for a message: as JSON, truncated to 200 characters. */
export function show(value: unknown): string {
  return value === undefined ? 'missing' : truncate(JSON.stringify(value) ?? 'missing', 200)
}
