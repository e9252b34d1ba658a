/**
 * Writes all files that are generated from openapi.yaml, flow.arazzo.yaml, the catalogue and the dependencies. `--check` writes no file, and
 * fails if one is stale.
 */
import { readFileSync } from 'node:fs'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { type Node, readYaml } from './contract.ts'
import { answerCitationsModule, answerMembersModule, citationsModule } from './generate-citations.ts'
import { flowFiles } from './generate-flow.ts'
import { licencesPage } from './generate-licences.ts'
import { membersModule } from './generate-members.ts'
import { bodyOperationsModule, examplesModule, operationsModule, schemasModule } from './generate-operations.ts'
import { pagesWithTables } from './generate-tables.ts'
import { validatorsModule, validatorsTypes } from './generate-validators.ts'
import { tableModule, writeGenerated } from './write-generated.ts'

/** Returns a module with the names that a profile may have: its schema with all texts would be a large part of what runs in a browser. */
function profileNamesModule(): string {
  const { properties } = JSON.parse(readFileSync(new URL(`../${profileSchema}`, import.meta.url), 'utf8'))
  const list = (names: object) => Object.keys(names).map((name) => `  '${name}',\n`)
  const module = (name: string, names: object) => `export const ${name} = [\n${list(names).join('')}] as const\n`
  return `${module('profileNames', properties)}\n${module('locatorNames', properties.locators.properties)}`
}

/** Returns the catalogue as a module, so that a check that cites an unknown id does not compile. */
function catalogueModule(requirements: Node[], gaps: Node[]): string {
  const table = (name: string, type: string, entries: Node[]) => {
    const rows = entries.map(({ id, ...entry }): [string, object] => [id, entry])
    return tableModule(name, rows, ` as const satisfies Record<string, ${type}>`)
  }
  const types = "import type { Gap, Requirement } from './entries.ts'\n"
  return [types, table('requirements', 'Requirement', requirements), table('gaps', 'Gap', gaps)].join('\n')
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
const catalogue = ['conformance/catalogue/requirements.yaml', 'conformance/catalogue/gaps.yaml'] as const
const profileSchema = 'src/profile/profile.schema.json'

/** Reads a file. If it is not YAML, the error names the line; the generators would print the whole file instead. */
function read(path: string): Node {
  try {
    return readYaml(path)
  } catch (error) {
    process.stderr.write(`${path} is not YAML. ${error instanceof Error ? error.message.trim() : error}\n`)
    process.exit(1)
  }
}

const [contract, adminContract, flowDocument] = [service, admin, flow].map(read)
const [requirements, gaps] = catalogue.map(read)
const flowOrigin = generatedFrom(`${flow} and ${service}`)
const flows = Object.entries(flowFiles(flowDocument, contract, flowOrigin))

const files: Record<string, string> = {
  'src/version.gen.ts': `${header('package.json')}export const version = '${version}'\n`,
  'src/contract/types.gen.ts': await typesOf(service),
  'src/contract/admin-types.gen.ts': await typesOf(admin),
  'src/contract/operations.gen.ts': header(service) + operationsModule('operations', contract),
  'src/contract/admin-operations.gen.ts': header(admin) + operationsModule('adminOperations', adminContract),
  'src/contract/body-operations.gen.ts':
    header(`${service} and ${admin}`) + bodyOperationsModule([contract, adminContract]),
  'src/contract/examples.gen.ts': header(service) + examplesModule(contract),
  'src/contract/citations.gen.ts': header(service) + citationsModule(contract),
  'src/contract/answer-citations.gen.ts': header(service) + answerCitationsModule(contract),
  'src/contract/members.gen.ts': header(`${service} and ${admin}`) + membersModule(contract, adminContract),
  'src/contract/schemas.gen.ts': header(service) + schemasModule(contract),
  'src/contract/validators.gen.js': header(service) + (await validatorsModule(contract, true)),
  'src/contract/validators.gen.d.ts': header(service) + validatorsTypes(contract),
  'src/contract/admin-validators.gen.js': header(admin) + (await validatorsModule(adminContract)),
  'src/contract/admin-validators.gen.d.ts': header(admin) + validatorsTypes(adminContract),
  'src/profile/answer-members.gen.ts': header(service) + answerMembersModule(contract),
  'src/profile/profile-names.gen.ts': header(profileSchema) + profileNamesModule(),
  'conformance/catalogue/catalogue.gen.ts': header(catalogue.join(' and ')) + catalogueModule(requirements, gaps),
  ...Object.fromEntries(flows.map(([path, text]) => [`examples/${path}`, text])),
  'docs/licences.md': `<!-- Generated from node_modules by 'npm run generate'; do not edit. -->\n\n${licencesPage()}`,
  ...pagesWithTables(adminContract),
}

writeGenerated(files, 'npm run generate')
