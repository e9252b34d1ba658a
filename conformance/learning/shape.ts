/** Makes the JSON Schema of what a template renders. */
import { escapePointer, pointerSteps } from '../../src/contract/json.ts'
import type { AnswerName } from '../../src/contract/operations.ts'
import { schemas } from '../../src/contract/schemas.gen.ts'
import { type Form, type Instruction, isList, type Json, type TimeForm } from '../../src/profile/template.ts'

/** A JSON Schema (2020-12), as OpenAPI 3.1 has it. */
export type Schema = { readonly [keyword: string]: unknown }

/** The context of a place in a template. */
interface Scope {
  readonly operation: AnswerName
  /** The schemas of the items around, the innermost last. */
  readonly items: readonly Schema[]
  /** The JSON Pointer into the answer; items of lists are `*`. */
  readonly pointer: string
  /** Returns true if the value is a guess. */
  readonly isGuess: (pointer: string) => boolean
  /** True if members that all samples had are required. */
  readonly requires: boolean
}

/** Returns the schema of an answer's body. `isGuess` says for pointers into the answer that its samples do not explain them. */
export function shapeOf(
  template: Json,
  options: Pick<Scope, 'operation' | 'isGuess' | 'requires'> & { readonly pointer?: string },
): Schema {
  return shape(template, { items: [], pointer: '', ...options })
}

function shape(template: Json, scope: Scope): Schema {
  if (template === null) return nullSeen
  if (typeof template !== 'object') return constant(template, scope)
  if (isList(template)) {
    const item = union(template.map((one) => shape(one, below(scope, '*'))))
    return { type: 'array', items: item }
  }
  const name = Object.keys(template).find((member) => member.startsWith('$'))
  return name === undefined ? objectOf(template, scope) : ofInstruction(template as Instruction, scope)
}

const below = (scope: Scope, name: string): Scope => ({ ...scope, pointer: `${scope.pointer}/${escapePointer(name)}` })

/** Constants that are words of the format, such as `workflow`, are constants of the schema. Others are data that did not change. */
function constant(value: string | number | boolean, { isGuess, pointer }: Scope): Schema {
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' }
  if (typeof value === 'boolean') return { type: 'boolean' }
  const isWord = /^[A-Za-z][A-Za-z_.:/#@-]{1,60}$/.test(value)
  return isWord && !isGuess(pointer) ? { type: 'string', const: value } : { type: 'string' }
}

function objectOf(members: Readonly<Record<string, Json>>, scope: Scope): Schema {
  const required = Object.keys(members).filter((name) => !isOptional(members[name] ?? null))
  return {
    type: 'object',
    ...(scope.requires && required.length > 0 && { required }),
    properties: Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, shape(member, below(scope, name))]),
    ),
  }
}

/** Returns true if a template may leave its member out. */
function isOptional(template: Json): boolean {
  if (template === null || typeof template !== 'object' || isList(template)) return false
  if ('$case' in template) {
    const values = Object.values((template.values ?? {}) as Readonly<Record<string, Json>>)
    return template.else === undefined || [...values, template.else].some(isOptional)
  }
  if ('$if' in template) {
    const parts = [template.present, template.absent]
    return parts.some((one) => one === undefined || isOptional(one as Json))
  }
  return false
}

function ofInstruction(template: Instruction, scope: Scope): Schema {
  if ('$' in template) {
    const { $: pointer, as, or = null } = template
    const { schema, isNullable } = boundTo(pointer, scope)
    const value = as === undefined ? schema : inForm(as, schema)
    if (or !== null) return union([value, shape(or, scope)])
    return isNullable || (as !== undefined && allowsNull(schema)) ? nullable(value) : value
  }
  if ('$text' in template) return { type: 'string' }
  if ('$each' in template) return { type: 'array', items: shape(template.item, inside(template.$each, scope)) }
  if ('$concat' in template) {
    const parts = template.or === undefined ? template.$concat : [...template.$concat, template.or]
    const lists = parts.map((one) => shape(one, scope))
    if (lists.length > 0 && lists.every(({ type }) => type === 'object')) return together(lists)
    return { type: 'array', items: union(lists.map(({ items }) => (isSchema(items) ? items : {}))) }
  }
  if ('$entries' in template) {
    const values = [template, ...(template.also ?? [])].map(({ value }) =>
      shape(value, inside(template.$entries, scope)),
    )
    return { type: 'object', additionalProperties: union(values) }
  }
  if ('$count' in template) return template.as === undefined ? { type: 'integer' } : inForm(template.as, {})
  if ('$case' in template) {
    const other = template.else === undefined ? [] : [template.else]
    return union([...Object.values(template.values), ...other].map((one) => shape(one, scope)))
  }
  if ('$if' in template) {
    const parts = [template.present, template.absent].filter((one) => one !== undefined)
    return union(parts.map((one) => shape(one, scope)))
  }
  if ('$time' in template) {
    const { schema, isNullable } = boundTo(template.$time, scope)
    const time = timeSchema(template.form)
    return isNullable || allowsNull(schema) ? nullable(time) : time
  }
  if ('$new' in template) return ofNew(template.$new)
  if ('$members' in template) return objectOf(template.$members, scope)
  return template satisfies never
}

/** Returns the schema of an object that has the members of several. */
function together(objects: readonly Schema[]): Schema {
  const open = objects.flatMap(({ additionalProperties }) => additionalProperties ?? [])
  const required = objects.flatMap((one) => one.required ?? [])
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.assign({}, ...objects.map(({ properties }) => properties)),
    ...(open.length > 0 && { additionalProperties: union(open.filter(isSchema)) }),
  }
}

function inside(list: string, scope: Scope): Scope {
  const { schema } = boundTo(list, scope)
  const items = resolve(schema).items
  return { ...below(scope, '*'), items: [...scope.items, isSchema(items) ? items : {}] }
}

function ofNew(kind: string): Schema {
  if (kind === 'counter' || kind === 'integer') return { type: 'integer' }
  return kind.startsWith('uuid') ? { type: 'string', format: 'uuid' } : { type: 'string' }
}

function timeSchema(form: TimeForm): Schema {
  if (form === 'seconds' || form === 'millis') return { type: 'integer' }
  if (form === 'date') return { type: 'string', format: 'date' }
  // RFC 3339 has neither times without a zone nor zones without a colon.
  const isStandard = /^iso(?!-local|-short)/.test(form)
  return isStandard ? { type: 'string', format: 'date-time' } : { type: 'string' }
}

function inForm(form: Form, schema: Schema): Schema {
  switch (form) {
    case 'number':
    case 'percent':
    case 'minutes':
    case 'hours':
    case 'millis':
      // A text that is written as a number is an identifier that counts.
      return { type: form === 'percent' || resolve(schema).type === 'number' ? 'number' : 'integer' }
    case 'not':
      return { type: 'boolean' }
    case 'bit':
    case 'ordinal':
      return { type: 'integer' }
    case 'segments':
      return { type: 'array', items: { type: ['string', 'integer'] } }
    case 'text':
      return typeof resolve(schema).format === 'string'
        ? { type: 'string', format: resolve(schema).format }
        : { type: 'string' }
    default:
      return { type: 'string' }
  }
}

// --- Schemas of facts -------------------------------------------------------------------------------

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const text: Schema = { type: 'string' }

const answers: Readonly<Record<AnswerName, Schema>> = {
  createWorkflow: reference('Workflow'),
  getWorkflow: reference('WorkflowDetails'),
  executeWorkflow: reference('Execution'),
  requestUpload: reference('Upload'),
  confirmUpload: reference('Document'),
  putObject: {},
  getExecution: reference('Execution'),
  listWorkflows: { properties: { workflows: { items: reference('WorkflowDetails') }, total: { type: 'integer' } } },
}

const requests: Readonly<Record<AnswerName, Schema>> = {
  createWorkflow: reference('WorkflowRequest'),
  getWorkflow: {},
  executeWorkflow: reference('ExecutionRequest'),
  requestUpload: reference('UploadRequest'),
  confirmUpload: reference('ConfirmationRequest'),
  putObject: {},
  listWorkflows: {},
  getExecution: {},
}

const violations: Schema = { type: 'array', items: reference('Violation') }

/** The facts beside requests and answers. */
const otherFacts: Readonly<Record<string, Schema>> = {
  // Without the contract's list of codes, since storage and stricter deployments have others.
  problem: {
    properties: { status: { type: 'integer' }, code: text, detail: text, title: text, about: text, errors: violations },
  },
  path: { properties: { workflow_id: text } },
  base: text,
  asked: text,
  route: text,
  method: text,
  now: { type: 'string', format: 'date-time' },
  count: { type: 'integer' },
  operation: text,
  object: { properties: { size: { type: 'integer' }, sha256: text, md5: text, crc32: text } },
  session_id: text,
  key: text,
  tenant: text,
}

/** Returns the schema of a fact, or an empty one; and whether it may be missing since something around it is. */
function boundTo(pointer: string, { operation, items }: Scope): { schema: Schema; isNullable: boolean } {
  const [, up = '', path = ''] = /^(\d*)(.*)$/s.exec(pointer) ?? []
  if (path === '#') return { schema: { type: 'integer' }, isNullable: false }
  const steps = pointerSteps(path)
  let schema: Schema
  if (up !== '') schema = items.at(-1 - Number(up)) ?? {}
  else {
    const root = steps.shift() ?? ''
    schema =
      (root === 'answer' ? answers[operation] : root === 'request' ? requests[operation] : otherFacts[root]) ?? {}
  }
  let isNullable = false
  for (const step of steps) {
    isNullable ||= allowsNull(schema) || /^\d+$/.test(step)
    schema = memberOf(schema, step)
  }
  return { schema: typeof schema.$ref === 'string' ? { $ref: schema.$ref } : schema, isNullable }
}

const count: Schema = { type: 'integer' }
const candidates = memberOf(reference('Routing'), 'candidates')

/** The schemas of facts that the contract's answers do not have (see `factsOfCall`), by name. */
const addedFacts: Readonly<Record<string, Schema>> = {
  step: reference('Step'),
  chosen: memberOf(candidates, '0'),
  others: candidates,
  alternates: memberOf(reference('Step'), 'approvers'),
  elapsed_minutes: { type: ['number', 'null'] },
  min_minutes: { type: 'number' },
  max_minutes: { type: 'number' },
  waiting: count,
  decided: count,
  total: count,
  tasks: { items: reference('ExecutionStep') },
  execution: reference('Execution'),
  people: {
    items: {
      properties: {
        email: text,
        name: text,
        may_decide: count,
        assigned: count,
        approved: count,
        rejected: count,
        approval_rate: { type: ['number', 'null'] },
        latest_decision_at: { type: ['string', 'null'], format: 'date-time' },
        working_time: { type: ['object', 'null'], properties: { mean_minutes: { type: 'number' } } },
      },
    },
  },
  estimated: { properties: { total_minutes: { type: 'number' }, longest_minutes: { type: 'number' } } },
}

/** Returns the schema of a member. */
function memberOf(schema: Schema, name: string): Schema {
  const { properties, items, allOf, oneOf } = resolve(schema)
  if (isSchema(properties) && Object.hasOwn(properties, name)) {
    const member = properties[name]
    return isSchema(member) ? member : {}
  }
  if (/^\d+$/.test(name) && isSchema(items)) return items
  for (const part of [allOf, oneOf].flat()) {
    const found = isSchema(part) ? memberOf(part, name) : {}
    if (Object.keys(found).length > 0) return found
  }
  return isSchema(properties) && Object.hasOwn(addedFacts, name) ? (addedFacts[name] ?? {}) : {}
}

function resolve(schema: Schema): Schema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace('#/components/schemas/', '') : undefined
  const target = name === undefined ? schema : schemas[name]
  return isSchema(target) ? target : {}
}

function isSchema(value: unknown): value is Schema {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

// --- Unions ------------------------------------------------------------------------------------------

const onlyNull: Schema = { type: 'null' }

function allowsNull(schema: Schema): boolean {
  const { type, oneOf, anyOf } = resolve(schema)
  if ([type].flat().includes('null')) return true
  return [oneOf, anyOf].flat().some((one) => isSchema(one) && allowsNull(one))
}

function nullable(schema: Schema): Schema {
  if (allowsNull(schema) || !isTyped(schema)) return schema
  if (typeof schema.type === 'string' && !('const' in schema)) {
    const options = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
    return { ...schema, type: [schema.type, 'null'], ...options }
  }
  return { anyOf: [schema, onlyNull] }
}

const isTyped = (schema: Schema) => ['type', '$ref', 'anyOf', 'oneOf'].some((keyword) => keyword in schema)

/** The schema of a place where nothing but null was seen, so that its type is unknown. */
const nullSeen: Schema = { description: 'Only null was seen.' }

/** Returns a schema for all of these. Texts that differ are any text: those that were seen are hardly all. */
export function union(all: readonly Schema[]): Schema {
  const known = all.filter((schema) => schema !== nullSeen)
  if (all.length === 0) return { description: 'No item was seen.' }
  if (known.length === 0) return nullSeen
  if (!known.every(isTyped)) return {}
  const texts = known.filter(({ type }) => type === 'string')
  const isOneText = new Set(texts.map((schema) => JSON.stringify(schema))).size < 2
  const different = known.map((schema) => (schema.type === 'string' && !isOneText ? text : schema))
  const distinct = [...new Map(different.map((schema) => [JSON.stringify(schema), schema])).values()]
  const hasNumber = distinct.some(({ type }) => type === 'number')
  const fewest = distinct.filter(({ type }) => !(hasNumber && type === 'integer'))
  const one = fewest.length === 1 ? (fewest[0] ?? {}) : { anyOf: fewest }
  return known.length < all.length ? nullable(one) : one
}
