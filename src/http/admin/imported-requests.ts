import type { BodyOperationId } from '../../contract/operations.ts'
import { validate } from '../../contract/validate.ts'
import { validators } from '../../contract/validators.gen.js'
import type { DeploymentWays } from '../../wire/deployment.ts'
import { flawOfJson } from '../../wire/json.ts'
import type { RecordedEvent } from '../../world/events.ts'
import type { FlawOfRequest } from '../../world/validated-replay.ts'

/** Judges the requests behind imported events as if they were sent to this mock: by the contract, and by what its profile accepts. */
export function flawOfRequest(deployment: DeploymentWays): FlawOfRequest {
  return (event, world) => {
    if (event.type === 'ExecutionStarted' && !deployment.accepts('document-not-confirmed'))
      world.requireDocument(event.request.document_id)
    for (const [id, body] of requestsBehind(event)) {
      const unsafe = flawOfJson(body)
      if (unsafe) return `the body of ${id} ${unsafe}`
      const validation = validate(validators[id], body)
      if (validation.valid) continue
      const { violations } = validation
      const refused = violations.find((one) => !deployment.acceptsViolation(id, body, one))
      // Events keep bodies as they were repaired, so a body that still needs repair was never sent.
      const isSound = JSON.stringify(deployment.repair(body, violations)) === JSON.stringify(body)
      const [flaw] = refused ? [refused] : isSound ? [] : violations
      if (flaw) return `${flaw.pointer} ${flaw.message}`
    }
    return undefined
  }
}

/** Returns the bodies that have led to an event, and those that clients have to be able to send after it. */
function requestsBehind(event: RecordedEvent): (readonly [BodyOperationId & keyof typeof validators, object])[] {
  switch (event.type) {
    case 'WorkflowCreated':
      return [['createWorkflow', event.definition]]
    case 'ExecutionStarted':
      return [['executeWorkflow', event.request]]
    case 'UploadRequested': {
      const { sessionId, key, request } = event
      const { file_name } = request
      return [
        ['requestUpload', request],
        ['confirmUpload', { session_id: sessionId, completed_files: [{ key, file_name }] }],
      ]
    }
    default:
      return []
  }
}
