import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { flawOfReads, mergeReads, type ReadsFile } from '../reads/reads-file.ts'
import { UsageError } from './exit.ts'
import { type InputKind, readInputJson, unreadableInput } from './input-file.ts'

/** Reads files of what a front end reads, and those in folders, and returns their places in one. Throws a `UsageError`. */
export async function readReads(paths: readonly string[]): Promise<ReadsFile> {
  const reads: ReadsFile[] = []
  // One after the other, since a folder may have more files than a process may open.
  for (const path of paths) for (const file of await filesAt(path)) reads.push(await readsIn(file))
  return mergeReads(reads)
}

const kind: InputKind = {
  what: 'The file of reads',
  advice: 'Name a file that recordReads or trackReads has written, or a folder of such files.',
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort()
    if (names.length > 0) return names.map((name) => join(path, name))
  } catch (error) {
    throw unreadableInput(error, path, kind)
  }
  throw new UsageError(`The folder ${path} has no JSON file. Name the file that recordReads has written.`)
}

async function readsIn(path: string): Promise<ReadsFile> {
  const json = await readInputJson(path, kind)
  const flaw = flawOfReads(json)
  if (flaw) throw new UsageError(`The reads of ${path} cannot be used: ${flaw}. Record them again.`)
  return json as ReadsFile
}
