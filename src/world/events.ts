import type { Recorded } from '../domain/decider.ts'
import type { ExecutionEvent } from '../domain/execution.ts'
import type { UploadEvent } from '../domain/upload.ts'
import type { WorkflowCreated } from '../domain/workflow.ts'

/** Everything that can happen in a world. */
export type WorldEvent = WorkflowCreated | ExecutionEvent | UploadEvent

export type RecordedEvent = Recorded<WorldEvent>
