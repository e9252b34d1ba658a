import type { RecordedEvent } from './events.ts'
import { TenantFileError } from './tenant-file-error.ts'

/** Throws a `TenantFileError` with the pointer if a value does not have a shape. */
type Shape = (value: unknown, pointer: string) => void

const is =
  (what: string, test: (value: unknown) => boolean): Shape =>
  (value, pointer) => {
    if (!test(value)) throw new TenantFileError(pointer, `must be ${what}`)
  }

const text = is('a text', (value) => typeof value === 'string' && value.isWellFormed())
const amount = is('a number', (value) => Number.isFinite(value))
const count = is('a whole number', (value) => Number.isSafeInteger(value) && Number(value) >= 0)
const time = is('milliseconds since 1970', (value) => Number.isFinite(value) && Number(value) >= 0)
const flag = is('true or false', (value) => typeof value === 'boolean')
const digest = is('a SHA-256', (value) => typeof value === 'string' && /^[\da-f]{64}$/.test(value))
const crc = is('a CRC-32', (value) => typeof value === 'string' && /^[\da-f]{8}$/.test(value))
const oneOf = (...texts: readonly string[]) => is(texts.join(' or '), (value) => texts.some((one) => one === value))

const list =
  (each: Shape): Shape =>
  (value, pointer) => {
    if (!Array.isArray(value)) throw new TenantFileError(pointer, 'must be a list')
    for (const [index, item] of value.entries()) each(item, `${pointer}/${index}`)
  }

const members =
  (required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape =>
  (value, pointer) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new TenantFileError(pointer, 'must be an object')
    }
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(value, name)) throw new TenantFileError(pointer, `must have the member ${name}`)
    }
    for (const [name, member] of Object.entries(value)) {
      const shape = Object.hasOwn(required, name)
        ? required[name]
        : Object.hasOwn(optional, name)
          ? optional[name]
          : undefined
      if (!shape) throw new TenantFileError(pointer, `has the unknown member '${name.slice(0, 50)}'`)
      shape(member, `${pointer}/${name}`)
    }
  }

const approver = members({ email: text, name: text })
const step = members(
  { stepId: text, name: text, order: amount, approvers: list(approver), estimatedMinutes: amount },
  { type: text },
)
const candidate = members({
  email: text,
  expectedMinutes: amount,
  samples: count,
  openAssignments: count,
  reason: text,
})
const route = members({ assignee: approver, reason: text, candidates: list(candidate) })
const decision = oneOf('approved', 'rejected')
const ofExecution = { executionId: text, workflowId: text }
const ofStep = { ...ofExecution, stepId: text }

const shapes: Readonly<Record<RecordedEvent['type'], Shape>> = {
  WorkflowCreated: event({
    workflowId: text,
    definition: members({ name: text, description: text, isSequential: flag, steps: list(step) }),
  }),
  ExecutionStarted: event(
    {
      ...ofExecution,
      documentId: text,
      submitterEmail: text,
      mode: text,
      priority: oneOf('low', 'normal', 'high'),
      stages: list(list(step)),
    },
    { sentPriority: text },
  ),
  StepAssigned: event({ ...ofStep, route }),
  StepDecided: event({ ...ofStep, email: text, decision, takenUpAt: time }),
  AssignmentWithdrawn: event({ ...ofStep, email: text }),
  ExecutionCompleted: event({ ...ofExecution, outcome: decision }),
  UploadRequested: event(
    { sessionId: text, key: text, fileName: text, contentType: text, fileSize: count },
    { validSeconds: count },
  ),
  ObjectStored: event({ sessionId: text }, { crc32: crc, sha256: digest, object: digest }),
  UploadConfirmed: event({ sessionId: text, documentId: text }),
}

function event(required: Readonly<Record<string, Shape>>, optional?: Readonly<Record<string, Shape>>): Shape {
  return members({ seq: count, at: time, type: text, ...required }, optional)
}

/** Returns a value as an event. Throws a `TenantFileError` if it has another shape; `pointer` is its place in the file. */
export function requireEvent(value: unknown, pointer: string): RecordedEvent {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) {
    throw new TenantFileError(`${pointer}/type`, `must be one of ${Object.keys(shapes).join(', ')}`)
  }
  const known = value as RecordedEvent
  shapes[known.type](known, pointer)
  return known
}
