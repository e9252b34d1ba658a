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
import { type Facts, forms } from '../profile/template.ts'
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
export async function mirror(session: readonly Introduced[], options: MirrorOptions): Promise<LearnedPair[]> {
  const reference = new Mirror(session[0]?.exchange.at ?? Date.now(), options)
  const pairs: LearnedPair[] = []
  for (const introduced of session) pairs.push(await reference.answer(introduced))
  return pairs
}

/** The approvers that a deployment chose, by step. */
type Chosen = ReadonlyMap<string, string>

/** What the mirror has of a call while it answers it. */
interface MirroredCall {
  readonly introduced: Introduced
  /** The definitions of the workflow's steps, for calls about executions. */
  readonly ownSteps: readonly Step[] | undefined
  readonly course: Course | undefined
  readonly chosen: Chosen | undefined
}

class Mirror {
  readonly #options: MirrorOptions
  readonly #mock: Mock
  readonly #decisions: Decisions
  readonly #uploads = new Map<string, MirroredUpload>()
  /** The definitions of the steps, by workflow. */
  readonly #steps = new Map<string, readonly Step[]>()
  /** The approvers that the deployment chose, by execution; and those of the execution that starts. */
  readonly #chosen = new Map<string, Chosen>()
  #starting: Chosen | undefined
  /** The identifiers of the deployment that the next answer shows. */
  #next: { -readonly [Name in keyof Introduced['roles']]?: string } = {}
  #now: number

  constructor(startTime: number, options: MirrorOptions) {
    const { refuses = [], accepts = [], executionPaths = [] } = options
    this.#options = options
    this.#now = startTime
    const settings: MockOptions = {
      approvers: 'manual',
      clockSpeed: 0,
      startTime,
      identifiers: this.#identifiers(),
      ...(refuses.includes(unknownKey) && { keys: [key] }),
      ...(refuses.length + accepts.length + executionPaths.length > 0 && {
        like: { version: 1, refuses, accepts, executionPaths },
      }),
    }
    const router: Router = (question) => {
      const email = (this.#starting ?? this.#chosen.get(question.executionId))?.get(question.step.step_id)
      const assignee = question.step.approvers.find((one) => one.email === email)
      return { ...route(question), ...(assignee && { assignee }) }
    }
    this.#mock = buildMock(settings, (own) => new Tenants({ ...own, router }))
    this.#decisions = new Decisions(this.#mock, key)
  }

  /** Makes the identifiers of the deployment where its answers show them. */
  #identifiers(): Identifiers {
    const own = ownIdentifiers
    const take = (role: keyof Introduced['roles'], otherwise: () => string) => {
      const value = this.#next[role]
      delete this.#next[role]
      return value ?? otherwise()
    }
    return {
      workflow: (world) => take('workflow', () => own.workflow(world)),
      execution: (world) => take('execution', () => own.execution(world)),
      session: (world) => take('session', () => own.session(world)).toLowerCase(),
      key: (world, parts) =>
        take('key', () => own.key(world, parts)).replace(/^tenants\/[^/]*\//, `tenants/${world.tenantId}/`),
      document: (world, upload) => take('document', () => own.document(world, upload)),
    }
  }

  #advanceTo(at: number): void {
    if (at > this.#now) this.#mock.advance(at - this.#now, key)
    this.#now = Math.max(at, this.#now)
  }

  /** Answers a call as the reference does, at the time and with the identifiers of the deployment. */
  async answer(introduced: Introduced): Promise<LearnedPair> {
    const { exchange, call, roles, isSuccess } = introduced
    this.#decisions.takeUntil(exchange.at, (at) => this.#advanceTo(at))
    this.#advanceTo(exchange.at)
    if (call === 'listWorkflows' && isSuccess)
      return listPair(introduced, { mock: this.#mock, known: [...this.#steps.keys()], now: this.#now })
    const mirrored = this.#begin(introduced)
    const request = requestFor(introduced, this.#uploads, this.#options.apiKey)
    Object.assign(this.#next, isSuccess ? roles : {})
    this.#starting = mirrored.chosen
    const response = request && (await this.#mock.fetch(request))
    this.#starting = undefined
    this.#next = {}
    if (!response) return { introduced, isAccepted: false }
    const upload = this.#uploads.get((roles.session ?? String(sessionIn(exchange) ?? '')).toLowerCase())
    if (upload && call === 'putObject' && isSuccess && exchange.sentBytes) upload.object = exchange.sentBytes
    const text = await response.text()
    const json: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
    const body = (response.ok ? await this.#keep(mirrored, json) : json) ?? (text === '' ? undefined : text)
    const theirKey = upload?.theirs.key ?? roles.key
    const facts = this.#factsOf(mirrored, response.status, withTheirs(body, roles, theirKey, upload?.object))
    const object = upload?.object
    return { introduced, facts: { ...facts, ...(object && { object }) }, isAccepted: response.ok }
  }

  #begin(introduced: Introduced): MirroredCall {
    const { exchange, call, workflowId } = introduced
    const isStart = call === 'executeWorkflow'
    const ownSteps = isStart || call === 'getExecution' ? this.#steps.get(workflowId ?? '') : undefined
    const course = isStart ? this.#options.courses?.find((one) => one.exchange === exchange) : undefined
    if (!isStart || !ownSteps) return { introduced, ownSteps, course, chosen: undefined }
    const chosen = new Map([
      ...approversNamed(exchange, ownSteps),
      ...(course?.approvers ?? []),
      ...approversShown(exchange.json, ownSteps),
    ])
    return { introduced, ownSteps, course, chosen }
  }

  /** Keeps what later calls need of an accepted call. Returns its answer, which shows what approvers decide at once. */
  async #keep({ introduced, course, chosen }: MirroredCall, json: unknown): Promise<unknown> {
    const { call, roles, workflowId = '' } = introduced
    if (call === 'requestUpload') {
      const answer = json as Schemas['Upload']
      this.#uploads.set(answer.session_id, { theirs: roles, url: answer.upload_url, ownKey: answer.key })
    }
    if (call === 'createWorkflow') {
      const created = json as Schemas['Workflow']
      this.#steps.set(created.workflow_id, created.steps)
    }
    if (call !== 'executeWorkflow') return json
    const { execution_id } = json as Execution
    if (chosen) this.#chosen.set(execution_id, chosen)
    if (this.#options.approvers === 'auto') this.#decisions.plan(course, execution_id)
    if (this.#options.approvers !== 'instant') return json
    this.#decisions.takeAll(course, execution_id)
    return shownIn(this.#mock, workflowId, execution_id)
  }

  #factsOf({ introduced, ownSteps }: MirroredCall, status: number, body: unknown): Facts {
    const { exchange, call, workflowId, executionId } = introduced
    const { url, method } = exchange.request
    const asked = new URL(url).pathname
    return factsOfCall({
      call,
      status,
      body,
      request: sentJson(exchange),
      path: {
        ...(workflowId !== undefined && { workflow_id: workflowId }),
        ...(executionId !== undefined && { execution_id: executionId }),
        ...(call === 'putObject' && { upload: asked }),
      },
      steps: ownSteps,
      base: baseUrlOf(url),
      asked,
      method,
      now: this.#now,
    })
  }
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
