/** Whom an execution shows as the approvers that were chosen. */
import { isMasked, type Located, membersOf } from '../reading/locate.ts'
import { hasRole, mentionsRole, termsOf } from '../reading/vocabulary.ts'
import type { Evidence } from './evidence.ts'
import { executions, type SeenExecution } from './executions.ts'
import { type WorkflowBody, workflow } from './workflows.ts'

/** People that some place of an answer shows as chosen, beside those who approve. */
export interface ShownAssignment {
  readonly place: string
  /** Why the people are taken for those that were chosen. */
  readonly rule: string
  /** E-mail addresses in lower case, as all here. */
  readonly chosen: readonly string[]
  readonly approvers: ReadonlySet<string>
}

/** Returns the choices that the answers to executing show, and what the details show beside the execution's identifier. */
export function assignments(evidence: Evidence): ShownAssignment[] {
  return executions(evidence).flatMap((execution) => {
    const { sent, created, details } = workflow(evidence, execution.which)
    // Addresses that were changed before the execution are not changed by it.
    const changed = [created, details].flatMap(({ json }) => peopleIn(json, () => true))
    const ours = new Set(sent.steps.flatMap(addressesOf))
    const kept = changed.filter((address) => !ours.has(address))
    const steps = sent.steps.map((step) => ({ ...step, addresses: new Set([...addressesOf(step), ...kept]) }))
    return answersAbout(execution).flatMap(({ pointer, value }) =>
      assignmentsIn(value, steps).map((one) => ({ ...one, place: pointer + one.place })),
    )
  })
}

/** The answer to executing, and the objects of the details that name the execution or its document. */
function answersAbout({ exchange, documentId, after, ids }: SeenExecution): Located[] {
  const known = new Set([...ids, documentId].map(String).filter((id) => id.length > 5))
  const records = membersOf([after.json]).filter(({ value }) =>
    membersDirectlyIn(value).some((one) => known.has(String(one.value).split('/').at(-1) ?? '')),
  )
  return [{ pointer: '', name: '', value: exchange.json }, ...records]
}

type SentStep = WorkflowBody['steps'][number]

function assignmentsIn(
  json: unknown,
  steps: readonly (SentStep & { readonly addresses: ReadonlySet<string> })[],
): ShownAssignment[] {
  const everybody = new Set(steps.flatMap(({ addresses }) => [...addresses]))
  return membersOf([json]).flatMap(({ pointer, name, value }) => {
    const texts = membersDirectlyIn(value).map((one) => one.value)
    // The identifier before the name, which may be that of another step.
    const step =
      steps.find(({ step_id }) => name === step_id || texts.includes(step_id)) ??
      steps.find((one) => texts.includes(one.name))
    const isOfApprovers = !step && mentionsRole(termsOf(name), 'approver')
    const chosen = step || isOfApprovers ? peopleIn(value) : []
    const place = pointer.replace('/0', '')
    const rule = step ? 'it stands beside a step that was sent' : 'it is a list of approvers that an execution shows'
    return chosen.length > 0 ? [{ place, rule, chosen, approvers: step?.addresses ?? everybody }] : []
  })
}

const addressesOf = ({ approvers }: SentStep) => approvers.map(({ email }) => email.toLowerCase())

/** Whether a name is of approvers, or says nothing but that something is an address. */
const isOfPeople = (name: string) =>
  mentionsRole(termsOf(name), 'approver') || termsOf(name).every((term) => hasRole(term, 'address')) || isIndex(name)

/** E-mail addresses in a value, if the names of all that they stand in are such. */
function peopleIn(value: unknown, isTheirs = isOfPeople): string[] {
  return membersOf([value]).flatMap((member) => {
    const text = typeof member.value === 'string' ? member.value.toLowerCase() : ''
    const names = member.pointer.split('/').slice(2)
    const isPlain = names.every(isTheirs)
    return isPlain && /^[^\s@]+@[^\s@]+$/.test(text) && !isMasked(text) ? [text] : []
  })
}

const isIndex = (name: string) => /^\d+$/.test(name)

/** The members of an object that are neither objects nor lists. */
function membersDirectlyIn(value: unknown): { readonly name: string; readonly value: unknown }[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, value]) => (typeof value === 'object' ? [] : [{ name, value }]))
}
