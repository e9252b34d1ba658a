import type { ExecutionEvent } from '../domain/approval/execution.ts'
import type { WorkflowCreated } from '../domain/approval/workflow.ts'
import type { Journaled } from '../domain/decider.ts'
import type { UploadEvent } from '../domain/uploads/upload.ts'

/** Everything that can happen in a world. */
export type WorldEvent = WorkflowCreated | ExecutionEvent | UploadEvent

export type RecordedEvent = Journaled<WorldEvent>

/** An event does not fit the state of its world, which is unknown from then on. */
export class UnusableEventError extends Error {
  constructor({ seq, type }: RecordedEvent, cause: unknown) {
    // What follows would be advice for another call.
    const [why] = String(cause instanceof Error ? cause.message : cause).split(/\.(?: |$)/)
    super(`event ${seq}, ${type}, cannot be applied: ${why}`, { cause })
  }
}
