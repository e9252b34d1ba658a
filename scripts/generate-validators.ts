import { fileURLToPath } from 'node:url'
import Ajv2020 from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { build } from 'esbuild'
import { type Node, operationsOf, readYaml, resolve } from './contract.ts'
import { uniqueBy } from './unique-by.ts'

/** Ajv with the contract's schemas under `contract#`, as the validators and the tests use it. */
export function contractAjv(document: Node, options = {}) {
  const ajv = new Ajv2020.default({ allErrors: true, useDefaults: true, strict: false, ...options })
  addFormats.default(ajv)
  ajv.addKeyword(uniqueBy)
  ajv.addSchema({ $id: 'contract', components: document.components })
  return ajv
}

/** Points the contract's local references at the schema that `contractAjv` registered. */
export function inContract(schema: Node): Node {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/'))
}

/** The schema of each JSON body, by operationId. */
function bodySchemas(document: Node): [string, Node][] {
  return operationsOf(document).flatMap(({ operationId, definition }) => {
    const schema = resolve(document, definition.requestBody)?.content['application/json']?.schema
    return schema ? [[operationId, schema]] : []
  })
}

/** What the module of validators exports. */
export function validatorsTypes(): string {
  const names = bodySchemas(readYaml('openapi.yaml')).map(([name]) => `'${name}'`)
  return `import type { Validator } from './validate.ts'\n\nexport declare const validators: Record<${names.join(' | ')}, Validator>\n`
}

/** One validator for each call with a JSON body, named by its operationId, as a module that needs no eval and no import. */
export async function validatorsModule(): Promise<string> {
  const document = readYaml('openapi.yaml')
  const ajv = contractAjv(document, { code: { source: true, esm: true } })
  const names: Record<string, string> = {}
  for (const [operationId, schema] of bodySchemas(document)) {
    ajv.addSchema({ ...inContract(schema), $id: operationId })
    names[operationId] = operationId
  }
  const code = (standaloneCode as unknown as { default: typeof standaloneCode.default }).default(ajv, names)
  // Ajv's code requires its own helpers and formats; bundling makes it stand alone, in a browser too.
  const bundle = await build({
    stdin: {
      contents: `${code.replaceAll(/export const (\w+) = /g, 'const $1 = ')}\nexport const validators = { ${Object.keys(names).join(', ')} }`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    write: false,
    legalComments: 'none',
    logLevel: 'error',
  })
  return bundle.outputFiles[0]?.text ?? ''
}
