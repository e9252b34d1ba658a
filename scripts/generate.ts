/** Writes everything that follows from openapi.yaml and the catalogue. `--check` writes nothing and fails on a stale file. */
import { readFileSync, writeFileSync } from 'node:fs'
import { catalogueModule } from './generate-catalogue.ts'
import { operationsModule } from './generate-operations.ts'
import { typesModule } from './generate-types.ts'
import { validatorsModule, validatorsTypes } from './generate-validators.ts'

const header = (source: string) => `// Generated from ${source} by 'npm run generate'; do not edit.\n`

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

const files: Record<string, string> = {
  'src/version.gen.ts': `${header('package.json')}export const version = '${version}'\n`,
  'src/contract/types.gen.ts': header('openapi.yaml') + (await typesModule()),
  'src/contract/operations.gen.ts': header('openapi.yaml') + operationsModule(),
  'src/contract/validators.gen.js': header('openapi.yaml') + (await validatorsModule()),
  'src/contract/validators.gen.d.ts': header('openapi.yaml') + validatorsTypes(),
  'conformance/catalogue.gen.ts': header('conformance/requirements.yaml and conformance/gaps.yaml') + catalogueModule(),
}

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [path, text] of Object.entries(files)) {
  const url = new URL(`../${path}`, import.meta.url)
  let before = ''
  try {
    before = readFileSync(url, 'utf8')
  } catch {
    // A file that does not exist yet is stale.
  }
  if (before === text) continue
  stale.push(path)
  if (!check) writeFileSync(url, text)
}

if (check && stale.length > 0) {
  process.stderr.write(`Stale: ${stale.join(', ')}. Run 'npm run generate' and commit what changed.\n`)
  process.exitCode = 1
} else {
  process.stdout.write(stale.length > 0 ? `Wrote ${stale.join(', ')}.\n` : 'All generated files are up to date.\n')
}
