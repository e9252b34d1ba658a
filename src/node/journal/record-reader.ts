import { WrittenCreation } from '../../world/written-creation.ts'
import { lineMembers, type TenantRecord } from './format.ts'

/** The stages of a workflow's executions, as they were last written. */
interface KnownStages {
  readonly text: string
  readonly stages: unknown
}

const typeMember = ',"type":"'
const created = 'WorkflowCreated"'
const started = 'ExecutionStarted"'
/** The last member of a `WorkflowCreated`. Before it there is no text of users, and within text its quotes are escaped. */
const definitionMember = ',"definition":'
const stagesMember = ',"stages":'
/** How the stages of an `ExecutionStarted` end, and the member after them. */
const afterStages = ']],"executionId":'

/** The stages of so many workflows are remembered. */
const mostWorkflows = 1000

/**
 * Reads the records of lines. Executions of a workflow get the same stages in memory, as they had when they were started: these
 * are most of what an `ExecutionStarted` says, and comparing their text takes less time than parsing it.
 */
export class RecordReader {
  readonly #known = new Map<string, KnownStages>()

  /** What a verified line of a tenant says. */
  read(line: Buffer, tenant: string): TenantRecord {
    const members = lineMembers(line, tenant)
    const type = members.indexOf(typeMember) + typeMember.length
    if (members.startsWith(created, type)) return creationIn(members)
    if (members.startsWith(started, type)) return this.#start(tenant, members, type + started.length)
    return JSON.parse(`{${members}}`)
  }

  /** Reads an `ExecutionStarted`, in which the workflow's identifier is between its type and its stages. */
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

/** Most workflows are never looked at again, and cost least as text. */
function creationIn(members: string): TenantRecord {
  const at = members.indexOf(definitionMember)
  if (at < 0) return JSON.parse(`{${members}}`)
  const creation = JSON.parse(`{${members.slice(0, at)}}`)
  return new WrittenCreation(creation, { text: members.slice(at + definitionMember.length), read: JSON.parse })
}
