import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const source = fileURLToPath(new URL('../src/console', import.meta.url))

/**
 * Builds the console into a folder: `index.html`, which the mock serves at `/`, and a script and a style with the digest of
 * their content in their names, which it serves under `/__console/` and browsers may keep.
 */
export async function buildConsole(folder: string): Promise<void> {
  const { outputs } = await bundle(folder)
  let page = await readFile(join(source, 'index.html'), 'utf8')
  for (const path of Object.keys(outputs)) {
    const name = basename(path)
    page = page.replace(`__console/${name.replace(/-[A-Z0-9]+\./, '.')}`, `__console/${name}`)
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'index.html'), page)
  const preact = dirname(createRequire(import.meta.url).resolve('preact/package.json'))
  await copyFile(join(preact, 'LICENSE'), join(folder, 'preact.LICENSE.txt'))
}

async function bundle(folder: string) {
  const { metafile } = await build({
    entryPoints: { console: join(source, 'main.tsx'), style: join(source, 'style.css') },
    outdir: folder,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    logLevel: 'warning',
  })
  return metafile
}
