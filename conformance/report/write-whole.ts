import type { Stats } from 'node:fs'
import { mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'

/**
 * Writes a file whole: to a temporary one that is renamed, so that readers never see a part. Follows links, and writes straight to a
 * pipe or a device such as a terminal. Throws for a folder and anything else that is no file.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const target = await outputTargetOf(path)
  if (target.found && !target.found.isFile()) return writeTo(target.path, text, 'w')
  const draft = `${target.path}.${crypto.randomUUID().slice(0, 8)}.part`
  try {
    await writeTo(draft, text, 'wx', target.found?.mode)
    await rename(draft, target.path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function writeTo(path: string, text: string, flags: 'w' | 'wx', mode?: number): Promise<void> {
  const file = await open(path, flags, mode)
  try {
    await file.writeFile(text)
    // A pipe cannot be synchronised.
    if (flags === 'wx') await file.sync()
  } finally {
    await file.close()
  }
}

/** Returns where a path leads through links, and what is there. Throws if nothing can be written there. */
export async function outputTargetOf(path: string): Promise<{ readonly path: string; readonly found?: Stats }> {
  const found = await ifThere(() => stat(path))
  if (found?.isFile()) return { path: await realpath(path), found }
  if (found?.isFIFO() || found?.isCharacterDevice()) return { path, found }
  if (found) throw new Error(`'${path}' is ${found.isDirectory() ? 'a folder' : 'neither a file nor a pipe'}`)
  const link = await ifThere(() => readlink(path))
  if (link === undefined) return { path }
  return outputTargetOf(isAbsolute(link) ? link : `${dirname(path)}/${link}`)
}

/** Returns what `act` returns; undefined if there is no such file. */
async function ifThere<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await act()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * Creates a folder and the missing folders around it. Returns the outermost folder created, or undefined if none was missing.
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
