import { WrittenCreation } from '../../world/written-creation.ts'
import { lineMembers, type TenantRecord } from './format.ts'

/** The stages in the last execution of a workflow: as text, and parsed. */
interface KnownStages {
  readonly text: string
  readonly stages: unknown
}

const typeMember = ',"type":"'
const created = 'WorkflowCreated"'
const started = 'ExecutionStarted"'
/** The last member of a `WorkflowCreated`. No member before it contains text from users, and text escapes its quotes. */
const definitionMember = ',"definition":'
const stagesMember = ',"stages":'
/** The end of the stages of an `ExecutionStarted`, and the member after them. */
const afterStages = ']],"executionId":'

/** The number of workflows whose stages are cached. */
const mostWorkflows = 1000

/**
 * Parses the records of lines. Executions of a workflow share the same stages in memory, as they did when they were started.
 * Stages are the largest part of an `ExecutionStarted`, and comparing their text takes less time than parsing it.
 */
export class RecordReader {
  readonly #known = new Map<string, KnownStages>()

  /** Parses a verified line of a tenant. */
  read(line: Buffer, tenant: string): TenantRecord {
    const members = lineMembers(line, tenant)
    const type = members.indexOf(typeMember) + typeMember.length
    if (members.startsWith(created, type)) return parseCreation(members)
    if (members.startsWith(started, type)) return this.#start(tenant, members, type + started.length)
    return JSON.parse(`{${members}}`)
  }

  /** Parses an `ExecutionStarted`. The workflow's identifier is between its type and its stages. */
  #start(tenant: string, members: string, afterType: number): TenantRecord {
    const at = members.indexOf(stagesMember)
    const from = at + stagesMember.length
    const workflow = tenant + members.slice(afterType, at)
    const known = this.#known.get(workflow)
    if (known && members.startsWith(known.text, from)) {
      const event = JSON.parse(`{${members.slice(0, from)}0${members.slice(from + known.text.length)}}`)
      return Object.assign(event, { stages: known.stages })
    }
    const event = JSON.parse(`{${members}}`)
    const end = members.indexOf(afterStages, from)
    if (at >= 0 && end >= 0) this.#remember(workflow, { text: members.slice(from, end + 2), stages: event.stages })
    return event
  }

  #remember(workflow: string, stages: KnownStages): void {
    if (this.#known.size >= mostWorkflows) this.#known.clear()
    this.#known.set(workflow, stages)
  }
}

/** Parses a `WorkflowCreated`, but leaves its definition as text. Most definitions are never read again, and text is small. */
function parseCreation(members: string): TenantRecord {
  const at = members.indexOf(definitionMember)
  if (at < 0) return JSON.parse(`{${members}}`)
  const creation = JSON.parse(`{${members.slice(0, at)}}`)
  return new WrittenCreation(creation, { text: members.slice(at + definitionMember.length), read: JSON.parse })
}
