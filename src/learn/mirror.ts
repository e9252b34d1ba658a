/**
 * Replays a session on the reference, with the identifiers of the deployment, so that every answer of the deployment has
 * beside it what the contract answers.
 */

import { approversShown, type Course } from '../../conformance/learning/courses.ts'
import type { LearnedPair } from '../../conformance/learning/learn.ts'
import type { Introduced } from '../../conformance/learning/roles.ts'
import { onlyKnown } from '../../conformance/learning/workflow-list.ts'
import { baseUrlOf } from '../../conformance/session/calls.ts'
import { sentJson } from '../../conformance/wire/exchange.ts'
import type { Schemas } from '../contract/operations.ts'
import { type Router, route } from '../domain/routing/routing.ts'
import type { Identifiers } from '../http/service/identifiers.ts'
import { ownIdentifiers } from '../http/service/identifiers.ts'
import { buildMock, type Mock, type MockOptions } from '../mock.ts'
import { factsOfCall } from '../profile/facts.ts'
import { unknownKey } from '../profile/strictness.ts'
import { forms } from '../profile/template.ts'
import type { SentBytes } from '../session/digests.ts'
import { redacted } from '../session/redact.ts'
import { Tenants } from '../world/tenants.ts'
import { Decisions } from './decisions.ts'

const base = 'http://mirror.invalid'
const key = 'test_mirror'

interface MirrorOptions {
  readonly approvers?: MockOptions['approvers']
  /** The key of the session. */
  readonly apiKey: string
  /** How executions went on, if approvers take their time. */
  readonly courses?: readonly Course[]
  /** The requests that the deployment refuses although the contract accepts them. */
  readonly refuses?: readonly string[]
  /** The requests that the deployment accepts although the contract refuses them. */
  readonly accepts?: readonly string[]
  /** The paths at which the deployment shows single executions. */
  readonly executionPaths?: readonly string[]
}

/** Replays a session. `approvers` says how executions go on. */
export async function mirror(
  session: readonly Introduced[],
  { approvers = 'manual', apiKey, courses = [], refuses = [], accepts = [], executionPaths = [] }: MirrorOptions,
): Promise<LearnedPair[]> {
  const next: { -readonly [Name in keyof Introduced['roles']]?: string } = {}
  const own = ownIdentifiers
  const take = (role: keyof Introduced['roles'], otherwise: () => string) => {
    const value = next[role]
    delete next[role]
    return value ?? otherwise()
  }
  const identifiers: Identifiers = {
    workflow: (world) => take('workflow', () => own.workflow(world)),
    execution: (world) => take('execution', () => own.execution(world)),
    session: (world) => take('session', () => own.session(world)).toLowerCase(),
    key: (world, parts) =>
      take('key', () => own.key(world, parts)).replace(/^tenants\/[^/]*\//, `tenants/${world.tenantId}/`),
    document: (world, upload) => take('document', () => own.document(world, upload)),
  }
  const startTime = session[0]?.exchange.at ?? Date.now()
  /** The approvers that the deployment chose, by execution, then by step; and those of the execution that starts. */
  const chosen = new Map<string, ReadonlyMap<string, string>>()
  let starting: ReadonlyMap<string, string> | undefined
  const router: Router = (question) => {
    const email = (starting ?? chosen.get(question.executionId))?.get(question.step.step_id)
    const assignee = question.step.approvers.find((one) => one.email === email)
    return { ...route(question), ...(assignee && { assignee }) }
  }
  const options: MockOptions = {
    approvers: 'manual',
    clockSpeed: 0,
    startTime,
    identifiers,
    ...(refuses.includes(unknownKey) && { keys: [key] }),
    ...(refuses.length + accepts.length + executionPaths.length > 0 && {
      like: { version: 1, refuses, accepts, executionPaths },
    }),
  }
  const mock = buildMock(options, (settings) => new Tenants({ ...settings, router }))
  const decisions = new Decisions(mock, key)
  const uploads = new Map<string, MirroredUpload>()
  /** The definitions of the steps, by workflow. */
  const steps = new Map<string, readonly Step[]>()
  let now = startTime
  const pairs: LearnedPair[] = []
  for (const introduced of session) {
    const { exchange, call, roles, workflowId, executionId } = introduced
    const advanceTo = (at: number) => {
      if (at > now) mock.advance(at - now, key)
      now = Math.max(at, now)
    }
    decisions.takeUntil(exchange.at, advanceTo)
    advanceTo(exchange.at)
    if (call === 'listWorkflows' && introduced.isSuccess) {
      pairs.push(await listPair(introduced, { mock, known: [...steps.keys()], now }))
      continue
    }
    Object.assign(next, introduced.isSuccess ? roles : {})
    const request = requestFor(introduced, uploads, apiKey)
    const course = call === 'executeWorkflow' ? courses.find((one) => one.exchange === exchange) : undefined
    const isStart = call === 'executeWorkflow'
    const ownSteps = isStart || call === 'getExecution' ? steps.get(workflowId ?? '') : undefined
    starting =
      isStart && ownSteps
        ? new Map([
            ...approversNamed(exchange, ownSteps),
            ...(course?.approvers ?? []),
            ...approversShown(exchange.json, ownSteps),
          ])
        : undefined
    const response = request && (await mock.fetch(request))
    const choices = starting
    starting = undefined
    for (const role of Object.keys(next) as (keyof typeof next)[]) delete next[role]
    if (!response) {
      pairs.push({ introduced, isAccepted: false })
      continue
    }
    const upload = uploads.get((roles.session ?? String(sessionIn(exchange) ?? '')).toLowerCase())
    if (upload && call === 'putObject' && introduced.isSuccess && exchange.sentBytes) upload.object = exchange.sentBytes
    const theirKey = upload?.theirs.key ?? roles.key
    const text = await response.text()
    let json: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
    if (call === 'requestUpload' && response.ok) {
      const answer = json as { upload_url: string; session_id: string; key: string }
      uploads.set(answer.session_id, { theirs: roles, url: answer.upload_url, ownKey: answer.key })
    }
    if (call === 'executeWorkflow' && response.ok) {
      const { execution_id } = json as Execution
      if (choices) chosen.set(execution_id, choices)
      if (approvers === 'auto') decisions.plan(course, execution_id)
      if (approvers === 'instant') {
        decisions.takeAll(course, execution_id)
        json = await shownIn(mock, workflowId ?? '', execution_id)
      }
    }
    if (call === 'createWorkflow' && response.ok) {
      const created = json as Schemas['Workflow']
      steps.set(created.workflow_id, created.steps)
    }
    const facts = factsOfCall({
      call,
      status: response.status,
      body: withTheirs(json ?? (text === '' ? undefined : text), roles, theirKey, upload?.object),
      request: sentJson(exchange),
      path: {
        ...(workflowId !== undefined && { workflow_id: workflowId }),
        ...(executionId !== undefined && { execution_id: executionId }),
        ...(call === 'putObject' && { upload: new URL(exchange.request.url).pathname }),
      },
      steps: ownSteps,
      base: baseUrlOf(exchange.request.url),
      asked: new URL(exchange.request.url).pathname,
      method: exchange.request.method,
      now,
    })
    pairs.push({
      introduced,
      facts: { ...facts, ...(upload?.object && { object: upload.object }) },
      isAccepted: response.ok,
    })
  }
  return pairs
}

interface ListContext {
  readonly mock: Mock
  /** The identifiers of the workflows, the oldest first. */
  readonly known: readonly string[]
  readonly now: number
}

/** Returns a list of workflows with the reference's details of each. */
async function listPair(introduced: Introduced, { mock, known, now }: ListContext): Promise<LearnedPair> {
  const { exchange, call } = introduced
  const list = onlyKnown(exchange, new Set(known))
  if (!list) return { introduced, isAccepted: true }
  const listed = new Set(list.listed)
  const workflows: Schemas['WorkflowDetails'][] = []
  for (const id of known) if (listed.has(id)) workflows.push(await detailsIn(mock, id))
  const { url, method } = exchange.request
  const asked = new URL(url).pathname
  const facts = factsOfCall({ call, status: 200, body: { workflows }, base: baseUrlOf(url), asked, method, now })
  return {
    introduced: { ...introduced, exchange: list.exchange },
    facts,
    isAccepted: true,
    ...(list.hasOthers && { isOdd: true }),
  }
}

/** Returns an execution as the details of its workflow show it. */
async function shownIn(mock: Mock, workflowId: string, executionId: string): Promise<Execution | undefined> {
  const { recent_executions } = await detailsIn(mock, workflowId)
  return recent_executions.find(({ execution_id }) => execution_id === executionId)
}

async function detailsIn(mock: Mock, workflowId: string): Promise<Schemas['WorkflowDetails']> {
  const url = `${base}/api/v1/workflows/${encodeURIComponent(workflowId)}`
  const details = await mock.fetch(new Request(url, { headers: { Authorization: key } }))
  return (await details.json()) as Schemas['WorkflowDetails']
}

/** An upload on both sides. */
interface MirroredUpload {
  readonly theirs: Introduced['roles']
  readonly url: string
  readonly ownKey: string
  object?: SentBytes
}

function sessionIn(exchange: Introduced['exchange']): unknown {
  const sent = sentJson(exchange)
  return sent !== null && typeof sent === 'object' ? (sent as { session_id?: unknown }).session_id : undefined
}

/** Returns the approver that an answer names for each step, at any place; none for steps of which it names several. */
function approversNamed(exchange: Introduced['exchange'], steps: readonly Step[]): [string, string][] {
  const shown = new TextDecoder().decode(exchange.bytes)
  return steps.flatMap(({ step_id, approvers }) => {
    const [email, ...others] = approvers.flatMap((one) => (shown.includes(JSON.stringify(one.email)) ? one.email : []))
    return email !== undefined && others.length === 0 ? [[step_id, email]] : []
  })
}

type Execution = Schemas['Execution']
type Step = Schemas['Step']

/** Puts the deployment's upload URL and storage key in the place of the reference's, and adds an early document. */
function withTheirs(
  body: unknown,
  roles: Introduced['roles'],
  theirKey: string | undefined,
  object: SentBytes | undefined,
): unknown {
  if (body === null || typeof body !== 'object') return body
  return {
    ...body,
    ...('upload_url' in body && roles.uploadUrl !== undefined && { upload_url: roles.uploadUrl }),
    ...('upload_url' in body && roles.document !== undefined && { document_id: roles.document }),
    ...('key' in body && theirKey !== undefined && { key: theirKey }),
    ...('crc32' in body &&
      object && { ...(object.crc32 !== undefined && { crc32: object.crc32 }), sha256: object.sha256 }),
  }
}

function requestFor(
  { exchange, call, workflowId, roles }: Introduced,
  uploads: ReadonlyMap<string, MirroredUpload>,
  apiKey: string,
): Request | undefined {
  const { request, sent, sentBytes } = exchange
  if (call === 'putObject') {
    const upload = uploads.get((roles.session ?? '').toLowerCase())
    const headers = storageHeaders(exchange)
    // An address that no upload has is refused, whatever is sent to it.
    if (!upload) return new Request(`${base}/storage/unknown`, { method: 'PUT', headers, body: '' })
    const query = exchange.request.url.split('?')[1]
    // Reports show no query; the address of an upload was most likely used as it is.
    const isSame = query === redacted.part || query === upload.theirs.uploadUrl?.split('?')[1]
    const body = new Uint8Array(sentBytes?.size ?? new TextEncoder().encode(sent).byteLength)
    return new Request(isSame ? upload.url : `${upload.url}0`, { method: 'PUT', headers, body })
  }
  const path = new URL(request.url).pathname
  // The reference has no list. It refuses a missing key in the same way for one workflow.
  const isList = call === 'listWorkflows'
  if (isList && request.headers.has('authorization')) return undefined
  const own = path.slice(path.indexOf('/api/v1/')) + (isList ? '/none' : '')
  const url =
    base +
    (workflowId === undefined ? own : own.replace(/workflows\/[^/]+/, `workflows/${encodeURIComponent(workflowId)}`))
  const headers = new Headers()
  for (const name of ['content-type', 'authorization']) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, name === 'authorization' ? ownKey(value, apiKey) : value)
  }
  return new Request(url, {
    method: request.method,
    headers,
    ...(sent !== undefined && { body: withOwnKeys(sent, uploads) }),
  })
}

/** The headers of a PUT that storage looks at, but for checksums that are right: the replay has other bytes. */
function storageHeaders({ request, sentBytes }: Introduced['exchange']): Headers {
  const headers = new Headers({ 'Content-Type': request.headers.get('content-type') ?? '' })
  for (const name of ['authorization', 'content-encoding', 'if-none-match', 'if-match']) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const md5 = request.headers.get('content-md5')
  if (md5 !== null && sentBytes?.md5 !== undefined && md5 !== forms.base64(sentBytes.md5))
    headers.set('content-md5', md5)
  return headers
}

/** Puts the reference's storage keys in the place of the deployment's. */
function withOwnKeys(sent: string, uploads: ReadonlyMap<string, MirroredUpload>): string {
  let text = sent
  for (const { theirs, ownKey } of uploads.values()) {
    if (theirs.key !== undefined)
      text = text.replaceAll(`"key":${JSON.stringify(theirs.key)}`, `"key":${JSON.stringify(ownKey)}`)
  }
  return text
}

/** Returns a header with the reference's key in the place of the session's. */
function ownKey(value: string, apiKey: string): string {
  return value.replaceAll(apiKey, key)
}
