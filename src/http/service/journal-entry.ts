import type { Schemas } from '../../contract/operations.ts'
import { never } from '../../domain/decider.ts'
import type { RecordedEvent } from '../../world/events.ts'
import { routingTo, stepTo, timeTo } from './mapping.ts'

type Workflow = Schemas['Workflow']
type Execution = Schemas['Execution']
type Document = Schemas['Document']

interface AboutExecution extends Pick<Execution, 'execution_id' | 'workflow_id'> {}

interface AboutStep extends AboutExecution {
  readonly step_id: string
}

/** The members of each kind of event beside `seq`, `at`, `type` and `tenant_id`; names and units are those of the contract. */
interface Members {
  WorkflowCreated: Pick<Workflow, 'workflow_id' | 'name' | 'description' | 'isSequential' | 'steps'>
  ExecutionStarted: AboutExecution &
    Pick<Execution, 'document_id' | 'submitter_email' | 'execution_mode' | 'priority'> & {
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
  UploadRequested: Pick<Document, 'session_id' | 'key' | 'file_name' | 'content_type' | 'file_size'>
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

/** Returns an event with the contract's names. */
export function journalEntryTo(event: RecordedEvent, tenantId: string): JournalEntry {
  const common = { seq: event.seq, at: timeTo(event.at), tenant_id: tenantId }
  switch (event.type) {
    case 'WorkflowCreated': {
      const { name, description, isSequential, steps } = event.definition
      const definition = { name, description, isSequential, steps: steps.map(stepTo) }
      return { ...common, type: event.type, workflow_id: event.workflowId, ...definition }
    }
    case 'ExecutionStarted':
      return {
        ...common,
        type: event.type,
        ...aboutExecution(event),
        document_id: event.documentId,
        submitter_email: event.submitterEmail,
        execution_mode: event.mode,
        priority: event.priority,
        stages: event.stages.map((steps) => steps.map(stepTo)),
      }
    case 'StepAssigned': {
      const { route } = event
      const { email, name } = route.assignee
      return { ...common, type: event.type, ...aboutStep(event), assignee: { email, name }, routing: routingTo(route) }
    }
    case 'StepDecided': {
      const { email, decision, takenUpAt } = event
      const decided = { approver_email: email, decision, taken_up_at: timeTo(takenUpAt) }
      return { ...common, type: event.type, ...aboutStep(event), ...decided }
    }
    case 'AssignmentWithdrawn':
      return { ...common, type: event.type, ...aboutStep(event), approver_email: event.email }
    case 'ExecutionCompleted':
      return { ...common, type: event.type, ...aboutExecution(event), status: event.outcome }
    case 'UploadRequested': {
      const { sessionId, key, fileName, contentType, fileSize } = event
      const upload = { session_id: sessionId, key, file_name: fileName, content_type: contentType, file_size: fileSize }
      return { ...common, type: event.type, ...upload }
    }
    case 'ObjectStored': {
      const { crc32, sha256 } = event
      const sums = { ...(crc32 !== undefined && { crc32 }), ...(sha256 !== undefined && { sha256 }) }
      return { ...common, type: event.type, session_id: event.sessionId, ...sums }
    }
    case 'UploadConfirmed':
      return { ...common, type: event.type, session_id: event.sessionId, document_id: event.documentId }
    default:
      return never(event)
  }
}

function aboutExecution({ executionId, workflowId }: { readonly executionId: string; readonly workflowId: string }) {
  return { execution_id: executionId, workflow_id: workflowId }
}

function aboutStep(event: { readonly executionId: string; readonly workflowId: string; readonly stepId: string }) {
  return { ...aboutExecution(event), step_id: event.stepId }
}
