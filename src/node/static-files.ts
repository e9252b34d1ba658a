import { readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'

/** A file to send, with its media type. */
export interface StaticFile {
  readonly type: string
  readonly body: Uint8Array
}

/**
 * Returns a function that reads the files of a folder: undefined for a name that is not there, or whose end is not among `types`. All
 * answers with a file share its memory. It is read again after a change.
 */
export function staticFiles(folder: string, types: Readonly<Record<string, string>>) {
  const read = new Map<string, StaticFile & { readonly version: string }>()
  return (name: string): StaticFile | undefined => {
    const { [extname(name)]: type } = types
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (type === undefined || !found?.isFile()) return undefined
    const version = `${found.ino} ${found.size} ${found.mtimeMs}`
    const known = read.get(name)
    if (known?.version === version) return known
    const file = { type, body: readFileSync(path), version }
    read.set(name, file)
    return file
  }
}
