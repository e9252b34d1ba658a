/** Sends the calls of an exploration to one side, and keeps what that side made. */
import type { Deployment, ThingRole } from '../replay/deployment.ts'
import { type Exchange, sentJson, succeeded } from '../wire/exchange.ts'
import type { CallOptions } from '../wire/target.ts'
import { contentType, fileOf, soundBodies } from './bodies.ts'
import { deviate } from './deviations.ts'
import { byAnotherTenant, type ExploredCall, needsNoDocument, type PlannedCall } from './plan.ts'

interface Upload {
  readonly url: string
  readonly session: string
  readonly key: string
  readonly fileName: string
  /** What was announced. */
  readonly type: string
  readonly size: number
}

/** What a call uses. */
interface Used {
  readonly workflow: string
  readonly upload: Upload
  readonly document: string
  /** The key that a confirmation names. */
  readonly key: string
}

/** What the answers to calls introduce, and the beginning of its name. */
const introduced: Readonly<Partial<Record<ExploredCall, readonly (readonly [ThingRole, string])[]>>> = {
  createWorkflow: [['workflow', 'WORKFLOW']],
  requestUpload: [
    ['uploadUrl', 'UPLOAD_URL'],
    ['session', 'SESSION'],
    ['key', 'KEY'],
  ],
  confirmUpload: [['document', 'DOCUMENT']],
}

/** A session on one side. */
export class SideSession {
  readonly #side: Deployment
  readonly #prefix: string
  readonly #session: readonly PlannedCall[]
  /** The answers to the calls that were sent, by their index. */
  readonly #answers = new Map<number, Exchange>()
  /** Identifies nothing. */
  readonly #unknown = crypto.randomUUID()
  /** The names of things, such as `$WORKFLOW_1`, by the values of this side. */
  readonly names = new Map<string, string>()

  /** All names that the session gives start with `prefix`. */
  constructor(side: Deployment, prefix: string, session: readonly PlannedCall[]) {
    this.#side = side
    this.#prefix = prefix
    this.#session = session
  }

  /**
   * Returns a function that sends a call and throws `Undecided` without an answer. Returns undefined if the earlier calls have not made
   * what it uses.
   */
  prepare(index: number): (() => Promise<Exchange>) | undefined {
    const call = this.#session[index]
    const used = call && this.#usedBy(call)
    if (!used) return undefined
    return async () => {
      const answer = await this.#send(call, index, used)
      this.#answers.set(index, answer)
      this.#learn(call, answer)
      return answer
    }
  }

  /** Returns true if an accepted answer lacks the identifier that later calls need. */
  lacksIdentifier({ call }: PlannedCall, answer: Exchange): boolean {
    const [[role] = []] = introduced[call] ?? []
    const isNeeded = role === 'workflow' || role === 'document'
    return isNeeded && succeeded(answer) && this.#side.identifierIn(role, answer) === undefined
  }

  /** Replaces what this side or this session alone has. */
  readonly rename = (text: string): string => {
    const known = this.names.get(text)
    if (known !== undefined) return known
    // Addresses are also sent in capitals.
    let renamed = text
      .replaceAll(this.#prefix, '…')
      .replaceAll(this.#prefix.toUpperCase(), '…')
      .replaceAll(this.#unknown, '$UNKNOWN')
    for (const [value, name] of this.names) if (value.length >= 8) renamed = renamed.replaceAll(value, name)
    return renamed
  }

  /** Learns the identifiers in all answers, since their places are known only now. */
  learnAll(): void {
    for (const [at, answer] of this.#answers) this.#learn(this.#session[at] as PlannedCall, answer)
  }

  /** Names the identifiers in an answer. */
  #learn({ call }: PlannedCall, answer: Exchange): void {
    if (!succeeded(answer)) return
    for (const [role, kind] of introduced[call] ?? []) {
      const value = String(this.#side.identifierIn(role, answer) ?? '')
      if (value === '' || this.names.has(value)) continue
      const count = [...this.names.values()].filter((one) => one.startsWith(`$${kind}_`)).length
      this.names.set(value, `$${kind}_${count + 1}`)
    }
  }

  async #send(call: PlannedCall, index: number, { workflow, upload, document, key }: Used): Promise<Exchange> {
    const { target } = this.#side
    const { manner } = call
    const options = this.#optionsFor(manner)
    switch (call.call) {
      case 'createWorkflow': {
        const body = { ...soundBodies.createWorkflow(this.#prefix, index), name: this.#nameOf(index) }
        return target.createWorkflow(deviate('createWorkflow', body, manner), options)
      }
      case 'getWorkflow':
        return target.getWorkflow(workflow, options)
      case 'requestUpload': {
        const body = { ...soundBodies.requestUpload(this.#prefix, index), file_name: `${this.#nameOf(index)}.pdf` }
        return target.requestUpload(deviate('requestUpload', body, manner), options)
      }
      case 'putObject': {
        const { url, type, size } = upload
        const length = manner === 'empty file' ? 0 : manner === 'shorter file' ? size - 1 : size
        const file = fileOf(call.upload ?? 0).slice(0, length)
        return target.putObject(url, manner === 'other type' ? 'text/plain' : type, file)
      }
      case 'confirmUpload': {
        const body = soundBodies.confirmUpload(upload.session, key, upload.fileName)
        return target.confirmUpload(deviate('confirmUpload', body, manner), options)
      }
      case 'executeWorkflow': {
        const body = soundBodies.executeWorkflow(this.#prefix, index, document)
        return target.executeWorkflow(workflow, deviate('executeWorkflow', body, manner), options)
      }
      default:
        return call.call satisfies never
    }
  }

  /** Returns the header with the key that a call is sent with, if not the usual one. */
  #optionsFor(manner: string): CallOptions {
    if (manner === 'without key') return { headers: {} }
    const { secondKey } = this.#side.target
    return manner === byAnotherTenant && secondKey !== undefined ? { headers: { Authorization: secondKey } } : {}
  }

  /** Returns the name that a call gives: its own, or that of an earlier call. */
  #nameOf(index: number): string {
    const { manner, other } = this.#session[index] ?? {}
    return manner === 'same name' && other !== undefined ? this.#nameOf(other) : `${this.#prefix}-${index}`
  }

  /** Returns what a call uses, made up if it names no call that made it; undefined if that call has not made it. */
  #usedBy({ manner, workflow, upload, document, other }: PlannedCall): Used | undefined {
    const [usedWorkflow, confirmed] = [this.#made('workflow', workflow), this.#made('document', document)]
    const own = this.#uploadAt(upload)
    const named = manner === 'same name' || other === undefined ? own : this.#uploadAt(other)
    if (usedWorkflow === undefined || confirmed === undefined || !own || !named) return undefined
    return {
      workflow: usedWorkflow,
      upload: own,
      // Some services name a document like its upload.
      document: manner === 'unconfirmed document' ? own.session : needsNoDocument(manner) ? this.#unknown : confirmed,
      key: manner === 'unknown key' ? `tenants/other/${own.fileName}` : named.key,
    }
  }

  /** Returns an identifier from the answer to a call; without a call, an unknown identifier. */
  #made(role: ThingRole, index: number | undefined): string | undefined {
    if (index === undefined) return this.#unknown
    const answer = this.#answers.get(index)
    const id = answer && succeeded(answer) ? this.#side.identifierIn(role, answer) : undefined
    return id === undefined ? undefined : String(id)
  }

  #uploadAt(index: number | undefined): Upload | undefined {
    const fileName = 'conformance.pdf'
    const unknown = { url: '', session: this.#unknown, key: `tenants/other/${fileName}`, fileName, type: '', size: 0 }
    if (index === undefined) return unknown
    const [url, session] = [this.#made('uploadUrl', index), this.#made('session', index)]
    const answer = this.#answers.get(index)
    if (!answer || url === undefined || !URL.canParse(url) || session === undefined) return undefined
    const asked = (sentJson(answer) ?? {}) as Readonly<
      Partial<Record<'file_name' | 'content_type' | 'file_size', unknown>>
    >
    return {
      url,
      session,
      key: this.#made('key', index) ?? '',
      fileName: String(asked.file_name ?? ''),
      type: typeof asked.content_type === 'string' ? asked.content_type : contentType,
      size: Number(asked.file_size) || 0,
    }
  }
}
