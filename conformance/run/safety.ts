import type { Profile } from '../../src/profile/profile.ts'
import { isNearby } from '../wire/addresses.ts'

/** Requests per second to a deployment that is not on this machine. */
const politeRate = 5
const testKey = /^([A-Za-z0-9]{1,16}[_-])?(test|sandbox)[_-]/i

export interface SafetyOptions {
  readonly url: string
  readonly apiKey: string
  readonly profile?: Profile
  /**
   * Most requests a second.
   *
   * @default 5; no limit for a deployment on this machine
   * @example `{ perSecond: 20 }`
   */
  readonly perSecond?: number
  /**
   * Accepts a key without a test-mode prefix. A run leaves workflows and documents behind.
   *
   * @default false
   * @example `{ allowLiveKey: true }`
   */
  readonly allowLiveKey?: boolean
}

/** Returns the rate limit of a run, and the reason why it must not start, if there is one. */
export function safety({ url, apiKey, profile = {}, perSecond, allowLiveKey = false }: SafetyOptions): {
  readonly perSecond?: number
  readonly flaw?: string
} {
  const pattern = profile.testKeyPattern === undefined ? testKey : new RegExp(profile.testKeyPattern)
  if (!allowLiveKey && !pattern.test(apiKey)) {
    return {
      flaw: 'The key has no test-mode prefix, and the run leaves workflows and documents behind. Use a test key, set testKeyPattern in the profile, or',
    }
  }
  const rate = perSecond ?? (isNearby(new URL(url).hostname) ? undefined : politeRate)
  return rate === undefined ? {} : { perSecond: rate }
}
