import { readFile } from 'node:fs/promises'

/** Returns a file's bytes, or undefined if there is no such file. */
export async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EISDIR') return undefined
    throw error
  }
}
