import { requestSchemas } from './cited-places.ts'
import { type Node, resolve } from './contract.ts'
import { tableModule } from './write-generated.ts'

/** The schemas of the service that the mock writes or reads by the table, and those of the admin API, beside those in them. */
const ofService = ['Workflow', 'WorkflowDetails', 'Execution', 'Document']
const ofAdmin = [
  ...['Tenant', 'JournalEntry', 'Settings', 'LoggedRequest'],
  ...['WorkflowSummary', 'ExecutionSummary', 'UploadSummary'],
]

/**
 * Generates the table by which values are written for the wire and read from it: the members of each schema, and what each is, which is
 * `time`, another schema or nothing. `?` marks what is null if there is nothing to show, and `-` what is left out then.
 */
export function membersModule(service: Node, admin: Node): string {
  // What a client of the service has sent is kept as it was sent.
  const rows = [...rowsOf(service, ofService, requestSchemas(service)), ...rowsOf(admin, ofAdmin, new Set())]
  return tableModule('members: Readonly<Record<string, Readonly<Record<string, string>>>>', rows)
}

function rowsOf(document: Node, names: readonly string[], sent: ReadonlySet<Node>) {
  const rows = new Map<string, Readonly<Record<string, string>>>()
  const visit = (place: string, { properties, required }: ObjectSchema) => {
    rows.set(place, {})
    const members = Object.entries<Node>(properties).map(([name, node]) => {
      const isNullable = [node, ...(node.oneOf ?? [])].some(({ type }) => [type].flat().includes('null'))
      const absent = isNullable ? '?' : required.includes(name) ? '' : '-'
      return [name, absent + kindOf(node, `${place}.${name}`)]
    })
    rows.set(place, Object.fromEntries(members))
  }
  const kindOf = (node: Node, place: string): string => {
    if (node.format === 'date-time') return 'time'
    const target = node.items ?? (node.oneOf ?? [node])[0]
    const name = target.$ref?.split('/').at(-1) ?? place
    const object = objectOf(document, target)
    if (sent.has(resolve(document, target)) || Object.keys(object.properties).length === 0) return ''
    if (!rows.has(name)) visit(name, object)
    return name
  }
  for (const name of names) visit(name, objectOf(document, document.components.schemas[name]))
  return rows
}

interface ObjectSchema {
  readonly properties: Node
  readonly required: readonly string[]
}

/** Returns the members of a schema and of its parts. */
function objectOf(document: Node, node: Node): ObjectSchema {
  const { properties, required = [], allOf = [] } = resolve(document, node)
  const parts: ObjectSchema[] = allOf.map((one: Node) => objectOf(document, one))
  return {
    properties: Object.assign({}, ...parts.map((one) => one.properties), properties),
    required: [...parts.flatMap((one) => one.required), ...required],
  }
}
