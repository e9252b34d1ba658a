import type { ExecutionEvent } from '../domain/approval/execution.ts'
import type { WorkflowCreated } from '../domain/approval/workflow.ts'
import type { Journaled } from '../domain/decider.ts'
import type { UploadEvent } from '../domain/uploads/upload.ts'

/** Everything that can happen in a world. */
export type WorldEvent = WorkflowCreated | ExecutionEvent | UploadEvent

export type RecordedEvent = Journaled<WorldEvent>
