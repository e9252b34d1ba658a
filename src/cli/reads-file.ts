import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { mergeReads, parseReads, type ReadsFile } from '../reads/reads-file.ts'
import { UsageError } from './exit.ts'

/** The largest file that is read, in bytes. */
const largest = 64 * 1024 * 1024

/** Reads files of what a front end reads, and those in folders, and returns their places in one. Throws a `UsageError`. */
export async function readReads(paths: readonly string[]): Promise<ReadsFile> {
  const files = (await Promise.all(paths.map(filesAt))).flat()
  return mergeReads(await Promise.all(files.map(readsIn)))
}

async function filesAt(path: string): Promise<string[]> {
  try {
    const { isDirectory, size } = await stat(path).then((found) => ({
      isDirectory: found.isDirectory(),
      size: found.size,
    }))
    if (size > largest)
      throw new UsageError(`${path} has ${Math.round(size / 1024 / 1024)} MiB. Name a file of at most 64 MiB.`)
    if (!isDirectory) return [path]
    const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort()
    if (names.length === 0)
      throw new UsageError(`The folder ${path} has no JSON file. Name the file that recordReads has written.`)
    return names.map((name) => join(path, name))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw unreadable(error)
  }
}

async function readsIn(path: string): Promise<ReadsFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(error)
  })
  const { reads, flaw } = parseReads(text)
  if (flaw) throw new UsageError(`The reads of ${path} cannot be used: ${flaw}. Record them again.`)
  return reads
}

function unreadable(error: unknown): UsageError {
  const why = error instanceof Error ? error.message : String(error)
  return new UsageError(`The reads cannot be read: ${why}. Name a file that recordReads or trackReads has written.`)
}
