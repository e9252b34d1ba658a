import type { Execution, ExecutionEvent } from '../domain/approval/execution.ts'
import { mostCandidates } from '../domain/approval/route.ts'
import type { WorkflowCreated, WorkflowDefinition } from '../domain/approval/workflow.ts'
import type { Journaled } from '../domain/decider.ts'
import { DomainError } from '../domain/errors.ts'
import type { Upload } from '../domain/uploads/upload.ts'
import { WrittenCreation } from './written-creation.ts'

/** The default memory limit for all worlds, in bytes, by estimate. */
export const defaultMemoryBytes = 512 * 1024 * 1024

/**
 * How many bytes all worlds together keep in memory, and may keep. It is an estimate, a little more than what V8 was measured to
 * need, so it is the same in each run and on each platform.
 */
export class Memory {
  readonly #most: number
  #used = 0

  constructor(most: number) {
    this.#most = most
  }

  /** In bytes. */
  get used(): number {
    return this.#used
  }

  /** Throws a `DomainError` if the memory limit is reached. */
  mustHaveRoom(): void {
    if (this.#used < this.#most) return
    throw new DomainError(
      'memory-full',
      `The memory limit of the mock, about ${Math.round(this.#most / 1_000_000)} MB, is reached. Reset it, or start it with a larger memory limit (and a larger heap, if Node's is smaller).`,
    )
  }

  take(bytes: number): void {
    this.#used += bytes
  }

  giveBack(bytes: number): void {
    this.#used -= bytes
  }
}

/** What an execution that was forgotten still takes, because the journal has its events. */
interface Lingering {
  readonly lastSeq: number
  readonly bytes: number
}

/**
 * What one world keeps. An execution is counted at its start with everything that it can become, so that deciding, which is
 * never refused, needs no more memory than was there when it was started.
 */
export class Footprint {
  readonly #memory: Memory
  #bytes = 0
  #events = 0
  #lingering: Lingering[] = []
  /** What executions take that were forgotten before their time. */
  readonly #early = new Map<string, number>()

  constructor(memory: Memory) {
    this.#memory = memory
    this.#add(worldBytes)
  }

  mustHaveRoom(): void {
    this.#memory.mustHaveRoom()
  }

  /** Counts a created workflow. */
  addWorkflow(event: Journaled<WorkflowCreated>): void {
    this.#add(workflowBytes + (event instanceof WrittenCreation ? event.bytes : definitionBytes(event.definition)))
  }

  /** Counts what executing a workflow for the first time adds: its figures, and what is known of its approvers. */
  addAnalytics(definition: WorkflowDefinition): void {
    const approvers = definition.steps.reduce((sum, step) => sum + step.approvers.length, 0)
    this.#add(figuresBytes * (1 + definition.steps.length) + approverBytes * approvers + definitionBytes(definition))
  }

  /** Counts what happens to an execution, as it is then. */
  addToExecution(event: Journaled<ExecutionEvent>, execution: Execution): void {
    if (event.type === 'ExecutionStarted') this.#add(executionBytes(execution) + eventsBytes(execution))
    // From now on its events count as they are.
    if (event.type === 'ExecutionCompleted') this.#add(-eventsBytes(execution))
  }

  /** An execution is forgotten before its time, in a past that is replayed. It counts until then, as it did before. */
  forgetEarly(execution: Execution): void {
    this.#early.set(execution.executionId, executionBytes(execution))
  }

  /** An execution is forgotten, if it was not before; what is in the journal up to its last event still holds it. */
  forget(executionId: string, execution: Execution | undefined, lastSeq: number): void {
    const bytes = execution ? executionBytes(execution) : this.#early.get(executionId)
    this.#early.delete(executionId)
    if (bytes !== undefined) this.#lingering.push({ lastSeq, bytes })
  }

  /** Counts an upload session; once, with everything that it can become. */
  addUpload({ key, fileName, contentType }: Upload): void {
    this.#add(uploadBytes + 4 * (key.length + fileName.length + contentType.length))
  }

  /** Counts the events of the journal, of which the first has a place. */
  setEvents(count: number, firstSeq: number): void {
    this.#add((count - this.#events) * eventBytes)
    this.#events = count
    const [oldest] = this.#lingering
    if (!oldest || oldest.lastSeq >= firstSeq) return
    const gone = this.#lingering.filter(({ lastSeq }) => lastSeq < firstSeq)
    this.#lingering = this.#lingering.slice(gone.length)
    this.#add(-gone.reduce((sum, { bytes }) => sum + bytes, 0))
  }

  /** The world is closed, and nothing of it is kept. */
  clear(): void {
    this.#add(-this.#bytes)
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    this.#memory.take(bytes)
  }
}

// Measured with V8 11.3, where each was up to a third less; the bench has a row that compares them.
const worldBytes = 8000
const workflowBytes = 700
const uploadBytes = 1500
const eventBytes = 250
const figuresBytes = 10_000
const approverBytes = 600
const stepBytes = 600
const candidateBytes = 350

function executionBytes({ stages }: Execution): number {
  let bytes = 1000
  for (const steps of stages) {
    for (const { step } of steps) bytes += stepBytes + candidateBytes * Math.min(step.approvers.length, mostCandidates)
  }
  return bytes
}

/** What an execution's events take: it is started and completed, and each step is assigned and decided. */
function eventsBytes({ stages }: Execution): number {
  return eventBytes * (2 + 2 * stages.reduce((sum, steps) => sum + steps.length, 0))
}

function definitionBytes({ name, description, steps }: WorkflowDefinition): number {
  let bytes = textBytes(name) + textBytes(description)
  for (const step of steps) {
    bytes += 200 + textBytes(step.stepId) + textBytes(step.name)
    for (const { email, name } of step.approvers) bytes += 40 + textBytes(email) + textBytes(name)
  }
  return bytes
}

/** As if every character took two bytes; for most it is one. */
function textBytes(text: string): number {
  return 24 + 2 * text.length
}
