import type { Body, BodyOperationId, CallId } from '../contract/operations.ts'
import { type Validator, type Validators, validate } from '../contract/validate.ts'
import type { Memory } from '../world/memory.ts'
import { asDocumented, type DeploymentWays } from './deployment.ts'
import type { Context } from './exchange.ts'
import { readJson } from './json.ts'
import { Problem } from './problem.ts'

/**
 * Reads and validates the JSON body of a call, and fills in its defaults; undefined if the call has no body. Throws a problem that lists
 * all violations of the contract. The context has the body then, as it was sent, since some deployments repeat it in their errors.
 */
export function receiveBody<Id extends CallId>(
  id: Id,
  validators: Validators,
  context: Pick<Context, 'request' | 'body'>,
  memory: Memory,
  deployment: DeploymentWays = asDocumented,
): Promise<Body<Id>> {
  const validator = validators[id as BodyOperationId]
  const body = validator ? readValidBody(id as BodyOperationId, validator, context, memory, deployment) : emptyBody
  return body as Promise<Body<Id>>
}

const emptyBody = Promise.resolve(undefined)

async function readValidBody<Id extends BodyOperationId>(
  id: Id,
  validator: Validator,
  context: Pick<Context, 'request' | 'body'>,
  memory: Memory,
  deployment: DeploymentWays,
): Promise<Body<Id>> {
  const value = await readJson(context.request, memory, deployment.accepts('unsupported-media-type'))
  // Before the contract's defaults are filled in.
  const stricter = deployment.stricter(id, value)
  const validation = validate<Id>(validator, value)
  const broken = validation.valid ? stricter : validation.violations
  if (validation.valid && broken.length === 0) return validation.body
  const refused = validation.valid ? broken : broken.filter((one) => !deployment.acceptsViolation(id, value, one))
  const repaired = refused.length === 0 ? deployment.repair(value, broken) : undefined
  if (repaired) return repaired as unknown as Body<Id>
  context.body = value
  const violations = refused.length > 0 ? refused : broken
  const rules = violations.length === 1 ? '1 rule' : `${violations.length} rules`
  throw new Problem(
    'invalid-request',
    `The body breaks ${rules}. Fix the fields listed in 'errors' and send it again.`,
    { violations },
  )
}
