/** Which requirements and open questions a schema cites, in the context in which it is used. */
import { type Node, operationsOf, resolve } from './contract.ts'

/** The context in which a schema is used. */
export interface CitingPlace {
  /** The gaps of the context. They apply to fields without citations of their own. */
  readonly gaps: readonly string[]
  /** True if the schema is part of an answer. */
  readonly isAnswer: boolean
  /** The names of request schemas. Their citations apply to requests, not to answers that repeat the fields. */
  readonly ofRequests: ReadonlySet<string>
}

/** The citations of a node. */
export interface StatementIds {
  readonly requirements: readonly string[]
  readonly gaps: readonly string[]
}

/** Returns the names of all schemas of requests. */
export function requestSchemas(document: Node): ReadonlySet<string> {
  return new Set(operationsOf(document).flatMap(({ definition }) => schemasIn(document, definition.requestBody)))
}

/** Returns the citations of a schema that apply in a context. */
export function citationsInPlace(
  node: Node,
  document: Node,
  { isAnswer: answer, ofRequests }: CitingPlace,
): StatementIds {
  const target = resolve(document, node)
  const own = citedBy(node)
  const isOfRequests = [...ofRequests].some((name) => {
    const schema = document.components.schemas[name]
    return schema === target || Object.values(schema.properties ?? {}).includes(target)
  })
  if (answer && isOfRequests) return { requirements: [], gaps: [] }
  if (node === target) return own
  const more = citedBy(target)
  return { requirements: [...own.requirements, ...more.requirements], gaps: [...own.gaps, ...more.gaps] }
}

/** Lists the names of the schemas that a node refers to, directly or indirectly. */
function schemasIn(document: Node, node: Node): string[] {
  if (node === null || typeof node !== 'object') return []
  const name = node.$ref?.match(/^#\/components\/schemas\/(\w+)$/)?.[1]
  const next = node.$ref ? [resolve(document, node)] : Object.values(node)
  return [...(name ? [name] : []), ...next.flatMap((inner) => schemasIn(document, inner))]
}

/** Returns the citations of a node itself. */
export function citedBy(node: Node): StatementIds {
  return { requirements: [node?.['x-requirement'] ?? []].flat(), gaps: [node?.['x-gap'] ?? []].flat() }
}
