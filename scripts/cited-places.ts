/** Which requirements and open questions a schema cites, in the context in which it is used. */
import { type Node, operationsOf, resolve } from './contract.ts'

/** The context in which a schema is used. */
export interface CitingPlace {
  /** The gaps of the context. They apply to fields without citations of their own. */
  readonly gaps: readonly string[]
  /** True if the schema is part of an answer. */
  readonly isAnswer: boolean
  /** The schemas of requests. Their citations apply to requests, not to answers that repeat the fields. */
  readonly ofRequests: ReadonlySet<Node>
}

/** The citations of a node. */
export interface StatementIds {
  readonly requirements: readonly string[]
  readonly gaps: readonly string[]
}

/** Returns the schemas of requests, and those of their members. */
export function requestSchemas(document: Node): ReadonlySet<Node> {
  const targets = operationsOf(document).flatMap(({ definition }) => targetsIn(document, definition.requestBody))
  return new Set(targets.flatMap((schema) => [schema, ...Object.values(schema.properties ?? {})]))
}

/** Returns the citations of a schema that apply in a context; with `inherits`, those of the context if there are none. */
export function citationsInPlace(
  node: Node,
  document: Node,
  { isAnswer, ofRequests, gaps }: CitingPlace,
  inherits = false,
): StatementIds {
  const target = resolve(document, node)
  const nodes = isAnswer && ofRequests.has(target) ? [] : new Set([node, target])
  const all = [...nodes].map(citedBy)
  const own = { requirements: all.flatMap((one) => one.requirements), gaps: all.flatMap((one) => one.gaps) }
  return inherits && own.requirements.length + own.gaps.length === 0 ? { ...own, gaps } : own
}

/** Lists what a node refers to, directly or indirectly. */
function targetsIn(document: Node, node: Node): Node[] {
  if (node === null || typeof node !== 'object') return []
  const targets = node.$ref ? [resolve(document, node)] : []
  const next = node.$ref ? targets : Object.values(node)
  return [...targets, ...next.flatMap((inner) => targetsIn(document, inner))]
}

/** Returns the citations of a node itself. */
export function citedBy(node: Node): StatementIds {
  return { requirements: [node?.['x-requirement'] ?? []].flat(), gaps: [node?.['x-gap'] ?? []].flat() }
}
