/** Values for the fields of the contract that a body does not have yet. */
import { isObject } from '../../src/contract/json.ts'
import { schemas } from '../../src/contract/schemas.gen.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : ((schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) as Schema)

/**
 * Returns a body with all fields that its schema has, also in its lists. The values of those it lacked differ from number to number where
 * they can.
 */
export function withAllFields<Value>(schema: string, body: object, number: number): Value {
  return filled({ $ref: schema }, body, number) as Value
}

function filled(reference: Schema, value: unknown, number: number): unknown {
  const { properties = {}, items = {} } = resolved(reference)
  if (Array.isArray(value)) return value.map((one, index) => filled(items, one, 3 * number + index))
  if (!isObject(value)) return value
  const known = Object.entries(value).map(([name, inner]) => [name, filled(properties[name] ?? {}, inner, number)])
  const missing = Object.entries(properties).filter(([name]) => !(name in value))
  const added = missing.map(([name, inner]) => [name, sampleOf(name, inner, number)])
  return Object.fromEntries([...known, ...added])
}

/** Lists the paths of the values in a schema: `limits/low_cents`, `labels/*`. */
export function fieldsOf(schema: string, path = ''): string[] {
  const inner = (place: string, reference: Schema): string[] => {
    const { properties, items } = resolved(reference)
    if (items) return resolved(items).properties ? [place] : [`${place}/*`]
    if (!properties) return [place]
    return Object.entries(properties).flatMap(([name, one]) => inner(`${place}/${name}`, one))
  }
  return Object.entries(resolved({ $ref: schema }).properties ?? {}).flatMap(([name, one]) => inner(path + name, one))
}

function sampleOf(name: string, reference: Schema, number: number): unknown {
  const schema = resolved(reference)
  const { examples, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
  if (schema.enum) return schema.enum[number % schema.enum.length]
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number':
      return minimum + (((hashOf(name) + 7) * (number + 11)) % (Math.min(maximum, minimum + 1e6) - minimum + 1))
    case 'boolean':
      return number % 2 === 0
    case 'array':
      return [0, 1].map((index) => sampleOf(name, schema.items ?? {}, 2 * number + index))
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([inner, one]) => [inner, sampleOf(inner, one, number)]),
      )
    default:
      return examples?.[number % examples.length] ?? textOf(name, schema.format, number)
  }
}

/** Spreads names, so that the numbers of two fields are in no simple relation. */
const hashOf = (name: string) => [...name].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9973, 7)

function textOf(name: string, format: string | undefined, number: number): string {
  if (format === 'email') return `${name}.${number}@example.com`
  if (format === 'date-time') return new Date(Date.UTC(2031, 0, 1 + number)).toISOString()
  return `${name}-${number}`
}
