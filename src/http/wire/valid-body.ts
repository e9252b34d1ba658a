import type { Body, CallId } from '../../contract/operations.ts'
import { type BodyOperationId, hasBody, validate } from '../../contract/validate.ts'
import type { Memory } from '../../world/memory.ts'
import type { Incoming } from './exchange.ts'
import { readJson } from './json.ts'
import { Problem } from './problem.ts'

/** The JSON body of a call, valid and with its defaults, and the text it came in; nothing where the call has none. */
export interface Sent<Id extends CallId> {
  readonly body: Body<Id>
  readonly text: string
}

/** Reads what a call sends. Throws a problem that lists what the contract does not allow. */
export function sentTo<Id extends CallId>(id: Id, incoming: Incoming, memory: Memory): Promise<Sent<Id>> {
  return (hasBody(id) ? validBody(id, incoming, memory) : nothing) as Promise<Sent<Id>>
}

const nothing = Promise.resolve({ body: undefined, text: '' })

async function validBody<Id extends BodyOperationId>(id: Id, incoming: Incoming, memory: Memory): Promise<Sent<Id>> {
  const { value, text } = await readJson(incoming, memory)
  const validation = validate(id, value)
  if (validation.valid) return { body: validation.body, text }
  const { violations } = validation
  const rules = violations.length === 1 ? '1 rule is' : `${violations.length} rules are`
  throw new Problem(
    'invalid-request',
    `Failed to read the request: because ${rules} broken. Mend what 'errors' lists and send it again.`,
    { violations },
  )
}
