import { readFile, stat } from 'node:fs/promises'
import { HarError, type HarSession, readHar } from '../../conformance/session/read-har.ts'
import { showHidden } from '../../conformance/wire/inert.ts'
import { UsageError } from './exit.ts'

/** The largest file that is read, in bytes. Reading takes several times as much memory. */
const largestSession = 64 * 1024 * 1024

/** Reads a session for sending it again; `base` is the address of its service, if the file has several. Throws a `UsageError` that says what is wrong with the file. */
export async function readSessionFile(path: string, base?: string): Promise<HarSession> {
  return sessionIn(await textOfFile(path), base)
}

/** Reads a session in the text of a file. Throws a `UsageError` that says what is wrong with it. */
export function sessionIn(text: string, base?: string): HarSession {
  try {
    return readHar(text, { needsBodies: false, ...(base !== undefined && { url: base }) })
  } catch (error) {
    if (error instanceof HarError) throw new UsageError(showHidden(error.message))
    throw error
  }
}

/** Returns the text of a file of at most 64 MiB. Throws a `UsageError`. */
export async function textOfFile(path: string): Promise<string> {
  try {
    const file = await stat(path)
    if (file.isFile() && file.size <= largestSession) return requireShallow(path, await readFile(path, 'utf8'))
    const what = file.isFile() ? `has ${Math.round(file.size / 1024 / 1024)} MiB` : 'is not a file'
    throw new UsageError(`${path} ${what}. Name a file of at most ${largestSession / 1024 / 1024} MiB.`)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The file cannot be read: ${why}. Name a HAR file.`)
  }
}

/** The deepest nesting of lists and objects. HAR and our reports have about ten levels. */
const deepestNesting = 500

/** Throws a `UsageError` for JSON that is nested so deeply that parsing it would need more memory than a process has. */
function requireShallow(path: string, text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') {
      // To the end of the string.
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1
    } else if (character === '[' || character === '{') {
      depth += 1
      if (depth > deepestNesting) {
        throw new UsageError(`${path} is nested more than ${deepestNesting} levels deep. Name a HAR file or a report.`)
      }
    } else if (character === ']' || character === '}') depth -= 1
  }
  return text
}
