/** Tests that replay a session on variants of the selftest. */
import { expect, test } from 'vitest'
import { replay } from '../../../conformance/replay/replay.ts'
import type { Choice } from '../../../conformance/selftest/mutant.ts'
import { runningReference } from '../../../conformance/selftest/reference.ts'
import { choiceText, variant } from '../../../conformance/selftest/variants/index.ts'
import { virtualTime } from '../../../conformance/selftest/virtual-time.ts'
import type { ServerFunction } from '../../../conformance/selftest/wrapper.ts'
import type { HarSession } from '../../../conformance/session/read-har.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { recordedSession } from './recording.ts'

/** Replays the recorded session, or another one, on a server function. */
export async function replayOn(
  fetch: ServerFunction,
  session: Promise<HarSession> | HarSession = recordedSession(),
  apiKey = 'test_replay',
) {
  return replay({
    ...{ url: 'http://replay.test', apiKey, fetch, time: virtualTime() },
    session: await session,
  })
}

/** Tests that a session of the mock has the same outcomes on sound servers that make other choices. */
export function testReplays(choices: readonly Choice[]): void {
  const rows = choices.map((choice) => [choiceText(choice).slice(0, 40), choice] as const)
  test.each(nonEmpty(rows))('a session of the mock replays on %s', async (_, choice) => {
    const { calls, verdict } = await replayOn(variant(choice)(runningReference))
    expect(calls.filter(({ outcome }) => outcome !== 'same')).toEqual([])
    expect([choiceText(choice), verdict]).toEqual([choiceText(choice), 'same'])
  })
}
