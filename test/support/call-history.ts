import { Random } from '../../src/world/random.ts'
import { approvalModel, byTag, type Input, type Output, type Shown, type Status } from './approval-model.ts'
import { findViolation, type Operation } from './linearizable.ts'
import { type Answer as CheckedAnswer, execution, workflow } from './service.ts'

/** Sends a request to one of the mocks. Rejects if the connection is lost. */
export type Send = (request: { method: string; path: string; body?: unknown; key: string }) => Promise<Response>

export interface HistoryOptions {
  readonly key: string
  readonly seed: string
  readonly mocks: readonly Send[]
  readonly clients: number
  /** The least number of calls of all clients together. */
  readonly calls: number
  /** Says whether to go on after that. @default never */
  readonly goesOn?: () => boolean
}

const lena = { email: 'lena@example.com', name: 'Lena' }
const oneStep = { ...workflow(), steps: [{ ...workflow().steps[0], approvers: [lena] }] }

/** The calls about one workflow. */
export type WorkflowHistory = Operation<Input, Output>[]

/** The executions after which the clients turn to another workflow. Its details show 20, and the model expects all of them. */
const mostStarted = 12

/** Has clients call the mocks at random, and returns what each of them has seen, by workflow. */
export async function recordHistory({
  key,
  seed,
  mocks,
  clients,
  calls,
  goesOn = () => false,
}: HistoryOptions): Promise<WorkflowHistory[]> {
  const luck = new Random(seed)
  const below = (most: number) => Math.floor(luck.draw() * most)
  const histories: WorkflowHistory[] = []
  let [now, left, tags] = [0, calls, 0]
  const send = (method: string, path: string, body?: unknown) =>
    (mocks[below(mocks.length)] as Send)({ method, path, key, ...(body !== undefined && { body }) })
  const documentId = await untilDone(() => uploadDocument(send))
  let current = await open()

  async function open() {
    const created = await untilDone(() => answered(send('POST', '/api/v1/workflows', oneStep)))
    const history: WorkflowHistory = []
    histories.push(history)
    return { id: created.workflow_id as string, history, known: [] as [tag: string, id: string][], started: 0 }
  }

  async function call() {
    const { id, history, known } = current
    const at = current
    const [input, request] = draw(id, known)
    if (input.type === 'start') at.started += 1
    now += 1
    const called = now
    const answer = await read(request()).catch(unknown)
    now += 1
    if (answer === 'unchanged') return
    const output = outputOf(input, answer, known)
    // A read without an answer says nothing.
    if (output === undefined && input.type === 'read') return
    history.push({ input, output, called, returned: output === undefined ? Number.POSITIVE_INFINITY : now })
  }

  function draw(id: string, known: [tag: string, id: string][]): [Input, () => Promise<Response>] {
    const kind = luck.draw()
    const [tag, executionId] = known[known.length - 1 - below(Math.min(known.length, 6))] ?? []
    if (kind < 0.3 || tag === undefined) {
      tags += 1
      const name = `t${tags}`
      const body = { ...execution(documentId), submitter_email: `${name}@example.com` }
      return [{ type: 'start', tag: name }, () => send('POST', `/api/v1/workflows/${id}/execute`, body)]
    }
    if (kind < 0.65) {
      const decision = luck.draw() < 0.5 ? 'approved' : 'rejected'
      const path = `/__admin/executions/${executionId}/decision`
      return [
        { type: 'decide', tag, decision },
        () => send('POST', path, { step_id: 'legal', decision, approver_email: lena.email }),
      ]
    }
    return [{ type: 'read' }, () => send('GET', `/api/v1/workflows/${id}`)]
  }

  let opening: Promise<void> | undefined
  const turnToAnother = async () => {
    current = await open()
    opening = undefined
  }
  const client = async () => {
    while (left > 0 || goesOn()) {
      if (current.started >= mostStarted) {
        // No client goes on with the last workflow while this takes long.
        opening ??= turnToAnother()
        await opening
      }
      left -= 1
      await call()
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return histories
}

/** Returns the first impossible answer in histories. */
export function violationIn(histories: readonly WorkflowHistory[]): Operation<Input, Output> | undefined {
  for (const history of histories) {
    const violation = findViolation(approvalModel, history)
    if (violation) return violation
  }
  return undefined
}

type Answer = Pick<CheckedAnswer, 'status' | 'json'>

/** Returns an answer; undefined if the mock says that the outcome is unknown, `unchanged` if it says that there was none. */
async function read(response: Promise<Response>): Promise<Answer | 'unchanged' | undefined> {
  const received = await response
  const [status, text] = [received.status, await received.text()]
  const json = text ? JSON.parse(text) : undefined
  if (status === 503) return json.code === 'outcome-unknown' ? undefined : 'unchanged'
  if (status >= 500) throw new ImpossibleAnswer(`${status} ${text}`)
  return { status, json }
}

/** An answer that is wrong in any history. */
class ImpossibleAnswer extends Error {}

/** A call could not be sent, so it had no effect. */
export class NotSent extends Error {}

/** A lost connection says nothing about the call. */
function unknown(error: unknown): 'unchanged' | undefined {
  if (error instanceof ImpossibleAnswer) throw error
  return error instanceof NotSent ? 'unchanged' : undefined
}

function outputOf(input: Input, answer: Answer | undefined, known: [tag: string, id: string][]): Output | undefined {
  if (!answer) return undefined
  const { status, json } = answer
  const expected = { start: [202], decide: [200, 409], read: [200] }[input.type]
  if (!expected.includes(status)) throw new ImpossibleAnswer(`${status} ${JSON.stringify(json)}`)
  if (input.type === 'read') return shownBy(json)
  if (input.type === 'decide') return status === 200 ? 'done' : 'refused'
  known.push([input.tag, json.execution_id])
  return 'done'
}

function shownBy({
  execution_metrics: { total, approved, rejected },
  recent_executions: latest,
}: Answer['json']): Shown {
  const entries: { submitter_email: string; status: Status }[] = latest
  return {
    ...{ total, approved, rejected },
    executions: byTag(
      entries.map(({ submitter_email, status }) => [submitter_email.replace('@example.com', ''), status]),
    ),
  }
}

async function answered(response: Promise<Response>): Promise<Answer['json'] | undefined> {
  const answer = await read(response).catch(unknown)
  return typeof answer === 'object' && answer.status < 300 ? (answer.json ?? {}) : undefined
}

/** Repeats a call until it is answered. */
async function untilDone<Result>(call: () => Promise<Result | undefined>): Promise<NonNullable<Result>> {
  for (;;) {
    const result = await call()
    if (result !== undefined && result !== null) return result
  }
}

async function uploadDocument(send: (method: string, path: string, body?: unknown) => Promise<Response>) {
  const file = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 3 }
  const upload = await answered(send('POST', '/api/v1/upload/', file))
  if (!upload) return undefined
  const { pathname, search } = new URL(upload.upload_url)
  if (!(await answered(send('PUT', pathname + search, 'abc')))) return undefined
  const confirmation = { session_id: upload.session_id, completed_files: [{ key: upload.key, file_name: 'a.pdf' }] }
  return (await answered(send('POST', '/api/v1/upload/confirm', confirmation)))?.document_id as string | undefined
}

/** Builds a request: JSON with the key for calls of the service, and a file without it for storage. */
export function requestTo(origin: string, { method, path, body, key }: Parameters<Send>[0]): Request {
  const isFile = typeof body === 'string'
  const type = isFile ? 'application/pdf' : 'application/json'
  return new Request(origin + path, {
    method,
    headers: { ...(!isFile && { Authorization: key }), ...(body !== undefined && { 'Content-Type': type }) },
    ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
  })
}
