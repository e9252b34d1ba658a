import { open, rename, rm } from 'node:fs/promises'

/** Writes a temporary file and renames it, so that readers never see a partial one. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${crypto.randomUUID().slice(0, 8)}.part`
  try {
    const file = await open(draft, 'wx')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
