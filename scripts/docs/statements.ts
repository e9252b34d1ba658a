import { type Node, operationsOf, resolve } from '../contract.ts'
import { samplesOf } from './samples.ts'

/** What is known of the place in which a schema is used. */
interface Place {
  /** The gaps that leave it open; they count for what cites nothing itself. */
  readonly gaps: readonly string[]
  /** Whether it is part of an answer. */
  readonly answer: boolean
  /** Schemas of requests: what they cite is said of requests, and not of answers that repeat them. */
  readonly ofRequests: ReadonlySet<string>
}

/** The citations of a node: what a sentence says, and what is left open. */
interface Cited {
  readonly requirements: readonly string[]
  readonly gaps: readonly string[]
}

/**
 * The contract as the reference page shows it: beside each operation, parameter, answer and field stands whether it is
 * documented or assumed, with a link to the sentence or the question; and each operation has its samples. Schemas
 * stand where they are used, since one and the same field may be documented in a request and assumed in an answer.
 */
export function withStatements(document: Node): Node {
  const ofRequests = new Set(
    operationsOf(document).flatMap(({ definition }) => schemasIn(document, definition.requestBody)),
  )
  const result = structuredClone(document)
  for (const operation of operationsOf(document)) {
    const { path, method, definition } = operation
    const own = citedBy(definition)
    const place = (more: Partial<Place>): Place => ({ gaps: own.gaps, answer: false, ofRequests, ...more })
    const parameter = (node: Node) => labelled(resolve(document, node), place({}))
    const body = resolve(document, definition.requestBody)
    result.paths[path][method.toLowerCase()] = {
      ...definition,
      description: described(definition.description, own),
      ...(definition.parameters && { parameters: definition.parameters.map(parameter) }),
      ...(body && { requestBody: withSchemas(document, labelled(body, place({})), place({ gaps: [] })) }),
      responses: Object.fromEntries(
        Object.entries<Node>(definition.responses).map(([status, node]) => {
          const response = resolve(document, node)
          const { gaps } = citedBy(response)
          const inAnswer = place({ answer: true, gaps: gaps.length > 0 ? gaps : own.gaps })
          return [status, withSchemas(document, labelled(response, inAnswer), inAnswer)]
        }),
      ),
      'x-codeSamples': samplesOf(document, operation),
    }
    const shared = document.paths[path].parameters
    if (shared) result.paths[path].parameters = shared.map(parameter)
    const { servers } = document.paths[path]
    if (servers) result.paths[path].servers = servers.map(reached)
  }
  const { examples, securitySchemes } = document.components
  const schemes = Object.entries<Node>(securitySchemes).map(([name, scheme]) => [name, labelled(scheme)])
  result.components = { examples, securitySchemes: Object.fromEntries(schemes) }
  return { ...result, info: labelled(document.info), servers: document.servers.map(reached) }
}

/** A server at its default address, as a reader can call it. */
function reached({ variables, url, ...server }: Node): Node {
  return { ...server, url: url.replaceAll(/\{(\w+)\}/g, (_: string, name: string) => variables[name].default) }
}

/** A body or an answer with its schemas and headers as they are shown. */
function withSchemas(document: Node, node: Node, place: Place): Node {
  const content = Object.entries<Node>(node.content ?? {}).map(([type, media]) => [
    type,
    { ...media, schema: shown(document, media.schema, place) },
  ])
  const headers = Object.entries<Node>(node.headers ?? {}).map(([name, header]) => [name, labelled(header, place)])
  return {
    ...node,
    ...(node.content && { content: Object.fromEntries(content) }),
    ...(node.headers && { headers: Object.fromEntries(headers) }),
  }
}

/** A schema with everything that it refers to, its fields labelled. */
function shown(document: Node, schema: Node, place: Place): Node {
  const target = resolve(document, schema)
  const inherits = { ...place, gaps: counted(schema, document, place).gaps }
  const inside = inherits.gaps.length > 0 ? inherits : place
  const deeper = (node: Node) => shown(document, node, inside)
  const field = (node: Node) => ({ ...deeper(node), description: fieldText(document, node, inside) })
  return {
    ...target,
    ...(target.properties && {
      properties: Object.fromEntries(
        Object.entries<Node>(target.properties).map(([name, node]) => [name, field(node)]),
      ),
    }),
    ...(target.items && { items: deeper(target.items) }),
    ...(target.allOf && { allOf: target.allOf.map(deeper) }),
    ...(target.oneOf && { oneOf: target.oneOf.map(deeper) }),
  }
}

function fieldText(document: Node, node: Node, place: Place): string {
  const cited = counted(node, document, place)
  const open = cited.requirements.length + cited.gaps.length === 0
  return described(resolve(document, node).description, open ? { ...cited, gaps: place.gaps } : cited)
}

/** What a schema cites that counts in a place. */
function counted(node: Node, document: Node, { answer, ofRequests }: Place): Cited {
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

/** The names of the schemas that a node refers to, directly or not. */
function schemasIn(document: Node, node: Node): string[] {
  if (node === null || typeof node !== 'object') return []
  const name = node.$ref?.match(/^#\/components\/schemas\/(\w+)$/)?.[1]
  const next = node.$ref ? [resolve(document, node)] : Object.values(node)
  return [...(name ? [name] : []), ...next.flatMap((inner) => schemasIn(document, inner))]
}

function citedBy(node: Node): Cited {
  return { requirements: [node['x-requirement'] ?? []].flat(), gaps: [node['x-gap'] ?? []].flat() }
}

/** A node whose description says what it cites; where it cites nothing, what its place leaves open. */
function labelled(node: Node, place?: Place): Node {
  const cited = citedBy(node)
  const open = cited.requirements.length + cited.gaps.length === 0
  return { ...node, description: described(node.description, open ? { ...cited, gaps: place?.gaps ?? [] } : cited) }
}

/** A description with links to the sentences and to the questions. */
function described(description: string | undefined, { requirements, gaps }: Cited): string {
  const links = [
    ...requirements.map((id) => `[documented: ${id}](traceability.html#${id})`),
    ...gaps.map((id) => `[assumed: ${id.replace('gap.', '')}](questions.html#${id})`),
  ]
  return [description?.trim(), links.join(' ')].filter(Boolean).join('\n\n')
}
