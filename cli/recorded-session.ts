import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { outputTargetOf, writeWhole } from '../conformance/report/write-whole.ts'
import type { Mock } from '../src/mock.ts'
import { reasonOf } from '../src/node/journal/errors.ts'

/** The shortest pause between two writes in milliseconds, and its multiple of the time that the last write took. */
const shortestPause = 2000
const pauseFactor = 50

/** Keeps the file of a recording up to date. */
export interface RecordedSession {
  /** Notes that a call was answered, so that the file is written again soon. */
  changed(): void
  /** Writes the file for the last time. */
  end(): Promise<void>
}

/**
 * Writes the session that a mock records into a file, completely each time. A file of an earlier session stays until the first call.
 * Rejects if the file cannot be written.
 */
export async function recordedSession(path: string, mock: Pick<Mock, 'recording'>): Promise<RecordedSession> {
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let pause = shortestPause
  /** True if the file has an earlier session, and this one has no call yet. */
  let isKept = false
  const write = async () => {
    if (isKept) return
    const begun = performance.now()
    await orUnwritable(async () => writeWhole(path, `${JSON.stringify(await mock.recording.read(), null, 1)}\n`))
    pause = Math.max(shortestPause, pauseFactor * (performance.now() - begun))
  }
  const writeLater = () => {
    timer = undefined
    // The last write reports an error.
    writing = write().catch((error: Error) => void process.stderr.write(`${error.message}\n`))
  }
  isKept = await orUnwritable(() => isReplaceable(path))
  await write()
  return {
    changed() {
      isKept = false
      timer ??= setTimeout(writeLater, pause).unref()
    },
    async end() {
      clearTimeout(timer)
      await writing
      await write()
    },
  }
}

/** Returns true if there is a file that can be replaced, and false if there is none. Rejects if it cannot be replaced. */
async function isReplaceable(path: string): Promise<boolean> {
  const { path: target, found } = await outputTargetOf(path)
  // A reader of a pipe would get the whole session again with each call.
  if (found?.isFIFO()) throw new Error(`'${path}' is a pipe`)
  if (!found?.isFile()) return false
  await Promise.all([access(target, constants.W_OK), access(dirname(target), constants.W_OK)])
  return true
}

async function orUnwritable<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw new Error(`The session cannot be written: ${reasonOf(error)}. Choose another file with --record.`)
  }
}
