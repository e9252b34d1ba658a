import { type HarOptions, harOf } from '../../src/session/har.ts'
import type { FoundDifference } from './explore.ts'

/** Returns the session of a difference as HAR, with the answers of A. */
export function differenceAsHar({ exchanges, session }: FoundDifference, options: HarOptions): string {
  const named = exchanges.map(([one], index) => ({ at: 0, ...one, name: `${session[index]?.call} ${index + 1}` }))
  return `${JSON.stringify(harOf(named, options), undefined, 1)}\n`
}
