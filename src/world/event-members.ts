import { mostCandidates } from '../domain/approval/route.ts'
import { urlSeconds } from '../domain/uploads/upload.ts'
import { fastest } from './clock.ts'
import type { RecordedEvent } from './events.ts'
import { TenantFileError } from './tenant-file-error.ts'

/** Returns a value of a member. Throws a `TenantFileError` with the pointer to what is wrong in it. */
type Rule = (value: unknown, pointer: string) => unknown

const is =
  (what: string, test: (value: unknown) => boolean): Rule =>
  (value, pointer) => {
    if (!test(value)) throw new TenantFileError(pointer, `must be ${what}`)
    return value
  }

const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed()
const isIn = (value: unknown, most: number) => Number.isFinite(value) && Number(value) >= 0 && Number(value) <= most
const countUpTo = (most: number) => is('a whole number', (value) => Number.isSafeInteger(value) && isIn(value, most))
const text = is('a text', isText)
/** An identifier, at most as long as the contract allows where clients send it. */
const id = is('a text of 1 to 200 characters', (value) => isText(value) && /^.{1,200}$/su.test(value))

/** What a client has sent. Importing validates it by the contract, as if it were sent again. */
const sent = is('an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value))

const candidates: Rule = (value, pointer) => {
  if (!Array.isArray(value)) throw new TenantFileError(pointer, 'must be a list')
  if (value.length > mostCandidates) throw new TenantFileError(pointer, `must have at most ${mostCandidates} items`)
  const names = 'email expectedMinutes samples openAssignments reason'
  return value.map((item, index) => withMembers(item, names, `${pointer}/${index}`))
}

/** The members of events and of what is in them. Whatever follows from a decision is compared with it, too. */
const rules: readonly (readonly [names: string, Rule])[] = [
  ['workflowId executionId sessionId documentId file', id],
  ['type stepId email key reason', text],
  ['seq size samples openAssignments', countUpTo(Number.MAX_SAFE_INTEGER)],
  ['at takenUpAt', is('milliseconds since 1970', (value) => isIn(value, Number.MAX_VALUE))],
  ['definition request assignee', sent],
  ['decision outcome', is('approved or rejected', (value) => value === 'approved' || value === 'rejected')],
  ['stages', is('a list', Array.isArray)],
  ['validSeconds', countUpTo(urlSeconds * fastest)],
  ['crc32', is('a CRC-32', (value) => isText(value) && /^[\da-f]{8}$/.test(value))],
  ['sha256', is('a SHA-256', (value) => isText(value) && /^[\da-f]{64}$/.test(value))],
  ['route', (value, pointer) => withMembers(value, 'assignee reason candidates', pointer)],
  ['candidates', candidates],
  // Sums and squares of such numbers are finite.
  ['expectedMinutes', is('minutes', (value) => isIn(value, 1e100))],
]
const ruleOf = new Map(rules.flatMap(([names, rule]) => names.split(' ').map((name) => [name, rule] as const)))

/** The members of each kind of event beside `seq`, `at` and `type`, those that may be absent with a question mark. */
const members: Readonly<Record<RecordedEvent['type'], string>> = {
  WorkflowCreated: 'workflowId definition',
  ExecutionStarted: 'executionId workflowId request stages',
  StepAssigned: 'executionId workflowId stepId route',
  StepDecided: 'executionId workflowId stepId email decision takenUpAt',
  AssignmentWithdrawn: 'executionId workflowId stepId email',
  ExecutionCompleted: 'executionId workflowId outcome',
  UploadRequested: 'sessionId key request validSeconds?',
  ObjectStored: 'sessionId crc32? sha256? file? size?',
  UploadConfirmed: 'sessionId documentId',
}

/** Returns an object with these members in this order, in which the mock writes them, since journals are read by it. */
function withMembers(value: unknown, names: string, pointer: string): object {
  sent(value, pointer)
  const given = value as Readonly<Record<string, unknown>>
  const known = names.split(' ').map((name) => name.replace('?', ''))
  for (const name of names.split(' ')) {
    if (!name.endsWith('?') && !Object.hasOwn(given, name)) {
      throw new TenantFileError(pointer, `must have the member ${name}`)
    }
  }
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) throw new TenantFileError(pointer, `has the unknown member '${name.slice(0, 50)}'`)
  }
  const own = known.filter((name) => Object.hasOwn(given, name))
  return Object.fromEntries(own.map((name) => [name, ruleOf.get(name)?.(given[name], `${pointer}/${name}`)]))
}

/** Returns a value as an event. Throws a `TenantFileError` if it has another shape; `pointer` is its place in the file. */
export function requireEvent(value: unknown, pointer: string): RecordedEvent {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  if (typeof type !== 'string' || !Object.hasOwn(members, type)) {
    throw new TenantFileError(`${pointer}/type`, `must be one of ${Object.keys(members).join(', ')}`)
  }
  return withMembers(value, `seq at type ${members[type as RecordedEvent['type']]}`, pointer) as RecordedEvent
}
