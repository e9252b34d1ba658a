import { stepsToAssign } from '../domain/approval/execution.ts'
import type { Candidate, Route } from '../domain/approval/route.ts'
import { never } from '../domain/decider.ts'
import { DomainError } from '../domain/errors.ts'
import { endOfTime } from './clock.ts'
import type { Command } from './command.ts'
import { requireEvent } from './event-members.ts'
import { type RecordedEvent, UnusableEventError, type WorldEvent } from './events.ts'
import { newFileName } from './files.ts'
import { TenantFileError } from './tenant-file-error.ts'
import type { World } from './world.ts'

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
