import type { RecordedEvent } from '../../world/events.ts'
import { WrittenCreation } from '../../world/written-creation.ts'
import { WrittenRoute } from '../../world/written-route.ts'
import { hasAt, membersEnd, membersStart, type TenantRecord } from './format.ts'

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] }
type StepAssigned = Mutable<Extract<RecordedEvent, { type: 'StepAssigned' }>>
type Approver = StepAssigned['route']['assignee']

/** The members of execution events that are equal in many of them. */
interface SharedTexts {
  type: string
  executionId: string
  workflowId: string
  stepId?: string
  email?: string
}

/** The stages in the last execution of a workflow: as JSON, and parsed. */
interface KnownStages {
  readonly bytes: Buffer
  readonly stages: unknown
}

// Quotes in a JSON text are escaped, so no text from users contains any of these.
const typeMember = Buffer.from(',"type":"')
const created = Buffer.from('WorkflowCreated"')
const started = Buffer.from('ExecutionStarted"')
const assigned = Buffer.from('StepAssigned"')
/** The last member of a `WorkflowCreated`. */
const definitionMember = Buffer.from(',"definition":')
const stagesMember = Buffer.from(',"stages":')
/** The end of the stages of an `ExecutionStarted`, and the member after them. */
const afterStages = Buffer.from(']],"executionId":')
/** The member after the assignee of a route, which is the last member of a `StepAssigned`. */
const reasonMember = Buffer.from('},"reason":')
const candidatesMember = Buffer.from(',"candidates":[{')

/** The number of entries in each cache. */
const mostCached = 1000

/**
 * Parses the records of lines. What is large and seldom read stays text: definitions and the explanations of routes. What is
 * equal in many events is shared in memory, as it was before it was written: stages, approvers, identifiers and addresses.
 */
export class RecordReader {
  readonly #stages = new Map<string, KnownStages>()
  readonly #approvers = new Map<string, Approver>()
  readonly #texts = new Map<string, string>()

  /** Parses a verified line of a tenant. */
  read(line: Buffer, tenant: string): TenantRecord {
    const from = membersStart(tenant)
    const type = line.indexOf(typeMember, from) + typeMember.length
    if (hasAt(line, type, assigned)) return this.#readAssigned(line, from)
    if (hasAt(line, type, started)) return this.#readStarted(line, from, tenant)
    if (hasAt(line, type, created)) return readCreated(line, from)
    const record = parse(line, from)
    if (record.executionId !== undefined) this.#share(record)
    return record
  }

  #readAssigned(line: Buffer, from: number): TenantRecord {
    const at = line.indexOf(reasonMember, from)
    // A route without candidates is reported when it is folded.
    if (at < 0 || line.indexOf(candidatesMember, at) < 0) return parse(line, from)
    // The first brace ends the assignee, and the others end the route and the event.
    const event: StepAssigned = JSON.parse(`{${line.toString('utf8', from, at)}}}}`)
    const { assignee } = event.route
    const known = this.#approvers.get(assignee.email)
    const isKnown = known?.name === assignee.name
    if (!isKnown) keep(this.#approvers, assignee.email, assignee)
    event.route = new WrittenRoute(isKnown ? known : assignee, `{${line.toString('utf8', at + 2, membersEnd(line))}`)
    this.#share(event)
    return event
  }

  /** Parses an `ExecutionStarted`. Stages are the largest part of it, and comparing them takes less time than parsing them. */
  #readStarted(line: Buffer, from: number, tenant: string): TenantRecord {
    const at = line.indexOf(stagesMember, from)
    const stagesAt = at + stagesMember.length
    const workflow = tenant + line.toString('utf8', line.indexOf(started, from), at)
    const known = this.#stages.get(workflow)
    const knownEnd = stagesAt + (known?.bytes.length ?? 0)
    if (known && line.compare(known.bytes, 0, known.bytes.length, stagesAt, Math.min(knownEnd, line.length)) === 0) {
      const rest = line.toString('utf8', knownEnd, membersEnd(line))
      const event = JSON.parse(`{${line.toString('utf8', from, at)}${rest}}`)
      event.stages = known.stages
      this.#share(event)
      return event
    }
    const event = parse(line, from)
    const end = line.indexOf(afterStages, stagesAt)
    if (at >= 0 && end >= 0) {
      keep(this.#stages, workflow, { bytes: Buffer.from(line.subarray(stagesAt, end + 2)), stages: event.stages })
    }
    this.#share(event)
    return event
  }

  #share(event: SharedTexts): void {
    event.type = this.#shared(event.type)
    event.executionId = this.#shared(event.executionId)
    event.workflowId = this.#shared(event.workflowId)
    if (event.stepId !== undefined) event.stepId = this.#shared(event.stepId)
    if (event.email !== undefined) event.email = this.#shared(event.email)
  }

  #shared(text: string): string {
    const known = this.#texts.get(text)
    if (known === undefined) keep(this.#texts, text, text)
    return known ?? text
  }
}

/** Parses a `WorkflowCreated`, but leaves its definition as text. Most definitions are never read again. */
function readCreated(line: Buffer, from: number): TenantRecord {
  const at = line.indexOf(definitionMember, from)
  if (at < 0) return parse(line, from)
  const creation = JSON.parse(`{${line.toString('utf8', from, at)}}`)
  const text = line.toString('utf8', at + definitionMember.length, membersEnd(line))
  return new WrittenCreation(creation, { text, read: JSON.parse })
}

function parse(line: Buffer, from: number) {
  return JSON.parse(`{${line.toString('utf8', from, membersEnd(line))}}`)
}

function keep<Value>(cache: Map<string, Value>, key: string, value: Value): void {
  if (cache.size >= mostCached) cache.clear()
  cache.set(key, value)
}
