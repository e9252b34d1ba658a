import { escapePointer } from '../src/contract/json.ts'
import { type CitingPlace, citationsInPlace, citedBy, requestSchemas, type StatementIds } from './cited-places.ts'
import {
  type ContractOperation,
  jsonBodyOf,
  type Node,
  operationsOf,
  parametersOf,
  readYaml,
  resolve,
} from './contract.ts'
import { tableModule } from './write-generated.ts'

type CitedPlace = [pointer: string, cited: StatementIds]

/** Generates a table with a row for each operation of a contract. */
function operationsModule(
  contract: string,
  [name, type, from]: readonly [name: string, type: string, from: string],
  rowOf: (operation: ContractOperation, document: Node) => unknown,
): string {
  const document = readYaml(contract)
  const rows = operationsOf(document).map((one): [string, unknown] => [one.operationId, rowOf(one, document)])
  return from + tableModule(`${name}: Readonly<Record<OperationId, ${type}>>`, rows)
}

/** Generates the requirements and open questions that a contract cites: by operation, status of the answer, and field of the body. */
export function citationsModule(contract: string): string {
  const from = "import type { OperationCitations, OperationId } from './operations.ts'\n\n"
  return operationsModule(contract, ['citations', 'OperationCitations', from], (one, document) => {
    const { definition } = one
    const body = resolve(document, definition.requestBody)
    const schemes = (definition.security ?? document.security ?? []).flatMap((way: object) => Object.keys(way))
    const operation = merge([
      ...[definition, body].map(citedBy),
      ...parametersOf(document, one).map(citedBy),
      ...schemes.map((name: string) => citedBy(document.components.securitySchemes[name])),
    ])
    const statuses = Object.entries<Node>(definition.responses).map(([status, node]) => [
      status,
      merge([citedBy(node), citedBy(resolve(document, node))]),
    ])
    const schema = jsonBodyOf(document, one)?.schema
    const place = { gaps: [], isAnswer: false, ofRequests: requestSchemas(document) }
    const fields: CitedPlace[] = schema
      ? [['', citationsInPlace(schema, document, place)], ...placesIn(document, schema, '', place)]
      : []
    const cited = fields.filter(([, { requirements, gaps }]) => requirements.length + gaps.length > 0)
    const merged = cited.map(([pointer, one]) => [pointer, merge([one])])
    return { operation, statuses: Object.fromEntries(statuses), fields: Object.fromEntries(merged) }
  })
}

function merge(all: readonly StatementIds[]): StatementIds {
  return {
    requirements: [...new Set(all.flatMap(({ requirements }) => requirements))],
    gaps: [...new Set(all.flatMap(({ gaps }) => gaps))],
  }
}

/** Generates the requirements and open questions of each place in the JSON answers of a contract, by operation and status. */
export function answerCitationsModule(contract: string): string {
  const from = "import type { AnswerCitations, OperationId } from './operations.ts'\n\n"
  return operationsModule(contract, ['answerCitations', 'AnswerCitations', from], (operation, document) =>
    Object.fromEntries(answersOf(document, operation).map(([status, places]) => [status, Object.fromEntries(places)])),
  )
}

/** Generates the members of each call's successful answer, which a profile may bind. */
export function answerMembersModule(contract: string): string {
  const from = "import type { OperationId } from '../contract/operations.ts'\n\n"
  return operationsModule(contract, ['answerMembers', 'readonly string[]', from], (operation, document) => {
    const accepted = answersOf(document, operation).filter(([status]) => /^2/.test(status))
    const pointers = accepted.flatMap(([, places]) => places.map(([pointer]) => pointer))
    return [...new Set(pointers.filter((one) => one.lastIndexOf('/') === 0).map((one) => one.slice(1)))]
  })
}

/** Lists the places in the JSON answers of an operation, by status. */
function answersOf(document: Node, { definition }: ContractOperation): [status: string, places: CitedPlace[]][] {
  const ofRequests = requestSchemas(document)
  return Object.entries<Node>(definition.responses).flatMap(([status, node]): [string, CitedPlace[]][] => {
    const response = resolve(document, node)
    const json = Object.entries<Node>(response.content ?? {}).find(([type]) => /json/.test(type))
    if (!json) return []
    const own = citedBy(response).gaps
    const gaps = own.length > 0 ? own : citedBy(definition).gaps
    const places = placesIn(document, json[1].schema, '', { gaps, isAnswer: true, ofRequests })
    return [[status, [['', { requirements: [], gaps }], ...places]]]
  })
}

/** Lists the citations of all places below a schema. Places of an answer without any have those of their context. */
function placesIn(document: Node, schema: Node, pointer: string, place: CitingPlace): CitedPlace[] {
  const target = resolve(document, schema)
  const { gaps } = citationsInPlace(schema, document, place)
  const inside = place.isAnswer && gaps.length > 0 ? { ...place, gaps } : place
  const inner = (node: Node, name: string): CitedPlace[] => {
    const at = `${pointer}/${name}`
    return [[at, citationsInPlace(node, document, inside, true)], ...placesIn(document, node, at, inside)]
  }
  return [
    ...Object.entries<Node>(target.properties ?? {}).flatMap(([name, node]) => inner(node, escapePointer(name))),
    ...(target.items ? inner(target.items, '*') : []),
    ...[...(target.allOf ?? []), ...(target.oneOf ?? [])].flatMap((one: Node) =>
      placesIn(document, one, pointer, inside),
    ),
  ]
}
