/** The approvers that an execution shows as chosen. */
import type { Finding } from '../reading/finding.ts'
import { isMasked, type Located, membersOf, oncePerAnswer, valueAt } from '../reading/locate.ts'
import { remember } from '../reading/names.ts'
import { stepListsIn } from '../reading/places.ts'
import { hasRole, isWrapping, mentionsRole, termsOf } from '../reading/vocabulary.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Evidence } from './evidence.ts'
import { executions, type SeenExecution } from './executions.ts'
import { type WorkflowBody, workflow } from './workflows.ts'

/** People that some place of an answer shows as chosen, and those who may be. */
export interface ShownAssignment {
  readonly finding: Finding
  readonly exchange: Exchange
  /** E-mail addresses in lower case, as all here. */
  readonly chosen: readonly string[]
  /** All addresses that stand there, such as that of the approver for whom a substitute is chosen. */
  readonly named: readonly string[]
  readonly approvers: ReadonlySet<string>
}

/** Returns the choices that the answers to executing show, and what the details show beside the execution's identifier. */
export function assignments(evidence: Evidence): ShownAssignment[] {
  return executions(evidence).flatMap((execution) => {
    const { sent, created, details } = workflow(evidence, execution.which)
    // Addresses that were changed before the execution are not changed by it.
    const shownBefore = [created, details].flatMap(({ json }) => addressesIn(json).map(({ value }) => value))
    const steps = sent.steps.map((step) => ({ ...step, addresses: new Set(addressesOf(step)) }))
    const ours = new Set(steps.flatMap(({ addresses }) => [...addresses]))
    for (const changed of shownBefore.filter((address) => !ours.has(address))) {
      for (const { addresses } of steps) addresses.add(changed)
    }
    return answersAbout(execution).flatMap((about) => assignmentsIn(about, steps))
  })
}

/**
 * Returns a place of the details that should show the chosen approvers, but is empty for each step in all answers. A name such
 * as `approver` alone does not count, since it may mean the approver who has decided. `latest` are details of the first
 * workflow, read by the current step.
 */
export function unassigned(evidence: Evidence, latest?: Exchange): ShownAssignment | undefined {
  const again = () => evidence.has('read workflow 1 assigned') && evidence.last('read workflow 1 assigned')
  const shown = executions(evidence).flatMap((execution) => {
    const { sent } = workflow(evidence, execution.which)
    const after = execution.which === 1 ? (latest ?? (again() || execution.after)) : execution.after
    return answersAbout({ ...execution, after }).flatMap(({ answer, exchange, pointer, value }) =>
      stepListsIn(value, sent.steps)
        .filter(({ items }) => items.length === sent.steps.length)
        .map((list) => ({
          answer,
          exchange,
          start: pointer + list.pointer,
          items: list.items.map(({ item }) => item),
        })),
    )
  })
  const found = shown.flatMap(({ items: [item] }) => membersOf(item).filter(({ name }) => saysAssigned(name)))
  for (const { pointer, name } of found) {
    const alike = shown.filter(({ items }) => items.every((item) => valueAt(item, pointer) !== undefined))
    // The place may be empty right after the start, before approvers are chosen, and again in a step that has ended.
    const inDetails = alike.find(({ answer, items }) => answer === 'details' && !items.some(saysEnded))
    if (!inDetails || alike.some(({ items }) => items.some((item) => !isBlank(valueAt(item, pointer))))) continue
    const { answer, exchange, start, items } = inDetails
    const rule = `is called ${name}, and stands beside each step that was sent`
    const own = { what: 'step.approvers', answer, value: valueAt(items[0], pointer), rejected: [] }
    const finding: Finding = { ...own, place: `${start}/*${pointer}`, rule, strength: 'named' }
    return { finding, exchange, chosen: [], named: [], approvers: new Set() }
  }
  return undefined
}

const isBlank = (value: unknown) =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

/** Returns true if a name is that of the approver to whom a step was assigned. */
const saysAssigned = remember((name) => mentionsRole(termsOf(name), 'assigned') && namesApprovers(name))

/** Returns true if a text of a step says that the step has ended. */
function saysEnded(item: unknown): boolean {
  return membersOf(item).some(({ value }) => typeof value === 'string' && mentionsRole(termsOf(value), 'ended'))
}

interface AnswerAbout extends Pick<Located, 'pointer' | 'value'> {
  readonly answer: 'executed' | 'details'
  readonly exchange: Exchange
}

/** The answer to executing, and the objects of the details that name the execution or its document. */
function answersAbout({ exchange, documentId, after, ids }: SeenExecution): AnswerAbout[] {
  const known = new Set([...ids, documentId].map(String).filter((id) => id.length > 5))
  const records = membersOf([after.json]).filter(({ value }) =>
    plainValuesIn(value).some((one) => known.has(String(one).split('/').at(-1) ?? '')),
  )
  return [
    { answer: 'executed', exchange, pointer: '', value: exchange.json },
    ...records.map(
      ({ pointer, value }) => ({ answer: 'details', exchange: after, pointer: withoutFirst(pointer), value }) as const,
    ),
  ]
}

type SentStep = WorkflowBody['steps'][number]

function assignmentsIn(
  { answer, exchange, pointer: start, value: json }: AnswerAbout,
  steps: readonly (SentStep & { readonly addresses: ReadonlySet<string> })[],
): ShownAssignment[] {
  const everybody = new Set(steps.flatMap(({ addresses }) => [...addresses]))
  return membersOf([json]).flatMap((member): ShownAssignment[] => {
    const { pointer, name, value } = member
    const texts = plainValuesIn(value)
    // The identifier before the name, which may be that of another step.
    const step =
      steps.find(({ step_id }) => name === step_id || texts.includes(step_id)) ??
      steps.find((one) => texts.includes(one.name))
    if (!step && !isOwnList(member)) return []
    const chosen = approversIn(member)
    const [first] = chosen
    if (first === undefined) return []
    const named = addressesIn(value).map((one) => one.value)
    const rule = step ? 'is called an approver, beside a step that was sent' : 'is called an approver of the execution'
    const own = { what: 'step.approvers', answer, value: first, place: start + withoutFirst(pointer), rejected: [] }
    return [
      {
        finding: { ...own, rule, strength: 'named' },
        exchange,
        chosen,
        named,
        approvers: step?.addresses ?? everybody,
      },
    ]
  })
}

const addressesOf = ({ approvers }: SentStep) => approvers.map(({ email }) => email.toLowerCase())

/** Returns true if a list of approvers is in the execution's own object; any other may be that of a queue or a department. */
function isOwnList({ pointer, name }: Located): boolean {
  if (!namesApprovers(name)) return false
  const owners = pointer.split('/').slice(2, -1)
  return owners.every((owner) => isWrapping(owner) || /^executions?$/i.test(owner))
}

/** Words for the approvers that were chosen; others, such as fallback approvers, need not approve the step. */
const words = ['current', 'chosen', 'selected', 'assigned', 'routed', 'pending', 'active', 'step']

/** Returns true if a name is that of the approvers who were chosen. */
const namesApprovers = remember((name) => {
  const terms = termsOf(name)
  const isPlain = terms.every((term) => hasRole(term, 'approver', 'address') || words.includes(term.word))
  return isPlain && mentionsRole(terms, 'approver')
})

/** Returns true if a name says only that something is an address, or an item of a list. */
const isOfAddress = (name: string) => /^\d+$/.test(name) || termsOf(name).every((term) => hasRole(term, 'address'))

/** Returns the addresses of chosen approvers in a value, by the names around it and within. */
function approversIn({ pointer, value }: Located): string[] {
  const isInApprovers = pointer.split('/').some(namesApprovers)
  return addressesIn(value).flatMap(({ names, value: address }) => {
    const isApprover = isInApprovers || names.some(namesApprovers)
    return isApprover && names.every((name) => namesApprovers(name) || isOfAddress(name)) ? [address] : []
  })
}

/** An e-mail address in a value, with the names that lead to it. */
interface Address {
  readonly names: readonly string[]
  readonly value: string
}

/** Returns the e-mail addresses in a value. */
const addressesIn = oncePerAnswer((value): readonly Address[] =>
  [{ pointer: '', value }, ...membersOf(value)].flatMap((member) => {
    const text = typeof member.value === 'string' ? member.value.toLowerCase() : ''
    const isAddress = text.includes('@') && /^[^\s@]+@[^\s@]+$/.test(text) && !isMasked(text)
    return isAddress ? [{ names: member.pointer.split('/').slice(1), value: text }] : []
  }),
)

/** The pointer to a member of the only item of a list, within that item. */
const withoutFirst = (pointer: string) => pointer.slice('/0'.length)

/** The members of an object that are neither objects nor lists. */
function plainValuesIn(value: unknown): unknown[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return []
  return Object.values(value).filter((one) => typeof one !== 'object')
}
