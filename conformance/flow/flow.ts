import type { Body } from '../../src/contract/operations.ts'
import { executeBroken } from '../diagnosis/executions.ts'
import { mustBeReached } from '../diagnosis/reach.ts'
import { createBroken } from '../diagnosis/workflows.ts'
import { Broken } from '../judging/check.ts'
import { echoOf, fieldOf } from '../reading/echo.ts'
import { at, identifierCandidates, type Located, membersOf } from '../reading/locate.ts'
import type { Profile } from '../reading/profile.ts'
import { executionShown, type Shown } from '../reading/progress.ts'
import { type Exchange, label, succeeded, succeededLike } from '../wire/exchange.ts'
import type { Target } from '../wire/target.ts'
import { Document } from './document.ts'
import { Samples } from './samples.ts'
import { Settling } from './settling.ts'
import { type ReadWorkflow, readWorkflow } from './workflow-reader.ts'

/** A workflow that the run has made, as it can be read. */
export interface MadeWorkflow extends ReadWorkflow {
  readonly sent: Body<'createWorkflow'>
  readonly created: Exchange
}

/** An execution that the deployment accepted. */
export interface StartedExecution {
  readonly exchange: Exchange
  readonly documentId: string
}

/**
 * The documented flow on one deployment. Each step is taken once, by whoever needs it first, and every check looks at the
 * same answers. A step that does not come about throws `Broken`, with the requirement that explains it.
 */
export class Flow {
  readonly samples: Samples
  readonly settling: Settling
  /** What was found where, for the report. */
  readonly located: Record<string, string> = {}
  readonly #steps = new Map<string, Promise<unknown>>()

  constructor(
    readonly target: Target,
    runId: string,
    readonly profile: Profile = {},
  ) {
    this.samples = new Samples(runId)
    this.settling = new Settling(target.transport, profile.settleSeconds)
  }

  /** Takes a step once; asked again, gives the same result. */
  once<T>(step: string, take: () => Promise<T>): Promise<T> {
    const known = this.#steps.get(step) as Promise<T> | undefined
    const result = known ?? take()
    this.#steps.set(step, result)
    return result
  }

  /** Creates a workflow. */
  create(body: Partial<Body<'createWorkflow'>>, headers?: HeadersInit): Promise<Exchange> {
    return this.target.createWorkflow(body, headers ? { headers } : {})
  }

  /** The answer to the first create, whatever it is. */
  firstCreate = () =>
    this.once('first create', async () => {
      const sent = this.samples.workflow()
      return { sent, exchange: await this.create(sent) }
    })

  /**
   * Whether the deployment can be talked to at all. Creating and asking for an upload need nothing from each other, so
   * where both are refused alike, the address or the key is to blame and not the calls.
   */
  reach = () =>
    this.once('reach', async () => {
      await mustBeReached(this)
    })

  /** Workflow 1 is sequential, workflow 2 is not. */
  workflow = (which: 1 | 2): Promise<MadeWorkflow> =>
    this.once(`workflow ${which}`, async () => {
      await this.reach()
      const { sent, exchange } = which === 1 ? await this.firstCreate() : await this.#secondCreate()
      if (!succeeded(exchange)) throw await createBroken(this, which, exchange)
      const made = { sent, created: exchange, ...(await this.read(exchange, sent)) }
      if (which === 2) this.#mustBeAnother(made, await this.workflow(1))
      return made
    })

  #mustBeAnother({ sent, id, details }: MadeWorkflow, first: MadeWorkflow): void {
    if (String(id.value) === String(first.id.value)) {
      const message = `Two workflows are identified by ${JSON.stringify(id.value)}`
      throw new Broken('workflow.ids-differ', 'fail', message)
    }
    this.mustShow(sent.name, details, first)
  }

  /** Throws `Broken` where details show the name of another workflow, in the place where the first shows its own. */
  mustShow(name: string, details: Exchange, first: MadeWorkflow): void {
    const message = this.mixUp(name, details, first)
    if (message) throw new Broken('get-workflow.method-and-path', 'fail', message)
  }

  /** What is said where details show the name of another workflow. */
  mixUp(name: string, details: Exchange, { sent, details: first }: MadeWorkflow): string | undefined {
    const place = membersOf(first.json).find(({ value }) => value === sent.name)
    const shown = place ? at(details.json, place.pointer) : fieldOf(echoOf(details.json), 'name')?.value
    if (typeof shown !== 'string' || shown === name || !this.samples.isName(shown)) return undefined
    return `${label(details)} with the details of ${JSON.stringify(shown)}, not of ${JSON.stringify(name)}`
  }

  /** Reads a workflow that was created. */
  async read(created: Exchange, sent: object): Promise<ReadWorkflow> {
    const found = await readWorkflow(this.target, this.settling, created, sent, this.profile.locators?.workflow_id)
    this.located.workflow_id ??= found.id.pointer
    return found
  }

  /** Documents of the run, each with its own upload. */
  document = (number: 1 | 2): Document => {
    const known = this.#documents.get(number) ?? new Document(this, number)
    this.#documents.set(number, known)
    return known
  }
  readonly #documents = new Map<number, Document>()

  /** A document that nothing else uses. */
  spareDocument(): Document {
    this.#spares += 1
    return new Document(this, 100 + this.#spares)
  }
  #spares = 0

  /** Executes workflow 2 for document 2 without the key. */
  executeWithoutKey = async (): Promise<Exchange> => {
    const { id } = await this.workflow(2)
    const [document] = await this.document(2).identifiers()
    const body = this.samples.execution(String(document?.value))
    return this.target.executeWorkflow(String(id.value), body, { headers: {} })
  }

  /** The answer to executing without the key, before it is executed with it. */
  executedWithoutKey = () => this.once('executed without key', this.executeWithoutKey)

  /** The execution of workflow 1 for document 1, or of workflow 2 for document 2. */
  execution = (which: 1 | 2): Promise<StartedExecution> =>
    this.once(`execution ${which}`, async () => {
      const { id } = await this.workflow(which)
      // Both workflows are there by then, so that one that only the first or the latest can execute shows.
      if (which === 1) await this.workflow(2).catch(() => {})
      else await this.bystander()
      // So are both documents, so that one that only the latest is taken for shows.
      if (which === 1)
        await this.document(2)
          .confirmed()
          .catch(() => {})
      const candidates = await this.document(which).identifiers()
      if (which === 2) {
        const exchange = await this.executedWithoutKey()
        const { exchange: control } = await this.execution(1)
        if (succeededLike(exchange, control)) return { exchange, documentId: String(candidates[0]?.value) }
      }
      const started = await this.#start(String(id.value), candidates)
      if ('documentId' in started) return started
      throw await executeBroken(this, which, String(id.value), candidates, started.refusal)
    })

  /** Executes a workflow for whichever value names the document; or else gives how the likeliest was refused. */
  async #start(
    workflowId: string,
    candidates: readonly Located[],
  ): Promise<StartedExecution | { readonly refusal?: Exchange }> {
    let started: StartedExecution | undefined
    let refusal: Exchange | undefined
    let asked = candidates.slice(0, 8)
    let likeliest = candidates.slice(0, 4)
    const round = async () => {
      for (const { pointer, value } of asked) {
        const documentId = String(value)
        const exchange = await this.target.executeWorkflow(workflowId, this.samples.execution(documentId))
        if (succeeded(exchange)) {
          this.located.document_id ??= pointer
          started = { exchange, documentId }
          return exchange
        }
        refusal ??= exchange
      }
      // Later rounds ask for two of the likeliest in turn; each costs the deployment a request.
      asked = likeliest.slice(0, 2)
      likeliest = [...likeliest.slice(2), ...asked]
      return refusal as Exchange
    }
    if (asked.length > 0) await this.settling.untilKnown(round)
    return started ?? (refusal ? { refusal } : {})
  }

  /** The details of workflow 2 after workflow 1 was executed, and before it is executed itself. */
  bystander = () =>
    this.once('bystander', async () => {
      await this.executedDetails()
      const { id } = await this.workflow(2)
      return this.target.getWorkflow(String(id.value))
    })

  /** The details of workflow 1 before its execution and after it, when the execution shows, or never will. */
  executedDetails = () =>
    this.once('executed details', async () => {
      const { id, details: before } = await this.workflow(1)
      const { exchange, documentId } = await this.execution(1)
      const executionId = identifierCandidates(exchange.json, 'execution')[0]?.value
      const shown = (after: Exchange) =>
        executionShown(
          before.json,
          after.json,
          [executionId, documentId].filter((one) => one !== undefined),
        )
      const isStillOpen = (one: Shown) => one === 'no' || one === 'undecided'
      const read = () => this.target.getWorkflow(String(id.value))
      const after = await this.settling.until(read, (answer) => succeeded(answer) && !isStillOpen(shown(answer)))
      if (!succeeded(after)) {
        const message = `${label(after)} after the execution, although it could be read before`
        throw new Broken('flow.create-execute-read', 'fail', message)
      }
      const first = await this.workflow(1)
      this.mustShow(first.sent.name, after, first)
      return { before, after, shown: shown(after) }
    })

  /** Whether a plain workflow is still accepted: if not, a refusal has nothing to do with what was sent. */
  async stillCreates(): Promise<boolean> {
    return succeeded(await this.create(this.samples.workflow()))
  }

  #secondCreate = async () => {
    const sent = this.samples.workflow({ isSequential: false })
    return { sent, exchange: await this.create(sent) }
  }
}
