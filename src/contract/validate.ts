import { escapePointer, valueAt } from './json.ts'
import type { Body, BodyOperationId, Violation } from './operations.ts'

/** The validators of a contract. Few mocks need those of the admin API, so they are a module of their own. */
export type Validators = Readonly<Partial<Record<BodyOperationId, Validator>>>

export type Validation<Id extends BodyOperationId> =
  | { readonly valid: true; readonly body: Body<Id> }
  | { readonly valid: false; readonly violations: readonly Violation[] }

/** A violation as Ajv reports it. */
interface AjvError {
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A generated validator. It fills in defaults, and sets `errors`. */
export interface Validator {
  (value: unknown): boolean
  readonly errors?: readonly AjvError[] | null
}

/** The most violations in an answer. */
const maxViolations = 100

/**
 * Validates a body against the contract, and fills in the contract's defaults. Reports all violations at once, each with
 * the field, the rule, and the actual value.
 */
export function validate<Id extends BodyOperationId>(validator: Validator, value: unknown): Validation<Id> {
  if (validator(value)) return { valid: true, body: value as Body<Id> }
  const violations = (validator.errors ?? []).slice(0, maxViolations).map((error) => violationOf(error, value))
  return { valid: false, violations }
}

function violationOf({ instancePath, keyword, message = 'is not valid', params }: AjvError, root: unknown): Violation {
  if (keyword === 'required') {
    const pointer = `${instancePath}/${escapePointer(String(params.missingProperty))}`
    return { pointer, rule: keyword, message: 'is required but missing' }
  }
  const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : ''
  const actual = describe(valueAt(root, instancePath))
  return { pointer: instancePath, rule: keyword, message: `${message}${allowed}, but is ${actual}` }
}

/** Describes a value for people: short values in full, others by type and size. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'string') {
    const characters = [...value].length
    return characters > 40 ? `a string of ${characters} characters` : JSON.stringify(value)
  }
  return value !== null && typeof value === 'object' ? 'an object' : String(value)
}
