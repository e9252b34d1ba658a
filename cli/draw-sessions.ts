/** Draws sessions for `compare --explore`. The build bundles this file with fast-check, which is not installed with the package. */
import { nat, sample } from 'fast-check'
import type { PlannedCall } from '../conformance/explore/plan.ts'
import { Planner } from '../conformance/explore/plan-sessions.ts'

/** The most calls of a session. */
const longest = 24

/** Returns enough sessions for a number of requests to two sides, for one tenant or two. The same seed returns the same sessions. */
export function drawSessions(seed: number, requests: number, { hasTenants = false } = {}): PlannedCall[][] {
  // Each call is sent to both sides.
  const length = Math.min(longest, Math.floor(requests / 2))
  const sessions = Math.ceil(requests / (2 * length)) + 1
  const drawn = sample(nat(), { seed, numRuns: 4096 })
  let at = 0
  const chance = (limit: number) => {
    at += 1
    return (drawn[at % drawn.length] ?? 0) % limit
  }
  const planner = new Planner(chance, { hasTenants })
  return Array.from({ length: sessions }, () => planner.planSession(length))
}
