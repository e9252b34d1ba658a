import { executionDecider, stepOf, stepsToAssign } from '../domain/approval/execution.ts'
import { workflowDecider } from '../domain/approval/workflow.ts'
import { never } from '../domain/decider.ts'
import { DomainError } from '../domain/errors.ts'
import { uploadDecider } from '../domain/uploads/upload.ts'
import { endOfTime } from './clock.ts'
import { requireEvent } from './event-shapes.ts'
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
  #pending: WorldEvent[] = []
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
    const caused = this.#pending.shift()
    if (caused) this.#require(event, { seq, at: this.#at, ...caused }, pointer)
    else this.#decide(event, pointer)
    this.#at = event.at
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

  /** Decides an event again, and remembers what else the decision has caused. */
  #decide(event: RecordedEvent, pointer: string): void {
    const { seq, at, type } = event
    const [decided, ...caused] = this.#decideAgain(event, pointer)
    if (!decided) throw new TenantFileError(pointer, `has no cause: no decision before it leads to ${type}`)
    this.#require(event, { seq, at, ...decided }, pointer)
    this.#pending = caused
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

  #decideAgain(event: RecordedEvent, pointer: string): WorldEvent[] {
    try {
      const flaw = this.#flawOf(event, this.#world)
      if (flaw !== undefined) throw new TenantFileError(pointer, `has a request that is refused: ${flaw}`)
      return this.#eventsOf(event, pointer)
    } catch (error) {
      if (error instanceof DomainError) throw new TenantFileError(pointer, `does not follow. ${error.message}`)
      throw error
    }
  }

  /** Returns the events of the command that has caused an event. */
  #eventsOf(event: RecordedEvent, pointer: string): WorldEvent[] {
    switch (event.type) {
      case 'WorkflowCreated':
      case 'ExecutionStarted':
        return this.#eventsOfStart(event, pointer)
      case 'StepAssigned':
      case 'StepDecided':
        return this.#eventsOfStep(event, pointer)
      case 'AssignmentWithdrawn':
      case 'ExecutionCompleted':
        // They only follow from a decision about a step.
        return []
      case 'UploadRequested':
      case 'ObjectStored':
      case 'UploadConfirmed':
        return this.#eventsOfUpload(event, pointer)
      default:
        return never(event)
    }
  }

  #requireNew(isKnown: boolean, id: string, pointer: string): void {
    if (isKnown) throw new TenantFileError(pointer, `repeats the identifier '${id.slice(0, 100)}'`)
  }

  #eventsOfStart(event: Of<'WorkflowCreated' | 'ExecutionStarted'>, pointer: string): WorldEvent[] {
    const { workflowId } = event
    if (event.type === 'WorkflowCreated') {
      const { definition } = event
      this.#requireNew(this.#world.hasWorkflow(workflowId), workflowId, pointer)
      return workflowDecider.decide({ type: 'CreateWorkflow', workflowId, definition }, undefined)
    }
    const { executionId, request } = event
    this.#requireNew(this.#world.hasExecution(executionId), executionId, pointer)
    const { workflow } = this.#world.analytics(workflowId)
    return executionDecider.decide({ type: 'StartExecution', executionId, workflow, request }, undefined)
  }

  #eventsOfStep(event: Of<'StepAssigned' | 'StepDecided'>, pointer: string): WorldEvent[] {
    const { executionId, stepId } = event
    const execution = this.#world.execution(executionId)
    if (event.type === 'StepDecided') {
      const { email, decision, takenUpAt } = event
      const { assignedAt = Number.POSITIVE_INFINITY } = stepOf(execution, stepId)
      const command = { type: 'DecideStep', executionId, stepId, email, decision, takenUpAt } as const
      const events = executionDecider.decide(command, execution)
      if (takenUpAt >= assignedAt && takenUpAt <= event.at) return events
      throw new TenantFileError(`${pointer}/takenUpAt`, 'must be between the assignment and the decision')
    }
    const waiting = stepsToAssign(execution).find(({ step }) => step.step_id === stepId)
    const known = waiting?.step.approvers ?? []
    const assignee = known.find((approver) => isSame(approver, event.route.assignee))
    const others = event.route.candidates.filter(({ email }) => !known.some((approver) => approver.email === email))
    if (!waiting) {
      throw new TenantFileError(pointer, `assigns the step '${stepId.slice(0, 100)}', which does not wait`)
    }
    if (!assignee || others.length > 0) {
      throw new TenantFileError(`${pointer}/route`, 'names someone who is no approver of the step')
    }
    const command = { type: 'AssignStep', executionId, stepId, route: { ...event.route, assignee } } as const
    return executionDecider.decide(command, execution)
  }

  #eventsOfUpload(event: Of<'UploadRequested' | 'ObjectStored' | 'UploadConfirmed'>, pointer: string): WorldEvent[] {
    const { type, seq, at, ...terms } = event
    const { sessionId } = event
    if (event.type === 'UploadRequested') {
      const { request, key } = event
      this.#requireNew(
        this.#world.uploadByKey(key) !== undefined || this.#world.hasUpload(sessionId),
        sessionId,
        pointer,
      )
      const command = { ...(terms as typeof event), type: 'RequestUpload', maxBytes: request.file_size } as const
      return uploadDecider.decide(command, undefined)
    }
    const upload = this.#world.upload(sessionId)
    if (event.type === 'ObjectStored') {
      return uploadDecider.decide({ ...(terms as typeof event), type: 'StoreObject' }, upload)
    }
    const { key, request } = upload
    const completedFiles = [{ key, file_name: request.file_name }]
    const { documentId } = event
    return uploadDecider.decide({ type: 'ConfirmUpload', sessionId, documentId, completedFiles }, upload)
  }
}

type Of<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { readonly type: Type }>

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
