import { writeWhole } from '../../conformance/report/write-whole.ts'
import type { Mock } from '../mock.ts'

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

/** Writes the session that a mock records into a file, completely each time. Rejects if the file cannot be written. */
export async function recordedSession(path: string, mock: Pick<Mock, 'recording'>): Promise<RecordedSession> {
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let pause = shortestPause
  const write = async () => {
    const begun = performance.now()
    try {
      await writeWhole(path, `${JSON.stringify(await mock.recording.read(), null, 1)}\n`)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new Error(`The session cannot be written: ${why}. Choose another file with --record.`)
    }
    pause = Math.max(shortestPause, pauseFactor * (performance.now() - begun))
  }
  const writeLater = () => {
    timer = undefined
    // The last write reports an error.
    writing = write().catch((error: Error) => void process.stderr.write(`${error.message}\n`))
  }
  await write()
  return {
    changed() {
      timer ??= setTimeout(writeLater, pause).unref()
    },
    async end() {
      clearTimeout(timer)
      await writing
      await write()
    },
  }
}
