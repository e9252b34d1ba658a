import { createMock } from '../../src/index.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { wholeServer } from './whole.ts'
import type { ServerFunction } from './wrapper.ts'

/** The time of the reference's stopped clock, fixed so that every run has the same answers. */
const startTime = Date.UTC(2026, 2, 1, 9)

/** A sound server of its own, which answers the same requests with the same answers every time. */
export function reference(like?: Profile): ServerFunction {
  // The seed also fixes the signing secret.
  return wholeServer(
    createMock({ seed: '1', startTime, clockSpeed: 0, approvers: 'manual', admin: {}, ...(like && { like }) }),
  )
}

/** The same with a clock that runs, as that of a deployment does. */
export function runningReference(like?: Profile): ServerFunction {
  return wholeServer(createMock({ seed: '1', approvers: 'manual', admin: {}, ...(like && { like }) }))
}
