import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates an empty folder that is removed when the current test ends. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
