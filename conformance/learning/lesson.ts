/** The session that a deployment is learned from: every call with different data, and what it refuses. */
import type { SentBody } from '../../src/contract/operations.ts'
import { pdfOf } from '../flow/pdf.ts'
import { decodePercent, membersOf } from '../reading/locate.ts'
import { storageKeyIn } from '../reading/storage-key.ts'
import { readTime } from '../reading/times.ts'
import { bounded } from '../session/bounds.ts'
import type { CallName, TimedExchange } from '../session/calls.ts'
import { withAllFields } from '../wire/contract-fields.ts'
import { type Exchange, succeeded, Undecided } from '../wire/exchange.ts'
import type { Target } from '../wire/target.ts'
import { type BrokenCall, brokenBodies } from './broken-bodies.ts'
import { hasGoneOn } from './courses.ts'
import { delaysIn, type ReadAfter } from './delays.ts'
import { followIdentifiers, type Places } from './roles.ts'
import { median } from './time-facts.ts'
import { withOwnLists } from './workflow-list.ts'

/** An exchange of a lesson. Two lessons with the same plan have the same names in the same order, if nothing was refused. */
export interface LessonExchange extends TimedExchange {
  readonly name: string
}

/** The data of a lesson, which differ between two lessons. */
export interface LessonPlan {
  /** The beginning of all names. */
  readonly prefix: string
  /** The numbers of approvers of the steps of each workflow. */
  readonly workflows: readonly (readonly number[])[]
  /** The number of executions of each workflow. */
  readonly executions: readonly number[]
  /** True to provoke refusals too. */
  readonly refusals: boolean
  /** True to break each rule of a body. */
  readonly breaksRules: boolean
}

/** The plan to learn from, and another one to measure with. */
export const plans = {
  learning: {
    // The last two are only read. They tell how many steps there are from whether one waits for another.
    workflows: [[1], [2, 3], [2, 1, 3, 1], [1, 2, 1], [2, 2]],
    executions: [0, 1, 2, 0, 0],
    refusals: true,
    breaksRules: true,
  },
  measuring: {
    workflows: [
      [2, 2, 1],
      [1, 4],
    ],
    executions: [1, 2],
    refusals: true,
    breaksRules: false,
  },
} satisfies Record<string, Omit<LessonPlan, 'prefix'>>

interface LessonOptions {
  readonly target: Target
  readonly places: Places
  /** Milliseconds that a deployment may take to show a change. */
  readonly settleMs: number
  /** Called before each call, with its name. */
  readonly onCall?: (name: string) => void
}

/** A session that was sent. */
export interface TakenLesson {
  readonly exchanges: readonly LessonExchange[]
  /**
   * The times until the details listed an execution, and until their figures followed, in milliseconds; 0 if the first read did.
   * They lie between two reads, and this is the middle.
   */
  readonly executionDelayMs: number
  readonly figuresDelayMs: number
  /** The answers to preflights of uploads from another origin. */
  readonly preflights: readonly Exchange[]
  /** Why calls got no usable answer, once for each. */
  readonly missed: readonly string[]
  /** Reads the executed workflows once more, and until their executions end if they go on by themselves. */
  readonly readAtEnd: () => Promise<void>
}

/** A test key that no deployment has issued. */
export const strangeKey = 'test_4c81nobodyhasthiskey'

/** The time in which late parts of details appear, in milliseconds. */
const partsMs = 150

/** Returns the time until the next read of details that do not show an execution yet, in milliseconds. */
const soon = (waited: number) => Math.max(shortest, waited / 5)
const shortest = 50

/** Returns the time until the next try of anything else, in milliseconds. */
const later = (waited: number) => Math.max(100, waited)

/** The time without news after which an execution counts as ended, in milliseconds. */
const stillMs = 3000

/** Sends the session. Calls that get no answer are left out. */
export function takeLesson(plan: LessonPlan, options: LessonOptions): Promise<TakenLesson> {
  const teacher = new Teacher(plan, options)
  const creating = async () => teacher.readAll(await teacher.createAll(plan.workflows))
  return goOn(plan, teacher, creating)
}

/**
 * Creates the workflows of a session and lists them before there are many others. This needs no known places. Returns a function that sends
 * the rest.
 */
export async function beginLesson(plan: LessonPlan, options: LessonOptions): Promise<() => Promise<TakenLesson>> {
  const teacher = new Teacher(plan, options)
  const created = await teacher.createAll(plan.workflows)
  return () => goOn(plan, teacher, () => teacher.readAll(created))
}

async function goOn(
  plan: LessonPlan,
  teacher: Teacher,
  identify: () => Promise<(string | undefined)[]>,
): Promise<TakenLesson> {
  const total = plan.executions.reduce((sum, count) => sum + count, 0)
  const [ids, uploads] = await Promise.all([identify(), teacher.uploadAll(Math.max(2, Math.min(total, 3)))])
  const documents = uploads.flatMap((upload) => upload?.document ?? [])
  let used = 0
  for (const [index, times] of plan.executions.entries()) {
    const id = ids[index]
    for (let time = 1; time <= times && id !== undefined && documents.length > 0; time += 1) {
      await teacher.execute(index + 1, time, id, documents[used % documents.length] ?? '')
      used += 1
    }
  }
  await Promise.all([
    ...ids.map((id, index) => id !== undefined && teacher.readAgain(index + 1, id)),
    teacher.list('after executions'),
    teacher.readExecutions(),
  ])
  if (plan.refusals) await teacher.askForRefusals({ id: ids[0], documents, upload: uploads[0] })
  const executed = plan.executions.flatMap((times, index) => (times > 0 ? [index] : []))
  const readAtEnd = async () => {
    await Promise.all(executed.map((index) => ids[index] !== undefined && teacher.readAtEnd(index + 1, ids[index])))
  }
  teacher.keepOwn()
  const { taken: exchanges, preflights, missed, executionDelays, figuresDelays } = teacher
  const delayOf = (delays: readonly number[]) => Math.round(median(delays) / 10) * 10
  const delays = { executionDelayMs: delayOf(executionDelays), figuresDelayMs: delayOf(figuresDelays) }
  return { exchanges, ...delays, preflights, missed, readAtEnd }
}

interface TakenUpload {
  readonly url: string
  readonly session: unknown
  readonly key: string
  readonly document?: string
  readonly confirmation: SentBody<'confirmUpload'>
}

/** Sends the calls of a lesson, and keeps what was answered. */
class Teacher {
  readonly taken: LessonExchange[] = []
  readonly preflights: Exchange[] = []
  readonly missed: string[] = []
  /** The times until the details listed each execution, and until their figures followed, in milliseconds. */
  readonly executionDelays: number[] = []
  readonly figuresDelays: number[] = []
  /** The identifiers of the workflows that were created. */
  readonly #made = new Set<string>()
  /** An execution that the deployment has shown by itself. */
  #execution: { readonly address: string; readonly id: string } | undefined
  /** False if the deployment has refused to list its workflows. */
  #hasList = true
  /** The start time of the last execution, on the clock of the transport. */
  #executedAt = 0
  readonly #plan: LessonPlan
  readonly #target: Target
  readonly #places: Places
  readonly #settleMs: number
  readonly #onCall: (name: string) => void

  constructor(plan: LessonPlan, { target, places, settleMs, onCall = () => {} }: LessonOptions) {
    this.#plan = plan
    this.#target = target
    this.#places = places
    this.#settleMs = settleMs
    this.#onCall = onCall
  }

  async #take(name: string, send: () => Promise<Exchange>): Promise<LessonExchange | undefined> {
    this.#onCall(name)
    try {
      const { at = Date.now(), ...answer } = await send()
      const exchange = bounded({ ...answer, at, name })
      this.taken.push(exchange)
      return exchange
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      this.missed.push(error.reason)
      return undefined
    }
  }

  /** Returns true if a call was carried out. */
  #isDone(call: CallName, answer: Exchange): boolean {
    return this.#places.sound.isSuccess(call, answer)
  }

  /** Creates workflows, and lists the first two and all of them. Sends nothing more if the first call gets no answer. */
  async createAll(workflows: LessonPlan['workflows']): Promise<(LessonExchange | undefined)[]> {
    const all: (LessonExchange | undefined)[] = []
    // One after the other, so that identifiers that count are seen to count.
    for (const [index, approvers] of workflows.entries()) {
      const name = `create workflow ${index + 1}`
      const body = workflowBody(this.#plan.prefix, index + 1, approvers)
      const isLast = index === workflows.length - 1
      // A list shows what stands in the place of members that were not sent.
      const sparse =
        isLast && this.#plan.breaksRules
          ? await this.#take(`${name} without some members`, () => this.#target.createWorkflow(sparsely(body)))
          : undefined
      const isMade = sparse !== undefined && succeeded(sparse)
      all.push(isMade ? sparse : await this.#take(name, () => this.#target.createWorkflow(body)))
      if (all[0] === undefined) return []
      if (index === 1 || isLast) await this.list(`of ${index + 1}`)
    }
    return all
  }

  /** Reads the workflows that were created. Returns their identifiers. */
  readAll(created: readonly (LessonExchange | undefined)[]): Promise<(string | undefined)[]> {
    return Promise.all(
      created.map(async (answer, index) => {
        const isDone = answer && this.#isDone('createWorkflow', answer)
        const id = isDone ? this.#places.guess('workflow', answer) : undefined
        if (id === undefined) return undefined
        this.#made.add(id)
        await this.#readWhenThere(`read workflow ${index + 1}`, id)
        return id
      }),
    )
  }

  /** Keeps only the workflows of the lesson in its lists. */
  keepOwn(): void {
    this.taken.splice(0, Number.POSITIVE_INFINITY, ...withOwnLists(this.taken, this.#made))
  }

  /** Reads the first and the last execution at the addresses of their answers, and at the usual paths. */
  async readExecutions(): Promise<void> {
    const started = followIdentifiers(this.taken).filter(
      ({ call, roles }) => call === 'executeWorkflow' && roles.execution,
    )
    const { url, auth } = this.#target
    const service = `${url}/api/v1/`
    const chosen = new Set([started[0], started.at(-1)])
    const reads = started.flatMap((one, index) => {
      const { exchange, workflowId = '', roles } = one
      const id = encodeURIComponent(roles.execution ?? '')
      const own = addressOf(exchange)
      const addresses = new Map([
        ...(own?.startsWith(service) && own.replace(/\/$/, '').endsWith(id) ? [[own, 'at its address'] as const] : []),
        [`${service}executions/${id}`, 'by itself'],
        [`${service}workflows/${encodeURIComponent(workflowId)}/executions/${id}`, 'in its workflow'],
      ])
      const name = (where: string) => `read execution ${index + 1} ${where}`
      return chosen.has(one) ? [...addresses].map(([address, where]) => ({ address, id, name: name(where) })) : []
    })
    await Promise.all(
      reads.map(async ({ address, id, name }) => {
        const ask = () => this.#target.send(new Request(address, { headers: auth }))
        const answer = await this.#take(name, ask)
        if (answer && succeeded(answer)) this.#execution = { address, id }
      }),
    )
  }

  /** Lists all workflows, unless the deployment has refused that. */
  async list(when: string): Promise<void> {
    if (!this.#hasList) return
    const { url, auth } = this.#target
    const asked = new Request(`${url}/api/v1/workflows`, { headers: auth })
    const answer = await this.#take(`list workflows ${when}`, () => this.#target.send(asked))
    this.#hasList = answer !== undefined && succeeded(answer)
  }

  /** Reads a workflow that was created, also if the deployment takes a while to know it. */
  #readWhenThere(name: string, id: string): Promise<void> {
    return this.#readUntil(name, id, (read) => this.#isDone('getWorkflow', read))
  }

  /** Sends a call until its answer is ready. Only that answer counts: the others are those of a moment. */
  async #takeUntil(
    name: string,
    send: () => Promise<Exchange>,
    isReady: (exchange: Exchange) => boolean,
    waitAfter: (waited: number) => number = later,
  ): Promise<void> {
    const { transport } = this.#target
    const begun = transport.time.now()
    for (;;) {
      const answer = await this.#take(name, send)
      const waited = transport.time.now() - begun
      const wait = waitAfter(waited)
      if (!answer || isReady(answer) || waited + wait > this.#settleMs) return
      this.taken.splice(this.taken.indexOf(answer), 1)
      await transport.sleep(wait)
    }
  }

  #readUntil(
    name: string,
    id: string,
    isReady: (exchange: Exchange) => boolean,
    waitAfter?: (waited: number) => number,
  ): Promise<void> {
    return this.#takeUntil(name, () => this.#target.getWorkflow(id), isReady, waitAfter)
  }

  /** Returns the time of the middle of a call that has just been answered, on the clock of the transport. */
  #middleOf({ durationMs }: Exchange): number {
    return this.#target.transport.time.now() - durationMs / 2
  }

  /** Uploads files: all are requested first, in their order. */
  async uploadAll(count: number): Promise<(TakenUpload | undefined)[]> {
    const requested: Awaited<ReturnType<Teacher['request']>>[] = []
    for (let index = 1; index <= count; index += 1) requested.push(await this.request(index))
    return Promise.all(requested.map((upload, index) => this.#complete(index + 1, upload)))
  }

  /** Requests an upload URL. */
  async request(index: number): Promise<(TakenUpload & { readonly requested: Exchange }) | undefined> {
    const fileName = fileNameOf(this.#plan.prefix, index)
    const size = fileOf(this.#plan.prefix, index).byteLength
    const file = { file_name: fileName, content_type: 'application/pdf', file_size: size }
    const body = withAllFields<SentBody<'requestUpload'>>('UploadRequest', file, index)
    const requested = await this.#take(`request upload ${index}`, () => this.#target.requestUpload(body))
    const found = requested && uploadIn(requested, fileName)
    if (!found) return undefined
    const completed_files = [{ key: found.key, file_name: fileName }]
    return { ...found, requested, confirmation: { session_id: found.session as string, completed_files } }
  }

  async #complete(index: number, upload: Awaited<ReturnType<Teacher['request']>>): Promise<TakenUpload | undefined> {
    if (!upload) return undefined
    const bytes = fileOf(this.#plan.prefix, index)
    await this.#take(`put object ${index}`, () => this.#target.putObject(upload.url, 'application/pdf', bytes))
    const confirmed = await this.#take(`confirm upload ${index}`, () => this.#target.confirmUpload(upload.confirmation))
    if (!confirmed || !this.#isDone('confirmUpload', confirmed)) return upload
    const alias = this.#places.isSession ? String(upload.session) : upload.key
    const document =
      this.#places.guess('document', confirmed) ?? this.#places.guess('early document', upload.requested) ?? alias
    return { ...upload, document }
  }

  /** Executes a workflow, and reads it until the details have changed. */
  async execute(index: number, time: number, id: string, document: string): Promise<void> {
    const body = executionBody(this.#plan.prefix, index * 10 + time, document)
    const before = this.taken.findLast(({ name }) => name.startsWith(`read workflow ${index}`))
    const known = new Set([...this.taken.flatMap(wordsIn), ...Object.values(body)])
    const name = `execute workflow ${index}, time ${time}`
    const isDone = (answer: Exchange) => this.#isDone('executeWorkflow', answer)
    let asked = 0
    const execute = async () => {
      const answer = await this.#target.executeWorkflow(id, body)
      asked = this.#middleOf(answer)
      return answer
    }
    // A deployment may take a while to know the document.
    await this.#takeUntil(name, execute, isDone)
    this.#executedAt = this.#target.transport.time.now()
    const executed = this.taken.findLast((one) => one.name === name)
    const made = new Set(executed ? wordsIn(executed).filter((word) => !known.has(word)) : [])
    const shows = (read: Exchange) => wordsIn(read).some((word) => made.has(word))
    const fresh = freshPlaces(this.taken)
    const isNews = (read: Exchange) =>
      this.#isDone('getWorkflow', read) && (before === undefined || hasChanged(before, read, fresh))
    const read = `read workflow ${index} after execution ${time}`
    const reads: (ReadAfter & { readonly exchange: Exchange })[] = []
    let wholeAt = Number.POSITIVE_INFINITY
    const isWhole = (exchange: Exchange) => {
      const ms = this.#middleOf(exchange) - asked
      const [hasNews, isListed] = [isNews(exchange), shows(exchange)]
      reads.push({ exchange, json: exchange.json, ms, hasNews, isListed })
      if (!hasNews || (this.#places.showsExecutions && !isListed)) return false
      // What the details show late may appear in parts.
      wholeAt = Math.min(wholeAt, reads.length === 1 ? ms : ms + partsMs)
      return ms >= wholeAt
    }
    await this.#readUntil(read, id, isWhole, (waited) => (Number.isFinite(wholeAt) ? shortest : soon(waited)))
    const last = this.taken.at(-1)
    this.#places.showsExecutions ||= last !== undefined && shows(last)
    const isSame = (one: (typeof reads)[number], other: typeof one) => !hasChanged(one.exchange, other.exchange, fresh)
    const { executions, figures } = delaysIn(reads, { made, isSame })
    this.executionDelays.push(executions)
    this.figuresDelays.push(figures)
  }

  /** Sends the preflight of a call from another origin, as browsers do. */
  async #askFromElsewhere(url: string, method: string, asked: string): Promise<void> {
    const headers = {
      Origin: 'https://learn.example',
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': asked,
    }
    const answer = await this.#take('ask from another origin', () =>
      this.#target.send(new Request(url, { method: 'OPTIONS', headers })),
    )
    if (answer) this.preflights.push(...this.taken.splice(this.taken.indexOf(answer), 1))
  }

  async readAgain(index: number, id: string): Promise<void> {
    await this.#take(`read workflow ${index} again`, () => this.#target.getWorkflow(id))
  }

  /** Reads a workflow, and keeps the read if an execution has gone on since the last one. */
  async readAtEnd(index: number, id: string): Promise<void> {
    const before = this.taken.findLast(({ name }) => name.startsWith(`read workflow ${index}`))?.json
    const name = `read workflow ${index} at the end`
    const { time } = this.#target.transport
    const waited = time.now() - this.#executedAt
    await this.#target.transport.sleep(Math.max(0, stillMs - waited))
    const readOnce = () => this.#take(name, () => this.#target.getWorkflow(id))
    // A connection that the deployment has closed in the meantime may be noticed only by the first call.
    const read = (await readOnce()) ?? (await readOnce())
    if (!read) return
    this.taken.splice(this.taken.indexOf(read), 1)
    if (!hasGoneOn(before, read.json)) return
    let [last, since] = [read.json, time.now()]
    const isStill = ({ json }: Exchange) => {
      if (hasGoneOn(last, json)) [last, since] = [json, time.now()]
      return time.now() - since >= stillMs
    }
    await this.#readUntil(name, id, isStill)
  }

  /** Asks for what should be refused. The calls change nothing, so they are sent at the same time. */
  async askForRefusals(known: {
    id: string | undefined
    documents: readonly string[]
    upload: TakenUpload | undefined
  }) {
    const target = this.#target
    const { prefix, breaksRules } = this.#plan
    const uploads = await this.#uploadsToRefuse()
    const [document = 'missing'] = known.documents
    const about: RefusalData = {
      target,
      prefix,
      id: known.id ?? 'missing',
      workflow: workflowBody(prefix, 8, [1]),
      file: { file_name: `${prefix}.pdf`, content_type: 'application/pdf', file_size: 10 },
      execution: executionBody(prefix, 9, document),
      confirmation: known.upload?.confirmation ?? {
        session_id: crypto.randomUUID(),
        completed_files: [{ key: 'tenants/none/none.pdf', file_name: 'none.pdf' }],
      },
    }
    const calls: RefusedCalls = {
      ...callsWithOtherKeys(about),
      ...callsOfNothing(about),
      ...callsWithBrokenBodies(about),
      ...callsOfUploads(about, uploads),
      ...(this.#execution && readsOfExecution(target, this.#execution)),
      ...(this.#hasList && {
        'list workflows without key': () => target.send(new Request(`${target.url}/api/v1/workflows`)),
      }),
    }
    await Promise.all([
      ...Object.entries(calls).map(([name, send]) => this.#take(name, send)),
      breaksRules && this.#breakRules(about, uploads.spare?.confirmation ?? about.confirmation, known.documents),
    ])
  }

  /** Requests uploads for each question: a lenient storage accepts what is sent, and then what follows is another question. */
  async #uploadsToRefuse(): Promise<UploadsToRefuse> {
    const target = this.#target
    const { prefix } = this.#plan
    const [waiting, untyped, changed, spare, partial] = await Promise.all(
      [7, 8, 9, 10, 11].map((index) => this.request(index)),
    )
    await Promise.all([
      waiting && this.#askFromElsewhere(waiting.url, 'PUT', 'content-type'),
      this.#askFromElsewhere(`${target.url}/api/v1/workflows`, 'POST', 'authorization, content-type'),
      spare && this.#take('put spare object', () => target.putObject(spare.url, 'application/pdf', fileOf(prefix, 10))),
      partial &&
        this.#take('put part of an object', () =>
          target.putObject(partial.url, 'application/pdf', fileOf(prefix, 11).slice(0, -7)),
        ),
    ])
    return { waiting, untyped, changed, spare, partial }
  }

  /** Breaks each rule of each body, and reads the workflows that are made nevertheless. */
  async #breakRules(
    { target, prefix, id, execution, file }: RefusalData,
    confirmation: SentBody<'confirmUpload'>,
    documents: readonly string[],
  ): Promise<void> {
    const paths: Readonly<Record<BrokenCall, string>> = {
      createWorkflow: 'workflows',
      executeWorkflow: `workflows/${encodeURIComponent(id)}/execute`,
      requestUpload: 'upload/',
      confirmUpload: 'upload/confirm',
    }
    const broken = brokenBodies({
      createWorkflow: workflowBody(prefix, 7, [2, 2]),
      executeWorkflow: execution,
      requestUpload: file,
      confirmUpload: confirmation,
      documents,
    })
    const created = await Promise.all(
      broken.map(async ({ call, name, body }) => {
        const send = () => target.post(`/api/v1/${paths[call]}`, JSON.stringify(body), 'application/json')
        const answer = await this.#take(name, send)
        const isMade = call === 'createWorkflow' && answer && this.#isDone(call, answer)
        return isMade ? this.#places.guess('workflow', answer) : undefined
      }),
    )
    const ids = created.filter((one) => one !== undefined)
    await Promise.all(ids.map((one, index) => this.#readWhenThere(`read workflow ${100 + index} again`, one)))
  }
}

/** Calls that should be refused, by their names. */
type RefusedCalls = Readonly<Record<string, () => Promise<Exchange>>>

/** What is sent to be refused: an existing identifier, or any, and sound bodies. */
interface RefusalData {
  readonly target: Target
  readonly prefix: string
  readonly id: string
  readonly workflow: SentBody<'createWorkflow'>
  readonly file: SentBody<'requestUpload'>
  readonly execution: SentBody<'executeWorkflow'>
  readonly confirmation: SentBody<'confirmUpload'>
}

/** Uploads of which one waits for its file, and the others have a question each. */
type UploadsToRefuse = Readonly<
  Record<'waiting' | 'untyped' | 'changed' | 'spare' | 'partial', TakenUpload | undefined>
>

function callsWithOtherKeys({ target, id, workflow, file, execution, confirmation }: RefusalData): RefusedCalls {
  const open = { headers: {} }
  const scheme = { headers: { Authorization: `Bearer ${target.auth.Authorization}` } }
  return {
    'create workflow without key': () => target.createWorkflow(workflow, open),
    'read workflow without key': () => target.getWorkflow(id, open),
    'execute workflow without key': () => target.executeWorkflow(id, execution, open),
    'request upload without key': () => target.requestUpload(file, open),
    'confirm upload without key': () => target.confirmUpload(confirmation, open),
    'read workflow with a scheme': () => target.getWorkflow(id, scheme),
    'read workflow with an unknown key': () => target.getWorkflow(id, { headers: { Authorization: 'no-such-key' } }),
    'read workflow with a strange key': () => target.getWorkflow(id, { headers: { Authorization: strangeKey } }),
    'create workflow with a scheme': () => target.createWorkflow(workflow, scheme),
  }
}

function callsOfNothing({ target, id, execution, confirmation }: RefusalData): RefusedCalls {
  const own = encodeURIComponent(id)
  const service = (path: string, method: string) => () =>
    target.send(new Request(`${target.url}/api/v1/${path}`, { method, headers: target.auth }))
  return {
    'read unknown workflow': () => target.getWorkflow(similarIdentifier(id)),
    'read workflow with an odd identifier': () => target.getWorkflow('no such workflow'),
    'execute unknown workflow': () => target.executeWorkflow(similarIdentifier(id), execution),
    'execute workflow with an odd identifier': () => target.executeWorkflow('no such workflow', execution),
    'execute workflow with unknown document': () =>
      target.executeWorkflow(id, { ...execution, document_id: similarIdentifier(execution.document_id) }),
    'confirm unknown session': () => target.confirmUpload({ ...confirmation, session_id: crypto.randomUUID() }),
    'call unknown path': service('nothing', 'GET'),
    'call the collection with another method': service('workflows', 'DELETE'),
    'call execute with another method': service(`workflows/${own}/execute`, 'GET'),
    'call with another method': service(`workflows/${own}`, 'PATCH'),
  }
}

function callsWithBrokenBodies({ target, prefix, id, workflow, file, execution }: RefusalData): RefusedCalls {
  const { name: _name, ...nameless } = workflow
  const { document_id: _document, ...documentless } = execution
  const { file_name: _file, ...unnamed } = file
  const longName = (length: number) => ({ ...workflow, name: `${prefix} `.padEnd(length, 'n') })
  return {
    'create workflow with a long name': () => target.createWorkflow(longName(101)),
    'create workflow with a longer name': () => target.createWorkflow(longName(140)),
    'create workflow without name': () => target.createWorkflow(nameless),
    'create workflow with a number as name': () => target.createWorkflow({ ...workflow, name: 7 as never }),
    'create workflow without steps': () => target.createWorkflow({ ...workflow, steps: undefined as never }),
    'create workflow without JSON': () => target.post('/api/v1/workflows', '{"name": ', 'application/json'),
    'create workflow as text': () => target.post('/api/v1/workflows', JSON.stringify(workflow), 'text/plain'),
    'execute workflow without document': () => target.executeWorkflow(id, documentless),
    'request upload without file name': () => target.requestUpload(unnamed as never),
    'request upload with a negative size': () => target.requestUpload({ ...file, file_size: -1 }),
    'request upload of a huge file': () => target.requestUpload({ ...file, file_size: 10 ** 13 }),
  }
}

function callsOfUploads(
  { target, prefix, confirmation }: RefusalData,
  { waiting, untyped, changed, spare, partial }: UploadsToRefuse,
): RefusedCalls {
  const { session_id } = spare?.confirmation ?? confirmation
  return {
    'confirm upload without files': () => target.confirmUpload({ session_id } as never),
    'confirm upload again': () => target.confirmUpload(confirmation),
    ...(waiting && {
      'confirm upload with the key of another': () =>
        target.confirmUpload({ ...waiting.confirmation, completed_files: confirmation.completed_files }),
      'confirm upload before the file': () => target.confirmUpload(waiting.confirmation),
    }),
    ...(partial && { 'confirm part of an upload': () => target.confirmUpload(partial.confirmation) }),
    ...(untyped && {
      'put object with another type': () => target.putObject(untyped.url, 'text/plain', fileOf(prefix, 8)),
    }),
    ...(changed && {
      'put object to a changed address': () =>
        target.putObject(changedAddress(changed.url), 'application/pdf', fileOf(prefix, 9)),
    }),
  }
}

/** Returns the address in the `Location` of an answer. */
function addressOf({ headers, request }: Exchange): string | undefined {
  const location = headers.get('location') ?? ''
  return URL.canParse(location, request.url) ? new URL(location, request.url).href : undefined
}

/** Returns reads of an execution that should be refused. `id` is the identifier in the address. */
function readsOfExecution(
  target: Target,
  { address, id }: { readonly address: string; readonly id: string },
): RefusedCalls {
  const at = address.lastIndexOf(id)
  const other = encodeURIComponent(similarIdentifier(decodePercent(id)))
  const unknown = address.slice(0, at) + other + address.slice(at + id.length)
  return {
    'read execution without key': () => target.send(new Request(address)),
    'read unknown execution': () => target.send(new Request(unknown, { headers: target.auth })),
  }
}

function workflowBody(prefix: string, index: number, approvers: readonly number[]): SentBody<'createWorkflow'> {
  // In another order than they are sent in, so that lists that are sorted by it can be told from lists that are not.
  const pairwise = (step: number) => ((step ^ 1) < approvers.length ? (step ^ 1) + 1 : step + 1)
  const steps = approvers.map((count, step) => ({
    step_id: `${prefix.slice(-6)}-w${index}s${step + 1}`,
    name: `Step ${step + 1} of ${index}, ${prefix.slice(-6)}`,
    order: index % 2 === 0 ? approvers.length - step : index === 3 ? pairwise(step) : step + 1,
    type: 'approval' as const,
    approvers: Array.from({ length: count }, (_, number) => ({
      email: `w${index}.s${step + 1}.a${number + 1}@${prefix.slice(-6)}.example.com`,
      name: `Approver ${number + 1} of ${step + 1} in ${index}`,
    })),
    estimated_duration: 10 + 7 * index + 3 * step,
  }))
  const body = {
    name: `${prefix} workflow ${index}`,
    description: `Number ${index} of ${prefix}; it may be deleted.`,
    isSequential: index % 2 === 1,
    steps,
  }
  return withAllFields('WorkflowRequest', body, index)
}

/** Leaves out the description, the default order of execution, and the duration of a step. */
function sparsely({ description: _description, isSequential: _default, steps, ...body }: SentBody<'createWorkflow'>) {
  const [first, ...others] = steps
  const { estimated_duration: _duration, ...unplanned } = first ?? {}
  return { ...body, steps: [unplanned, ...others] } as SentBody<'createWorkflow'>
}

const fileNameOf = (prefix: string, index: number) => `${prefix}-file-${index}.pdf`

/** A PDF with bytes that are no text, of another size for each number. */
function fileOf(prefix: string, index: number): Uint8Array<ArrayBuffer> {
  return pdfOf(`${prefix} ${index}`, String.fromCharCode(...Array(256).keys()) + 'x'.repeat(index * 7))
}

function executionBody(prefix: string, index: number, document_id: string): SentBody<'executeWorkflow'> {
  const body = {
    document_id,
    submitter_email: `submitter.${index}@${prefix.slice(-6)}.example.com`,
    execution_mode: 'standard',
    priority: 'high',
  }
  return withAllFields('ExecutionRequest', body, index)
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
  // Short numbers count, and others of them name something.
  const count = /^(.*?)(\d{1,6})$/.exec(id)
  if (count && !/\d/.test(count[1] ?? '')) return `${count[1]}${Number(count[2]) + 7_654_321}`
  const turn = (character: string) => (/\d/.test(character) ? String(9 - Number(character)) : character)
  const turned = id.replaceAll(/\d/g, turn)
  return turned === id ? `${id}x` : turned
}

/** Changes the longest part of an address, so that its signature no longer holds. */
function changedAddress(url: string): string {
  const { pathname, search } = new URL(url)
  const parts = (search.length > 1 ? search.slice(1) : pathname).split(/[&/=]/)
  const longest = parts.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const last = longest.at(-1) ?? ''
  const at = url.lastIndexOf(longest) + longest.length - 1
  return url.slice(0, at) + (last === '0' ? '1' : '0') + url.slice(at + 1)
}

/** Returns what a place shows: the value, but of times only that there is one. */
const shownAt = (value: unknown) =>
  readTime(value) ? 'a time' : value !== null && typeof value === 'object' ? {} : value

/** Returns the texts of an answer that may be identifiers. */
function wordsIn({ json }: Exchange): string[] {
  return membersOf(json).flatMap(({ value }) =>
    (typeof value === 'string' || typeof value === 'number') && !readTime(value) && /\d.*\d/.test(String(value))
      ? [String(value)]
      : [],
  )
}

/** The fewest answers that show that a place has a new value in each. */
const fewest = 3

/** Returns the places that have another value in each answer, such as the identifier of a request. */
function freshPlaces(answers: readonly Exchange[]): Set<string> {
  const values = new Map<string, unknown[]>()
  for (const { json } of answers) {
    for (const { pointer, value } of membersOf(json)) {
      if (typeof value === 'string' || typeof value === 'number')
        values.set(pointer, [...(values.get(pointer) ?? []), value])
    }
  }
  const isFresh = (all: readonly unknown[]) => all.length >= fewest && new Set(all).size === all.length
  return new Set([...values].flatMap(([pointer, all]) => (isFresh(all) ? [pointer] : [])))
}

/** Returns true if an answer shows anything else than an earlier one, but for times and what is new in each answer. */
function hasChanged(before: Exchange, after: Exchange, fresh: ReadonlySet<string>): boolean {
  const shown = ({ json }: Exchange) =>
    membersOf(json).flatMap(({ pointer, value }) => (fresh.has(pointer) ? [] : [[pointer, shownAt(value)]]))
  return JSON.stringify(shown(before)) !== JSON.stringify(shown(after))
}
