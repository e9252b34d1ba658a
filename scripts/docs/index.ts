import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { withStylesheet } from '../../conformance/report/html-text.ts'
import { citationsOf } from '../citations.ts'
import { readYaml } from '../contract.ts'
import { contractHistory } from '../contract-history.ts'
import { changesPage } from './changes.ts'
import { errorsPage } from './errors.ts'
import { guidesPage, troubleshootingPage } from './guides.ts'
import { questionsPage } from './questions.ts'
import { copyLicences, referencePage } from './reference.ts'
import { searchEntries, searchPage } from './search.ts'
import { traceabilityPage } from './traceability.ts'
import { tryPage } from './try.ts'

const repository = new URL('../../', import.meta.url)

/** Writes the documentation into a folder. */
export async function buildDocs(folder: string): Promise<void> {
  const service = readYaml('openapi.yaml')
  const admin = readYaml('src/contract/admin.yaml')
  const kills = JSON.parse(await readFile(new URL('conformance/selftest/kills.gen.json', repository), 'utf8'))
  await mkdir(folder, { recursive: true })
  const write = (name: string, text: string) =>
    Promise.all(withStylesheet([name, text]).map((file) => writeFile(`${folder}/${file[0]}`, file[1])))
  await Promise.all([
    referencePage(service, 'index.html').then((text) => write('index.html', text)),
    referencePage(admin, 'admin.html').then((text) => write('admin.html', text)),
    copyLicences(folder),
    write('guides.html', guidesPage()),
    write('troubleshooting.html', troubleshootingPage()),
    write('questions.html', questionsPage(citationsOf(service, 'x-gap'))),
    write('traceability.html', traceabilityPage(citationsOf(service, 'x-requirement'), kills)),
    errorsPage(service, admin).then((text) => write('errors.html', text)),
    pageScript('try.ts').then((script) => write('try.html', tryPage(service, admin, script))),
    pageScript('search.ts').then((script) => write('search.html', searchPage(searchEntries(service, admin), script))),
    contractHistory(fileURLToPath(repository)).then((history) => write('changes.html', changesPage(history))),
    copyFile(fileURLToPath(new URL('openapi.yaml', repository)), `${folder}/openapi.yaml`),
    // The search is part of the page, without a licence in its text.
    copyFile(
      fileURLToPath(new URL('node_modules/minisearch/LICENSE.txt', repository)),
      `${folder}/minisearch.LICENSE.txt`,
    ),
  ])
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
