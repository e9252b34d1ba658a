import { guardedFetch } from '../../src/connect/guarded-fetch.ts'
import { type ConformanceOptions, describeConformance as describePlain } from './vitest.ts'

export type { Profile } from './vitest.ts'
export type { ConformanceOptions }

/** Defines the tests of the suite in Node, where each connection is checked by the address that it goes to. */
export function describeConformance(
  title: string,
  options: ConformanceOptions | (() => Promise<ConformanceOptions>),
): void {
  describePlain(title, async () => {
    const given = typeof options === 'function' ? await options() : options
    return given.fetch ? given : { ...given, fetch: guardedFetch(given.url), checksAddresses: true }
  })
}
