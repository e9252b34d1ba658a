/** The workflows of a run: the sent bodies, the answers to creating them, and their details. */
import { isObject } from '../../src/contract/json.ts'
import type { Body } from '../../src/contract/operations.ts'
import type { Finding, Ground } from '../reading/finding.ts'
import { isIdentifier, type Located, membersOf, valueAt } from '../reading/locate.ts'
import { leavesOf } from '../reading/places.ts'
import { isWrapping } from '../reading/vocabulary.ts'
import {
  describeAnswer,
  describeRefusal,
  type Exchange,
  isRefusedAlike,
  isWebPage,
  succeeded,
} from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Evidence, mayHaveSucceeded, resultIfSucceeded, sentBody, wasCarriedOut } from './evidence.ts'
import { Broken, Refused } from './failures.ts'
import { namedWorkflows, workflowCandidates, workflowInPath } from './identifiers.ts'
import { locatedBy } from './locators.ts'
import { findingAt } from './show.ts'

export type WorkflowBody = Body<'createWorkflow'>

/** A workflow's identifier, and the details that were read with it. */
export interface ReadWorkflow {
  readonly id: Located
  readonly details: Recorded
}

/** A workflow that the run has created and read. */
export interface MadeWorkflow extends ReadWorkflow {
  readonly sent: WorkflowBody
  readonly created: Recorded
}

/** The most candidates that are tried as the workflow's identifier. */
export const mostTried = 8

/** Returns the candidates for a created workflow's identifier, the likeliest first. */
export function identifiersOf(evidence: Evidence, created: Exchange): Located[] {
  const locator = evidence.settings.profile.locators?.workflow_id
  if (locator === undefined)
    return [...placedAsFirst(evidence, created), ...workflowCandidates(created, sentBody(created))]
  return [locatedBy('workflow_id', locator, created.json, 'get-workflow.method-and-path')]
}

/** Reads the identifier from the place where workflow 1 has it, since a random identifier may look like a word. */
function placedAsFirst(evidence: Evidence, created: Exchange): Located[] {
  if (evidence.last('create workflow 1').request === created.request) return []
  const first = resultIfSucceeded(() => workflow(evidence, 1).id)
  const value = first?.pointer.startsWith('/') ? valueAt(created.json, first.pointer) : undefined
  return first && isIdentifier(value) ? [{ ...first, value }] : []
}

/**
 * Throws if the deployment refuses everything. Creating a workflow and requesting an upload are independent, so if both are
 * refused in the same way, the address or the key is the cause, not the calls.
 */
export function reach(evidence: Evidence): void {
  const both = [evidence.last('create workflow 1'), evidence.last('request upload 1')] as const
  if (both.every(succeeded) && isAnsweredAlike(...both)) {
    const message = `${both.map(describeAnswer).join(' and ')} with the same members, so neither was carried out. Check that the key is valid for this deployment`
    throw new Broken('auth.raw-key', 'inconclusive', message)
  }
  if (both.some(succeeded)) return
  const said = both.map(describeRefusal).join(' and ')
  if (both.every(isUnauthorized)) throw new Refused('diagnose reach', both[0])
  if (both.every((answer) => leadsElsewhere(answer, evidence.settings.url))) {
    throw new Broken('api.paths-relative-to-base', 'fail', `${said}, and both redirect to another host`, 'outcome', {
      exchange: both[0],
    })
  }
  if (both.every(isNowhere)) {
    throw new Broken(
      'api.under-api-v1',
      'fail',
      `${said}, so the deployment has no service calls under /api/v1. Check that this is the address of the API`,
      'outcome',
      {
        exchange: both[0],
      },
    )
  }
  if (both[0].status !== 415 && isRefusedAlike(...both)) throw new Refused('diagnose reach', both[0])
}

/** Returns true if the answers to creating and to requesting an upload have the same members, and the latter no URL: both refuse. */
function isAnsweredAlike(created: Exchange, requested: Exchange): boolean {
  const [one, other] = [created, requested].map(({ json }) => leavesOf(json))
  const pointersOf = (leaves: readonly Located[] = []) => leaves.map(({ pointer }) => pointer).join()
  const hasUrl = other?.some(({ value }) => typeof value === 'string' && /^https?:/i.test(value))
  return isObject(created.json) && !hasUrl && pointersOf(one) === pointersOf(other)
}

/** Returns true if a refusal concerns the key. */
export function isUnauthorized({ status }: Exchange): boolean {
  return status === 401 || status === 403
}

function leadsElsewhere({ status, headers, request }: Exchange, base: string): boolean {
  const location = headers.get('Location')
  if (status < 300 || status > 399 || !location || !URL.canParse(location, request.url)) return false
  return new URL(location, request.url).origin !== new URL(base).origin
}

function isNowhere(answer: Exchange): boolean {
  const { status } = answer
  return [404, 405, 410, 501].includes(status) || (status >= 300 && status < 400) || isWebPage(answer)
}

/**
 * Returns whose workflow the second tenant reads with the identifier of workflow 1: that of the first, or one of its own, if each
 * tenant has its own numbers. Texts that only the first tenant has sent tell them apart.
 */
export function shownToSecond(evidence: Evidence): 'nothing' | 'own' | 'of-another' | 'unknown' {
  const read = evidence.last('read as second tenant')
  if (!wasCarriedOut(evidence, read)) return 'nothing'
  const { sent, details } = workflow(evidence, 1)
  const [own, first, shown] = [sentBody(evidence.last('create as second tenant')), details.json, read.json].map(textsOf)
  const telling = [...textsOf(sent)].filter((text) => first?.has(text) && !own?.has(text))
  if (telling.length === 0) return 'unknown'
  return telling.some((text) => shown?.has(text)) ? 'of-another' : 'own'
}

const textsOf = (json: unknown) =>
  new Set(leavesOf(json).flatMap(({ value }) => (typeof value === 'string' ? [value] : [])))

/** Returns workflow 1, which is sequential, or workflow 2, which is not. Throws if it cannot be created or read. */
export function workflow(evidence: Evidence, which: 1 | 2): MadeWorkflow {
  return evidence.once(`workflow ${which}`, () => {
    reach(evidence)
    if (which === 1) return madeWorkflow(evidence, 'create workflow 1', 'read workflow 1')
    evidence.accepted('create workflow 2')
    const first = workflow(evidence, 1)
    const made = madeWorkflow(evidence, 'create workflow 2', 'read workflow 2')
    mustBeAnother(evidence, made, first)
    return made
  })
}

/** Returns a workflow beside the flow. Throws `Broken` if its details are those of another workflow. */
export function sideWorkflow(evidence: Evidence, create: StepName, read: StepName): MadeWorkflow {
  const made = madeWorkflow(evidence, create, read)
  mustShow(evidence, made.sent.name, made.details)
  return made
}

/** Returns the workflow that two steps created and read. */
export function madeWorkflow(evidence: Evidence, create: StepName, read: StepName): MadeWorkflow {
  const created = evidence.accepted(create)
  return { sent: sentBody<WorkflowBody>(created), created, ...readWorkflow(evidence, created, read) }
}

/**
 * Returns the identifier of a created workflow, and the details that were read with it. Throws `Broken` if no candidate in
 * the answer could be read.
 */
function readWorkflow(evidence: Evidence, created: Recorded, step: StepName): ReadWorkflow {
  const candidates = identifiersOf(evidence, created)
  const [first] = candidates
  if (!first && !evidence.has(step)) {
    const message = 'The answer to creating the workflow has no identifier. Set locators.workflow_id in the profile'
    throw new Broken('get-workflow.method-and-path', 'inconclusive', message)
  }
  const answers = evidence.all(step)
  const read = answers.filter((answer) => isDetails(answer) && mayHaveSucceeded(evidence, answer))
  const details =
    read.findLast((answer) => readsBack(evidence, created, answer)) ??
    read.findLast(({ label }) => label?.about === read[0]?.label?.about)
  if (details) {
    const value = workflowInPath(details.request.url)
    const { about = '' } = details.label ?? {}
    const same = candidates.filter((one) => String(one.value) === value)
    const id = same.find(({ pointer }) => pointer === about) ?? same[0] ?? { pointer: about, name: '', value }
    return { id, details }
  }
  throw unreadable(evidence, created, candidates, evidence.last(step), answers)
}

/**
 * Returns true if details may be those of the created workflow: they show its name, or no name that was sent. If no name, link or header
 * calls the value in their address its identifier, they must show its name, provided that the answer to creating it did: some services
 * answer 200 to every call.
 */
export function readsBack(evidence: Evidence, created: Exchange, details: Exchange): boolean {
  const { name } = sentBody<WorkflowBody>(created)
  const [shown, shownAtOnce] = [details, created].map(({ json }) => new Set(leavesOf(json).map(({ value }) => value)))
  if (shown?.has(name)) return true
  if (evidence.answers.some((one) => isCreation(one) && shown?.has(sentBody<WorkflowBody>(one).name))) return false
  const id = workflowInPath(details.request.url)
  return namedWorkflows(created).some(({ value }) => String(value) === id) || !shownAtOnce?.has(name)
}

const isCreation = ({ label }: Exchange) => label?.step.startsWith('create ') === true

/** The labels of GETs that ask a long-running operation, or that have a Content-Type. */
export const asOperation = 'the operation that the answer names'
export const withContentType = 'with the Content-Type of a body'

function isDetails({ label }: Exchange): boolean {
  return label?.about !== asOperation && label?.about !== withContentType
}

function unreadable(
  { settings }: Evidence,
  created: Exchange,
  candidates: readonly Located[],
  last: Exchange,
  answers: readonly Exchange[],
): Broken {
  const tried = answers.filter(isDetails).at(-1) ?? last
  if (tried.status === 401 || tried.status === 403) {
    const message = `${describeRefusal(tried)}, although another call accepted the key`
    return new Broken('auth.every-service-call', 'fail', message, 'outcome', { exchange: tried })
  }
  if (answers.some((answer) => answer.label?.about === withContentType && succeeded(answer))) {
    const message = `${describeAnswer(tried)}, but accepted the call with the Content-Type of a body`
    return new Broken('get-workflow.no-request-body', 'fail', message, 'outcome', { exchange: tried })
  }
  const answered = describeRefusal(tried)
  // If no member has the name of the identifier, it may be a value that was not tried.
  const isNamed =
    settings.profile.locators?.workflow_id !== undefined ||
    namedWorkflows(created).some(({ value }) => value === candidates[0]?.value)
  const which = candidates.length > mostTried ? `the ${mostTried} likeliest identifiers` : 'every identifier'
  const [first] = candidates
  const ground: Ground =
    isNamed || !first
      ? 'outcome'
      : findingAt('workflow_id', 'created', first.pointer, first.value, 'looks like an identifier', 'likely')
  const message = `${answered} for ${which} in the answer to creating the workflow`
  return new Broken('get-workflow.method-and-path', 'fail', message, ground, { exchange: tried })
}

function mustBeAnother(evidence: Evidence, { sent, id, created, details }: MadeWorkflow, first: MadeWorkflow): void {
  if (String(id.value) === String(first.id.value)) {
    const message = `Two workflows have the same identifier, ${JSON.stringify(id.value)}`
    throw new Broken('workflow.ids-differ', 'fail', message, identifierFinding(first), { exchange: created })
  }
  mustShow(evidence, sent.name, details)
}

/** Throws `Broken` if details show the name of another workflow, at the place where workflow 1 shows its own. */
export function mustShow(evidence: Evidence, name: string, details: Exchange): void {
  const { sent, details: first } = workflow(evidence, 1)
  const place = membersOf(first.json).find(({ value }) => value === sent.name)?.pointer
  const value = place === undefined ? undefined : valueAt(details.json, place)
  // Only a name of this run belongs to another workflow. Other texts may be titles, or changed names.
  const isOurs = typeof value === 'string' && value.startsWith(`conformance-${evidence.settings.runId}-`)
  if (place === undefined || !isOurs || firstWord(value) === firstWord(name)) return
  const message = `${describeAnswer(details)} with the details of ${JSON.stringify(value)} instead of ${JSON.stringify(name)}`
  const rule = 'shows names that only workflows of this run have'
  const finding = findingAt('workflow.name', 'details', place, value, rule)
  throw new Broken('get-workflow.method-and-path', 'fail', message, finding, { exchange: details, sent: name })
}

/** Finds the name of another workflow of the run in details that do not show the name that was sent. */
export function nameOfAnother(evidence: Evidence, name: string, { json }: Exchange): Finding | undefined {
  const members = membersOf(json)
  if (members.some(({ value }) => value === name)) return undefined
  const sent = evidence.answers.map((answer) => sentBody<Partial<WorkflowBody>>(answer))
  const names = new Set<unknown>(sent.flatMap((body) => (body.steps === undefined ? [] : (body.name ?? []))))
  const found = members.filter(({ value }) => names.has(value))
  // In a list, or behind any name that does not wrap the workflow, it may be a related workflow.
  const own = found.find(({ pointer }) => pointer.split('/').slice(1, -1).every(isWrapping))
  const other = own ?? found[0]
  if (!other) return undefined
  const rule = 'shows a name that only another workflow of this run has'
  return findingAt('workflow.name', 'details', other.pointer, other.value, rule, own ? 'proven' : 'likely')
}

/** The first word of each name is unique in the run. */
const firstWord = (name: string) => name.split(' ')[0]

/** Returns the finding of the workflow's identifier, with which its own details can be read. */
export function identifierFinding({ id }: Pick<MadeWorkflow, 'id'>): Finding {
  return findingAt('workflow_id', 'created', id.pointer, id.value, 'it reads back its own workflow')
}
