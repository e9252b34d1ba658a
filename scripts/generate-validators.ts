import { fileURLToPath } from 'node:url'
import { _, type CodeKeywordDefinition, type KeywordCxt } from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { build } from 'esbuild'
import { jsonBodyOf, mapValues, type Node, operationsOf } from './contract.ts'

/**
 * `x-unique-by: NAME` on an array: no two items have the same string as their member NAME. JSON Schema has no keyword for
 * this. The rule is in the contract so that its violations are reported together with all others.
 */
const uniqueBy: CodeKeywordDefinition = {
  keyword: 'x-unique-by',
  type: 'array',
  schemaType: 'string',
  error: {
    message: ({ schemaCode }) => _`"must have no two items with the same " + ${schemaCode}`,
    params: ({ schemaCode }) => _`{ member: ${schemaCode} }`,
  },
  code(cxt: KeywordCxt) {
    const { gen, data, schema } = cxt
    const values = gen.const(
      'values',
      _`${data}.map((item) => item?.[${schema}]).filter((value) => typeof value == "string")`,
    )
    cxt.fail(_`new Set(${values}).size < ${values}.length`)
  },
}

/** Creates an Ajv with the contract's schemas under `contract#`, for the validators and the tests. */
export function contractAjv(document: Node, options = {}) {
  const ajv = new Ajv2020.default({ allErrors: true, useDefaults: true, strict: false, ...options })
  addFormats.default(ajv)
  ajv.addKeyword(uniqueBy)
  ajv.addSchema({ $id: 'contract', components: document.components })
  return ajv
}

/** Points the contract's local references at the schema that `contractAjv` registered. */
export function withContractReferences(schema: Node): Node {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/'))
}

/** Returns pairs of operationId and schema, one for each JSON body that the wire validates. */
export function bodySchemas(document: Node): [string, Node][] {
  return operationsOf(document).flatMap((operation): [string, Node][] => {
    // The body may be too large for the wire, or be checked more strictly than a schema can.
    const schema = operation.definition['x-reads-body-itself'] ? undefined : jsonBodyOf(document, operation)?.schema
    return schema ? [[operation.operationId, schema]] : []
  })
}

/** Generates the type declarations of the validators' module. */
export function validatorsTypes(document: Node): string {
  const names = bodySchemas(document).map(([name]) => `'${name}'`)
  return `import type { Validator } from './validate.ts'\n\nexport declare const validators: Record<${names.join(' | ')}, Validator>\n`
}

/**
 * Generates a module with one validator per JSON body, named by operationId. It needs neither `eval` nor imports. If it drops what is
 * unknown, a validated body has only members of the contract, and can be kept as it is.
 */
export async function validatorsModule(document: Node, dropsUnknown = false): Promise<string> {
  const { names, code } = compileContract(document, dropsUnknown)
  if (names.length === 0) throw new Error(`${document.info.title} has no JSON bodies to validate. Check its paths.`)
  // Ajv's code requires its own helpers and formats. The bundle includes them, so it also runs in browsers.
  const bundle = await build({
    stdin: { contents: `${code}export const validators = { ${names.join(', ')} }`, resolveDir: root },
    bundle: true,
    format: 'esm',
    write: false,
    legalComments: 'none',
    logLevel: 'error',
  })
  return bundle.outputFiles[0]?.text ?? ''
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** Compiles the validators of one contract's bodies to source code. */
function compileContract(whole: Node, dropsUnknown: boolean): { names: string[]; code: string } {
  const components = { ...whole.components, schemas: withoutWords(whole.components.schemas, false) }
  const read = { ...whole, components }
  const document = dropsUnknown ? withClosedObjects(read) : read
  const ajv = contractAjv(document, { code: { source: true, esm: true }, removeAdditional: dropsUnknown })
  const schemas = bodySchemas(document)
  for (const [operationId, schema] of schemas) ajv.addSchema({ ...withContractReferences(schema), $id: operationId })
  const names = schemas.map(([operationId]) => operationId)
  const generate = (standaloneCode as unknown as { default: typeof standaloneCode.default }).default
  const code = generate(ajv, Object.fromEntries(names.map((name) => [name, name])))
  return { names, code: withoutBookkeeping(compareLengthsFirst(code.replaceAll('export const ', 'const '))) }
}

/**
 * Leaves out what nothing reads: notes for `unevaluatedProperties`, which the contract does not have, messages of Ajv's own, and the places
 * in the schema, which no message shows and pages would have to load.
 */
function withoutBookkeeping(code: string): string {
  return (
    code
      .replaceAll(/const (evaluated\d+) = \w+\.evaluated;(if\(\1\.\w+\)\{\1\.\w+ = undefined;\})+/g, '')
      // What is missing is said in our own words.
      .replaceAll(/,message:"must have required property '"\+"[^"]*"\+"'"/g, '')
      .replaceAll(/validate\d+\.evaluated = \{.*?"dynamicItems":false\};/g, '')
      .replaceAll(/schemaPath:\s*"[^"]*",/g, '')
  )
}

/** Leaves out what schemas say to readers, since Ajv copies schemas into its code. */
function withoutWords(node: Node, isSchema = true): Node {
  if (node === null || typeof node !== 'object') return node
  if (Array.isArray(node)) return node.map((one) => withoutWords(one))
  const kept = Object.entries<Node>(node).filter(
    ([name]) => !isSchema || !/^(description|title|examples?|x-(gap|requirement|learned))$/.test(name),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutWords(value, name !== 'properties')]))
}

/** Returns a contract whose objects have no members but those that they list. Parts of an `allOf` stay open for each other's. */
function withClosedObjects(document: Node): Node {
  const close = (node: Node): Node => {
    if (node === null || typeof node !== 'object') return node
    if (Array.isArray(node)) return node.map(close)
    const closed = node.properties && !node.allOf && { additionalProperties: false }
    return { ...closed, ...mapValues(node, (value, name) => (name === 'allOf' ? value : close(value))) }
  }
  const parts =
    JSON.stringify(document)
      .match(/"allOf":\[.*?\]/g)
      ?.join() ?? ''
  const schemas = mapValues(document.components.schemas, (schema, name) =>
    parts.includes(`schemas/${name}"`) || isPassing(name) ? schema : close(schema),
  )
  return { ...document, components: { ...document.components, schemas } }
}

/** Nothing of a confirmation is kept. */
const isPassing = (schema: string) => schema === 'ConfirmationRequest' || schema === 'CompletedFile'

/** Counts the characters of a text only if its length does not decide already: a character has one or two units. */
function compareLengthsFirst(code: string): string {
  return code
    .replaceAll(/if\((func\d+)\((data\d*)\) > (\d+)\)/g, 'if($2.length > $3 && $1($2) > $3)')
    .replaceAll(/if\((func\d+)\((data\d*)\) < 1\)/g, 'if($2.length < 1)')
}
