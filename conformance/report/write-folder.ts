import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and the missing folders around it. Returns the outermost one that it created, or undefined if the folder was there.
 * Node's own `recursive` never ends in `/proc`: making a folder there reports that its parent is missing.
 */
export async function createFolder(folder: string): Promise<string | undefined> {
  const path = resolve(folder)
  try {
    return (await create(path)) ? path : undefined
  } catch (error) {
    const parent = dirname(path)
    if (!isMissing(error) || parent === path) throw error
    const outermost = await createFolder(parent)
    const isNew = await create(path)
    return outermost ?? (isNew ? path : undefined)
  }
}

/** Creates one folder. Returns true if it did, and false if it was there. */
async function create(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    const isThere = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (isThere) return false
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
