import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a temporary file with a text, passes its path to `use`, and removes the file. */
export async function withFile<T>(text: string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const path = join(folder, 'file')
  writeFileSync(path, text)
  try {
    return await use(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
