/** What a session says of one execution: what its workflow was created with, and which part of an answer is about it. */
import { isObject } from '../../src/contract/json.ts'
import { membersOf, valueAt } from '../reading/locate.ts'
import { isInList, stepListsIn } from '../reading/places.ts'
import { plainOf } from '../reading/plain.ts'
import { timeOf } from '../reading/times.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'
import { sentJson } from '../wire/exchange.ts'
import type { Introduced } from './roles.ts'

/** Returns what a workflow was created with; undefined if the session has not created it. */
export function sentWorkflow(session: readonly Introduced[], workflowId: string | undefined): unknown {
  const created = session.find(
    ({ call, isSuccess, roles }) => call === 'createWorkflow' && isSuccess && roles.workflow === workflowId,
  )
  return created && sentJson(created.exchange)
}

/** The identifier of an execution, and what else only it shows. */
interface Marks {
  readonly execution_id?: unknown
  readonly submitter_email?: unknown
}

/** Returns what identifies an execution: its identifier, and who submitted it. */
export function marksOf({ roles, exchange }: Pick<Introduced, 'roles' | 'exchange'>): Marks {
  const sent = sentJson(exchange)
  return { execution_id: roles.execution, ...(isObject(sent) && { submitter_email: sent.submitter_email }) }
}

/** Returns the object about an execution in the details of its workflow. */
export function executionIn(json: unknown, { execution_id, submitter_email }: Marks): unknown {
  const marks = [execution_id, submitter_email].filter((mark) => mark !== undefined)
  return marks.map((mark) => itemWith(plainOf(json), String(mark))).find((item) => item !== undefined)
}

/** Returns true for a word, or a few, such as a state. */
export const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.length < 40 && /^[A-Za-z]+([ _-][A-Za-z]+)*$/.test(value)

/** Returns true if something is shown as ended by an English word. Lists in it are about its parts. */
export const saysEnded = (shown: unknown) =>
  membersOf(shown).some(
    ({ pointer, value }) => isWord(value) && !isInList(pointer) && mentionsRole(termsOf(value), 'ended', 'denied'),
  )

/** A step, as a workflow was created with it. */
export interface StepSent {
  readonly step_id: string
  readonly name: string
  readonly order?: unknown
  readonly approvers: readonly { readonly email: string }[]
}

/** Returns what an execution shows of each of its steps. */
export function itemsOfSteps(shown: unknown, steps: readonly StepSent[]): ReadonlyMap<string, unknown> {
  const [most] = stepListsIn(shown, steps).toSorted((a, b) => b.items.length - a.items.length)
  const lists = most ? [valueAt(shown, most.pointer)] : membersOf(shown).map(({ value }) => value)
  const log = lists.filter((list) => Array.isArray(list)).find((list) => isLog(list, steps))
  if (log) return afterEvents(log, steps)
  if (most) return new Map(most.items.map(({ step, item }) => [step.step_id, item]))
  // A list of the steps that have begun may have a single one.
  const alone = steps.map(({ step_id }) => [step_id, itemWith(shown, step_id)] as const)
  return new Map(alone.filter(([, item]) => item !== undefined && item !== shown))
}

const isAbout = ({ step_id }: StepSent, event: unknown) => itemWith(event, step_id) !== undefined

/** Returns true if several items of a list are about one step, and none about several. */
function isLog(list: readonly unknown[], steps: readonly StepSent[]): boolean {
  const about = list.map((event) => steps.filter((step) => isAbout(step, event)))
  const told = about.flat()
  return about.every((own) => own.length < 2) && new Set(told).size < told.length
}

/** Returns what events say of each step in the end: the members of all its events, the later ones over the earlier ones. */
function afterEvents(events: readonly unknown[], steps: readonly StepSent[]): ReadonlyMap<string, unknown> {
  const items = steps.map((step) => [step.step_id, events.filter((event) => isAbout(step, event))] as const)
  return new Map(items.filter(([, own]) => own.length > 0).map(([id, own]) => [id, Object.assign({}, ...own)]))
}

/**
 * Returns the object that has an identifier as the value of one of its members. Of several, it is the one with most members in
 * it: the others only refer to it. Of one within another, it is the inner one.
 */
export function itemWith(json: unknown, identifier: string): unknown {
  const found = itemsWith(json, identifier).map((item) => ({ item, size: membersOf(item).length }))
  return found.toSorted((a, b) => b.size - a.size)[0]?.item
}

function itemsWith(json: unknown, identifier: string): unknown[] {
  if (json === null || typeof json !== 'object') return []
  const inner = Object.values(json).flatMap((value) => {
    const found = itemsWith(value, identifier)
    return Array.isArray(json) && found.length > 0 && found.every(isKey) ? [value] : found
  })
  if (inner.length > 0) return inner
  return !Array.isArray(json) && Object.values(json).some((value) => String(value) === identifier) ? [json] : []
}

/** Returns true for an object of nothing but identifiers, such as `{ "workflowId": "w-4", "runId": "7c1" }`: it is the key of what is around it. */
const isKey = (value: unknown) =>
  isObject(value) && Object.values(value).every((one) => isIdentifier(String(one)) && timeOf(one) === undefined)

const isIdentifier = (text: string) => /\d/.test(text) && !/\s/.test(text)

/** Returns what a log of executions says in the end of each step, and of the execution itself; undefined if there is no log. */
export function lastEvents(json: unknown, { execution_id }: Marks, steps: readonly StepSent[]) {
  const events = execution_id === undefined ? [] : itemsWith(plainOf(json), String(execution_id))
  const items = afterEvents(events, steps)
  const shown = events.findLast((event) => !steps.some((step) => isAbout(step, event)))
  return events.length > 1 && items.size > 0 ? { shown, items } : undefined
}
