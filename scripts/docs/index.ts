import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { withStylesheet } from '../../conformance/report/html-text.ts'
import { citationsOf } from '../citations.ts'
import { readYaml } from '../contract.ts'
import { errorsPage } from './errors.ts'
import { guidesPage, troubleshootingPage } from './guides.ts'
import type { pages } from './page.ts'
import { questionsPage } from './questions.ts'
import { copyLicences, referencePage } from './reference.ts'
import { searchEntries, searchPage } from './search.ts'
import { traceabilityPage } from './traceability.ts'
import { tryPage } from './try.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** Writes the documentation into a folder. */
export async function buildDocs(folder: string): Promise<void> {
  const service = readYaml('openapi.yaml')
  const admin = readYaml('src/contract/admin.yaml')
  const read = (path: string) => readFile(join(repository, path), 'utf8')
  const kills = JSON.parse(await read('conformance/selftest/kills.gen.json'))
  await mkdir(folder, { recursive: true })
  const files: Readonly<Record<keyof typeof pages | 'minisearch.LICENSE.txt', string | Promise<string>>> = {
    'index.html': referencePage(service, 'index.html'),
    'admin.html': referencePage(admin, 'admin.html'),
    'guides.html': guidesPage(),
    'troubleshooting.html': troubleshootingPage(),
    'questions.html': questionsPage(citationsOf(service, 'x-gap')),
    'traceability.html': traceabilityPage(citationsOf(service, 'x-requirement'), kills),
    'errors.html': errorsPage(service, admin),
    'try.html': pageScript('try.ts').then((script) => tryPage(service, admin, script)),
    'search.html': pageScript('search.ts').then((script) => searchPage(searchEntries(service, admin), script)),
    'openapi.yaml': read('openapi.yaml'),
    // The search is part of the page, without a licence in its text.
    'minisearch.LICENSE.txt': read('node_modules/minisearch/LICENSE.txt'),
  }
  const write = async ([name, text]: readonly [string, string | Promise<string>]) =>
    Promise.all(withStylesheet([name, await text]).map(([file, one]) => writeFile(join(folder, file), one)))
  await Promise.all([copyLicences(folder), ...Object.entries(files).map(write)])
}

/** Bundles the script of a page, small enough to be part of it. */
export async function pageScript(name: string): Promise<string> {
  const entry = fileURLToPath(new URL(`browser/${name}`, import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  })
  return outputFiles[0]?.text.trim() ?? ''
}
