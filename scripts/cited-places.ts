/** Which requirements and open questions a schema cites, in the context in which it is used. */
import { type Node, operationsOf, resolve } from './contract.ts'

/** The context in which a schema is used. */
export interface CitingPlace {
  readonly document: Node
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

/** Returns the context of a contract's requests. */
export function requestPlace(document: Node): CitingPlace {
  return { document, gaps: [], isAnswer: false, ofRequests: requestSchemas(document) }
}

/** Returns the context of an operation's answer: its own gaps, or else those of the operation. */
export function answerPlace(place: CitingPlace, definition: Node, response: Node): CitingPlace {
  const own = citedBy(resolve(place.document, response)).gaps
  return { ...place, isAnswer: true, gaps: own.length > 0 ? own : citedBy(definition).gaps }
}

/** Returns the citations of a schema that apply in a context; with `inherits`, those of the context if there are none. */
export function citationsInPlace(
  node: Node,
  { document, isAnswer, ofRequests, gaps }: CitingPlace,
  inherits = false,
): StatementIds {
  const target = resolve(document, node)
  const own = isAnswer && ofRequests.has(target) ? citedBy() : citedBy(node, target)
  return inherits && own.requirements.length + own.gaps.length === 0 ? { ...own, gaps } : own
}

/** Lists what a node refers to, directly or indirectly. */
function targetsIn(document: Node, node: Node): Node[] {
  if (node === null || typeof node !== 'object') return []
  const targets = node.$ref ? [resolve(document, node)] : []
  const next = node.$ref ? targets : Object.values(node)
  return [...targets, ...next.flatMap((inner) => targetsIn(document, inner))]
}

/** Returns the citations of nodes themselves, each once. */
export function citedBy(...nodes: readonly Node[]): StatementIds {
  const idsAt = (name: string) => [...new Set<string>(nodes.flatMap((node) => node?.[name] ?? []))]
  return { requirements: idsAt('x-requirement'), gaps: idsAt('x-gap') }
}
