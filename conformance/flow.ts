import type { Body } from '../src/contract/operations.ts'
import type { RequirementId } from './catalogue.ts'
import { Blocked } from './check.ts'
import { type Exchange, label, succeeded } from './exchange.ts'
import { bare, findNamed, identifierCandidates, identifierInLocation, type Located, membersOf } from './locate.ts'
import { Samples } from './samples.ts'
import type { Target } from './target.ts'

/** A created workflow, and how it was recognised. */
export interface CreatedWorkflow {
  readonly sent: Body<'createWorkflow'>
  readonly exchange: Exchange
  readonly id: Located
  readonly details: Exchange
}

export interface RequestedUpload {
  readonly sent: Body<'requestUpload'>
  readonly exchange: Exchange
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly uploadUrl: string
  readonly sessionId: string
}

/** The documented flow on one deployment. Each step runs once, whoever asks first, and every check looks at the same answers. */
export class Flow {
  readonly samples: Samples
  /** What was found where, for the report. */
  readonly located: Record<string, string> = {}
  /** What the run has made on the deployment. */
  readonly leftBehind: string[] = []
  readonly #steps = new Map<string, Promise<unknown>>()

  constructor(
    readonly target: Target,
    runId: string,
  ) {
    this.samples = new Samples(runId)
  }

  /** Creates a workflow; a success is noted as left behind. */
  async create(body: Partial<Body<'createWorkflow'>>, headers?: HeadersInit): Promise<Exchange> {
    const exchange = await this.target.createWorkflow(body, headers)
    if (succeeded(exchange)) this.leftBehind.push(`workflow ${body.name}`)
    return exchange
  }

  /** Step 1: the answer to creating a workflow. */
  createAnswer = (): Promise<{ sent: Body<'createWorkflow'>; exchange: Exchange }> =>
    this.#once('create', async () => {
      const sent = this.samples.workflow()
      return { sent, exchange: await this.create(sent) }
    })

  /** The created workflow; its identifier is verified by reading it. */
  workflow = (): Promise<CreatedWorkflow> =>
    this.#once('workflow', async () => {
      const { sent, exchange } = await this.createAnswer()
      const { id, details } = await this.read(exchange)
      if (!id || !details || !succeeded(details)) {
        throw new Blocked('get-workflow.method-and-path', 'the created workflow could not be read')
      }
      this.located.workflow_id = id.pointer
      return { sent, exchange, id, details }
    })

  /** Reads a created workflow with each identifier that the answer may mean, until one succeeds. */
  async read(created: Exchange): Promise<{ id?: Located; details?: Exchange }> {
    mustSucceed(created, 'create-workflow.method-and-path')
    const inLocation = identifierInLocation(created.headers)
    const candidates = [...identifierCandidates(created.json, 'workflow'), ...(inLocation ? [inLocation] : [])]
    let last = {}
    for (const id of distinct(candidates).slice(0, 5)) {
      const details = await this.target.getWorkflow(String(id.value))
      last = { id, details }
      if (succeeded(details)) break
    }
    return last
  }

  /** Step 2: the answer to asking for an upload URL. */
  uploadAnswer = (): Promise<{ sent: Body<'requestUpload'>; exchange: Exchange; bytes: Uint8Array<ArrayBuffer> }> =>
    this.#once('upload', async () => {
      const bytes = this.samples.pdf()
      const sent = this.samples.upload(bytes)
      return { sent, bytes, exchange: await this.target.requestUpload(sent) }
    })

  upload = (): Promise<RequestedUpload> =>
    this.#once('requested', async () => {
      const answer = await this.uploadAnswer()
      mustSucceed(answer.exchange, 'request-upload.method-and-path')
      const uploadUrl = this.#locate(answer.exchange, 'upload_url', 'upload.answers-upload-url')
      const sessionId = this.#locate(answer.exchange, 'session_id', 'upload.answers-session-id')
      return { ...answer, uploadUrl, sessionId }
    })

  /** The storage key: in the upload answer, or else in the path of the upload URL. */
  storageKey = (): Promise<string> =>
    this.#once('key', async () => {
      const { exchange, uploadUrl, sent } = await this.upload()
      const isKey = (value: unknown) => typeof value === 'string' && /^\/?tenants?\//.test(value)
      const named = findNamed(exchange.json, 'key', 'storage_key', 'object_key', 'file_key')
      const member = isKey(named?.value) ? named : (membersOf(exchange.json).find(({ value }) => isKey(value)) ?? named)
      if (member) {
        this.located.key = member.pointer
        return String(member.value)
      }
      const path = decodeURIComponent(new URL(uploadUrl).pathname)
      const at = path.indexOf('tenants/')
      if (at < 0) throw new Blocked('completed-file.key', `no storage key is shown for ${sent.file_name}`)
      this.located.key = 'upload_url'
      return path.slice(at)
    })

  /** Step 3: the answer of storage. */
  putAnswer = (): Promise<Exchange> =>
    this.#once('put', async () => {
      const { uploadUrl, sent, bytes } = await this.upload()
      return this.target.putObject(uploadUrl, sent.content_type, bytes)
    })

  /** Step 4: the answer to confirming. */
  confirmAnswer = (): Promise<Exchange> =>
    this.#once('confirm', async () => {
      const { sessionId, sent } = await this.upload()
      const stored = await this.putAnswer()
      mustSucceed(stored, 'storage.put-to-upload-url')
      const key = await this.storageKey()
      this.leftBehind.push(`document ${sent.file_name}`)
      return this.target.confirmUpload({
        session_id: sessionId,
        completed_files: [{ key, file_name: sent.file_name }],
      })
    })

  /** Step 5: the answer to executing the workflow, and the document identifier that it took. */
  executeAnswer = (): Promise<{ exchange: Exchange; documentId: string }> =>
    this.#once('execute', async () => {
      const { id } = await this.workflow()
      let answer: { exchange: Exchange; documentId: string } | undefined
      for (const { pointer, value } of (await this.#documentCandidates()).slice(0, 6)) {
        const documentId = String(value)
        const exchange = await this.target.executeWorkflow(String(id.value), this.samples.execution(documentId))
        answer = { exchange, documentId }
        if (!succeeded(exchange)) continue
        this.located.document_id = pointer
        break
      }
      if (!answer) throw new Blocked('flow.document-id-refers-to-upload', 'no document identifier is shown')
      return answer
    })

  /** Step 6: the details after the execution. */
  detailsAnswer = (): Promise<Exchange> =>
    this.#once('details', async () => {
      const { id } = await this.workflow()
      mustSucceed((await this.executeAnswer()).exchange, 'execute-workflow.method-and-path')
      return this.target.getWorkflow(String(id.value))
    })

  /** What may name the uploaded document: in the confirm answer, in the upload answer, or else the session or the key. */
  async #documentCandidates(): Promise<Located[]> {
    const { exchange, sessionId } = await this.upload()
    const confirmed = await this.confirmAnswer()
    mustSucceed(confirmed, 'confirm-upload.method-and-path')
    return distinct([
      ...documentCandidates(confirmed.json, '/confirm'),
      ...documentCandidates(exchange.json, '/upload'),
      { pointer: '/upload/session_id', name: 'session_id', value: sessionId },
      { pointer: '/upload/key', name: 'key', value: await this.storageKey() },
    ])
  }

  #locate({ json }: Exchange, field: string, by: RequirementId): string {
    const found = findNamed(json, field)
    if (typeof found?.value !== 'string') throw new Blocked(by, `the upload answer shows no ${field}`)
    this.located[field] = found.pointer
    return found.value
  }

  #once<T>(step: string, run: () => Promise<T>): Promise<T> {
    const known = this.#steps.get(step) as Promise<T> | undefined
    const result = known ?? run()
    this.#steps.set(step, result)
    return result
  }
}

/** Throws where a step of the flow did not succeed; the check that watches it says why. */
function mustSucceed(exchange: Exchange, by: RequirementId): void {
  if (!succeeded(exchange)) throw new Blocked(by, label(exchange))
}

function documentCandidates(json: unknown, prefix: string): Located[] {
  const named = membersOf(json).filter(({ name }) => ['documentid', 'documentids', 'documentuuid'].includes(bare(name)))
  const strings = named.filter(({ value }) => typeof value === 'string' || Number.isSafeInteger(value))
  return [...strings, ...identifierCandidates(json, 'document'), ...identifierCandidates(json, 'file')].map(
    (found) => ({
      ...found,
      pointer: prefix + found.pointer,
    }),
  )
}

function distinct(candidates: readonly Located[]): Located[] {
  return candidates.filter(({ value }, index) => candidates.findIndex((other) => other.value === value) === index)
}
