/** Changes single values of a sound request body to the boundaries of the contract's schema, and just beyond them. */
import { isObject } from '../../src/contract/json.ts'
import { schemas } from '../../src/contract/schemas.gen.ts'
import { validate } from '../../src/contract/validate.ts'
import { validators } from '../../src/contract/validators.gen.js'
import { changed, missing } from '../flow/changed.ts'
import { contentType } from './bodies.ts'

/** The calls with a body, and its schema. */
const bodies = {
  createWorkflow: 'WorkflowRequest',
  executeWorkflow: 'ExecutionRequest',
  requestUpload: 'UploadRequest',
  confirmUpload: 'ConfirmationRequest',
} as const

export type CallWithBody = keyof typeof bodies

/** A body that differs in one value from a sound one. */
export interface Deviation {
  /** Says what is different, such as `name: 101 characters`. */
  readonly name: string
  /** True if the contract still accepts the body. */
  readonly isSound: boolean
  readonly body: object
}

/** The parts of a schema that have boundaries. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly enum?: readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** Returns the bodies that differ from a sound one in one value. */
export function deviationsFrom(call: CallWithBody, sound: object): Deviation[] {
  return [...changesIn(call, sound)].map(([name, pointer, value]) => {
    const body = changed(sound, pointer, value)
    return { name, isSound: validate(validators[call], structuredClone(body)).valid, body }
  })
}

/** Joins the names of changes to several members of one body. */
export const joinChanges = (names: readonly string[]) => names.join(also)

/** Returns the names of the changes that a name joins. */
export const splitChanges = (name: string) => name.split(also)

const also = ' and '

/** Applies the changes with these names to a body. Names of no change are left out. */
export function deviate<Sound extends object>(call: CallWithBody, sound: Sound, names: string): Sound {
  if (!names.includes(':')) return sound
  return splitChanges(names).reduce((body, name) => {
    const [, pointer, value] = [...changesIn(call, body)].find(([label]) => label === name) ?? []
    return pointer === undefined ? body : changed(body, pointer, value)
  }, sound)
}

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema)
}

/** What is different, and another value at a place; `missing` if it is left out. */
type Change = readonly [name: string, pointer: string, value: unknown]

function changesIn(call: CallWithBody, sound: object): Generator<Change> {
  const { type: _, ...root } = resolved({ $ref: bodies[call] })
  return changesOf(root, sound, '')
}

function* changesOf(given: Schema, value: unknown, pointer: string): Generator<Change> {
  const schema = resolved(given)
  const at = pointer.slice(1).replaceAll('/', '.') || 'body'
  const values = function* (): Generator<Other> {
    if (schema.type !== undefined) {
      yield ['null', null]
      yield ['another type', typeof value === 'string' ? 7 : 'seven']
    }
    if (schema.items && Array.isArray(value)) yield* changedLists(schema.items, value)
    else if (typeof value === 'string') yield* changedTexts(schema, value)
    else if (typeof value === 'number') yield* changedNumbers(schema)
    else if (typeof value === 'boolean') yield [`${!value}`, !value]
  }
  for (const [label, other] of values()) yield [`${at}: ${label}`, pointer, other]
  if (schema.items && Array.isArray(value)) yield* changesOf(schema.items, value[0], `${pointer}/0`)
  for (const [name, inner] of Object.entries((isObject(value) && schema.properties) || {})) {
    if (!isObject(value) || !Object.hasOwn(value, name)) continue
    const place = `${pointer}/${name}`
    yield [`${place.slice(1).replaceAll('/', '.')}: absent`, place, missing]
    yield* changesOf(inner, value[name], place)
  }
}

type Other = readonly [label: string, value: unknown]

function* changedLists(items: Schema, [first]: readonly unknown[]): Generator<Other> {
  yield ['empty', []]
  yield ['the same twice', [first, first]]
  yield ['two', [first, other(items, first)]]
  yield ['two, the other way round', [other(items, first), first]]
  if (isObject(first))
    yield ['two with the same lists', [first, { ...(other(items, first) as object), ...listsOf(first) }]]
}

function* changedTexts({ enum: names, format, pattern, maxLength }: Schema, value: string): Generator<Other> {
  yield ['empty', '']
  for (const name of names ?? []) if (name !== value) yield [name, name]
  if (names || format === 'uuid') yield ['unknown', format ? 'unknown' : `un${value}`]
  else if (format === 'email') {
    yield ['no address', 'no-address']
    yield ['capitals', value.toUpperCase()]
  } else {
    if (value === contentType) yield ['text/plain', 'text/plain']
    yield ['spaces around', ` ${value} `]
    yield ['other scripts', `${value} é 漢 😀`]
    if (pattern !== undefined) yield ['a path', `../${value}`]
    if (maxLength === undefined) return
    yield [`${maxLength} characters`, value.padEnd(maxLength, 'x')]
    yield [`${maxLength + 1} characters`, value.padEnd(maxLength + 1, 'x')]
  }
}

function* changedNumbers({ minimum, maximum }: Schema): Generator<Other> {
  yield ['a fraction', 1.5]
  if (minimum !== undefined) {
    yield [`${minimum}`, minimum]
    yield [`${minimum - 1}`, minimum - 1]
  }
  if (maximum !== undefined) {
    yield [`${maximum}`, maximum]
    yield [`${maximum + 1}`, maximum + 1]
  }
}

/** Returns the members that are lists. */
const listsOf = (value: object) => Object.fromEntries(Object.entries(value).filter(([, one]) => Array.isArray(one)))

/** Returns a similar value with other identifiers. */
function other(given: Schema, value: unknown): unknown {
  const { properties, items, enum: names, format } = resolved(given)
  if (properties && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, other(properties[name] ?? {}, one)]))
  if (items && Array.isArray(value)) return value.map((one) => other(items, one))
  if (typeof value === 'number') return value + 1
  if (typeof value !== 'string' || names) return value
  return format === 'email' ? `other.${value}` : `${value}-2`
}
