import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** Creates an empty folder that is removed when the current test ends. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates an empty folder for all tests of a file. */
export function sharedScratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The files of a folder: texts, bytes, or what they have as JSON. */
export type Files = Readonly<Record<string, string | object>>

/** Creates a folder with files that is removed when the current test ends. */
export function folderOf(files: Files): string {
  const folder = scratch()
  for (const [name, content] of Object.entries(files)) {
    const isJson = typeof content === 'object' && !(content instanceof Uint8Array)
    writeFileSync(join(folder, name), isJson ? JSON.stringify(content) : content)
  }
  return folder
}
