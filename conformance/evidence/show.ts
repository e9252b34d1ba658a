import { cut } from '../wire/inert.ts'

/** Returns a value as a message shows it: as JSON, at most 200 characters of it. */
export function show(value: unknown): string {
  return value === undefined ? 'missing' : cut(JSON.stringify(value) ?? 'missing', 200)
}
