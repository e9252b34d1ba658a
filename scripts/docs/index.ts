import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { citationsOf } from '../citations.ts'
import { readYaml } from '../contract.ts'
import { errorsPage } from './errors.ts'
import { questionsPage } from './questions.ts'
import { writeReference } from './reference.ts'
import { traceabilityPage } from './traceability.ts'

const repository = new URL('../../', import.meta.url)

/** Writes the documentation into a folder. */
export async function buildDocs(folder: string): Promise<void> {
  const service = readYaml('openapi.yaml')
  const kills = JSON.parse(await readFile(new URL('conformance/selftest/kills.gen.json', repository), 'utf8'))
  await mkdir(folder, { recursive: true })
  const write = (name: string, text: string) => writeFile(`${folder}/${name}`, text)
  await Promise.all([
    writeReference(service, folder),
    write('questions.html', questionsPage(citationsOf(service, 'x-gap'))),
    write('traceability.html', traceabilityPage(citationsOf(service, 'x-requirement'), kills)),
    errorsPage(service, readYaml('src/contract/admin.yaml')).then((text) => write('errors.html', text)),
    copyFile(fileURLToPath(new URL('openapi.yaml', repository)), `${folder}/openapi.yaml`),
  ])
}
