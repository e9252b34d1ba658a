/** The workflows of a run: what was sent, what creating answered, and what reading shows. */
import type { Body } from '../../src/contract/operations.ts'
import { echoOf, fieldOf } from '../reading/echo.ts'
import { at, type Located, membersOf } from '../reading/locate.ts'
import { type Exchange, label, refusalLabel, succeeded } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Evidence, sentBody } from './evidence.ts'
import { Broken, Refused } from './failures.ts'
import { namedWorkflows, workflowCandidates, workflowInPath } from './identifiers.ts'
import { locatedBy } from './locators.ts'

export type SentWorkflow = Body<'createWorkflow'>

/** A workflow's identifier, verified by reading its details with it. */
export interface ReadWorkflow {
  readonly id: Located
  readonly details: Recorded
}

/** A workflow that the run has made, as it can be read. */
export interface MadeWorkflow extends ReadWorkflow {
  readonly sent: SentWorkflow
  readonly created: Recorded
}

/** How many values of the answer to creating are tried as the identifier. */
export const mostTried = 8

/** Returns the values that may identify the workflow that an answer has created, the likeliest first. */
export function identifiersOf(evidence: Evidence, created: Exchange): Located[] {
  const locator = evidence.settings.profile.locators?.workflow_id
  if (locator === undefined) return workflowCandidates(created, sentBody(created))
  return [locatedBy('workflow_id', locator, created.json, 'get-workflow.method-and-path')]
}

/**
 * Throws if the deployment cannot be talked to at all. Creating and asking for an upload need nothing from each other, so if
 * both are refused alike, the address or the key is to blame and not the calls.
 */
export function reach(evidence: Evidence): void {
  const both = [evidence.last('create workflow 1'), evidence.last('request upload 1')] as const
  if (both.some(succeeded)) return
  const said = both.map(label).join(' and ')
  if (both.every(isUnauthorized)) throw new Refused('diagnose reach', both[0])
  if (both.every((answer) => leadsElsewhere(answer, evidence.settings.url))) {
    throw new Broken('api.paths-relative-to-base', 'fail', `${said}, and lead to another host`)
  }
  if (both.every(isNowhere)) {
    throw new Broken('api.under-api-v1', 'fail', `${said}, so no service call is found below /api/v1`)
  }
}

/** Whether a refusal gives the key, or its absence, as the reason. */
export function isUnauthorized({ status }: Exchange): boolean {
  return status === 401 || status === 403
}

function leadsElsewhere({ status, headers, request }: Exchange, base: string): boolean {
  const location = headers.get('Location')
  if (status < 300 || status > 399 || !location || !URL.canParse(location, request.url)) return false
  return new URL(location, request.url).origin !== new URL(base).origin
}

function isNowhere({ status }: Exchange): boolean {
  return [404, 405, 501].includes(status) || (status >= 300 && status < 400)
}

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

/** Returns a workflow beside the flow. Throws `Broken` if its details are those of another. */
export function sideWorkflow(evidence: Evidence, create: StepName, read: StepName): MadeWorkflow {
  const made = madeWorkflow(evidence, create, read)
  mustShow(evidence, made.sent.name, made.details, workflow(evidence, 1))
  return made
}

/** Returns a workflow that two steps have created and read. */
export function madeWorkflow(evidence: Evidence, create: StepName, read: StepName): MadeWorkflow {
  const created = evidence.accepted(create)
  return { sent: sentBody<SentWorkflow>(created), created, ...readWorkflow(evidence, created, read) }
}

/**
 * Returns the identifier of a created workflow, and the details that are read with it. Throws `Broken` if no value of the
 * answer to creating reads anything.
 */
function readWorkflow(evidence: Evidence, created: Recorded, step: StepName): ReadWorkflow {
  const candidates = identifiersOf(evidence, created)
  const [first] = candidates
  if (!first && !evidence.has(step)) {
    const message = 'The answer to creating shows no identifier; set locators.workflow_id in a profile'
    throw new Broken('get-workflow.method-and-path', 'inconclusive', message)
  }
  const answers = evidence.all(step)
  const details = answers.filter((answer) => isDetails(answer) && succeeded(answer)).at(-1)
  if (details) {
    const value = workflowInPath(details.request.url)
    const { about = '' } = details.label ?? {}
    const same = candidates.filter((one) => String(one.value) === value)
    const id = same.find(({ pointer }) => pointer === about) ?? same[0] ?? { pointer: about, name: '', value }
    return { id, details }
  }
  throw unreadable(evidence, created, candidates, evidence.last(step), answers)
}

/** What a GET says that it is about, if it asks a long-running operation or declares a body that it does not have. */
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
    const message = `${label(tried)}, although another call takes the key as it is`
    return new Broken('auth.every-service-call', 'fail', message)
  }
  if (answers.some((answer) => answer.label?.about === withContentType && succeeded(answer))) {
    const message = `${label(tried)}; with the Content-Type of a body, the call is accepted`
    return new Broken('get-workflow.no-request-body', 'fail', message)
  }
  const answered = refusalLabel(tried)
  // If nothing is called the workflow's identifier, it may be a value that was not tried.
  const isNamed =
    settings.profile.locators?.workflow_id !== undefined ||
    namedWorkflows(created).some(({ value }) => value === candidates[0]?.value)
  const which = candidates.length > mostTried ? `the ${mostTried} likeliest identifiers` : 'every identifier'
  const message = isNamed
    ? `${answered} to ${which} that creating answered`
    : `${answered}; perhaps no value that was tried is the workflow's identifier; set locators.workflow_id in a profile`
  return new Broken('get-workflow.method-and-path', isNamed ? 'fail' : 'inconclusive', message)
}

function mustBeAnother(evidence: Evidence, { sent, id, details }: MadeWorkflow, first: MadeWorkflow): void {
  if (String(id.value) === String(first.id.value)) {
    throw new Broken('workflow.ids-differ', 'fail', `Two workflows are identified by ${JSON.stringify(id.value)}`)
  }
  mustShow(evidence, sent.name, details, first)
}

/** Throws `Broken` if details show the name of another workflow, in the place where the first shows its own. */
export function mustShow(evidence: Evidence, name: string, details: Exchange, first: MadeWorkflow): void {
  const message = mixUp(evidence, name, details, first)
  if (message) throw new Broken('get-workflow.method-and-path', 'fail', message)
}

/** Says which other workflow's name details show, or undefined if they show none. */
export function mixUp(
  { settings: { runId } }: Evidence,
  name: string,
  details: Exchange,
  { sent, details: first }: MadeWorkflow,
): string | undefined {
  const place = membersOf(first.json).find(({ value }) => value === sent.name)
  const shown = place ? at(details.json, place.pointer) : fieldOf(echoOf(details.json), 'name')?.value
  // Only a name of the run is that of another workflow; anything else may be a title, or a name that was not kept.
  const isOurs = typeof shown === 'string' && shown.startsWith(`conformance-${runId}-`)
  if (!isOurs || firstWord(shown) === firstWord(name)) return undefined
  return `${label(details)} with the details of ${JSON.stringify(shown)}, not of ${JSON.stringify(name)}`
}

/** Returns the name of another workflow of the run, if an answer shows that and not the name that was sent. */
export function nameOfAnother(evidence: Evidence, name: string, { json }: Exchange): string | undefined {
  const texts = new Set(membersOf(json).map(({ value }) => value))
  const sent = evidence.answers.map((answer) => sentBody<Partial<SentWorkflow>>(answer))
  const other = sent.find((body) => body.steps !== undefined && body.name !== name && texts.has(body.name))
  return texts.has(name) ? undefined : other?.name
}

/** Each name of the run begins with a number of its own. */
const firstWord = (name: string) => name.split(' ')[0]

/** Returns the name that details show, in the place where the first workflow's details show its name. */
export function shownName(evidence: Evidence, { json }: Exchange): string | undefined {
  const { sent, details } = workflow(evidence, 1)
  // If workflows cannot be told apart, their names cannot be compared.
  workflow(evidence, 2)
  const place = membersOf(details.json).find(({ value }) => value === sent.name)
  const name = place && at(json, place.pointer)
  return typeof name === 'string' ? name : undefined
}
