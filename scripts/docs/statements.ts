import { tryLink } from '../../src/node/docs-marks.ts'
import { type CitingPlace, citationsInPlace, citedBy, requestSchemas } from '../cited-places.ts'
import { type Node, operationsOf, resolve } from '../contract.ts'
import { samplesOf } from './samples.ts'

/**
 * Prepares the contract for the reference page: labels each operation, parameter, answer and field as documented or assumed,
 * with a link to the sentence or the question, and adds the samples of each operation. Schemas are inlined, since the same
 * field may be documented in a request and assumed in an answer.
 */
export function withStatements(document: Node): Node {
  const ofRequests = requestSchemas(document)
  const result = structuredClone(document)
  for (const operation of operationsOf(document)) {
    const { path, method, definition } = operation
    const own = citedBy(definition)
    const place = (more: Partial<CitingPlace>): CitingPlace => ({
      gaps: own.gaps,
      isAnswer: false,
      ofRequests,
      ...more,
    })
    const parameter = (node: Node) => labelled(document, node, place({}))
    const body = definition.requestBody && labelled(document, definition.requestBody, place({}))
    result.paths[path][method.toLowerCase()] = {
      ...definition,
      description: `${tryLink(definition.operationId)}\n\n${labelled(document, definition, place({})).description}`,
      ...(definition.parameters && { parameters: definition.parameters.map(parameter) }),
      ...(body && { requestBody: withSchemas(document, body, place({ gaps: [] })) }),
      responses: Object.fromEntries(
        Object.entries<Node>(definition.responses).map(([status, node]) => {
          const { gaps } = citedBy(resolve(document, node))
          const inAnswer = place({ isAnswer: true, gaps: gaps.length > 0 ? gaps : own.gaps })
          return [status, withSchemas(document, labelled(document, node, inAnswer), inAnswer)]
        }),
      ),
      'x-codeSamples': samplesOf(document, operation),
    }
    const shared = document.paths[path].parameters
    if (shared) result.paths[path].parameters = shared.map(parameter)
    const { servers } = document.paths[path]
    if (servers) result.paths[path].servers = servers.map(withDefaultAddress)
  }
  const { examples, securitySchemes } = document.components
  const alone = (node: Node) => labelled(document, node, { gaps: [], isAnswer: false, ofRequests })
  const schemes = Object.entries<Node>(securitySchemes).map(([name, scheme]) => [name, alone(scheme)])
  result.components = { examples, securitySchemes: Object.fromEntries(schemes) }
  return { ...result, info: alone(document.info), servers: document.servers.map(withDefaultAddress) }
}

/** Replaces the variables of a server's URL by their defaults. */
function withDefaultAddress({ variables, url, ...server }: Node): Node {
  return { ...server, url: url.replaceAll(/\{(\w+)\}/g, (_: string, name: string) => variables[name].default) }
}

/** Labels the schemas and headers of a body or an answer. */
function withSchemas(document: Node, node: Node, place: CitingPlace): Node {
  const content = Object.entries<Node>(node.content ?? {}).map(([type, media]) => [
    type,
    { ...media, schema: withLabelledFields(document, media.schema, place) },
  ])
  const headers = Object.entries<Node>(node.headers ?? {}).map(([name, header]) => [
    name,
    labelled(document, header, place),
  ])
  return {
    ...node,
    ...(node.content && { content: Object.fromEntries(content) }),
    ...(node.headers && { headers: Object.fromEntries(headers) }),
  }
}

/** Inlines all references of a schema and labels its fields. */
function withLabelledFields(document: Node, schema: Node, place: CitingPlace): Node {
  const target = resolve(document, schema)
  const inherits = { ...place, gaps: citationsInPlace(schema, document, place).gaps }
  const inside = inherits.gaps.length > 0 ? inherits : place
  const deeper = (node: Node) => withLabelledFields(document, node, inside)
  const field = (node: Node) => ({ ...deeper(node), description: labelled(document, node, inside).description })
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

/** Resolves a node, and adds links to the sentences and the questions that it cites; without citations, to the questions of the context. */
function labelled(document: Node, node: Node, place: CitingPlace): Node {
  const target = resolve(document, node)
  const { requirements, gaps } = citationsInPlace(node, document, place, true)
  const links = [
    ...requirements.map((id) => `[documented: ${id}](traceability.html#${id})`),
    ...gaps.map((id) => `[assumed: ${id.replace('gap.', '')}](questions.html#${id})`),
  ]
  return { ...target, description: [target.description?.trim(), links.join(' ')].filter(Boolean).join('\n\n') }
}
