/**
 * Writes all files that are generated from openapi.yaml, flow.arazzo.yaml, the catalogue and the dependencies. `--check` writes no file, and
 * fails if one is stale.
 */
import { readFileSync } from 'node:fs'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { readYaml } from './contract.ts'
import { catalogueModule } from './generate-catalogue.ts'
import { answerCitationsModule, answerMembersModule, citationsModule } from './generate-citations.ts'
import { flowFiles } from './generate-flow.ts'
import { licencesPage } from './generate-licences.ts'
import { membersModule } from './generate-members.ts'
import { bodyOperationsModule, examplesModule, operationsModule, schemasModule } from './generate-operations.ts'
import { pagesWithTables } from './generate-tables.ts'
import { validatorsModule, validatorsTypes } from './generate-validators.ts'
import { writeGenerated } from './write-generated.ts'

/** Returns a module with the names that a profile may have: its schema with all texts would be a large part of what runs in a browser. */
function profileNamesModule(): string {
  const { properties } = JSON.parse(readFileSync(new URL(`../${profileSchema}`, import.meta.url), 'utf8'))
  const list = (names: object) => Object.keys(names).map((name) => `  '${name}',\n`)
  const module = (name: string, names: object) => `export const ${name} = [\n${list(names).join('')}] as const\n`
  return `${module('profileNames', properties)}\n${module('locatorNames', properties.locators.properties)}`
}

/** Returns the TypeScript types of a contract. Clients may omit a field that has a default. */
async function typesOf(contract: string): Promise<string> {
  const url = new URL(`../${contract}`, import.meta.url)
  return header(contract) + astToString(await openapiTypescript(url, { defaultNonNullable: false }))
}

const generatedFrom = (source: string) => `Generated from ${source} by 'npm run generate'; do not edit.`
const header = (source: string) => `// ${generatedFrom(source)}\n`

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

const service = 'openapi.yaml'
const admin = 'src/contract/admin.yaml'
const flow = 'src/contract/flow.arazzo.yaml'
const profileSchema = 'src/profile/profile.schema.json'

// The generators would print a file that is not YAML as a whole, without the line.
for (const path of [
  service,
  admin,
  flow,
  'conformance/catalogue/requirements.yaml',
  'conformance/catalogue/gaps.yaml',
]) {
  try {
    readYaml(path)
  } catch (error) {
    process.stderr.write(`${path} is not YAML. ${error instanceof Error ? error.message.trim() : error}\n`)
    process.exit(1)
  }
}

const files: Record<string, string> = {
  'src/version.gen.ts': `${header('package.json')}export const version = '${version}'\n`,
  'src/contract/types.gen.ts': await typesOf(service),
  'src/contract/admin-types.gen.ts': await typesOf(admin),
  'src/contract/operations.gen.ts': header(service) + operationsModule('operations', service),
  'src/contract/admin-operations.gen.ts': header(admin) + operationsModule('adminOperations', admin),
  'src/contract/body-operations.gen.ts': header(`${service} and ${admin}`) + bodyOperationsModule([service, admin]),
  'src/contract/examples.gen.ts': header(service) + examplesModule(service),
  'src/contract/citations.gen.ts': header(service) + citationsModule(service),
  'src/contract/answer-citations.gen.ts': header(service) + answerCitationsModule(service),
  'src/contract/members.gen.ts': header(`${service} and ${admin}`) + membersModule(),
  'src/contract/schemas.gen.ts': header(service) + schemasModule(service),
  'src/contract/validators.gen.js': header(service) + (await validatorsModule(service, true)),
  'src/contract/validators.gen.d.ts': header(service) + validatorsTypes(service),
  'src/contract/admin-validators.gen.js': header(admin) + (await validatorsModule(admin)),
  'src/contract/admin-validators.gen.d.ts': header(admin) + validatorsTypes(admin),
  'src/profile/answer-members.gen.ts': header(service) + answerMembersModule(service),
  'src/profile/profile-names.gen.ts': header(profileSchema) + profileNamesModule(),
  'conformance/catalogue/catalogue.gen.ts':
    header('conformance/catalogue/requirements.yaml and conformance/catalogue/gaps.yaml') + catalogueModule(),
  ...Object.fromEntries(
    Object.entries(flowFiles(readYaml(flow), readYaml(service), generatedFrom(`${flow} and ${service}`))).map(
      ([path, text]) => [`examples/${path}`, text],
    ),
  ),
  'docs/licences.md': `<!-- Generated from node_modules by 'npm run generate'; do not edit. -->\n\n${licencesPage()}`,
  ...pagesWithTables(),
}

writeGenerated(files, 'npm run generate')
