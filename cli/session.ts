import { HarError, type HarSession, type ReadOptions, readHar } from '../conformance/session/read-har.ts'
import type { JsonKind } from './input.ts'

/** A session in a HAR file. */
export const sessionFile = (options: ReadOptions): JsonKind<HarSession> => ({
  what: 'The session',
  advice: 'Name a HAR file, such as one of "Save all as HAR" in a browser.',
  read: (har) => readHar(har, options),
  refusal: HarError,
})
