/** Tests that explore servers beside the reference. */

import { drawSessions } from '../../../cli/draw-sessions.ts'
import { explore } from '../../../conformance/explore/explore.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { virtualTime } from '../../../conformance/selftest/virtual-time.ts'
import type { ServerFunction } from '../../../conformance/selftest/wrapper.ts'

/** The sessions by seed. Drawing them takes as long as to explore with them. */
const drawn = new Map<number, ReturnType<typeof drawSessions>>()

function sessionsOf(seed: number) {
  const sessions = drawn.get(seed) ?? drawSessions(seed, 500)
  drawn.set(seed, sessions)
  return sessions
}

/** Explores a server beside the reference, or another one, with at most 500 requests. */
export function exploreBeside(
  fetch: ServerFunction,
  seed: number,
  other: ServerFunction = reference(),
  sessions = sessionsOf(seed),
) {
  const side = (one: ServerFunction) => ({
    url: 'http://explore.test',
    apiKey: 'test_explore',
    secondKey: 'test_explore_2',
    time: virtualTime(),
    fetch: one,
  })
  return explore({ sides: [side(other), side(fetch)], sessions, most: 500 })
}
