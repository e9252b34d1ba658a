/**
 * Writes the pages of docs/api from the doc comments of what users call. `--check` writes nothing and fails on a stale page.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version as typescript } from 'typescript'
import { writeGenerated } from './write-generated.ts'

const folder = fileURLToPath(new URL('../docs/api', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'countersign-api-'))
try {
  writePages(scratch)
  const [before, now] = [existsSync(folder) ? pagesIn(folder) : {}, pagesIn(scratch)]
  const names = Object.keys({ ...before, ...now })
  writeGenerated(Object.fromEntries(names.map((name) => [`docs/api/${name}`, now[name]])), 'npm run api')
} finally {
  rmSync(scratch, { recursive: true })
}

/** Writes the pages into a folder, as typedoc.json says. */
function writePages(out: string): void {
  // It reads the sources with the compiler that compiles them.
  const packages = [`typescript@${typescript}`, 'typedoc@0.28.20', 'typedoc-plugin-markdown@4.14.1']
  const command = `typedoc --options scripts/typedoc.json --out '${out}'`
  const args = ['-y', ...packages.map((name) => `--package=${name}`), '-c', command]
  execFileSync('npx', args, { cwd: join(folder, '../..'), stdio: 'inherit' })
}

/** Returns the text of each page of a folder, by its path. */
function pagesIn(path: string): Record<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name), 'utf8')]))
}
