import {
  type Answer,
  type Body,
  type OperationId,
  operations,
  type ServiceOperationId,
} from '../../src/contract/operations.ts'
import { passedOn, requestLike, responseLike } from './whole.ts'

/** A server as a function. */
export type ServerFunction = (request: Request) => Promise<Response>

/** Changes a server's behaviour. What it remembers, it remembers of that server alone. */
export type Wrapper = (inner: ServerFunction) => ServerFunction

export type Members = Record<string, unknown>
type AnswerBody<Id extends OperationId> = Extract<Answer<Id>['body'], object>
export type BodyCall = 'createWorkflow' | 'executeWorkflow' | 'requestUpload' | 'confirmUpload'

const callIds = Object.keys(operations) as OperationId[]

/** The calls that need the key. */
export const serviceCalls = callIds.filter((id): id is ServiceOperationId => operations[id].needsKey)

/** The service calls with a JSON body. */
export const bodyCalls: readonly BodyCall[] = ['createWorkflow', 'executeWorkflow', 'requestUpload', 'confirmUpload']

const patterns = Object.fromEntries(callIds.map((id) => [id, new RegExp(`^${patternOf(id)}$`)]))

/** A storage key may have any number of segments. */
function patternOf(id: OperationId): string {
  const { path, needsKey } = operations[id]
  return needsKey ? path.replaceAll(/\{\w+\}/g, '[^/]+') : `${path.slice(0, path.indexOf('{'))}.+`
}

/** Returns the documented call that a request makes, if any. */
export function callOf(request: Request): OperationId | undefined {
  const known = calls.get(request)
  if (known) return known.id
  const { pathname } = new URL(request.url)
  const id = callIds.find((one) => operations[one].method === request.method && patterns[one]?.test(pathname))
  calls.set(request, { id })
  return id
}

/** The calls of requests. Many wrappers ask for that of the same request. */
const calls = new WeakMap<Request, { readonly id: OperationId | undefined }>()

/** Returns true if a request is one of these calls. */
export function isCall(request: Request, ...ids: readonly OperationId[]): boolean {
  const id = callOf(request)
  return id !== undefined && ids.includes(id)
}

/** Returns true if a request goes to the service, at any path. */
export function isServicePath(request: Request): boolean {
  return new URL(request.url).pathname.startsWith('/api/')
}

/** Returns the identifier of the workflow in a request's path, or an empty text. */
export function workflowIn({ url }: Request): string {
  return /\/workflows\/([^/]+)/.exec(new URL(url).pathname)?.[1] ?? ''
}

/** Composes wrappers; the first is the innermost. */
export function compose(...wrappers: readonly Wrapper[]): Wrapper {
  return (inner) => wrappers.reduce((fetch, wrapper) => wrapper(fetch), inner)
}

/** Creates a wrapper anew for each server, so that each has its own state. */
export function withState(create: () => Wrapper): Wrapper {
  return (inner) => create()(inner)
}

/** A request that a server got. */
export interface PastCall {
  readonly call: OperationId | undefined
  readonly request: Request
  readonly sent: Members
  /** Absent if the request was refused. */
  readonly answer: Members | undefined
}

/** Handles each request by those that the server got before. */
export function remembering(
  handle: (request: Request, inner: ServerFunction, past: readonly PastCall[]) => Promise<Response>,
): Wrapper {
  return (fetch) => {
    const past: PastCall[] = []
    const inner: ServerFunction = async (request) => {
      const sent = isCall(request, ...bodyCalls) ? await bodyOf(request) : undefined
      const response = await fetch(request)
      const answer = response.ok ? ((await jsonOf(response)) ?? {}) : undefined
      past.push({ call: callOf(request), request, sent: sent ?? {}, answer })
      return response
    }
    return (request) => handle(request, inner, past)
  }
}

/** Returns the successful answers to a call. */
export function answersTo(call: OperationId, past: readonly PastCall[]): Members[] {
  return past.flatMap((one) => (one.call === call && one.answer ? [one.answer] : []))
}

/** Returns what was sent to create the workflow that an answer is about. */
export function createdAs({ workflow_id }: Members, past: readonly PastCall[]): Members | undefined {
  return past.find(({ call, answer }) => call === 'createWorkflow' && answer?.workflow_id === workflow_id)?.sent
}

/** Changes the JSON of some calls' successful answers by all calls up to this one. */
export function changeByPast(
  ids: readonly OperationId[],
  change: (body: Members, past: readonly PastCall[]) => unknown,
): Wrapper {
  return remembering(async (request, inner, past) => {
    const response = await inner(request)
    // Another request may have been answered in the meantime.
    const upTo = past.slice(0, 1 + past.findLastIndex((one) => one.request === request))
    const { answer } = upTo.at(-1) ?? {}
    return answer && isCall(request, ...ids) ? changeResponse(response, change(answer, upTo)) : response
  })
}

/** Creates a wrapper from a function that handles each request. */
export function wrap(handle: (request: Request, inner: ServerFunction) => Promise<Response>): Wrapper {
  return (inner) => (request) => handle(request, inner)
}

/** Handles some calls, and passes all others on. */
export function onCalls(
  ids: readonly OperationId[],
  handle: (request: Request, inner: ServerFunction) => Promise<Response>,
): Wrapper {
  return wrap((request, inner) => (isCall(request, ...ids) ? handle(request, inner) : inner(request)))
}

/** Reads a request's body. The request can still be passed on. */
export async function bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await request.clone().arrayBuffer())
}

/** Parses a request's body. Returns undefined if it is not a JSON object. The request can still be passed on. */
export async function bodyOf(request: Request): Promise<Members | undefined> {
  return parseObject(await textOf(request))
}

/** Parses an answer's body. Returns undefined if it is not a JSON object. The answer can still be passed on. */
export async function jsonOf(response: Response): Promise<Members | undefined> {
  const isJson = /json/.test(response.headers.get('Content-Type') ?? '')
  return isJson ? parseObject(await textOf(response)) : undefined
}

/** Cached bodies. Many wrappers read the same body, and cloning a stream costs more than everything else here. */
const texts = new WeakMap<Request | Response, string>()

async function textOf(message: Request | Response): Promise<string> {
  const text = texts.get(message) ?? (await message.clone().text())
  texts.set(message, text)
  return text
}

function parseObject(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? (value as Members) : undefined
  } catch {
    return undefined
  }
}

/** Returns a copy of a request with changes. */
export async function changeRequest(
  request: Request,
  change: { url?: string; method?: string; headers?: Readonly<Record<string, string | null>>; json?: unknown },
): Promise<Request> {
  const { url = request.url, method = request.method, json } = change
  const headers = new Headers(request.headers)
  if (json !== undefined) headers.delete('Content-Length')
  for (const [name, value] of Object.entries(change.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  const { redirect, signal } = request
  const init = { method, headers, redirect, signal }
  if (method === 'GET' || method === 'HEAD') return requestLike(request, url, init)
  if (json === undefined) return requestLike(request, url, { ...init, body: await bytesOf(request) })
  const body = JSON.stringify(json)
  const other = requestLike(request, url, { ...init, body })
  texts.set(other, body)
  return other
}

/** Returns an answer with another body, status or headers. A body of `undefined` is empty. */
export function changeResponse(
  response: Response,
  json: unknown,
  { status = response.status, headers: more = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const headers = new Headers(response.headers)
  headers.delete('Content-Length')
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  if (json === undefined) headers.delete('Content-Type')
  const text = json === undefined ? '' : JSON.stringify(json)
  const answer = responseLike(response, text || null, { status, headers })
  texts.set(answer, text)
  return answer
}

/** Returns an answer with other headers. */
export function changeHeaders(response: Response, change: (headers: Headers) => void): Response {
  const headers = new Headers(response.headers)
  change(headers)
  return new Response(response.body, { status: response.status, headers })
}

/** Returns an answer that comes in chunks and without a length. Chunks without bytes never end. */
export async function inChunks(response: Response, size: number): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (size > 0 && at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
  return changeHeaders(new Response(body, response), (headers) => headers.delete('Content-Length'))
}

/** Changes the JSON of a call's requests. */
export function changeBody<Id extends BodyCall>(id: Id, change: (body: Body<Id>) => object): Wrapper {
  return onCalls([id], async (request, inner) => {
    const body = await bodyOf(request)
    return inner(body ? await changeRequest(request, { json: change(body as unknown as Body<Id>) }) : request)
  })
}

/** Changes the JSON of a call's successful answers. */
export function changeAnswer<Id extends ServiceOperationId>(
  id: Id,
  change: (body: AnswerBody<Id>, request: Request) => unknown,
): Wrapper {
  return changeAnswers([id], (body, request) => change(body as AnswerBody<Id>, request))
}

/** Changes the JSON of several calls' successful answers. */
export function changeAnswers(
  ids: readonly OperationId[],
  change: (body: Members, request: Request) => unknown,
): Wrapper {
  return onCalls(ids, async (request, inner) => {
    const response = await inner(request)
    const body = response.ok ? await jsonOf(response) : undefined
    return body ? changeResponse(response, change(body, request)) : response
  })
}

/** Changes the JSON of the answers that show a workflow. */
export const changeWorkflows = (change: (body: Members) => unknown): Wrapper =>
  changeAnswers(['createWorkflow', 'getWorkflow'], change)

/** Changes the JSON of the answers that show executions. */
export const changeExecutions = (change: (body: Members) => unknown): Wrapper =>
  changeAnswers(['executeWorkflow', 'getWorkflow'], change)

/** Changes the details of workflows. */
export const changeDetails = (change: (details: AnswerBody<'getWorkflow'>) => unknown): Wrapper =>
  changeAnswer('getWorkflow', change)

/** Changes the status of some calls' successful answers. */
export function changeStatus(ids: readonly OperationId[], status: number): Wrapper {
  return onCalls(ids, async (request, inner) => {
    const response = await inner(request)
    if (!response.ok) return response
    const body = [204, 205].includes(status) ? null : passedOn(response)
    return responseLike(response, body, { status, headers: response.headers })
  })
}

/** Refuses the requests of some calls that meet a condition. */
export function refuseWhen(
  ids: readonly OperationId[],
  condition: (request: Request, body: Members) => boolean,
  status = 400,
): Wrapper {
  return onCalls(ids, async (request, inner) => {
    const refused = condition(request, (await bodyOf(request)) ?? {})
    return refused ? problem(status) : inner(request)
  })
}

/** Answers a call that has something in common with an earlier one of the same key, by the answer to that. @default refuses it */
export function onRepeats(
  call: OperationId,
  what: (request: Request, sent: Members) => unknown,
  answer: (earlier: Members) => Response = () => problem(409),
): Wrapper {
  const nameOf = (request: Request, sent: Members) => `${request.headers.get('Authorization')} ${what(request, sent)}`
  return remembering(async (request, inner, past) => {
    const name = isCall(request, call) ? nameOf(request, (await bodyOf(request)) ?? {}) : undefined
    const earlier = past.find((one) => one.call === call && one.answer && nameOf(one.request, one.sent) === name)
    return earlier?.answer ? answer(earlier.answer) : inner(request)
  })
}

/** Creates a refusal in the reference's format. */
export function problem(status: number, headers: Record<string, string> = {}): Response {
  const code = status === 401 ? 'missing-key' : 'invalid-request'
  const body = { type: `urn:countersign:problem:${code}`, title: 'Refused', status, code, detail: 'Failed: refused.' }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  })
}
