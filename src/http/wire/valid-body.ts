import type { Body, CallId } from '../../contract/operations.ts'
import { type BodyOperationId, hasBody, validate } from '../../contract/validate.ts'
import type { Memory } from '../../world/memory.ts'
import type { Incoming } from './exchange.ts'
import { readJson } from './json.ts'
import { Problem } from './problem.ts'

/** The JSON body of a call, valid and with its defaults, and its text. `body` is undefined if the call has no body. */
export interface ReceivedBody<Id extends CallId> {
  readonly body: Body<Id>
  readonly text: string
}

/** Reads and validates the body of a call. Throws a problem that lists all violations of the contract. */
export function receiveBody<Id extends CallId>(id: Id, incoming: Incoming, memory: Memory): Promise<ReceivedBody<Id>> {
  return (hasBody(id) ? readValidBody(id, incoming, memory) : noBody) as Promise<ReceivedBody<Id>>
}

const noBody = Promise.resolve({ body: undefined, text: '' })

async function readValidBody<Id extends BodyOperationId>(
  id: Id,
  incoming: Incoming,
  memory: Memory,
): Promise<ReceivedBody<Id>> {
  const { value, text } = await readJson(incoming, memory)
  const validation = validate(id, value)
  if (validation.valid) return { body: validation.body, text }
  const { violations } = validation
  const rules = violations.length === 1 ? '1 rule' : `${violations.length} rules`
  throw new Problem(
    'invalid-request',
    `The body breaks ${rules}. Fix the fields listed in 'errors' and send it again.`,
    { violations },
  )
}
