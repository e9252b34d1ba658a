import { stepsToAssign } from '../domain/approval/execution.ts'
import { type Candidate, mostCandidates, type Route } from '../domain/approval/route.ts'
import { never } from '../domain/decider.ts'
import { DomainError } from '../domain/errors.ts'
import { urlSeconds } from '../domain/uploads/upload.ts'
import { endOfTime, fastest } from './clock.ts'
import { type RecordedEvent, UnusableEventError, type WorldEvent } from './events.ts'
import { newFileName } from './files.ts'
import { TenantFileError } from './tenant-file-error.ts'
import type { Command, World } from './world.ts'

/**
 * Says what is wrong with the request that has caused an event; undefined if nothing is. Throws a `DomainError` if the state of the
 * world before the event is the reason.
 */
export type FlawOfRequest = (event: RecordedEvent, world: World) => string | undefined

/** The beginning of each storage key: the tenant that it belongs to. */
const keyOfTenant = /^tenants\/[^/]+\//

/**
 * Replays a history into a world without events. Each event is decided again by the rules of the service, and must come out the
 * same; so no file can bring a world into a state that calls could not.
 */
export class ValidatedReplay {
  readonly #world: World
  readonly #flawOf: FlawOfRequest
  /** The events that still have to follow from the last decision. */
  #pending: readonly WorldEvent[] = []
  #at = 0
  /** The names of files in the history, by those in the world. */
  readonly formerNames = new Map<string, string>()

  /** `flawOf` judges the requests behind the events. By default they are known to be sound. */
  constructor(world: World, flawOf: FlawOfRequest = () => undefined) {
    this.#world = world
    this.#flawOf = flawOf
  }

  /** True if the last decision has caused more events than were applied. */
  get isPending(): boolean {
    return this.#pending.length > 0
  }

  /** The time of the last event, in milliseconds since 1970. */
  get at(): number {
    return this.#at
  }

  /** Applies the next event. Throws a `TenantFileError`, or a `DomainError` if the memory is full. */
  apply(value: unknown): void {
    const seq = this.#world.journal.length + 1
    const pointer = `/events/${seq - 1}`
    const event = this.#rehome(requireEvent(value, pointer), pointer)
    if (event.seq !== seq) throw new TenantFileError(`${pointer}/seq`, `must be ${seq}`)
    if (!(event.at >= this.#at && event.at <= endOfTime)) {
      throw new TenantFileError(`${pointer}/at`, 'must not be before the event before it, or after the year 9998')
    }
    this.#world.memoryUse.requireSpace()
    const [decided, ...caused] = this.isPending ? this.#pending : this.#decideAgain(event, pointer)
    if (!decided) throw new TenantFileError(pointer, `has no cause: no decision before it leads to ${event.type}`)
    const at = this.isPending ? this.#at : event.at
    this.#require(event, { seq, at, ...decided }, pointer)
    this.#pending = caused
    this.#at = at
  }

  /** Checks that the history does not end amid a decision. */
  end(): void {
    const [missing] = this.#pending
    if (missing)
      throw new TenantFileError('/events', `must end with the ${missing.type} that follows from the last event`)
  }

  /**
   * Changes the tenant in a storage key to that of the world: storage finds the world by it. Gives each file a new name; its content
   * may follow.
   */
  #rehome(event: RecordedEvent, pointer: string): RecordedEvent {
    if (event.type === 'ObjectStored') {
      if (event.file === undefined) return event
      const file = newFileName()
      this.formerNames.set(file, event.file)
      return { ...event, file }
    }
    if (event.type !== 'UploadRequested') return event
    if (!keyOfTenant.test(event.key)) {
      throw new TenantFileError(`${pointer}/key`, 'must begin with tenants/ and the identifier of a tenant')
    }
    return { ...event, key: event.key.replace(keyOfTenant, () => `tenants/${this.#world.tenantId}/`) }
  }

  /** Applies an event if it is as expected. */
  #require(event: RecordedEvent, expected: RecordedEvent, pointer: string): void {
    if (!isSame(expected, event)) {
      throw new TenantFileError(pointer, `differs from the ${expected.type} that follows from the events before it`)
    }
    try {
      this.#world.restore(expected)
    } catch (error) {
      throw error instanceof UnusableEventError ? new TenantFileError(pointer, `is refused: ${error.message}`) : error
    }
  }

  #decideAgain(event: RecordedEvent, pointer: string): readonly WorldEvent[] {
    try {
      const flaw = this.#flawOf(event, this.#world)
      if (flaw !== undefined) throw new TenantFileError(pointer, `has a request that is refused: ${flaw}`)
      const command = this.#commandBehind(event, pointer)
      return command ? this.#world.decide(command) : []
    } catch (error) {
      if (error instanceof DomainError) throw new TenantFileError(pointer, `does not follow. ${error.message}`)
      throw error
    }
  }

  /** Returns the command that has caused an event; undefined if it only follows from a decision about a step. */
  #commandBehind(event: RecordedEvent, pointer: string): Command | undefined {
    switch (event.type) {
      case 'WorkflowCreated':
        this.#requireNew(this.#world.hasWorkflow(event.workflowId), event.workflowId, pointer)
        return { ...event, type: 'CreateWorkflow' }
      case 'ExecutionStarted':
        this.#requireNew(this.#world.hasExecution(event.executionId), event.executionId, pointer)
        return { ...event, type: 'StartExecution', isDocumentKnown: true }
      case 'StepAssigned':
        return { ...event, type: 'AssignStep', route: this.#routeOf(event, pointer) }
      case 'StepDecided':
        if (event.takenUpAt <= event.at) return { ...event, type: 'DecideStep' }
        throw new TenantFileError(`${pointer}/takenUpAt`, 'must be between the assignment and the decision')
      case 'AssignmentWithdrawn':
      case 'ExecutionCompleted':
        return undefined
      case 'UploadRequested': {
        const { key, sessionId, request } = event
        const isKnown = this.#world.uploadByKey(key) !== undefined || this.#world.hasUpload(sessionId)
        this.#requireNew(isKnown, sessionId, pointer)
        return { ...event, type: 'RequestUpload', maxBytes: request.file_size }
      }
      case 'ObjectStored':
        return { ...event, type: 'StoreObject' }
      case 'UploadConfirmed': {
        const { key, request } = this.#world.upload(event.sessionId)
        return { ...event, type: 'ConfirmUpload', completedFiles: [{ key, file_name: request.file_name }] }
      }
      default:
        return never(event)
    }
  }

  #requireNew(isKnown: boolean, id: string, pointer: string): void {
    if (isKnown) throw new TenantFileError(pointer, `repeats the identifier '${id.slice(0, 100)}'`)
  }

  /** Returns the route of a step that waits, with its approver as the workflow has it. */
  #routeOf({ executionId, stepId, route }: StepAssigned, pointer: string): Route {
    const waiting = stepsToAssign(this.#world.execution(executionId)).find(({ step }) => step.step_id === stepId)
    if (!waiting) {
      throw new TenantFileError(pointer, `assigns the step '${stepId.slice(0, 100)}', which does not wait`)
    }
    const { approvers } = waiting.step
    const assignee = approvers.find((approver) => isSame(approver, route.assignee))
    const isStranger = ({ email }: Candidate) => !approvers.some((approver) => approver.email === email)
    if (assignee && !route.candidates.some(isStranger)) return { ...route, assignee }
    throw new TenantFileError(`${pointer}/route`, 'names someone who is no approver of the step')
  }
}

type StepAssigned = Extract<RecordedEvent, { readonly type: 'StepAssigned' }>

/** Compares two JSON values. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every(
    (name) =>
      Object.hasOwn(other, name) &&
      isSame((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
  )
}

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
function requireEvent(value: unknown, pointer: string): RecordedEvent {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  if (typeof type !== 'string' || !Object.hasOwn(members, type)) {
    throw new TenantFileError(`${pointer}/type`, `must be one of ${Object.keys(members).join(', ')}`)
  }
  return withMembers(value, `seq at type ${members[type as RecordedEvent['type']]}`, pointer) as RecordedEvent
}
