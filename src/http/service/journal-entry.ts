import type { Body, Schemas } from '../../contract/operations.ts'
import { written } from '../../contract/written.ts'
import type { Decision, ExecutionRequest } from '../../domain/approval/execution.ts'
import type { Route } from '../../domain/approval/route.ts'
import type { WorkflowDefinition } from '../../domain/approval/workflow.ts'
import type { UploadRequest } from '../../domain/uploads/upload.ts'
import type { RecordedEvent } from '../../world/events.ts'

type Execution = Schemas['Execution']
type Document = Schemas['Document']

interface AboutExecution extends Pick<Execution, 'execution_id' | 'workflow_id'> {}

interface AboutStep extends AboutExecution {
  readonly step_id: string
}

/** The members of each kind of event beside `seq`, `at`, `type` and `tenant_id`; names and units are those of the contract. */
interface Members {
  WorkflowCreated: Pick<Execution, 'workflow_id'> & Body<'createWorkflow'>
  ExecutionStarted: AboutExecution &
    Body<'executeWorkflow'> & {
      /** Each stage begins when the one before it has ended; the steps of a stage run together. */
      readonly stages: readonly (readonly Schemas['Step'][])[]
    }
  StepAssigned: AboutStep & { readonly assignee: Schemas['Approver']; readonly routing: Schemas['Routing'] }
  StepDecided: AboutStep & {
    readonly approver_email: string
    readonly decision: 'approved' | 'rejected'
    /** The time at which the approver began to work on it (RFC 3339). */
    readonly taken_up_at: string
  }
  AssignmentWithdrawn: AboutStep & { readonly approver_email: string }
  ExecutionCompleted: AboutExecution & { readonly status: 'approved' | 'rejected' }
  UploadRequested: Pick<Document, 'session_id' | 'key'> & Body<'requestUpload'>
  ObjectStored: Pick<Document, 'session_id' | 'crc32' | 'sha256'>
  UploadConfirmed: Pick<Document, 'session_id' | 'document_id'>
}

/** An event of a tenant's journal, the same in code and over the admin API. */
export type JournalEntry = {
  [Type in keyof Members]: {
    /** Place in the tenant's journal, from 1. */
    readonly seq: number
    /** The time of the event by the tenant's clock (RFC 3339). */
    readonly at: string
    readonly type: Type
    readonly tenant_id: string
  } & Readonly<Members[Type]>
}[keyof Members]

/** The members of events that have other names in entries, or are not shown as a whole. */
interface EventMembers {
  readonly definition: WorkflowDefinition
  readonly request: ExecutionRequest | UploadRequest
  readonly route: Route
  readonly email: string
  readonly outcome: Decision
}

/** Returns an event with the contract's names. */
export function journalEntryTo(recorded: RecordedEvent, tenantId: string): JournalEntry {
  const event = recorded as RecordedEvent & Partial<EventMembers>
  const { definition, request, route, email: approverEmail, outcome: status } = event
  const routing = route && written('Routing', route)
  const others = { tenantId, approverEmail, status, assignee: route?.assignee, routing }
  const own = Object.entries(written('JournalEntry', event, others)).filter(([, value]) => value !== undefined)
  return { ...definition, ...request, ...Object.fromEntries(own) } as unknown as JournalEntry
}
