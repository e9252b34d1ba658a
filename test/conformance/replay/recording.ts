/** Sessions that are recorded on the mock. */
import type { HarSession } from '../../../conformance/session/read-har.ts'
import { readHar } from '../../../conformance/session/read-har.ts'
import { createMock } from '../../../src/index.ts'
import { harOf } from '../../../src/session/har.ts'
import { sessionOn } from '../learning/session.ts'

const creator = { name: 'countersign', version: '0.0.0' }

/** Records the calls of a front end on the mock: two workflows and documents, their executions, and a refusal. */
export async function recordedHar(): Promise<string> {
  const { exchanges, redact } = await sessionOn(createMock().fetch)
  return JSON.stringify(harOf(exchanges, { redact, creator }))
}

/** Returns the same session as it is read from a file. */
export async function recordedSession(): Promise<HarSession> {
  return readHar(JSON.parse(await recordedHar()), { needsBodies: false })
}
