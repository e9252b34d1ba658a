/**
 * Writes the pages of docs/api from the doc comments of what users call. `--check` writes nothing and fails on a stale page.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version as typescript } from 'typescript'

const folder = fileURLToPath(new URL('../docs/api', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'countersign-api-'))
try {
  writePages(scratch)
  const before = pagesIn(folder)
  const now = pagesIn(scratch)
  const stale = [...new Set([...before.keys(), ...now.keys()])].filter((name) => before.get(name) !== now.get(name))
  if (stale.length === 0) {
    process.stdout.write('All pages of docs/api are up to date.\n')
  } else if (process.argv.includes('--check')) {
    process.stderr.write(`Stale in docs/api: ${stale.join(', ')}. Run 'npm run api' and commit the changes.\n`)
    process.exitCode = 1
  } else {
    rmSync(folder, { recursive: true, force: true })
    cpSync(scratch, folder, { recursive: true })
    process.stdout.write(`Wrote ${stale.join(', ')} in docs/api.\n`)
  }
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
function pagesIn(path: string): Map<string, string> {
  try {
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
    return new Map(names.sort().map((name) => [name, readFileSync(join(path, name), 'utf8')]))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map()
    throw error
  }
}
