import { type Node, operationsOf, readYaml, resolve } from './contract.ts'

interface Cited {
  readonly requirements: readonly string[]
  readonly gaps: readonly string[]
}

/** Generates the requirements and open questions that a contract cites: by operation, status of the answer, and field of the body. */
export function citationsModule(contract: string): string {
  const document = readYaml(contract)
  const rows = operationsOf(document).map(({ operationId, path, definition }) => {
    const body = resolve(document, definition.requestBody)
    const parameters: Node[] = [...(document.paths[path].parameters ?? []), ...(definition.parameters ?? [])]
    const schemes = (definition.security ?? document.security ?? []).flatMap((way: object) => Object.keys(way))
    const operation = merge([
      ...[definition, body].map(citedBy),
      ...parameters.map((node) => citedBy(resolve(document, node))),
      ...schemes.map((name: string) => citedBy(document.components.securitySchemes[name])),
    ])
    const statuses = Object.entries<Node>(definition.responses).map(([status, node]) => [
      status,
      merge([citedBy(node), citedBy(resolve(document, node))]),
    ])
    const schema = body?.content?.['application/json']?.schema
    const fields = schema ? fieldsOf(document, schema, '') : []
    const row = { operation, statuses: Object.fromEntries(statuses), fields: Object.fromEntries(fields) }
    return `  ${operationId}: ${JSON.stringify(row)},`
  })
  return `import type { OperationCitations, OperationId } from './operations.ts'\n\nexport const citations: Readonly<Record<OperationId, OperationCitations>> = {\n${rows.join('\n')}\n}\n`
}

/** Lists the citations of a schema and of its fields, each with a JSON Pointer in which `*` stands for an index. */
function fieldsOf(document: Node, node: Node, pointer: string): [string, Cited][] {
  const schema = resolve(document, node)
  const own = merge([citedBy(node), citedBy(schema)])
  return [
    ...(own.requirements.length + own.gaps.length > 0 ? [[pointer, own] as [string, Cited]] : []),
    ...Object.entries<Node>(schema.properties ?? {}).flatMap(([name, inner]) =>
      fieldsOf(document, inner, `${pointer}/${name}`),
    ),
    ...(schema.items ? fieldsOf(document, schema.items, `${pointer}/*`) : []),
  ]
}

function citedBy(node: Node): Cited {
  return { requirements: [node?.['x-requirement'] ?? []].flat(), gaps: [node?.['x-gap'] ?? []].flat() }
}

function merge(all: readonly Cited[]): Cited {
  return {
    requirements: [...new Set(all.flatMap(({ requirements }) => requirements))],
    gaps: [...new Set(all.flatMap(({ gaps }) => gaps))],
  }
}
