import { guardedFetch } from '../../src/connect/guarded-fetch.ts'
import { type ConformanceOptions, describeConformance as describePlain } from './vitest.ts'

export type { ConformanceOptions }

/** `describeConformance` for Node, which checks the address of each connection. */
export function describeConformance(
  title: string,
  options: ConformanceOptions | (() => Promise<ConformanceOptions>),
): void {
  describePlain(title, async () => {
    const given = typeof options === 'function' ? await options() : options
    return given.fetch ? given : { ...given, fetch: guardedFetch(given.url), checksAddresses: true }
  })
}
