import { mapValues, type Node, operationsOf, parametersOf, resolve } from './contract.ts'
import { bodySchemas } from './generate-validators.ts'
import { tableModule } from './write-generated.ts'

/** Generates the tables of operations, from which the routers are built, and the type of the calls with a JSON body. */
export function operationsModule(name: string, document: Node): string {
  const rows = operationsOf(document).map((operation): [string, object] => {
    const { operationId, method, path, definition } = operation
    const needsKey = (definition.security ?? document.security).some((way: object) => 'apiKey' in way)
    const tenant = parametersOf(document, operation).find(
      ({ name, in: place }) => name === 'tenant_id' && place === 'query',
    )
    const tenantIs = tenant && (tenant.required ? 'required' : 'optional')
    return [operationId, { method, path, needsKey, ...(tenantIs && { tenantIs }) }]
  })
  return tableModule(name, rows, ' as const')
}

/** Generates the type of the operations that have a JSON body, of several contracts. */
export function bodyOperationsModule(documents: readonly Node[]): string {
  const ids = documents.flatMap(bodySchemas).map(([id]) => `\n  | '${id}'`)
  return `/** The calls whose JSON body is validated against the contract. */\nexport type BodyOperationId =${ids.join('')}\n`
}

/** Generates the contract's examples by operation and status. `Prefer: example=NAME` selects from them. */
export function examplesModule(document: Node): string {
  const rows = operationsOf(document).map(({ operationId, definition }): [string, object] => {
    const answers = mapValues(definition.responses, (answer) => {
      const { content = {}, headers = {} } = resolve(document, answer)
      const [type] = Object.keys(content)
      const examples = (type && content[type].examples) ?? {}
      return {
        type,
        headers: mapValues(headers, ({ example }) => example),
        examples: mapValues(examples, (example) => resolve(document, example).value),
      }
    })
    return [operationId, answers]
  })
  return `import type { Examples } from './operations.ts'\n\n${tableModule('examples: Examples', rows)}`
}

/** Generates the schemas of the contract, without what they cite. The overlay of a learned deployment takes from them. */
export function schemasModule({ components }: Node): string {
  const open = JSON.stringify(components.schemas, (name, value) => (/^x-/.test(name) ? undefined : value))
  return tableModule('schemas: Readonly<Record<string, object>>', Object.entries(JSON.parse(open)))
}
