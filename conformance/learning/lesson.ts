/** The session that a deployment is learned from: every call with different data, and what it refuses. */
import type { Body } from '../../src/contract/operations.ts'
import { pdfOf } from '../flow/pdf.ts'
import { membersOf } from '../reading/locate.ts'
import { storageKeyIn } from '../reading/storage-key.ts'
import { type Exchange, succeeded, Undecided } from '../wire/exchange.ts'
import type { Target } from '../wire/target.ts'
import type { Places, TimedExchange } from './roles.ts'

/** An exchange of a lesson. Two lessons with the same plan have the same names in the same order, if nothing was refused. */
export interface LessonExchange extends TimedExchange {
  readonly name: string
}

/** What differs between two lessons. */
export interface LessonPlan {
  /** The beginning of all names. */
  readonly prefix: string
  /** The numbers of approvers of the steps of each workflow; the last two are executed. */
  readonly workflows: readonly (readonly number[])[]
  /** How many times each of the workflows is executed. */
  readonly executions: readonly number[]
  /** Whether refusals are asked for too. */
  readonly refusals: boolean
}

/** The plan to learn from, and another one to measure with. */
export const plans = {
  learning: { workflows: [[1], [2, 3], [2, 1, 3, 1]], executions: [0, 1, 2], refusals: true },
  measuring: {
    workflows: [
      [2, 2, 1],
      [1, 4],
    ],
    executions: [1, 2],
    refusals: true,
  },
} satisfies Record<string, Omit<LessonPlan, 'prefix'>>

interface LessonOptions {
  readonly target: Target
  readonly places: Places
  /** Milliseconds that a deployment may take to show a change. */
  readonly settleMs: number
  /** Milliseconds since 1970. @default the clock of this machine */
  readonly now?: () => number
}

interface TakenUpload {
  readonly url: string
  readonly session: unknown
  readonly key: string
  readonly document?: string
  readonly confirmation?: Body<'confirmUpload'>
}

/** Sends the session. Calls that get no answer are left out. */
export async function takeLesson(
  plan: LessonPlan,
  { target, places, settleMs, now = Date.now }: LessonOptions,
): Promise<LessonExchange[]> {
  const taken: LessonExchange[] = []
  const { time } = target.transport
  const take = async (name: string, send: () => Promise<Exchange>): Promise<LessonExchange | undefined> => {
    const at = now()
    try {
      const exchange = { ...(await send()), at, name }
      taken.push(exchange)
      return exchange
    } catch (error) {
      if (error instanceof Undecided) return undefined
      throw error
    }
  }
  const create = async (index: number, approvers: readonly number[]) => {
    const body = workflowBody(plan.prefix, index, approvers)
    const created = await take(`create workflow ${index}`, () => target.createWorkflow(body))
    const id = created && succeeded(created) ? places.guess('workflow', created) : undefined
    if (id !== undefined) await readUntil(`read workflow ${index}`, id, succeeded)
    return id
  }
  const readUntil = async (name: string, id: string, isReady: (exchange: Exchange) => boolean) => {
    const begun = time.now()
    for (let wait = 100; ; wait *= 2) {
      const read = await take(name, () => target.getWorkflow(id))
      if (!read || isReady(read) || time.now() - begun + wait > settleMs) return read
      // Only the last answer counts: the others are those of a moment.
      taken.pop()
      await target.transport.sleep(wait)
    }
  }
  const upload = async (
    index: number,
    until: 'requested' | 'confirmed' = 'confirmed',
  ): Promise<TakenUpload | undefined> => {
    const fileName = `${plan.prefix}-file-${index}.pdf`
    const bytes = fileOf(plan.prefix, index)
    const body = { file_name: fileName, content_type: 'application/pdf', file_size: bytes.byteLength }
    const requested = await take(`request upload ${index}`, () => target.requestUpload(body))
    const found = requested && uploadIn(requested, fileName)
    if (!found || until === 'requested') return found
    await take(`put object ${index}`, () => target.putObject(found.url, 'application/pdf', bytes))
    const confirmation = {
      session_id: found.session as string,
      completed_files: [{ key: found.key, file_name: fileName }],
    }
    const confirmed = await take(`confirm upload ${index}`, () => target.confirmUpload(confirmation))
    const document =
      confirmed && succeeded(confirmed)
        ? (places.guess('document', confirmed) ??
          places.guess('early document', requested) ??
          (places.isSession ? String(found.session) : found.key))
        : undefined
    return { ...found, confirmation, ...(document !== undefined && { document }) }
  }

  const ids: (string | undefined)[] = []
  for (const [index, approvers] of plan.workflows.entries()) ids.push(await create(index + 1, approvers))
  const documents: (string | undefined)[] = []
  const total = plan.executions.reduce((sum, count) => sum + count, 0)
  let lastUpload: TakenUpload | undefined
  for (let index = 1; index <= Math.max(2, Math.min(total, 3)); index += 1) {
    lastUpload = await upload(index)
    documents.push(lastUpload?.document)
  }
  let used = 0
  for (const [index, times] of plan.executions.entries()) {
    const id = ids[index]
    if (id === undefined) continue
    for (let count = 1; count <= times; count += 1) {
      const document = documents[used % documents.length]
      used += 1
      if (document === undefined) continue
      const before = taken.findLast(({ name }) => name.startsWith(`read workflow ${index + 1}`))
      await take(`execute workflow ${index + 1}, time ${count}`, () =>
        target.executeWorkflow(id, executionBody(plan.prefix, used, document)),
      )
      const changed = (read: Exchange) => succeeded(read) && withoutTimes(read) !== (before && withoutTimes(before))
      await readUntil(`read workflow ${index + 1} after execution ${count}`, id, changed)
    }
  }
  for (const [index, id] of ids.entries()) {
    if (id !== undefined) await take(`read workflow ${index + 1} again`, () => target.getWorkflow(id))
  }
  if (plan.refusals) await askForRefusals()
  return taken

  async function askForRefusals(): Promise<void> {
    const id = ids[0] ?? 'missing'
    const document = documents[0] ?? 'missing'
    const valid = workflowBody(plan.prefix, 8, [1])
    const open = { headers: {} }
    const file = { file_name: `${plan.prefix}.pdf`, content_type: 'application/pdf', file_size: 10 }
    const execution = executionBody(plan.prefix, 9, document)
    const confirmation = lastUpload?.confirmation ?? {
      session_id: crypto.randomUUID(),
      completed_files: [{ key: 'tenants/x/x.pdf', file_name: 'x.pdf' }],
    }
    await take('create workflow without key', () => target.createWorkflow(valid, open))
    await take('read workflow without key', () => target.getWorkflow(id, open))
    await take('execute workflow without key', () => target.executeWorkflow(id, execution, open))
    await take('request upload without key', () => target.requestUpload(file, open))
    await take('confirm upload without key', () => target.confirmUpload(confirmation, open))
    const bearer = { headers: { Authorization: `Bearer ${target.auth.Authorization}` } }
    await take('read workflow with a scheme', () => target.getWorkflow(id, bearer))
    await take('create workflow with a scheme', () => target.createWorkflow(valid, bearer))
    const unknown = similarIdentifier(id)
    await take('read unknown workflow', () => target.getWorkflow(unknown))
    await take('read workflow with an odd identifier', () => target.getWorkflow('no-such-workflow'))
    await take('execute unknown workflow', () => target.executeWorkflow(unknown, execution))
    await take('create workflow with a long name', () =>
      target.createWorkflow({ ...valid, name: `${plan.prefix} `.padEnd(101, 'n') }),
    )
    await take('create workflow with a longer name', () =>
      target.createWorkflow({ ...valid, name: `${plan.prefix} `.padEnd(140, 'n') }),
    )
    const { name: _, ...nameless } = valid
    await take('create workflow without name', () => target.createWorkflow(nameless))
    await take('create workflow with a number as name', () => target.createWorkflow({ ...valid, name: 7 as never }))
    await take('create workflow without JSON', () => target.post('/api/v1/workflows', '{"name": ', 'application/json'))
    await take('create workflow as text', () => target.post('/api/v1/workflows', JSON.stringify(valid), 'text/plain'))
    await take('execute workflow with unknown document', () =>
      target.executeWorkflow(id, { ...execution, document_id: similarIdentifier(document) }),
    )
    const { document_id: __, ...without } = execution
    await take('execute workflow without document', () => target.executeWorkflow(id, without))
    const { file_name: ___, ...unnamed } = file
    await take('request upload without file name', () => target.requestUpload(unnamed as never))
    await take('request upload with a negative size', () => target.requestUpload({ ...file, file_size: -1 }))
    await take('confirm unknown session', () =>
      target.confirmUpload({ ...confirmation, session_id: crypto.randomUUID() }),
    )
    await take('confirm upload without files', () =>
      target.confirmUpload({ session_id: confirmation.session_id } as never),
    )
    const waiting = await upload(7, 'requested')
    if (waiting) {
      const fileName = `${plan.prefix}-file-7.pdf`
      const early = {
        session_id: waiting.session as string,
        completed_files: [{ key: waiting.key, file_name: fileName }],
      }
      await take('confirm upload before the file', () => target.confirmUpload(early))
      const bytes = fileOf(plan.prefix, 7)
      await take('put object with another type', () => target.putObject(waiting.url, 'text/plain', bytes))
      await take('put object to a changed address', () =>
        target.putObject(changedAddress(waiting.url), 'application/pdf', bytes),
      )
    }
    const auth = target.auth
    await take('call unknown path', () => target.send(new Request(`${target.url}/api/v1/nothing`, { headers: auth })))
    await take('call with another method', () =>
      target.send(
        new Request(`${target.url}/api/v1/workflows/${encodeURIComponent(id)}`, { method: 'DELETE', headers: auth }),
      ),
    )
  }
}

function workflowBody(prefix: string, index: number, approvers: readonly number[]): Body<'createWorkflow'> {
  // In falling order, so that lists that are sorted by it can be told from lists that are not.
  const steps = approvers.map((count, step) => ({
    step_id: `${prefix.slice(-6)}-w${index}s${step + 1}`,
    name: `Step ${step + 1} of ${index}, ${prefix.slice(-6)}`,
    order: index % 2 === 0 ? approvers.length - step : step + 1,
    type: 'approval' as const,
    approvers: Array.from({ length: count }, (_, number) => ({
      email: `w${index}.s${step + 1}.a${number + 1}@${prefix.slice(-6)}.example.com`,
      name: `Approver ${number + 1} of ${step + 1} in ${index}`,
    })),
    estimated_duration: 10 + 7 * index + 3 * step,
  }))
  return {
    name: `${prefix} workflow ${index}`,
    description: `Number ${index} of ${prefix}; it may be deleted.`,
    isSequential: index % 2 === 1,
    steps,
  }
}

/** A PDF with bytes that are no text, of another size for each number. */
function fileOf(prefix: string, index: number): Uint8Array<ArrayBuffer> {
  return pdfOf(`${prefix} ${index}`, String.fromCharCode(...Array(256).keys()) + 'x'.repeat(index * 7))
}

function executionBody(prefix: string, index: number, document_id: string): Body<'executeWorkflow'> {
  return {
    document_id,
    submitter_email: `submitter.${index}@${prefix.slice(-6)}.example.com`,
    execution_mode: 'standard',
    priority: 'high',
  }
}

function uploadIn({ json }: Exchange, fileName: string): { url: string; session: unknown; key: string } | undefined {
  const members = membersOf(json)
  const url = members.find(({ name }) => name === 'upload_url')?.value
  const session = members.find(({ name }) => name === 'session_id')?.value
  if (typeof url !== 'string' || !URL.canParse(url) || session === undefined) return undefined
  const key = storageKeyIn(json, url, fileName)?.value
  return key === undefined ? undefined : { url, session, key: String(key) }
}

/** Changes an identifier so that it names nothing, in the same form. */
function similarIdentifier(id: string): string {
  if (/^\d+$/.test(id)) return String(Number(id) + 7_654_321)
  const turn = (character: string) => (/\d/.test(character) ? String(9 - Number(character)) : character)
  const turned = id.replaceAll(/\d/g, turn)
  return turned === id ? `${id}x` : turned
}

/** Changes the last character of an address, so that its signature no longer holds. */
function changedAddress(url: string): string {
  const last = url.at(-1) ?? ''
  return url.slice(0, -1) + (last === '0' ? '1' : '0')
}

/** The body of an answer without times and numbers of requests, to see whether anything else has changed. */
function withoutTimes({ bytes }: Exchange): string {
  return new TextDecoder().decode(bytes).replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-]\d\d:\d\d)?/g, '')
}
