import { tryLink } from '../../src/node/docs-marks.ts'
import { answerPlace, type CitingPlace, citationsInPlace, citedBy, requestPlace } from '../cited-places.ts'
import { mapValues, type Node, operationsOf, resolve } from '../contract.ts'
import { samplesOf } from './samples.ts'

/**
 * Prepares the contract for the reference page: labels each operation, parameter, answer and field as documented or assumed,
 * with a link to the sentence or the question, and adds the samples of each operation. Schemas are inlined, since the same
 * field may be documented in a request and assumed in an answer.
 */
export function withStatements(document: Node): Node {
  const request = requestPlace(document)
  const result = structuredClone(document)
  for (const operation of operationsOf(document)) {
    const { path, method, definition } = operation
    const own = { ...request, gaps: citedBy(definition).gaps }
    const parameter = (node: Node) => labelled(node, own)
    const { requestBody, parameters, responses } = definition
    result.paths[path][method.toLowerCase()] = {
      ...definition,
      description: `${tryLink(definition.operationId)}\n\n${labelled(definition, own).description}`,
      ...(parameters && { parameters: parameters.map(parameter) }),
      ...(requestBody && { requestBody: withSchemas(labelled(requestBody, own), request) }),
      responses: mapValues(responses, (node) => {
        const place = answerPlace(request, definition, node)
        return withSchemas(labelled(node, place), place)
      }),
      'x-codeSamples': samplesOf(document, operation),
    }
    const { parameters: shared, servers } = document.paths[path]
    if (shared) result.paths[path].parameters = shared.map(parameter)
    if (servers) result.paths[path].servers = servers.map(withDefaultAddress)
  }
  const { examples, securitySchemes } = document.components
  const alone = (node: Node) => labelled(node, request)
  result.components = { examples, securitySchemes: mapValues(securitySchemes, alone) }
  return { ...result, info: alone(document.info), servers: document.servers.map(withDefaultAddress) }
}

/** Replaces the variables of a server's URL by their defaults. */
function withDefaultAddress({ variables, url, ...server }: Node): Node {
  return { ...server, url: url.replaceAll(/\{(\w+)\}/g, (_: string, name: string) => variables[name].default) }
}

/** Labels the schemas and headers of a body or an answer. */
function withSchemas({ content, headers, ...node }: Node, place: CitingPlace): Node {
  const media = (one: Node) => ({ ...one, schema: withLabelledFields(one.schema, place) })
  return {
    ...node,
    ...(content && { content: mapValues(content, media) }),
    ...(headers && { headers: mapValues(headers, (header) => labelled(header, place)) }),
  }
}

/** Inlines all references of a schema and labels its fields. */
function withLabelledFields(schema: Node, place: CitingPlace): Node {
  const target = resolve(place.document, schema)
  const { properties, items, allOf, oneOf } = target
  const { gaps } = citationsInPlace(schema, place)
  const inside = gaps.length > 0 ? { ...place, gaps } : place
  const deeper = (node: Node) => withLabelledFields(node, inside)
  const field = (node: Node) => ({ ...deeper(node), description: labelled(node, inside).description })
  return {
    ...target,
    ...(properties && { properties: mapValues(properties, field) }),
    ...(items && { items: deeper(items) }),
    ...(allOf && { allOf: allOf.map(deeper) }),
    ...(oneOf && { oneOf: oneOf.map(deeper) }),
  }
}

/** Resolves a node, and adds links to the sentences and the questions that it cites; without citations, to the questions of the context. */
function labelled(node: Node, place: CitingPlace): Node {
  const target = resolve(place.document, node)
  const { requirements, gaps } = citationsInPlace(node, place, true)
  const links = [
    ...requirements.map((id) => `[documented: ${id}](traceability.html#${id})`),
    ...gaps.map((id) => `[assumed: ${id.replace('gap.', '')}](questions.html#${id})`),
  ]
  return { ...target, description: [target.description?.trim(), links.join(' ')].filter(Boolean).join('\n\n') }
}
