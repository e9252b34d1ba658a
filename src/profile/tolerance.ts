/** Names the requests that a deployment accepts although the contract refuses them. */
import { valueAt } from '../contract/json.ts'
import type { Violation } from '../contract/operations.ts'

/** Values for members that are missing, where the service goes on with them. */
const defaults: Readonly<Record<string, unknown>> = {
  name: '',
  description: '',
  isSequential: true,
  steps: [],
  step_id: '',
  order: 1,
  type: 'approval',
  approvers: [],
  // No estimate that the contract allows: templates can tell it from those that were sent.
  estimated_duration: 0,
  email: '',
  document_id: '',
  submitter_email: '',
  execution_mode: 'standard',
  priority: 'normal',
  file_name: 'file',
  content_type: 'application/octet-stream',
  file_size: 0,
  completed_files: [],
  key: '',
}

/** Names a violation independently of positions in lists: `createWorkflow required /steps/0/name` has `*` for the 0. */
export function violationName(operation: string, { pointer, rule }: Pick<Violation, 'pointer' | 'rule'>): string {
  return `${operation} ${rule} ${starred(pointer)}`
}

/**
 * Names a value of a body that a deployment knows although the contract does not: `executeWorkflow enum /priority urgent`. Undefined for
 * other violations.
 */
export function knownValueName(operation: string, body: unknown, violation: Violation): string | undefined {
  const value = violation.rule === 'enum' ? valueAt(body, violation.pointer) : undefined
  return typeof value === 'string' ? `${violationName(operation, violation)} ${value}` : undefined
}

/** Returns a JSON Pointer with `*` in the place of each index. */
export function starred(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
}

/** Names a refusal of storage, such as `putObject SignatureDoesNotMatch type`; `about` tells refusals with one code apart. */
export function storageName(code: string, about?: string): string {
  return ['putObject', code, about].filter(Boolean).join(' ')
}

/** Returns true if a deployment accepts a violation of the contract. */
export function isAccepted(
  operation: string,
  body: object,
  violation: Violation,
  accepted: ReadonlySet<string>,
): boolean {
  return (
    accepted.has(violationName(operation, violation)) || accepted.has(knownValueName(operation, body, violation) ?? '')
  )
}

/** Returns a body that the service can go on with in place of one with accepted violations, or undefined if there is none. */
export function repairBody(body: object, violations: readonly Violation[]): object | undefined {
  const repaired = structuredClone(body)
  for (const { pointer, rule } of violations) {
    const steps = pointer.split('/').slice(1)
    const name = steps.pop() ?? ''
    const parent = steps.reduce<unknown>(
      (value, step) => (value as Record<string, unknown> | undefined)?.[step],
      repaired,
    )
    if (parent === null || typeof parent !== 'object') return undefined
    const members = parent as Record<string, unknown>
    const fallback = defaults[name]
    if (rule === 'required') members[name] = structuredClone(fallback)
    else if (rule === 'type')
      members[name] = typeof fallback === 'string' ? String(members[name]) : structuredClone(fallback)
  }
  return canBeExecuted(repaired) ? repaired : undefined
}

/** Returns false if a step has no approvers, since executions would stop there. */
function canBeExecuted({ steps }: { readonly steps?: unknown }): boolean {
  const isEmpty = (step: { approvers?: unknown } | null) =>
    Array.isArray(step?.approvers) && step.approvers.length === 0
  return !Array.isArray(steps) || !steps.some(isEmpty)
}
