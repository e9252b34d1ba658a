import type { Body, BodyOperationId, CallId, Violation } from '../../contract/operations.ts'
import { type Validator, type Validators, validate } from '../../contract/validate.ts'
import type { Memory } from '../../world/memory.ts'
import type { Context } from './exchange.ts'
import { readJson } from './json.ts'
import { Problem } from './problem.ts'

/** The ways in which a deployment is more lenient or stricter than the contract. */
export interface Tolerance {
  /** True if `Bearer` may stand before the key. */
  readonly takesBearer: boolean
  /** True if a body need not be declared as JSON. */
  readonly acceptsAnyMediaType: boolean
  /** True if an execution may name a document that was never confirmed. */
  readonly acceptsAnyDocument: boolean
  /** True if a file may be larger than the mock's limit. */
  readonly acceptsAnySize: boolean
  /** Returns true if the deployment accepts a violation of the contract. */
  accepts(id: BodyOperationId, body: object, violation: Violation): boolean
  /** Returns a body that the service can use in place of one with accepted violations, or undefined if there is none. */
  repair(body: object, violations: readonly Violation[]): object | undefined
  /** Returns what is refused in a body that the contract accepts. */
  refuse(id: BodyOperationId, body: object): readonly Violation[]
}

/**
 * Reads and validates the JSON body of a call, and fills in its defaults; undefined if the call has no body. Throws a problem that lists
 * all violations of the contract. The context has the body then, as it was sent, since some deployments repeat it in their errors.
 */
export function receiveBody<Id extends CallId>(
  id: Id,
  validators: Validators,
  context: Pick<Context, 'request' | 'body'>,
  memory: Memory,
  tolerance?: Tolerance,
): Promise<Body<Id>> {
  const validator = validators[id as BodyOperationId]
  const body = validator ? readValidBody(id as BodyOperationId, validator, context, memory, tolerance) : emptyBody
  return body as Promise<Body<Id>>
}

const emptyBody = Promise.resolve(undefined)

async function readValidBody<Id extends BodyOperationId>(
  id: Id,
  validator: Validator,
  context: Pick<Context, 'request' | 'body'>,
  memory: Memory,
  tolerance: Tolerance | undefined,
): Promise<Body<Id>> {
  const value = await readJson(context.request, memory, tolerance?.acceptsAnyMediaType)
  // Before the contract's defaults are filled in.
  const stricter = tolerance?.refuse(id, value) ?? []
  const validation = validate<Id>(validator, value)
  const broken = validation.valid ? stricter : validation.violations
  if (validation.valid && broken.length === 0) return validation.body
  const refused = validation.valid || !tolerance ? broken : broken.filter((one) => !tolerance.accepts(id, value, one))
  const repaired = refused.length === 0 ? tolerance?.repair(value, broken) : undefined
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
