import type { BodyOperationId } from '../../contract/operations.ts'
import { validate } from '../../contract/validate.ts'
import { validators } from '../../contract/validators.gen.js'
import type { RecordedEvent } from '../../world/events.ts'
import type { FlawOfRequest } from '../../world/retelling.ts'
import { stepTo } from '../service/mapping.ts'
import type { Tolerance } from '../wire/valid-body.ts'

/** Judges the requests behind imported events as if they were sent to this mock: by the contract, and by what its profile accepts. */
export function flawOfRequest(tolerance?: Tolerance): FlawOfRequest {
  return (event, world) => {
    if (event.type === 'ExecutionStarted' && !tolerance?.acceptsAnyDocument) world.requireDocument(event.documentId)
    for (const [id, body] of requestsBehind(event)) {
      const validation = validate(validators[id], body)
      if (validation.valid) continue
      // In place of a member that is missing or of another type, the event has a default.
      const rules = (rule: string) => [rule, 'required', 'type']
      const refused = validation.violations.find(
        (one) => !rules(one.rule).some((rule) => tolerance?.accepts(id, body, { ...one, rule })),
      )
      if (refused) return `${refused.pointer} ${refused.message}`
    }
    return undefined
  }
}

/** Returns the bodies that have led to an event, and those that clients have to be able to send after it. */
function requestsBehind(event: RecordedEvent): (readonly [BodyOperationId & keyof typeof validators, object])[] {
  switch (event.type) {
    case 'WorkflowCreated':
      return [['createWorkflow', { ...event.definition, steps: event.definition.steps.map(stepTo) }]]
    case 'ExecutionStarted': {
      const {
        documentId: document_id,
        submitterEmail: submitter_email,
        mode,
        priority,
        sentPriority = priority,
      } = event
      return [['executeWorkflow', { document_id, submitter_email, execution_mode: mode, priority: sentPriority }]]
    }
    case 'UploadRequested': {
      const { sessionId, key, fileName: file_name, contentType: content_type, fileSize: file_size } = event
      return [
        ['requestUpload', { file_name, content_type, file_size }],
        ['confirmUpload', { session_id: sessionId, completed_files: [{ key, file_name }] }],
      ]
    }
    default:
      return []
  }
}
