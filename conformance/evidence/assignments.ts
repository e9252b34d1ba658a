import type { Finding } from '../reading/finding.ts'
import { isMasked, type Located, lastName, membersOf, oncePerAnswer, valueAt } from '../reading/locate.ts'
import { remember } from '../reading/names.ts'
import { stepListsIn } from '../reading/places.ts'
import { emptyForLast, type StepHistories } from '../reading/step-progress.ts'
import { hasRole, isNamed, isWrapping, mentionsRole, type Role, termsOf } from '../reading/vocabulary.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import { type Evidence, resultIfSucceeded } from './evidence.ts'
import { executions, idsIn, recordsOf, type SeenExecution } from './executions.ts'
import { locatedBy } from './locators.ts'
import { type SideExecution, type Started, sideExecution, sideReads, stepHistories } from './step-histories.ts'
import { type MadeWorkflow, type WorkflowBody, workflow } from './workflows.ts'

/** People that some place of an answer shows as chosen, and those who may be. */
export interface ShownAssignment {
  readonly finding: Finding
  readonly exchange: Exchange
  /** E-mail addresses in lower case, as all here. */
  readonly chosen: readonly string[]
  /** All addresses that stand there, such as that of the approver for whom a substitute is chosen. */
  readonly named: readonly string[]
  readonly approvers: ReadonlySet<string>
  /**
   * True if the chosen people are not substitutes, which has two signs. Either the address of one has lost its tag. Or all approve only other
   * steps, and a list names them beside approvers of this step, or their place shows the approvers of each other step.
   */
  readonly areNoSubstitutes?: boolean
}

/**
 * Returns the choices that the answers to executing show, and what the details show beside the execution's identifier; or those at the
 * profile's locator.
 */
export function assignments(evidence: Evidence): ShownAssignment[] {
  const place = evidence.settings.profile.locators?.['execution.approvers']
  if (place !== undefined) return executions(evidence).flatMap((execution) => assignmentsAt(evidence, execution, place))
  const shown = executions(evidence).map((execution): ExecutionAnswers => {
    // Only judges may wait for the last read.
    const reads = [...readsOf(evidence, execution), ...readsIn(evidence, [`read workflow ${execution.which} at last`])]
    return { steps: addressedSteps(workflow(evidence, execution.which)), answers: answersAbout(execution, reads) }
  })
  for (const which of ['shuffled', 'by default'] as const) {
    const side = resultIfSucceeded(() => sideExecution(evidence, which))
    if (side) shown.push({ steps: addressedSteps(side.made), answers: answersBeside(evidence, which, side) })
  }
  const routed = routedPlaces(shown)
  return shown.flatMap(({ answers, steps }) => answers.flatMap((about) => assignmentsIn(about, steps, routed)))
}

/** Returns the steps of a workflow with the addresses of their approvers, including any that the deployment changed before the execution. */
function addressedSteps({ sent, created, details }: MadeWorkflow): AddressedStep[] {
  const shownBefore = [created, details].flatMap(({ json }) => addressesIn(json).map(({ value }) => value))
  const ours = new Set(sent.steps.flatMap(addressesOf))
  const changed = shownBefore.filter((address) => !ours.has(address))
  return sent.steps.map((step) => ({ ...step, addresses: new Set([...addressesOf(step), ...changed]) }))
}

/** What the answers show of an execution, and its steps as they were sent. */
interface ExecutionAnswers {
  readonly steps: readonly AddressedStep[]
  readonly answers: readonly AnswerAbout[]
}

/** Returns the choice that the answer to executing shows at a place of the profile. Anything but addresses cannot be compared. */
function assignmentsAt(evidence: Evidence, { exchange, which }: SeenExecution, place: string): ShownAssignment[] {
  const value = valueAt(exchange.json, place)
  if (value === undefined) locatedBy('execution.approvers', place, exchange.json, 'execute-workflow.chooses-approvers')
  const chosen = addressesIn(value).map((address) => address.value)
  if (chosen.length === 0 && !isBlank(value)) return []
  const rule = 'the profile says so'
  const own = { what: 'execution.approvers', answer: 'executed', value, place, rejected: [] }
  const approvers = new Set(workflow(evidence, which).sent.steps.flatMap(addressesOf))
  return [{ finding: { ...own, rule, strength: 'named' }, exchange, chosen, named: chosen, approvers }]
}

/**
 * Returns a place of the details that should show the chosen approvers, but is empty for each step in all answers. A name such
 * as `approver` alone is likely if a step has ended, since it may mean the approver who has decided. `latest` are details of
 * the first workflow, read by the current step.
 */
export function unassigned(evidence: Evidence, latest?: Exchange): ShownAssignment | undefined {
  if (evidence.settings.profile.locators?.['execution.approvers'] !== undefined) return undefined
  const shown = executions(evidence).flatMap((execution) => {
    const { sent } = workflow(evidence, execution.which)
    const reads = latest && execution.which === 1 ? [latest] : readsOf(evidence, execution)
    return answersAbout(execution, reads).flatMap(({ answer, exchange, pointer, value }) =>
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
  const found = shown.flatMap(({ items: [item] }) =>
    membersOf(item).filter(({ name }) => namesApprovers(name) || saysAssigned(name)),
  )
  for (const { pointer, name } of found) {
    const alike = shown.filter(({ items }) => items.every((item) => valueAt(item, pointer) !== undefined))
    if (alike.some(({ items }) => items.some((item) => !isBlank(valueAt(item, pointer))))) continue
    // The place may be empty right after the start, before approvers are chosen, and again in a step that has ended.
    const isAssigned = saysAssigned(name)
    const telling = alike.filter(
      ({ answer, items }) => answer === 'details' && (isAssigned ? !items.every(saysEnded) : items.some(saysEnded)),
    )
    const inDetails = telling.findLast(
      ({ exchange }) => latest || !isAssigned || telling.some((one) => isEarlierRead(one.exchange, exchange)),
    )
    if (!inDetails) continue
    const { answer, exchange, start, items } = inDetails
    const rule = `is called ${name}, and stands beside each step that was sent`
    const what = isAssigned ? 'step.approvers' : 'execution.approvers'
    const own = { what, answer, value: valueAt(items[0], pointer), rejected: [] }
    const finding: Finding = { ...own, place: `${start}/*${pointer}`, rule, strength: isAssigned ? 'named' : 'likely' }
    return { finding, exchange, chosen: [], named: [], approvers: new Set() }
  }
  return undefined
}

/** Finds a place that shows the assigned approver of each step of an approved execution, but is empty for the last step. */
export function unassignedLast(
  evidence: Evidence,
): { readonly of: keyof StepHistories; readonly finding: Finding } | undefined {
  if (evidence.settings.profile.locators?.['execution.approvers'] !== undefined) return undefined
  const isOfApprovers = (place: string) => saysAssigned(lastName(place))
  const found = emptyForLast(stepHistories(evidence, 'details'), isOfApprovers)
  if (!found) return undefined
  const { of, place, values } = found
  const rule = 'is called the assigned approver of each step, in an execution whose steps were all approved'
  const own = { what: 'step.approvers', answer: 'details', value: values.join(', '), place, rejected: [] }
  return { of, finding: { ...own, rule, strength: 'named' } }
}

/** Returns what was read of a workflow since its execution. */
function readsOf(evidence: Evidence, { which, after }: SeenExecution): readonly Exchange[] {
  return [...new Set<Exchange>([...readsIn(evidence, readsAfter[which]), after])]
}

const readsIn = (evidence: Evidence, steps: readonly StepName[]): readonly Exchange[] =>
  steps.flatMap((step) => (evidence.has(step) ? evidence.all(step).filter(succeeded) : []))

const readsAfter = {
  1: ['read workflow 1 executed', 'settle workflow 1', 'read workflow 1 afterwards', 'read workflow 1 assigned'],
  2: ['settle workflow 2'],
} as const satisfies Readonly<Record<SeenExecution['which'], readonly StepName[]>>

const isEarlierRead = (one: Exchange, other: Exchange) => one !== other && one.request.url === other.request.url

/** Returns true for null, an empty text, and an object or list of nothing but these and counts of 0. */
const isBlank = (value: unknown): boolean =>
  value === null || value === '' || value === 0 || (typeof value === 'object' && Object.values(value).every(isBlank))

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

/** The answer to executing, and the objects of what was read since that are about the execution. */
function answersAbout(
  execution: Pick<SeenExecution, 'exchange' | 'ids' | 'documentId' | 'before'>,
  reads: readonly Exchange[],
): AnswerAbout[] {
  const { exchange } = execution
  return [
    { answer: 'executed', exchange, pointer: '', value: exchange.json },
    ...reads.flatMap((after) =>
      recordsOf({ ...execution, after }).map(
        ({ pointer, value }) => ({ answer: 'details', exchange: after, pointer, value }) as const,
      ),
    ),
  ]
}

/** The same for an execution beside the flow. Others use the same document, so only the identifier tells them apart. */
function answersBeside(evidence: Evidence, which: SideExecution, { made, executed }: Started): AnswerAbout[] {
  const ids = idsIn(executed)
  const execution = { exchange: executed, ids, documentId: String(ids[0]), before: made.details }
  return answersAbout(execution, ids.length > 0 ? readsIn(evidence, sideReads[which]) : [])
}

type SentStep = WorkflowBody['steps'][number]
/** A step with the addresses of its approvers. */
type AddressedStep = SentStep & { readonly addresses: ReadonlySet<string> }

function assignmentsIn(
  about: AnswerAbout,
  steps: readonly AddressedStep[],
  routed: ReadonlySet<string>,
): ShownAssignment[] {
  const { answer, exchange, pointer: start, value: json } = about
  const everybody = new Set(steps.flatMap(({ addresses }) => [...addresses]))
  return membersOf([json]).flatMap((member): ShownAssignment[] => {
    const step = stepOf(member, steps)
    if (!step && !isOwnList(member)) return []
    const approving = approversIn(member, namesApprovers)
    // A responsible person counts only if the step names them as an approver: others may only coordinate it.
    const responsible = step ? approversIn(member, namesHandlers).filter((one) => everybody.has(one)) : []
    const atPlaces = step
      ? addressesIn(member.value).filter((one) => everybody.has(one.value) && routed.has(placeOf(about, member, one)))
      : []
    const named = addressesIn(member.value).map((one) => one.value)
    const isCalled = approving.length + responsible.length > 0
    const routedTo = isCalled ? [] : atPlaces.map((one) => one.value)
    const chosen = [approving, responsible, routedTo].find((one) => one.length > 0) ?? []
    const [first] = chosen
    if (first === undefined) return []
    const place = start + withoutFirst(member.pointer)
    const own = { what: 'step.approvers', answer, value: first, place, rejected: [] }
    const calledRule = step
      ? 'is called an approver, beside a step that was sent'
      : 'is called an approver of the execution'
    const finding: Finding = isCalled
      ? { ...own, rule: calledRule, strength: 'named' }
      : { ...own, rule: 'shows approvers of different steps, each of its own, in some answer', strength: 'proven' }
    const approvers = step?.addresses ?? everybody
    const areOthers = chosen.every((one) => everybody.has(one) && !approvers.has(one))
    const isInList = listsOfAddresses(member.value).some(
      (list) => chosen.every((one) => list.includes(one)) && list.some((one) => approvers.has(one)),
    )
    const isRouted = addressesIn(member.value).some(
      (one) => chosen.includes(one.value) && routed.has(placeOf(about, member, one)),
    )
    const tagless = new Set([...approvers].filter((one) => one.includes('+')).map(withoutTag))
    const areNoSubstitutes =
      (areOthers && (isInList || isRouted)) || chosen.some((one) => tagless.has(one) && !approvers.has(one))
    return [{ finding, exchange, chosen, named, approvers, areNoSubstitutes }]
  })
}

/** Returns the step that a member is about: one that it names, or else one whose name it shows, which may be that of another step. */
function stepOf<Step extends SentStep>({ name, value }: Located, steps: readonly Step[]): Step | undefined {
  const texts = plainValuesIn(value)
  return (
    steps.find(({ step_id }) => name === step_id || texts.includes(step_id)) ??
    steps.find((one) => texts.includes(one.name))
  )
}

/**
 * Returns the places that show the approvers to whom steps were routed, under any name: in one answer, steps show different persons
 * there, each an approver of that step.
 */
function routedPlaces(shown: readonly ExecutionAnswers[]): ReadonlySet<string> {
  const routed = shown.flatMap(({ steps, answers }) =>
    answers.flatMap((about) => {
      const persons = new Map<string, Set<string>>()
      for (const member of membersOf([about.value])) {
        const step = stepOf(member, steps)
        for (const address of step ? addressesIn(member.value) : []) {
          // A list may show all from whom one is chosen.
          if (!step?.addresses.has(address.value) || address.names.some((name) => /^\d+$/.test(name))) continue
          const place = placeOf(about, member, address)
          persons.set(place, (persons.get(place) ?? new Set()).add(`${step.order} ${address.value}`))
        }
      }
      return [...persons].flatMap(([place, own]) => (differ([...own]) ? [place] : []))
    }),
  )
  return new Set(routed)
}

/** Returns true if two of these pairs of a step and a person differ in both. */
const differ = (own: readonly string[]) =>
  own.some((one) => own.some((other) => one.split(' ').every((part, index) => part !== other.split(' ')[index])))

/** Returns the place of an address in what is about a step, the same for all steps and executions. */
function placeOf({ answer }: AnswerAbout, { pointer }: Located, { names }: Address): string {
  const around = pointer.split('/').slice(0, -1)
  return [answer, ...around.map((one) => (/^\d+$/.test(one) ? '*' : one)), '*', ...names].join('/')
}

/** Removes what follows a plus sign in the name of an address. */
const withoutTag = (address: string) => address.replace(/\+[^@]*/, '')

const addressesOf = ({ approvers }: SentStep) => approvers.map(({ email }) => email.toLowerCase())

/** Returns true if a list of approvers is in the execution's own object; any other may be that of a queue or a department. */
function isOwnList({ pointer, name }: Located): boolean {
  if (!namesApprovers(name)) return false
  const owners = pointer.split('/').slice(2, -1)
  return owners.every((owner) => isWrapping(owner) || isNamed(owner, 'execution'))
}

/** Words for the approvers that were chosen; others, such as fallback approvers, need not approve the step. */
const words = ['current', 'chosen', 'selected', 'assigned', 'routed', 'pending', 'active', 'step', 'list']

/** Returns true if a name is that of the approvers who were chosen. */
const namesApprovers = remember((name) => isPlainly(name, 'approver'))

/** Returns true if a name beside a step is that of a person who works on it. The one responsible for an execution may be its submitter. */
const namesHandlers = remember((name) => isPlainly(name, 'handler'))

function isPlainly(name: string, role: Role): boolean {
  const terms = termsOf(name)
  const isPlain = terms.every((term) => hasRole(term, role, 'address') || words.includes(term.word))
  return isPlain && mentionsRole(terms, role)
}

/** Returns true if a name says only that something is an address, or an item of a list. */
const isOfAddress = (name: string) => /^\d+$/.test(name) || termsOf(name).every((term) => hasRole(term, 'address'))

/** Returns the addresses of chosen approvers in a value, by the names around it and within. */
function approversIn({ pointer, value }: Located, isCalled: (name: string) => boolean): string[] {
  const isInApprovers = pointer.split('/').some(isCalled)
  return addressesIn(value).flatMap(({ names, value: address }) => {
    const isApprover = isInApprovers || names.some(isCalled)
    return isApprover && names.every((name) => isCalled(name) || isOfAddress(name)) ? [address] : []
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

/** Returns the addresses in each list of a value. */
function listsOfAddresses(value: unknown): string[][] {
  const lists = new Map<string, string[]>()
  for (const { names, value: address } of addressesIn(value)) {
    const index = names.findIndex((name) => /^\d+$/.test(name))
    const list = names.slice(0, index).join('/')
    if (index >= 0) lists.set(list, [...(lists.get(list) ?? []), address])
  }
  return [...lists.values()]
}

/** The pointer to a member of the only item of a list, within that item. */
const withoutFirst = (pointer: string) => pointer.slice('/0'.length)

/** The members of an object that are neither objects nor lists. */
function plainValuesIn(value: unknown): unknown[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return []
  return Object.values(value).filter((one) => typeof one !== 'object')
}
