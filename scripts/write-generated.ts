import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes the files whose text is another than before, and removes those without a text. With `--check` it changes none, and fails if
 * one is stale. `command` makes them.
 */
export function writeGenerated(files: Readonly<Record<string, string | undefined>>, command: string): void {
  const stale = Object.entries(files).filter(([path, text]) => {
    const file = join(root, path)
    return text !== (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
  })
  const names = stale.map(([path]) => path).join(', ')
  if (stale.length === 0) {
    process.stdout.write(`All files of '${command}' are up to date.\n`)
  } else if (process.argv.includes('--check')) {
    process.stderr.write(`Stale: ${names}. Run '${command}' and commit what changed.\n`)
    process.exitCode = 1
  } else {
    for (const [path, text] of stale) {
      const file = join(root, path)
      mkdirSync(dirname(file), { recursive: true })
      if (text === undefined) rmSync(file)
      else writeFileSync(file, text)
    }
    process.stdout.write(`Wrote ${names}.\n`)
  }
}

/** Returns a module's constant with a row for each entry. `declaration` is its name, or its name and type. */
export function tableModule(declaration: string, entries: Iterable<readonly [string, unknown]>, end = ''): string {
  const rows = [...entries].map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`)
  return `export const ${declaration} = {\n${rows.join('')}}${end}\n`
}
