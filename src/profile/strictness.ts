/** Names the rules of a body by which a deployment refuses requests that the contract accepts. */
import type { Violation } from '../contract/operations.ts'
import { violationName } from './tolerance.ts'

type Members = Readonly<Record<string, unknown>>

/** Returns the pointer to what breaks a rule, and why it does; undefined if nothing does. */
type Rule = (body: Members) => Pick<Violation, 'pointer' | 'message'> | undefined

/** A value that a deployment does not know. */
const unlike = (name: string, value: string): Rule => {
  return (body) =>
    body[name] === value ? { pointer: `/${name}`, message: 'must be a value that is known' } : undefined
}

/** A member that the contract does not demand. */
const lacking = (name: string): Rule => {
  return (body) => (body[name] === undefined ? { pointer: `/${name}`, message: 'is required but missing' } : undefined)
}

/** The rules by operation, by the rule that an error names. The first that explains a refusal is taken. */
const rules: Readonly<Record<string, Readonly<Record<string, readonly Rule[]>>>> = {
  createWorkflow: {
    required: [lacking('description'), lacking('isSequential')],
    minLength: [
      ({ description }) => (description === '' ? { pointer: '/description', message: 'must not be empty' } : undefined),
    ],
    unique: [
      ({ steps }) => {
        const orders = Array.isArray(steps) ? steps.map((step: { order?: unknown } | null) => step?.order) : []
        const second = orders.findIndex((order, index) => order !== undefined && orders.indexOf(order) < index)
        return second < 0 ? undefined : { pointer: `/steps/${second}/order`, message: 'must be unique' }
      },
    ],
    maxLength: [
      ({ name }) =>
        String(name).length > 100
          ? { pointer: '/name', message: 'must have at most 100 UTF-16 code units' }
          : undefined,
    ],
    additionalProperties: [
      (body) => {
        const more = Object.keys(body).find((name) => !documented.has(name))
        return more === undefined ? undefined : { pointer: `/${more}`, message: 'must not be there' }
      },
    ],
  },
  executeWorkflow: {
    required: [lacking('execution_mode'), lacking('priority')],
    enum: [unlike('priority', 'low'), unlike('priority', 'normal')],
  },
  requestUpload: {
    minimum: [
      ({ file_size: size }) => (size === 0 ? { pointer: '/file_size', message: 'must be at least 1' } : undefined),
    ],
  },
}

/** The members of a workflow. */
const documented = new Set(['name', 'description', 'isSequential', 'steps'])

/** Refuses keys that it does not know. A mock needs to be told which it knows. */
export const unknownKey = 'unknown-key'

/** Refuses OPTIONS: the names of the rule by the code with which it is refused. */
export const refusedOptions = { 'missing-key': 'OPTIONS missing-key', 'method-not-allowed': 'OPTIONS' } as const

/** Refuses a second PUT to the same address. */
export const storedAgain = 'putObject again'

/** The refusal to confirm a file that was stored with another size than announced. */
export const otherSize = 'object-of-other-size'

/** Returns the rules that a body breaks, with their names: `createWorkflow unique /steps/*\/order`, and for values `… low`. */
export function stricterRules(operation: string, body: unknown): { name: string; violation: Violation }[] {
  if (body === null || typeof body !== 'object') return []
  return Object.entries(rules[operation] ?? {}).flatMap(([rule, variants]) =>
    variants.flatMap((breach) => {
      const found = breach(body as Members)
      if (!found) return []
      const violation: Violation = { ...found, rule }
      const name = rule === 'additionalProperties' ? `${operation} ${rule}` : violationName(operation, violation)
      const value = rule === 'enum' ? ` ${String((body as Members)[found.pointer.slice(1)])}` : ''
      return [{ name: name + value, violation }]
    }),
  )
}

/** Returns what breaks the rules of a body that are refused. */
export function stricterViolations(operation: string, body: object, refused: ReadonlySet<string>): Violation[] {
  if (refused.size === 0) return []
  return stricterRules(operation, body).flatMap(({ name, violation }) => (refused.has(name) ? [violation] : []))
}
