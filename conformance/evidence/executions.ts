/** The executions of a run, and the details of their workflows before and after. */
import { escapePointer, isObject } from '../../src/contract/json.ts'
import type { Body } from '../../src/contract/operations.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { fewerThanListed } from '../reading/contradictions/counts.ts'
import { executionLists, executionShown, type ShownProgress } from '../reading/counts.ts'
import { identifiersInLinks, type Located, lastName, membersOf, valueAt } from '../reading/locate.ts'
import { listedExecutions, outcomeShownBy } from '../reading/outcomes.ts'
import { analytics, findPart, type Section, sections } from '../reading/parts.ts'
import { hasRole, mentionsRole, termsOf } from '../reading/vocabulary.ts'
import { describeAnswer, type Exchange, sentJson, succeeded, succeededLike } from '../wire/exchange.ts'
import { candidatesIn, executionPlace, scalarsOf } from '../wire/introduced.ts'
import type { Recorded } from '../wire/record.ts'
import { documentIdentifiers, namedAt } from './documents.ts'
import { type Evidence, mayHaveSucceeded, resultIfSucceeded, sentBody } from './evidence.ts'
import { Broken, Refused } from './failures.ts'
import { executionIdIn, workflowInPath } from './identifiers.ts'
import { type MadeWorkflow, mustShow, workflow } from './workflows.ts'

export type SentExecution = Body<'executeWorkflow'>

/** An execution that the deployment accepted. */
export interface StartedExecution {
  readonly exchange: Recorded
  readonly documentId: string
  /** The place of the document's identifier in the answers of the upload flow. */
  readonly place: string
}

/** Returns the execution of workflow 1 for document 1, or of workflow 2 for document 2. */
export function execution(evidence: Evidence, which: 1 | 2): StartedExecution {
  return evidence.once(`execution ${which}`, () => {
    workflow(evidence, which)
    const candidates = documentIdentifiers(evidence, which)
    if (which === 2) {
      const early = executedEarly(evidence)
      if (early) return started(early, candidates)
    }
    const step = `execute workflow ${which}` as const
    if (candidates.length === 0) throw unknownDocument('No answer has a document identifier')
    const answers = evidence.all(step)
    const accepted = answers.find((answer) => mayHaveSucceeded(evidence, answer)) ?? answers.find(succeeded)
    if (accepted) return started(accepted, candidates)
    // The likeliest identifier was tried first.
    throw new Refused(step, answers[0] ?? evidence.last(step))
  })
}

/** Returns the answer to the execution of workflow 2 without the key, if the deployment carried it out. */
export function executedEarly(evidence: Evidence): Recorded | undefined {
  const { exchange: control } = execution(evidence, 1)
  const early = evidence.last('execute workflow 2 without key')
  return succeededLike(early, control) ? early : undefined
}

/** Returns document 1, which an execution was accepted for, with its place in the answers of the upload flow. */
export function knownDocument(evidence: Evidence): Located {
  const { documentId: value, place: pointer } = execution(evidence, 1)
  return { pointer, name: 'document_id', value }
}

/** Returns the document of a file with an unusual name, at the same place; none if its upload failed or the answers have no value there. */
export function oddDocument(evidence: Evidence, kind: 'accented' | 'bracketed'): Located[] {
  const { pointer, name } = knownDocument(evidence)
  const confirmation = resultIfSucceeded(() => evidence.accepted(`confirm upload ${kind}`))
  const value = confirmation && namedAt(pointer, confirmation, evidence.last(`request upload ${kind}`))
  return value === undefined ? [] : [{ pointer: `${kind} ${pointer}`, name, value }]
}

/** Returns true if the execution of workflow 2 was refused at first for the document that was then accepted. */
export function wasKnownLate(evidence: Evidence): boolean {
  const { documentId } = execution(evidence, 2)
  return evidence
    .all('execute workflow 2')
    .some((answer) => !mayHaveSucceeded(evidence, answer) && sentBody<SentExecution>(answer).document_id === documentId)
}

function started(exchange: Recorded, candidates: readonly Located[]): StartedExecution {
  const documentId = String(sentBody<SentExecution>(exchange).document_id)
  const known = candidates.find(({ value }) => String(value) === documentId)
  return { exchange, documentId, place: exchange.label?.about ?? known?.pointer ?? '' }
}

/** Creates the error for answers without a known document identifier. */
export function unknownDocument(why: string, { locators = {} }: Profile = {}): Broken {
  const given = locators.document_id
  const advice =
    given === undefined
      ? 'Set locators.document_id in the profile'
      : `Correct locators.document_id of the profile, which is ${given}`
  const message = `${why}. ${advice}`
  return new Broken('flow.document-id-refers-to-upload', 'inconclusive', message)
}

/** The details of a workflow before and after its execution. */
export interface ExecutionProgress {
  readonly before: Recorded
  readonly after: Recorded
  readonly shown: ShownProgress
}

/** Returns the details of a workflow before its execution, and after it, once they show it or the waiting time is over. */
export function executedDetails(evidence: Evidence, which: 1 | 2): ExecutionProgress {
  return evidence.once(`executed details ${which}`, () => {
    const made = workflow(evidence, which)
    const { exchange, documentId } = execution(evidence, which)
    const after = settledDetails(evidence, which)
    if (!succeeded(after)) {
      const message = `${describeAnswer(after)} after the execution, although the workflow could be read before`
      throw new Broken('flow.create-execute-read', 'fail', message, 'outcome', { exchange: after })
    }
    if (which === 1) mustShow(evidence, made.sent.name, after)
    return { before: made.details, after, shown: executionShownIn(evidence, made, { exchange, documentId }, after) }
  })
}

/** Returns the latest details of a workflow after the waiting time. */
function settledDetails(evidence: Evidence, which: 1 | 2): Recorded {
  if (which === 2) return evidence.last('settle workflow 2')
  const first = evidence.last('read workflow 1 executed')
  return evidence.has('settle workflow 1') ? evidence.last('settle workflow 1') : first
}

/** Returns true if details show an execution of a workflow. */
export function executionShownIn(
  evidence: Evidence,
  { details }: { readonly details: Exchange },
  { exchange, documentId }: Pick<StartedExecution, 'documentId'> & { readonly exchange: Exchange },
  after: Exchange,
): ShownProgress {
  return executionShown(details.json, after.json, [...idsIn(evidence, exchange), documentId])
}

/** Returns the JSON Pointer to a section of the details: from the profile, or else found by its name and content. */
export function sectionIn({ settings }: Evidence, { sent }: MadeWorkflow, json: unknown, section: Section) {
  const locator = settings.profile.locators?.[section]
  if (locator === undefined) return findPart(json, section, sent.steps)
  return [undefined, null, ''].some((none) => valueAt(json, locator) === none) ? undefined : locator
}

/** Returns true if the wait for the details after an execution can end: they have all sections, and show it or never will. */
export function isSettled(evidence: Evidence, which: 1 | 2, details: Exchange): boolean {
  const made = workflow(evidence, which)
  const shown = executionShownIn(evidence, made, execution(evidence, which), details)
  const own = recordsOf(seen(evidence, which, execution(evidence, which), made.details, details))
  // Figures may be computed later than lists.
  const isBehind = fewerThanListed(made.details.json, details.json, own) !== undefined
  const isOpen = shown === 'no' || isBehind || (shown === 'undecided' && which === 1)
  return (
    mayHaveSucceeded(evidence, details) &&
    !isOpen &&
    sections.every((section) => sectionIn(evidence, made, details.json, section) !== undefined) &&
    (which === 2 || showsAnalytics(evidence, details))
  )
}

/** Returns true if details show all analytics. Some deployments omit them until an execution has ended. */
function showsAnalytics({ settings }: Evidence, { json }: Exchange): boolean {
  const { locators } = settings.profile
  return analytics.every((part) => locators?.[part] !== undefined || findPart(json, part) !== undefined)
}

/** An execution, with the details of its workflow before and after. */
export interface SeenExecution extends StartedExecution {
  readonly which: 1 | 2
  /** The answer's name for the execution's identifier. */
  readonly ids: readonly (string | number)[]
  readonly before: Exchange
  readonly after: Exchange
}

/** Returns the executions of the run: the first, and the second if it succeeded (another check reports its failure). */
export function executions(evidence: Evidence): SeenExecution[] {
  const { before, after } = executedDetails(evidence, 1)
  const shown = [seen(evidence, 1, execution(evidence, 1), before, after)]
  const second = resultIfSucceeded(() => execution(evidence, 2))
  if (!second) return shown
  const { details } = workflow(evidence, 2)
  return [...shown, seen(evidence, 2, second, details, evidence.last('settle workflow 2'))]
}

/** Returns the second execution of workflow 1, if it was accepted for another document, or under another identifier than the first. */
export function executedAgain(evidence: Evidence): SeenExecution | undefined {
  const again = ['read workflow 1 at last', 'execute workflow 1 again', 'read workflow 1 again'] as const
  const [before, exchange, after] = again.map((step) => resultIfSucceeded(() => evidence.accepted(step)))
  const first = execution(evidence, 1)
  const [id] = exchange ? idsIn(evidence, exchange) : []
  if (!before || !exchange || !after || (id !== undefined && id === idsIn(evidence, first.exchange)[0]))
    return undefined
  const documentId = String(sentBody<SentExecution>(exchange).document_id)
  if (documentId === first.documentId && id === undefined) return undefined
  return seen(evidence, 1, { exchange, documentId, place: first.place }, before, after)
}

/**
 * Returns the list in which the details must show a second execution of workflow 1: it shows the first one, which has ended so that no
 * other need wait for it, and that of workflow 2.
 */
export function listOfExecutions(evidence: Evidence): string | undefined {
  const [first, second] = executions(evidence)
  const before = evidence.accepted('read workflow 1 at last')
  const ownIn = (one: SeenExecution, details: Exchange) => {
    const records = recordsOf({ ...one, after: details })
    const lists = [...executionLists(details.json).keys()]
    return lists.flatMap((list) =>
      records.filter(({ pointer }) => pointer.startsWith(`${list}/`)).map((record) => ({ list, record })),
    )
  }
  const others = second ? ownIn(second, second.after).map(({ list }) => list) : []
  const hasEnded = ({ value }: Located) =>
    Object.values(value ?? {}).some((one) => typeof one === 'string' && mentionsRole(termsOf(one), 'ended'))
  return first && ownIn(first, before).find(({ list, record }) => others.includes(list) && hasEnded(record))?.list
}

/** Returns true if details show that an execution, or a step of it, has ended. */
export function showsEnded(evidence: Evidence, which: 1 | 2, details: Exchange): boolean {
  const records = recordsOf(
    seen(evidence, which, execution(evidence, which), workflow(evidence, which).details, details),
  )
  return records.some(
    ({ pointer, value }) =>
      pointer !== '' &&
      membersOf(value).some(({ name, value: one }) =>
        mentionsRole(termsOf(typeof one === 'string' ? one : isObject(one) ? name : ''), 'ended'),
      ),
  )
}

/** Returns true if a state in details says that the execution itself has ended. */
export function isOver(evidence: Evidence, which: 1 | 2, details: Exchange): boolean {
  return isShownAsOver(seen(evidence, which, execution(evidence, which), workflow(evidence, which).details, details))
}

/** Returns true if a state in the latest details says that an execution has ended. */
export const isShownAsOver = (execution: SeenExecution) =>
  recordsOf(execution).some(({ value }) => isEnd(outcomeShownBy(value)))

/** Returns true if details list executions, and the state of each says that it has ended. */
export function areAllOver({ json }: Exchange): boolean {
  const executions = listedExecutions(json)
  return executions.length > 0 && executions.every(({ outcome }) => isEnd(outcome))
}

/** Returns how the executions that details list have ended; undefined for those of which no state says it. */
export const endingsIn = ({ json }: Exchange) =>
  listedExecutions(json).map(({ outcome }) => (isEnd(outcome) ? outcome : undefined))

/** Returns true if details list an execution whose state says that it has ended. */
export const isAnyOver = ({ json }: Exchange) => listedExecutions(json).some(({ outcome }) => isEnd(outcome))

const isEnd = (outcome: ReturnType<typeof outcomeShownBy>) => outcome !== undefined && outcome !== 'open'

const seen = (
  evidence: Evidence,
  which: 1 | 2,
  started: StartedExecution,
  before: Exchange,
  after: Exchange,
): SeenExecution => ({
  ...started,
  ...{ which, ids: idsIn(evidence, started.exchange), before, after },
})

/** Returns the execution identifiers in the answer to executing: found by data flow, or else by name and in links. */
export function idsIn(evidence: Evidence, exchange: Exchange): (string | number)[] {
  const { headers, json } = exchange
  const introduced = introducedIn(evidence, exchange)
  if (introduced.length > 0) return introduced
  const linked = identifiersInLinks(headers, json, 'executions|runs').map(({ value }) => String(value))
  return [executionIdIn(json), ...linked].filter((id) => id !== undefined)
}

/** Finds the execution identifier by data flow: a new value that later details show again. */
function introducedIn({ answers }: Evidence, exchange: Exchange): string[] {
  const carriedOut = answers.filter(succeeded)
  const executions = carriedOut.flatMap((one) =>
    /\/execute(\?|$)/.test(one.request.url) ? [{ exchange: one, workflowId: workflowInPath(one.request.url) }] : [],
  )
  const sent = answers.flatMap((one) => [...scalarsOf(sentJson(one)), workflowInPath(one.request.url)])
  const details = carriedOut.filter(({ request }) => request.method === 'GET')
  const place = executionPlace(executions, new Set(sent), details)
  return candidatesIn(exchange).flatMap((one) => (one.place === place ? one.value : []))
}

/**
 * Returns the objects of the details that are about an execution: those that name it or its document, or are named by it, and the only
 * item of a list of executions that was empty before.
 */
export function recordsOf({
  ids,
  documentId,
  before,
  after,
}: Pick<SeenExecution, 'ids' | 'documentId' | 'before' | 'after'>): Located[] {
  const known = new Set([...ids, documentId].map(String))
  // Some lists are objects by the identifiers of executions.
  const own = new Set(ids.map(String).filter((id) => id.length > 3))
  const names = (pointer: string, name: string, value: unknown) => {
    const id = lastSegment(value)
    return !isContainer(value) && known.has(id) && (id.length > 5 || isIdentifierAt(pointer, name))
  }
  const earlier = executionLists(before.json)
  const listed = [...executionLists(after.json)].flatMap(([list, length]) =>
    length === 1 && earlier.get(list) === 0 && isPlainlyExecutions(list) ? [`${list}/0`] : [],
  )
  return [{ pointer: '', name: '', value: after.json }, ...membersOf(after.json)].filter(
    ({ pointer, name, value }) =>
      isObject(value) &&
      (listed.includes(pointer) ||
        (own.has(name) && pointer.endsWith(`/${escapePointer(name)}`)) ||
        Object.entries(value).some(([name, one]) => names(pointer, name, one))),
  )
}

/** Returns true if names say that a member identifies an execution or a document. Any other short number may be something else. */
function isIdentifierAt(pointer: string, name: string): boolean {
  const own = termsOf(name)
  const isOwn = mentionsRole(own, 'identifier') || own.every((term) => hasRole(term, 'document'))
  return isOwn && mentionsRole(`${pointer}/${name}`.split('/').flatMap(termsOf), 'execution', 'document')
}

const isPlainlyExecutions = (list: string) =>
  termsOf(lastName(list)).every((term) => hasRole(term, 'execution', 'linking'))

const isContainer = (value: unknown) => value !== null && typeof value === 'object'

/** The last segment of a path or an address, which is what it is about; of any other value, the whole. */
const lastSegment = (value: unknown) => String(value).split('/').at(-1) ?? ''
