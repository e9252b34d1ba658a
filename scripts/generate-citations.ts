import { escapePointer } from '../src/contract/json.ts'
import {
  answerPlace,
  type CitingPlace,
  citationsInPlace,
  citedBy,
  requestPlace,
  type StatementIds,
} from './cited-places.ts'
import {
  type ContractOperation,
  jsonBodyOf,
  mapValues,
  type Node,
  operationsOf,
  parametersOf,
  resolve,
} from './contract.ts'
import { tableModule } from './write-generated.ts'

type CitedPlace = [pointer: string, cited: StatementIds]

/** Generates a table with a row for each operation of a contract. `imported` are the names that its type has from the module of operations. */
function operationsModule(
  document: Node,
  [name, type, imported]: readonly [name: string, type: string, imported: string],
  rowOf: (operation: ContractOperation, place: CitingPlace) => unknown,
): string {
  const place = requestPlace(document)
  const rows = operationsOf(document).map((one): [string, unknown] => [one.operationId, rowOf(one, place)])
  return `import type ${imported}\n\n${tableModule(`${name}: Readonly<Record<OperationId, ${type}>>`, rows)}`
}

/** Generates the requirements and open questions that a contract cites: by operation, status of the answer, and field of the body. */
export function citationsModule(document: Node): string {
  const from = "{ OperationCitations, OperationId } from './operations.ts'"
  return operationsModule(document, ['citations', 'OperationCitations', from], (one, place) => {
    const { definition } = one
    const ways: object[] = definition.security ?? document.security ?? []
    const schemes = ways.flatMap((way) => Object.keys(way)).map((name) => document.components.securitySchemes[name])
    const body = resolve(document, definition.requestBody)
    const schema = jsonBodyOf(document, one)?.schema
    const fields = schema ? [['', citationsInPlace(schema, place)] as const, ...placesIn(schema, '', place)] : []
    const cited = fields.filter(([, { requirements, gaps }]) => requirements.length + gaps.length > 0)
    return {
      operation: citedBy(definition, body, ...parametersOf(document, one), ...schemes),
      statuses: mapValues(definition.responses, (node) => citedBy(node, resolve(document, node))),
      fields: Object.fromEntries(cited),
    }
  })
}

/** Generates the requirements and open questions of each place in the JSON answers of a contract, by operation and status. */
export function answerCitationsModule(document: Node): string {
  const from = "{ AnswerCitations, OperationId } from './operations.ts'"
  return operationsModule(document, ['answerCitations', 'AnswerCitations', from], (operation, place) =>
    Object.fromEntries(answersOf(operation, place).map(([status, places]) => [status, Object.fromEntries(places)])),
  )
}

/** Generates the members of each call's successful answer, which a profile may bind. */
export function answerMembersModule(document: Node): string {
  const from = "{ OperationId } from '../contract/operations.ts'"
  return operationsModule(document, ['answerMembers', 'readonly string[]', from], (operation, place) => {
    const accepted = answersOf(operation, place).filter(([status]) => /^2/.test(status))
    const pointers = accepted.flatMap(([, places]) => places.map(([pointer]) => pointer))
    return [...new Set(pointers.filter((one) => one.lastIndexOf('/') === 0).map((one) => one.slice(1)))]
  })
}

/** Lists the places in the JSON answers of an operation, by status. */
function answersOf(
  { definition }: ContractOperation,
  request: CitingPlace,
): [status: string, places: readonly CitedPlace[]][] {
  return Object.entries<Node>(definition.responses).flatMap(([status, node]) => {
    const { content = {} } = resolve(request.document, node)
    const json = Object.entries<Node>(content).find(([type]) => /json/.test(type))
    if (!json) return []
    const place = answerPlace(request, definition, node)
    const root = { requirements: [], gaps: place.gaps }
    return [[status, [['', root], ...placesIn(json[1].schema, '', place)]]]
  })
}

/** Lists the citations of all places below a schema. Places of an answer without any have those of their context. */
function placesIn(schema: Node, pointer: string, place: CitingPlace): CitedPlace[] {
  const target = resolve(place.document, schema)
  const { gaps } = citationsInPlace(schema, place)
  const inside = place.isAnswer && gaps.length > 0 ? { ...place, gaps } : place
  const inner = (node: Node, name: string): CitedPlace[] => {
    const at = `${pointer}/${name}`
    return [[at, citationsInPlace(node, inside, true)], ...placesIn(node, at, inside)]
  }
  return [
    ...Object.entries<Node>(target.properties ?? {}).flatMap(([name, node]) => inner(node, escapePointer(name))),
    ...(target.items ? inner(target.items, '*') : []),
    ...[...(target.allOf ?? []), ...(target.oneOf ?? [])].flatMap((one: Node) => placesIn(one, pointer, inside)),
  ]
}
