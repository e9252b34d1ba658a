import { members } from './members.gen.ts'
import type { Schemas } from './operations.ts'

/** A member of a schema: its name, its name in this project, and what it is. */
type Member = readonly [name: string, own: string, of: string]

interface Schema {
  /** By both names. */
  readonly byName: ReadonlyMap<string, Member>
  /** An object with all members in their order, without values. */
  readonly empty: Readonly<Record<string, unknown>>
}

/**
 * Writes a value as a schema of the contract has it, from sources, of which a later one overrides those before it. What clients have sent has
 * the contract's names already, and is written as it was sent.
 */
export function written<Name extends keyof Schemas & string>(
  name: Name,
  ...sources: readonly (object | undefined)[]
): Schemas[Name] {
  const { byName, empty } = schemaOf(name)
  const json = { ...empty }
  for (const source of sources) if (source) write(json, source as JsonObject, byName)
  return json as unknown as Schemas[Name]
}

type JsonObject = Readonly<Record<string, unknown>>

/** Runs for each object of each answer. Engines read members much faster in this loop than by names that are not there. */
function write(json: Record<string, unknown>, source: JsonObject, byName: Schema['byName']): void {
  for (const key in source) {
    const member = byName.get(key)
    const value = source[key]
    if (member && value !== undefined) json[member[0]] = member[2] === '' ? value : writtenValue(member[2], value)
  }
}

function writtenValue(of: string, value: unknown): unknown {
  if (of === 'time') return typeof value === 'number' ? timeTo(value) : value
  if (Array.isArray(value)) return value.map((item) => writtenValue(of, item))
  return typeof value === 'object' && value !== null ? written(of as keyof Schemas, value) : value
}

/** Reads what a client has sent by a schema of the contract, with this project's names. */
export function read<Value>(schema: keyof Schemas & string, json: object): Value {
  return readAs(schema, json) as Value
}

function readAs(of: string, json: unknown): unknown {
  if (of === '' || typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map((item) => readAs(of, item))
  const sent = json as Readonly<Record<string, unknown>>
  const { byName } = schemaOf(of)
  const given = Object.entries(sent).flatMap(([name, value]) => {
    const member = value === undefined ? undefined : byName.get(name)
    return member ? [[member[1], readAs(member[2], value)]] : []
  })
  return Object.fromEntries(given)
}

const schemas = new Map<string, Schema>()

function schemaOf(name: string): Schema {
  const known = schemas.get(name)
  if (known) return known
  const all = Object.entries(members[name] ?? {})
  const rows = all.map(([member, is]): Member => [member, camelCase(member), is.replace(/^[?-]/, '')])
  const first = all.map(([member, is]) => [member, is[0] === '?' ? null : undefined])
  const byName = new Map(rows.flatMap((row) => [[row[0], row] as const, [row[1], row] as const]))
  const schema = { byName, empty: Object.fromEntries(first) }
  schemas.set(name, schema)
  return schema
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The last formatted time. Formatting is slow, and consecutive calls often have the same time. */
let lastTime = { ms: Number.NaN, text: '' }

/** Formats a time as RFC 3339 in UTC. */
export function timeTo(ms: number): string {
  if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() }
  return lastTime.text
}
