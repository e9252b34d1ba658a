/** Changes single values of a sound request body to the boundaries of the contract's schema, and just beyond them. */
import { isObject } from '../../src/contract/json.ts'
import { schemas } from '../../src/contract/schemas.gen.ts'
import { validate } from '../../src/contract/validate.ts'
import { validators } from '../../src/contract/validators.gen.js'
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
  const { type: _, ...root } = resolved({ $ref: bodies[call] })
  return [...changesOf(root, sound, '')].map(([name, body]) => {
    const { valid } = validate(validators[call], structuredClone(body))
    return { name, isSound: valid, body: body as object }
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
  const { type: _, ...root } = resolved({ $ref: bodies[call] })
  return splitChanges(names).reduce((body, name) => {
    const [, changed = body] = [...changesOf(root, body, '')].find(([label]) => label === name) ?? []
    return changed as Sound
  }, sound)
}

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema)
}

/** A changed value, and what is different. */
type Change = readonly [name: string, value: unknown]

function* changesOf(given: Schema, value: unknown, at: string): Generator<Change> {
  const schema = resolved(given)
  const label = at || 'body'
  if (schema.type !== undefined) {
    yield [`${label}: null`, null]
    yield [`${label}: another type`, typeof value === 'string' ? 7 : 'seven']
  }
  if (schema.properties && isObject(value)) yield* changedMembers(schema.properties, value, at)
  else if (schema.items && Array.isArray(value)) yield* changedLists(schema.items, value, at)
  else if (typeof value === 'string') yield* changedTexts(schema, value, label)
  else if (typeof value === 'number') yield* changedNumbers(schema, label)
  else if (typeof value === 'boolean') yield [`${label}: ${!value}`, !value]
}

function* changedMembers(
  properties: Readonly<Record<string, Schema>>,
  value: Readonly<Record<string, unknown>>,
  at: string,
): Generator<Change> {
  for (const [name, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue
    const { [name]: _, ...rest } = value
    const place = at ? `${at}.${name}` : name
    yield [`${place}: absent`, rest]
    for (const [label, changed] of changesOf(schema, value[name], place)) yield [label, { ...value, [name]: changed }]
  }
}

function* changedLists(items: Schema, value: readonly unknown[], at: string): Generator<Change> {
  const [first] = value
  yield [`${at}: empty`, []]
  yield [`${at}: the same twice`, [first, first]]
  yield [`${at}: two`, [first, other(items, first)]]
  yield [`${at}: two, the other way round`, [other(items, first), first]]
  if (isObject(first))
    yield [`${at}: two with the same lists`, [first, { ...(other(items, first) as object), ...listsOf(first) }]]
  for (const [label, changed] of changesOf(items, first, `${at}.0`)) yield [label, [changed, ...value.slice(1)]]
}

function* changedTexts(
  { enum: names, format, pattern, maxLength }: Schema,
  value: string,
  at: string,
): Generator<Change> {
  yield [`${at}: empty`, '']
  for (const name of names ?? []) if (name !== value) yield [`${at}: ${name}`, name]
  if (names || format === 'uuid') yield [`${at}: unknown`, format ? 'unknown' : `un${value}`]
  else if (format === 'email') {
    yield [`${at}: no address`, 'no-address']
    yield [`${at}: capitals`, value.toUpperCase()]
  } else {
    if (value === contentType) yield [`${at}: text/plain`, 'text/plain']
    yield [`${at}: spaces around`, ` ${value} `]
    yield [`${at}: other scripts`, `${value} é 漢 😀`]
    if (pattern !== undefined) yield [`${at}: a path`, `../${value}`]
    if (maxLength === undefined) return
    yield [`${at}: ${maxLength} characters`, value.padEnd(maxLength, 'x')]
    yield [`${at}: ${maxLength + 1} characters`, value.padEnd(maxLength + 1, 'x')]
  }
}

function* changedNumbers({ minimum, maximum }: Schema, at: string): Generator<Change> {
  yield [`${at}: a fraction`, 1.5]
  if (minimum !== undefined) {
    yield [`${at}: ${minimum}`, minimum]
    yield [`${at}: ${minimum - 1}`, minimum - 1]
  }
  if (maximum !== undefined) {
    yield [`${at}: ${maximum}`, maximum]
    yield [`${at}: ${maximum + 1}`, maximum + 1]
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
