import { HarError, type HarSession, type ReadOptions, readHar } from '../../conformance/session/read-har.ts'
import { showHidden } from '../../conformance/wire/inert.ts'
import { UsageError } from './exit.ts'
import { readInputJson } from './input-file.ts'

/** Returns the JSON of a HAR file. Throws a `UsageError` that says what is wrong with the file. */
export async function readSession(path: string): Promise<unknown> {
  return readInputJson(path, {
    what: 'The session',
    advice: 'Name a HAR file, such as one of "Save all as HAR" in a browser.',
  })
}

/** Returns the session that the JSON of a HAR file has. Throws a `UsageError` that says what is wrong with it. */
export function sessionIn(har: unknown, options: ReadOptions): HarSession {
  try {
    return readHar(har, options)
  } catch (error) {
    if (error instanceof HarError) throw new UsageError(showHidden(error.message))
    throw error
  }
}
