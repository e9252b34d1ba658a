import type { Execution, ExecutionEvent } from '../domain/approval/execution.ts'
import { mostCandidates } from '../domain/approval/route.ts'
import type { WorkflowCreated, WorkflowDefinition } from '../domain/approval/workflow.ts'
import type { Journaled } from '../domain/decider.ts'
import { DomainError } from '../domain/errors.ts'
import type { Upload } from '../domain/uploads/upload.ts'

/** The default memory limit for all worlds, in bytes, by estimate. */
export const defaultMemoryBytes = 512 * 1024 * 1024

/**
 * The memory of all worlds together, in bytes, and its limit. It is an estimate, slightly above what was measured with V8, so
 * that it is the same in each run and on each platform.
 */
export class Memory {
  readonly #most: number
  #used = 0
  readonly #reclaims: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** In bytes. */
  get used(): number {
    return this.#used
  }

  /** Calls `reclaim` once the limit is reached, so that it frees what can be built again. */
  onFull(reclaim: () => void): void {
    this.#reclaims.push(reclaim)
  }

  /** Throws a `DomainError` if the memory limit is reached. */
  requireSpace(): void {
    if (this.#used < this.#most) return
    for (const reclaim of this.#reclaims) reclaim()
    if (this.#used < this.#most) return
    throw new DomainError(
      'memory-full',
      `The memory limit of the mock, about ${Math.round(this.#most / 1_000_000)} MB, is reached. Reset it, or start it with a larger memory limit (and a larger heap, if Node's is smaller).`,
    )
  }

  take(bytes: number): void {
    this.#used += bytes
  }

  free(bytes: number): void {
    this.#used -= bytes
  }
}

/** The memory of a forgotten execution whose events are still in the journal. */
interface Lingering {
  readonly lastSeq: number
  readonly bytes: number
}

/**
 * The memory of one world. The start of an execution counts everything that the execution will need, so that later decisions,
 * which are never refused, need no additional memory.
 */
export class MemoryUse {
  readonly #memory: Memory
  #bytes = 0
  #events = 0
  #lingering: Lingering[] = []
  /** The memory of executions that were forgotten early, by identifier. */
  readonly #early = new Map<string, number>()

  constructor(memory: Memory) {
    this.#memory = memory
    this.#add(worldBytes)
  }

  requireSpace(): void {
    this.#memory.requireSpace()
  }

  /** Counts a created workflow. */
  addWorkflow({ definition }: WorkflowCreated): void {
    this.#add(workflowBytes + sentBytes(definition))
  }

  /** Counts what the first execution of a workflow adds: its figures, and the data about its approvers. */
  addAnalytics(definition: WorkflowDefinition): void {
    const approvers = definition.steps.reduce((sum, step) => sum + step.approvers.length, 0)
    this.#add(figuresBytes * (1 + definition.steps.length) + approverBytes * approvers + sentBytes(definition))
  }

  /** Counts an event of an execution. `execution` is its state after the event. */
  addToExecution(event: Journaled<ExecutionEvent>, execution: Execution): void {
    if (event.type === 'ExecutionStarted') this.#add(executionBytes(execution) + eventsBytes(execution))
    // All its events are in the journal now, and are counted there.
    if (event.type === 'ExecutionCompleted') this.#add(-eventsBytes(execution))
  }

  /** Records that a replay dropped an execution early. It counts until `forget`, as it did before the restart. */
  forgetEarly(execution: Execution): void {
    this.#early.set(execution.executionId, executionBytes(execution))
  }

  /** Records that an execution is forgotten. It counts until the journal drops its last event, which refers to it. */
  forget(executionId: string, execution: Execution | undefined, lastSeq: number): void {
    const bytes = execution ? executionBytes(execution) : this.#early.get(executionId)
    this.#early.delete(executionId)
    if (bytes !== undefined) this.#lingering.push({ lastSeq, bytes })
  }

  /** Counts an upload session once, with everything that it will need. */
  addUpload({ key, request }: Upload): void {
    this.#add(uploadBytes + 4 * key.length + sentBytes(request))
  }

  /** Counts the events in the journal. `firstSeq` is the sequence number of the oldest one. */
  setEvents(count: number, firstSeq: number): void {
    this.#add((count - this.#events) * eventBytes)
    this.#events = count
    const [oldest] = this.#lingering
    if (!oldest || oldest.lastSeq >= firstSeq) return
    const gone = this.#lingering.filter(({ lastSeq }) => lastSeq < firstSeq)
    this.#lingering = this.#lingering.slice(gone.length)
    this.#add(-gone.reduce((sum, { bytes }) => sum + bytes, 0))
  }

  /** Removes everything that was counted, when the world is closed. */
  clear(): void {
    this.#add(-this.#bytes)
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    this.#memory.take(bytes)
  }
}

// In bytes. Up to a third more than measured with V8 11.3; a row of the bench compares them.
const worldBytes = 8000
const workflowBytes = 700
const uploadBytes = 1500
const eventBytes = 250
const figuresBytes = 10_000
const approverBytes = 600
const stepBytes = 600
const candidateBytes = 350

function executionBytes({ request, stages }: Execution): number {
  let bytes = 1000 + sentBytes(request)
  for (const steps of stages) {
    for (const { step } of steps) bytes += stepBytes + candidateBytes * Math.min(step.approvers.length, mostCandidates)
  }
  return bytes
}

/** Estimates the memory of an execution's events: its start and end, and two for each step. */
function eventsBytes({ stages }: Execution): number {
  return eventBytes * (2 + 2 * stages.reduce((sum, steps) => sum + steps.length, 0))
}

/** Estimates the memory of what a client has sent: about two bytes for each character of its JSON, which is not written for that. */
function sentBytes(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length + 6
  if (value === null || typeof value !== 'object') return 10
  let bytes = 4
  if (Array.isArray(value)) for (const item of value) bytes += sentBytes(item)
  // for…in is safe, since what was sent is parsed JSON. Object.entries would copy all values.
  else for (const name in value) bytes += 2 * name.length + 6 + sentBytes((value as Record<string, unknown>)[name])
  return bytes
}
