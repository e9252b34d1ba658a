import type { Body, CallId } from '../contract/operations.ts'
import { type BodyOperationId, hasBody, validate } from '../contract/validate.ts'
import type { Incoming } from './exchange.ts'
import { readJson } from './json.ts'
import { Problem } from './problem.ts'

/** The JSON body of a call, valid and with its defaults; nothing where the call has none. */
export function bodyOf<Id extends CallId>(id: Id, incoming: Incoming): Promise<Body<Id>> {
  return (hasBody(id) ? validBody(id, incoming) : nothing) as Promise<Body<Id>>
}

const nothing = Promise.resolve(undefined)

async function validBody<Id extends BodyOperationId>(id: Id, incoming: Incoming): Promise<Body<Id>> {
  const validation = validate(id, await readJson(incoming))
  if (validation.valid) return validation.body
  const { violations } = validation
  const rules = violations.length === 1 ? '1 rule is' : `${violations.length} rules are`
  throw new Problem(
    'invalid-request',
    `Failed to read the request: because ${rules} broken. Mend what 'errors' lists and send it again.`,
    { violations },
  )
}
