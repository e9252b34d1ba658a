import { mostCandidates } from '../domain/approval/route.ts'
import { urlSeconds } from '../domain/uploads/upload.ts'
import { fastest } from './clock.ts'
import type { RecordedEvent } from './events.ts'
import { TenantFileError } from './tenant-file-error.ts'

/**
 * Returns a value that has a shape, with its members in the order in which the mock writes them, since journals are read by it.
 * Throws a `TenantFileError` with the pointer to a value that does not have the shape.
 */
type Shape = (value: unknown, pointer: string) => unknown

const is =
  (what: string, test: (value: unknown) => boolean): Shape =>
  (value, pointer) => {
    if (!test(value)) throw new TenantFileError(pointer, `must be ${what}`)
    return value
  }

const isText = (value: unknown) => typeof value === 'string' && value.isWellFormed()
const text = is('a text', isText)
/** An identifier, at most as long as the contract allows where clients send it. */
const id = is('a text of 1 to 200 characters', (value) => isText(value) && /^.{1,200}$/su.test(String(value)))
/** Sums and squares of such numbers are finite. */
const minutes = is('minutes', (value) => Number.isFinite(value) && Number(value) >= 0 && Number(value) <= 1e100)
const countUpTo = (most: number) =>
  is('a whole number', (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most)
const count = countUpTo(Number.MAX_SAFE_INTEGER)
const time = is('milliseconds since 1970', (value) => Number.isFinite(value) && Number(value) >= 0)
const digest = is('a SHA-256', (value) => typeof value === 'string' && /^[\da-f]{64}$/.test(value))
const crc = is('a CRC-32', (value) => typeof value === 'string' && /^[\da-f]{8}$/.test(value))
const oneOf = (...texts: readonly string[]) => is(texts.join(' or '), (value) => texts.some((one) => one === value))

/** What a client has sent. Importing validates it by the contract, as if it were sent again. */
const sent = is('an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value))

const list =
  (each: Shape, most = Number.POSITIVE_INFINITY): Shape =>
  (value, pointer) => {
    if (!Array.isArray(value)) throw new TenantFileError(pointer, 'must be a list')
    if (value.length > most) throw new TenantFileError(pointer, `must have at most ${most} items`)
    return value.map((item, index) => each(item, `${pointer}/${index}`))
  }

const members =
  (required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape =>
  (value, pointer) => {
    sent(value, pointer)
    const given = value as Readonly<Record<string, unknown>>
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(given, name)) throw new TenantFileError(pointer, `must have the member ${name}`)
    }
    const all: Readonly<Record<string, Shape>> = { ...required, ...optional }
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(all, name)) throw new TenantFileError(pointer, `has the unknown member '${name.slice(0, 50)}'`)
    }
    const known = Object.entries(all).filter(([name]) => Object.hasOwn(given, name))
    return Object.fromEntries(known.map(([name, shape]) => [name, shape(given[name], `${pointer}/${name}`)]))
  }

const candidate = members({
  email: text,
  expectedMinutes: minutes,
  samples: count,
  openAssignments: count,
  reason: text,
})
const route = members({ assignee: sent, reason: text, candidates: list(candidate, mostCandidates) })
const decision = oneOf('approved', 'rejected')
const ofExecution = { executionId: id, workflowId: id }
const ofStep = { ...ofExecution, stepId: text }

const shapes: Readonly<Record<RecordedEvent['type'], Shape>> = {
  WorkflowCreated: event({ workflowId: id, definition: sent }),
  ExecutionStarted: event({ ...ofExecution, request: sent, stages: list(list(sent)) }),
  StepAssigned: event({ ...ofStep, route }),
  StepDecided: event({ ...ofStep, email: text, decision, takenUpAt: time }),
  AssignmentWithdrawn: event({ ...ofStep, email: text }),
  ExecutionCompleted: event({ ...ofExecution, outcome: decision }),
  UploadRequested: event(
    { sessionId: id, key: text, request: sent },
    { validSeconds: countUpTo(urlSeconds * fastest) },
  ),
  ObjectStored: event({ sessionId: id }, { crc32: crc, sha256: digest, file: id, size: count }),
  UploadConfirmed: event({ sessionId: id, documentId: id }),
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
  return shapes[type as RecordedEvent['type']](value, pointer) as RecordedEvent
}
