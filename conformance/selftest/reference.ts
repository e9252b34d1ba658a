import { createMock } from '../../src/index.ts'
import type { ServerFunction } from './wrapper.ts'

/** When the reference's clock stands still, so that every run sees the same answers. */
const startTime = Date.UTC(2026, 2, 1, 9)

/** A sound server of its own, which answers the same requests with the same answers every time. */
export function reference(): ServerFunction {
  // With a seed the signing secret is the same in each run too.
  return createMock({ seed: '1', startTime, clockSpeed: 0, approvers: 'manual' }).fetch
}
