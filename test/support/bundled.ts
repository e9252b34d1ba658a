import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bundles = new Map<string, Promise<string>>()

/**
 * Bundles a script once for all tests of this process, such as `new URL('locker.ts', import.meta.url)`. Returns the path of the
 * bundle. It starts in a third of the time that tsx needs, since nothing is left to compile.
 */
export function bundled({ href }: URL): Promise<string> {
  const known = bundles.get(href) ?? bundle(fileURLToPath(href))
  bundles.set(href, known)
  return known
}

async function bundle(script: string): Promise<string> {
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external', write: false } as const
  const { outputFiles } = await build({ entryPoints: [script], ...options })
  const text = outputFiles[0]?.text ?? ''
  // This folder is not committed, and modules there find the packages of the repository.
  const folder = join(root, '.vitest', 'bundled')
  const file = join(folder, `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`)
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  // Another process may be about to run the same file, so it appears at once.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text)
  renameSync(draft, file)
  return file
}
