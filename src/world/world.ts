import type { Advice } from '../domain/advice/advice.ts'
import type { Analytics } from '../domain/analytics/analytics.ts'
import {
  type Execution,
  type ExecutionCommand,
  type ExecutionStep,
  executionDecider,
  priorityOf,
  requireExecution,
  stepOf,
  stepsToAssign,
} from '../domain/approval/execution.ts'
import type * as domain from '../domain/approval/workflow.ts'
import { workflowDecider } from '../domain/approval/workflow.ts'
import { never } from '../domain/decider.ts'
import { DomainError, requireFound } from '../domain/errors.ts'
import { History } from '../domain/routing/history.ts'
import { type Router, route } from '../domain/routing/routing.ts'
import {
  type ObjectSums,
  requireUpload,
  type Upload,
  type UploadCommand,
  uploadDecider,
} from '../domain/uploads/upload.ts'
import { Approvers, type PlannedDecision, type ProfileOf, type StepPace } from './approvers.ts'
import { ArchiveError, type LogRecord, orLater } from './archive.ts'
import { Clock } from './clock.ts'
import { type RecordedEvent, UnusableEventError, type WorldEvent } from './events.ts'
import { type Content, type Files, MemoryFiles, newFileName } from './files.ts'
import { Journal } from './journal.ts'
import { defaultMemoryBytes, Memory, MemoryUse } from './memory.ts'
import { type Hasher, type Hashing, ObjectWriter, portableHashing } from './objects.ts'
import { Random } from './random.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { doAtOnce, type Work } from './slices.ts'
import { TokenBucket } from './token-bucket.ts'
import { viewAfter, viewOf, WorkflowState, type WorkflowView } from './workflow-state.ts'

/** One tenant: its workflows, executions and uploads, and the journal that they are folded from. */
export class World {
  readonly clock: Clock
  readonly journal: Journal
  random: Random
  /** Draws latency and faults, so that they never move identifiers. */
  readonly faultRandom: Random
  /** The calls that the rate limit still allows. */
  readonly rateLimiter = new TokenBucket()
  /** Signs this tenant's upload URLs. */
  readonly secret: string
  /** Tells this world from earlier and later ones of the tenant. */
  readonly generation: string
  /** The number of the latest request of this tenant, counted over all tenants. */
  lastUse = 0
  readonly #workflows = new Map<string, WorkflowState>()
  readonly #executions = new Map<string, Execution>()
  readonly #uploads = new Map<string, Upload>()
  readonly #sessionByKey = new Map<string, string>()
  /** The documents of confirmed uploads. */
  readonly #documents = new Set<string>()
  readonly #history = new History()
  readonly #route: Router
  readonly #hashing: Hashing
  readonly #report: (records: readonly LogRecord[]) => void
  readonly #onUnusable: (error: UnusableEventError) => void
  readonly #files: Files
  readonly #approvers: Approvers
  readonly #seed: string
  readonly #maxExecutions: number
  readonly #memory: Memory
  readonly memoryUse: MemoryUse
  /** Executions that may have steps to assign. */
  readonly #unassigned = new Set<string>()
  #settings: Settings
  #running = 0

  constructor(
    readonly tenantId: string,
    {
      seed,
      secret = seed,
      clock,
      settings = defaultSettings,
      profile,
      pace,
      router = route,
      hashing = portableHashing,
      memory = new Memory(defaultMemoryBytes),
      record = () => {},
      onUnusable = () => {},
      files = new MemoryFiles(),
      generation = '',
      maxExecutions = 10_000,
    }: WorldOptions,
  ) {
    this.#seed = `${seed}/${tenantId}`
    this.generation = generation
    this.#report = record
    this.#onUnusable = onUnusable
    this.#files = files
    this.#maxExecutions = maxExecutions
    this.#memory = memory
    this.memoryUse = new MemoryUse(memory)
    this.journal = new Journal(maxExecutions * 10)
    this.clock = clock
    this.#settings = settings
    this.faultRandom = new Random(`${this.#seed}/faults`)
    this.#route = router
    this.#hashing = hashing
    this.random = new Random(this.#seed)
    this.secret = `${secret}/${tenantId}/uploads`
    this.#approvers = new Approvers({
      mode: settings.approvers,
      clock,
      seed: this.#seed,
      profile,
      pace,
      decide: (decision) => this.perform({ type: 'DecideStep', ...decision }),
    })
  }

  /** Carries out a command without interruption. Throws a `DomainError`, and then nothing has changed. */
  handle(command: Command): void {
    this.clock.catchUp()
    this.#carryOut(command)
    if (this.#hasMoreToDo) doAtOnce(orLater(this.goOn()))
  }

  /** Carries out a command like `handle`, but can be interrupted: assigning the steps of a large workflow takes long. */
  *perform(command: Command): Work {
    this.clock.catchUp()
    this.#carryOut(command)
    if (this.#hasMoreToDo) yield* orLater(this.goOn())
  }

  /** True if the last command leaves steps to assign or alarms that are due. Creating a workflow never does. */
  get #hasMoreToDo(): boolean {
    return this.#unassigned.size > 0 || this.clock.isBehind
  }

  /** Does what follows from the events so far: assigns steps, and runs what is due. */
  *goOn(): Work {
    yield* this.#assignAll()
    yield* this.clock.runDue()
  }

  /** Runs everything due by now, before the world is read. If the archive refuses that, the next command fails. */
  catchUp(): void {
    if (this.clock.isBehind) doAtOnce(orLater(this.clock.runDue()))
  }

  /** Draws identifiers from another seed from now on. `place` must be one from which no identifier was drawn before. */
  reseed(place: string): void {
    this.random = new Random(`${this.#seed}/${place}`)
  }

  /** Takes over settings that were changed elsewhere, and runs nothing. */
  followSettings(settings: Settings): void {
    this.#settings = settings
    this.#approvers.setMode(settings.approvers)
  }

  /** Prepares for `goOn` after a replay. Draws identifiers from another seed, so that none is issued twice. */
  resume(): void {
    this.reseed(`after/${this.journal.length}`)
    for (const [executionId, { status }] of this.#executions) {
      if (status === 'running') this.#unassigned.add(executionId)
    }
    doAtOnce(orLater(this.#assignAll()))
  }

  /**
   * Starts receiving an object of `size` bytes. `needsSha256` computes its SHA-256 too, which takes several times as long as
   * its CRC-32. `fileName` is the name of its file, if its upload has one already. The caller must end the writer with `drop`.
   */
  createWriter(size: number, needsSha256 = false, fileName = newFileName()): ObjectWriter {
    const file = this.#files.receive(this.tenantId, fileName, size)
    return new ObjectWriter(size, { hashing: this.#hashing, file, needsSha256 })
  }

  /** Creates a SHA-256 for bytes of an object that are kept. */
  createSha256(): Hasher {
    return this.#hashing.createSha256()
  }

  /** Stores the received bytes of an upload and returns their checksums. Stores nothing if it throws a `DomainError`. */
  storeWritten(sessionId: string, writer: ObjectWriter): ObjectSums {
    const sums = writer.finish(this.upload(sessionId).request.file_size)
    this.handle({ type: 'StoreObject', sessionId, ...sums })
    return sums
  }

  /** Stores all bytes of an upload at once and returns their checksums. */
  storeObject(sessionId: string, bytes: Uint8Array): ObjectSums {
    const { file } = this.upload(sessionId)
    const writer = this.createWriter(bytes.byteLength)
    try {
      writer.add(bytes)
      const sums = this.storeWritten(sessionId, writer)
      writer.leaveFile()
      if (file !== undefined) this.removeFile(file)
      return sums
    } finally {
      writer.drop()
    }
  }

  /** Returns the content of an upload's object; undefined if it is not kept. */
  content({ file, request, size = request.file_size }: Upload): Content | undefined {
    const { tenantId } = this
    if (file === undefined || this.#files.sizeOf(tenantId, file) !== size) return undefined
    return { size, pieces: (most) => this.#files.read(tenantId, file, most) }
  }

  /** Returns true if the content of an upload's object is kept, and can be read now. */
  hasContent(upload: Upload): boolean {
    try {
      return this.content(upload) !== undefined
    } catch (error) {
      if (error instanceof ArchiveError) return false
      throw error
    }
  }

  /** Throws a `DomainError` if the file of an upload that is about to be confirmed is no longer there. */
  requireFile(upload: Upload): void {
    if (upload.status !== 'stored' || upload.file === undefined || this.content(upload)) return
    throw new DomainError(
      'object-not-stored',
      'The mock no longer has the file of this upload. PUT it to the upload_url again, then confirm.',
    )
  }

  /** Returns the names of all files. */
  *fileNames(): Generator<string> {
    for (const { file } of this.#uploads.values()) if (file !== undefined) yield file
  }

  /** Removes a file that was replaced. */
  removeFile(name: string): void {
    this.#files.remove(this.tenantId, [name])
  }

  #carryOut(command: Command): void {
    this.#record(this.decide(command))
    if ('executionId' in command) this.#unassigned.add(command.executionId)
  }

  /** Returns the events that a command causes now. Throws a `DomainError`. */
  decide(command: Command): readonly WorldEvent[] {
    switch (command.type) {
      case 'CreateWorkflow':
        this.memoryUse.requireSpace()
        return workflowDecider.decide(command, undefined)
      case 'StartExecution': {
        const { type, executionId, workflowId, request, isDocumentKnown = false } = command
        const { workflow } = this.analytics(workflowId)
        if (!isDocumentKnown) this.requireDocument(request.document_id)
        this.memoryUse.requireSpace()
        return executionDecider.decide({ type, executionId, workflow, request }, undefined)
      }
      case 'AssignStep':
        return executionDecider.decide(command, this.execution(command.executionId))
      case 'DecideStep': {
        const execution = this.execution(command.executionId)
        // An approver who decided something else in between worked on this step only after that.
        const takenUpAt = Math.max(command.takenUpAt ?? 0, this.#takenUpAt(execution, command))
        return executionDecider.decide({ ...command, takenUpAt }, execution)
      }
      case 'RequestUpload':
        this.memoryUse.requireSpace()
        return uploadDecider.decide(command, undefined)
      case 'StoreObject':
      case 'ConfirmUpload':
        return uploadDecider.decide(command, this.#uploads.get(command.sessionId))
      default:
        return never(command)
    }
  }

  get settings(): Settings {
    return this.#settings
  }

  setSettings(settings: Settings): void {
    doAtOnce(this.changeSettings(settings))
  }

  /** Changes the settings, and can be interrupted. */
  *changeSettings(settings: Settings): Work {
    yield* this.clock.runDue()
    this.#report([{ settings, at: this.clock.now() }])
    this.#settings = settings
    yield* this.#approvers.changeMode(settings.approvers)
    yield* this.clock.runDue()
  }

  analytics(workflowId: string): Analytics {
    return this.workflow(workflowId).analytics
  }

  advice(workflowId: string): Advice {
    return this.workflow(workflowId).advice
  }

  /**
   * Returns a workflow as it was at an earlier time, or as it was created if that is later. If the journal no longer has all its
   * events, returns it as it is now.
   */
  *viewAt(workflowId: string, at: number): Work<WorkflowView> {
    const state = this.workflow(workflowId)
    if (state.changedAt <= at || state.created.seq < this.journal.firstSeq) return viewOf(state, this.#executions)
    return yield* viewAfter(state, this.journal.read(), at)
  }

  /** The number of workflows, of executions that are kept, of those that are running, and of uploads. */
  get sizes(): { workflows: number; executions: number; running: number; uploads: number } {
    return {
      workflows: this.#workflows.size,
      executions: this.#executions.size,
      running: this.#running,
      uploads: this.#uploads.size,
    }
  }

  hasWorkflow(workflowId: string): boolean {
    return this.#workflows.has(workflowId)
  }

  /** Returns all workflows, the oldest first. */
  workflows(): Iterable<WorkflowState> {
    return this.#workflows.values()
  }

  /** Returns all executions that are kept, the oldest first. */
  executions(): Iterable<Execution> {
    return this.#executions.values()
  }

  /** Returns all uploads, the oldest first. */
  uploads(): Iterable<Upload> {
    return this.#uploads.values()
  }

  /** Returns when the simulated approver of an assigned step began to work on it and will decide, if that is planned. */
  planOf(executionId: string, { step, assignee }: ExecutionStep): PlannedDecision | undefined {
    return assignee && this.#approvers.planOf(assignee.email, { executionId, stepId: step.step_id })
  }

  /** Creates a world without events and with the same limits, whose clock is stopped, to show this one as it was earlier. */
  createPast(): World {
    return new World(this.tenantId, {
      seed: this.#seed,
      clock: new Clock({ speed: 0, start: 0 }),
      settings: { ...defaultSettings, approvers: 'manual' },
      router: this.#route,
      memory: this.#memory,
      maxExecutions: this.#maxExecutions,
    })
  }

  hasExecution(executionId: string): boolean {
    return this.#executions.has(executionId)
  }

  execution(executionId: string): Execution {
    return requireExecution(this.#executions.get(executionId), executionId)
  }

  /** Returns the latest executions of a workflow, the newest first. */
  recentExecutions(workflowId: string, limit: number): Execution[] {
    return viewOf(this.workflow(workflowId), this.#executions).recentExecutions(limit)
  }

  upload(sessionId: string): Upload {
    return requireUpload(this.#uploads.get(sessionId), sessionId)
  }

  hasUpload(sessionId: string): boolean {
    return this.#uploads.has(sessionId)
  }

  /** Throws a `DomainError` if no confirmed upload has a document. */
  requireDocument(documentId: string): void {
    if (this.#documents.has(documentId)) return
    throw new DomainError(
      'document-not-confirmed',
      `No confirmed upload has the document_id '${documentId}'. Upload and confirm the document, then use the document_id from the answer.`,
    )
  }

  /** Returns the upload whose object has this storage key. */
  uploadByKey(key: string): Upload | undefined {
    return this.#uploads.get(this.#sessionByKey.get(key) ?? '')
  }

  /** Returns a workflow: the same object as long as it exists. */
  workflow(workflowId: string): WorkflowState {
    return requireFound(
      this.#workflows.get(workflowId),
      'workflow-not-found',
      `This key has no workflow '${workflowId}'. Use the workflow_id that POST /api/v1/workflows returned for this key.`,
    )
  }

  /** An approver works on one step at a time, so work begins with the assignment or the last decision, whichever is later. */
  #takenUpAt(execution: Execution, { stepId, email }: DecideStep): number {
    const { assignedAt = 0 } = stepOf(execution, stepId)
    return Math.max(assignedAt, this.#history.desk(email).lastDecisionAt)
  }

  *#assignAll(): Work {
    for (const executionId of this.#unassigned) {
      yield* this.#assign(executionId)
      this.#unassigned.delete(executionId)
    }
  }

  *#assign(executionId: string): Work {
    const execution = this.#executions.get(executionId)
    // An execution that has been evicted since has ended.
    if (!execution) return
    for (const { step } of stepsToAssign(execution)) {
      const route = this.#route({
        executionId,
        step,
        priority: priorityOf(execution),
        now: this.clock.now(),
        desk: (email) => this.#history.desk(email),
      })
      this.#record(this.decide({ type: 'AssignStep', executionId, stepId: step.step_id, route }))
      yield
    }
  }

  #record(events: readonly WorldEvent[]): void {
    const recorded = this.journal.record(events, this.clock.now())
    this.#report(recorded)
    for (const event of recorded) this.apply(event)
  }

  /**
   * Applies a recorded event. During a replay, the approvers must be `manual`, `later` is the number of events that follow, and
   * `laterCompletions` is the least number of completed executions of the same workflow that follow. Throws an
   * `UnusableEventError`; then the world cannot be used any more.
   */
  apply(event: RecordedEvent, later = 0, laterCompletions = 0): void {
    try {
      const next = this.journal.length + 1
      if (event.seq !== next) throw new TypeError(`event ${next} is missing`)
      this.#fold(event, later, laterCompletions)
    } catch (error) {
      const unusable = new UnusableEventError(event, error)
      this.#onUnusable(unusable)
      throw unusable
    }
  }

  #fold(event: RecordedEvent, later: number, laterCompletions: number): void {
    this.journal.append(event, later)
    this.memoryUse.setEvents(this.journal.size, this.journal.firstSeq)
    switch (event.type) {
      case 'WorkflowCreated':
        this.#workflows.set(event.workflowId, new WorkflowState(event))
        this.memoryUse.addWorkflow(event)
        return
      case 'UploadRequested':
      case 'ObjectStored':
      case 'UploadConfirmed': {
        const upload = uploadDecider.evolve(this.#uploads.get(event.sessionId), event)
        this.#uploads.set(event.sessionId, upload)
        if (upload.documentId) this.#documents.add(upload.documentId)
        if (event.type !== 'UploadRequested') return
        this.#sessionByKey.set(upload.key, event.sessionId)
        this.memoryUse.addUpload(upload)
        return
      }
      default: {
        const execution = executionDecider.evolve(this.#executions.get(event.executionId), event)
        const state = this.workflow(event.workflowId)
        this.#executions.set(event.executionId, execution)
        if (event.type === 'ExecutionStarted') this.#running += 1
        if (event.type === 'ExecutionCompleted') this.#running -= 1
        if (!state.isExecuted) this.memoryUse.addAnalytics(state.analytics.workflow)
        this.memoryUse.addToExecution(event, execution)
        this.#history.apply(event, execution)
        state.apply(event, execution)
        this.#approvers.notice(event, execution)
        if (state.hasTooMany(this.#maxExecutions)) this.#forgetOldest(state, event.executionId)
        // Keeping it until it is evicted would only cost the garbage collector time.
        if (state.willForget(this.#maxExecutions, laterCompletions)) {
          this.memoryUse.forgetEarly(execution)
          this.#executions.delete(event.executionId)
        }
      }
    }
  }

  /** Records an event of the past. The approvers must be `manual`. */
  restore(event: RecordedEvent): void {
    this.#report([event])
    this.apply(event)
  }

  /** Forgets the oldest executions of a workflow that are over, except one. */
  #forgetOldest(state: WorkflowState, except: string): void {
    // The answer to the last decision shows its execution, however old that is.
    const isOver = (id: string) => id !== except && this.#executions.get(id)?.status !== 'running'
    for (const id of state.forget(this.#maxExecutions, isOver)) this.#forget(id)
  }

  #forget(executionId: string): void {
    const lastSeq = this.journal.firstSeq + this.journal.size
    this.memoryUse.forget(executionId, this.#executions.get(executionId), lastSeq)
    this.#executions.delete(executionId)
  }

  /** Stops the clock and releases all memory. */
  close(): void {
    this.clock.stop()
    this.memoryUse.clear()
  }
}

interface WorldOptions {
  readonly seed: string
  /** Signs upload URLs. @default derived from the seed */
  readonly secret?: string
  readonly clock: Clock
  readonly settings?: Settings
  /** The pace and the habits of some approvers. @default drawn from the seed */
  readonly profile?: ProfileOf | undefined
  /** The pace of all simulated approvers, who then approve everything. @default drawn from the seed */
  readonly pace?: StepPace | undefined
  /** @default a scheduler that runs on every platform */
  readonly hashing?: Hashing | undefined
  /** Keeps the contents of objects. @default in memory, up to 64 MiB */
  readonly files?: Files
  /** The memory of all worlds, and its limit. @default 512 MiB */
  readonly memory?: Memory
  /** Is called with what happens before it holds; if it throws, the command fails. @default nothing is called */
  readonly record?: (records: readonly LogRecord[]) => void
  /** Called when an event cannot be applied. @default nothing is called */
  readonly onUnusable?: (error: UnusableEventError) => void
  /** Tells this world from earlier and later ones of the tenant. @default '' */
  readonly generation?: string
  /** Chooses approvers. @default smart routing */
  readonly router?: Router | undefined
  /**
   * The number of ended executions that each workflow keeps. Older ones are forgotten, but analytics still count them. The
   * journal keeps ten times as many events. @default 10,000
   */
  readonly maxExecutions?: number | undefined
}

type Of<Type extends ExecutionCommand['type']> = Extract<ExecutionCommand, { type: Type }>

/** Starts an execution of a workflow by its identifier. `isDocumentKnown` says that no upload needs to be confirmed for it. */
type StartExecution = Omit<Of<'StartExecution'>, 'workflow'> & {
  readonly workflowId: string
  readonly isDocumentKnown?: boolean
}

/** Decides a step. Without `takenUpAt`, the approver's desk determines the start of work. */
type DecideStep = Omit<Of<'DecideStep'>, 'takenUpAt'> & { readonly takenUpAt?: number }

/** A command to a world. */
export type Command = domain.CreateWorkflow | StartExecution | Of<'AssignStep'> | DecideStep | UploadCommand
