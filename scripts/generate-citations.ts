import { escapePointer } from '../src/contract/json.ts'
import { type CitingPlace, citationsInPlace, citedBy, requestSchemas, type StatementIds } from './cited-places.ts'
import { type Node, operationsOf, readYaml, resolve } from './contract.ts'

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
function fieldsOf(document: Node, node: Node, pointer: string): [string, StatementIds][] {
  const schema = resolve(document, node)
  const own = merge([citedBy(node), citedBy(schema)])
  return [
    ...(own.requirements.length + own.gaps.length > 0 ? [[pointer, own] as [string, StatementIds]] : []),
    ...Object.entries<Node>(schema.properties ?? {}).flatMap(([name, inner]) =>
      fieldsOf(document, inner, `${pointer}/${name}`),
    ),
    ...(schema.items ? fieldsOf(document, schema.items, `${pointer}/*`) : []),
  ]
}

function merge(all: readonly StatementIds[]): StatementIds {
  return {
    requirements: [...new Set(all.flatMap(({ requirements }) => requirements))],
    gaps: [...new Set(all.flatMap(({ gaps }) => gaps))],
  }
}

/** Generates the requirements and open questions of each place in the JSON answers of a contract, by operation and status. */
export function answerCitationsModule(contract: string): string {
  const document = readYaml(contract)
  const ofRequests = requestSchemas(document)
  const rows = operationsOf(document).map(({ operationId, definition }) => {
    const statuses = Object.entries<Node>(definition.responses).flatMap(([status, node]) => {
      const response = resolve(document, node)
      const [media] = Object.entries<Node>(response.content ?? {}).flatMap(([type, one]) =>
        /json/.test(type) ? [one] : [],
      )
      if (!media) return []
      const { gaps } = citedBy(response)
      const place = { gaps: gaps.length > 0 ? gaps : citedBy(definition).gaps, isAnswer: true, ofRequests }
      const places = [['', { requirements: [], gaps: place.gaps }], ...answerPlaces(document, media.schema, '', place)]
      return [`${status}: ${JSON.stringify(Object.fromEntries(places))}`]
    })
    return `  ${operationId}: { ${statuses.join(', ')} },`
  })
  return `import type { AnswerCitations, OperationId } from './operations.ts'\n\nexport const answerCitations: Readonly<Record<OperationId, AnswerCitations>> = {\n${rows.join('\n')}\n}\n`
}

/** Lists the members of each call's successful answer, which a profile may bind. */
export function answerMembersModule(contract: string): string {
  const document = readYaml(contract)
  const ofRequests = requestSchemas(document)
  const rows = operationsOf(document).map(({ operationId, definition }) => {
    const members = Object.entries<Node>(definition.responses).flatMap(([status, node]) => {
      const media = /^2/.test(status) ? resolve(document, node).content?.['application/json'] : undefined
      const places = media ? answerPlaces(document, media.schema, '', { gaps: [], isAnswer: true, ofRequests }) : []
      return places.flatMap(([pointer]) => (pointer.lastIndexOf('/') === 0 ? [pointer.slice(1)] : []))
    })
    return `  ${operationId}: ${JSON.stringify([...new Set(members)])},`
  })
  return `import type { OperationId } from '../contract/operations.ts'\n\nexport const answerMembers: Readonly<Record<OperationId, readonly string[]>> = {\n${rows.join('\n')}\n}\n`
}

/** Lists the citations of all places below a schema of an answer. Places without any have those of their context. */
function answerPlaces(document: Node, schema: Node, pointer: string, place: CitingPlace): [string, StatementIds][] {
  const target = resolve(document, schema)
  const { gaps } = citationsInPlace(schema, document, place)
  const inside = gaps.length > 0 ? { ...place, gaps } : place
  const inner = (node: Node, name: string): [string, StatementIds][] => {
    const cited = citationsInPlace(node, document, inside)
    const isOpen = cited.requirements.length + cited.gaps.length === 0
    const own = isOpen ? { ...cited, gaps: [...inside.gaps] } : cited
    return [[`${pointer}/${name}`, own], ...answerPlaces(document, node, `${pointer}/${name}`, inside)]
  }
  return [
    ...Object.entries<Node>(target.properties ?? {}).flatMap(([name, node]) => inner(node, escapePointer(name))),
    ...(target.items ? inner(target.items, '*') : []),
    ...[...(target.allOf ?? []), ...(target.oneOf ?? [])].flatMap((one: Node) =>
      answerPlaces(document, one, pointer, inside),
    ),
  ]
}
