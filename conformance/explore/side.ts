/** Sends the calls of an exploration to one side, and keeps what that side made. */
import type { Profile } from '../../src/profile/profile.ts'
import type { Places } from '../learning/roles.ts'
import { memberCalled, valueAt } from '../reading/locate.ts'
import { storageKeyIn } from '../reading/storage-key.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import { Secrets } from '../wire/secrets.ts'
import { type CallOptions, Target, type TargetOptions } from '../wire/target.ts'
import { contentType, fileOf, soundBodies } from './bodies.ts'
import { deviate } from './deviations.ts'
import { byAnotherTenant, needsNoDocument, type PlannedCall } from './plan.ts'

export interface SideOptions extends TargetOptions {
  readonly profile?: Profile
}

/** One side of an exploration. */
export class ExploredSide {
  readonly target: Target
  readonly secrets: Secrets
  readonly #profile: Profile
  /** Where the side shows its identifiers, if not where the contract does. @default unknown */
  places: Places | undefined

  constructor(options: SideOptions) {
    const { headers, ...profile } = options.profile ?? {}
    this.#profile = profile
    const all = { ...options, headers: { ...headers, ...options.headers } }
    this.target = new Target(all)
    this.secrets = new Secrets(all, this.target.transport)
  }

  /** Begins a session. All its names start with `prefix`. */
  begin(prefix: string): SideSession {
    return new SideSession(this.target, prefix, (role, answer) => this.#identifierIn(role, answer))
  }

  #identifierIn(role: 'workflow' | 'document', answer: Exchange): string | undefined {
    const { locators = {} } = this.#profile
    const pointer = role === 'workflow' ? locators.workflow_id : locators.document_id
    const located = pointer === undefined ? undefined : valueAt(answer.json, pointer)
    const found = located ?? this.places?.guess(role, answer) ?? memberCalled(answer.json, `${role}_id`)?.value
    return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
  }
}

interface Upload {
  readonly url: string
  readonly session: string
  readonly key: string
  readonly fileName: string
  /** What was announced. */
  readonly type: string
  readonly size: number
}

/** A call that cannot be sent, since an earlier one did not make what it uses. */
class Unavailable extends Error {}

/** A session on one side. */
export class SideSession {
  readonly #target: Target
  readonly #prefix: string
  readonly #identifierIn: (role: 'workflow' | 'document', answer: Exchange) => string | undefined
  /** The answers; undefined for calls that were skipped. */
  readonly #answers: (Exchange | undefined)[] = []
  readonly #calls: PlannedCall[] = []
  /** Identifies nothing. */
  readonly #unknown = crypto.randomUUID()
  /** The names of things, such as `$WORKFLOW_1`, by the values of this side. */
  readonly names = new Map<string, string>()

  constructor(
    target: Target,
    prefix: string,
    identifierIn: (role: 'workflow' | 'document', answer: Exchange) => string | undefined,
  ) {
    this.#target = target
    this.#prefix = prefix
    this.#identifierIn = identifierIn
  }

  /** Returns true if the earlier calls have made what the next call uses. */
  canSend(call: PlannedCall): boolean {
    try {
      if (call.workflow !== undefined) this.#workflow(call)
      if (call.upload !== undefined) this.#upload(call)
      if (call.document !== undefined) this.#document(call)
      this.#otherKey(call)
      return true
    } catch (error) {
      if (error instanceof Unavailable) return false
      throw error
    }
  }

  /** Leaves out the next call. */
  skip(call: PlannedCall): void {
    this.#calls.push(call)
    this.#answers.push(undefined)
  }

  /** Sends the next call. Throws `Undecided` without an answer. */
  async send(call: PlannedCall): Promise<Exchange> {
    const index = this.#answers.length
    this.#calls.push(call)
    const answer = await this.#sendAs(call, index)
    this.#answers.push(answer)
    this.#learn(call, answer)
    return answer
  }

  /** Returns true if an accepted answer lacks the identifier that later calls need. */
  lacksIdentifier({ call }: PlannedCall, answer: Exchange): boolean {
    if (!succeeded(answer)) return false
    if (call === 'createWorkflow') return this.#identifierIn('workflow', answer) === undefined
    return call === 'confirmUpload' && this.#identifierIn('document', answer) === undefined
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

  async #sendAs(call: PlannedCall, index: number): Promise<Exchange> {
    const target = this.#target
    const { manner } = call
    const options = this.#optionsFor(manner)
    switch (call.call) {
      case 'createWorkflow': {
        const body = { ...soundBodies.createWorkflow(this.#prefix, index), name: this.#nameOf(index) }
        return target.createWorkflow(deviate('createWorkflow', body, manner), options)
      }
      case 'getWorkflow':
        return target.getWorkflow(this.#workflowIn(call), options)
      case 'requestUpload': {
        const body = { ...soundBodies.requestUpload(this.#prefix, index), file_name: `${this.#nameOf(index)}.pdf` }
        return target.requestUpload(deviate('requestUpload', body, manner), options)
      }
      case 'putObject': {
        const { url, type, size } = this.#upload(call)
        const file = fileOf(call.upload ?? 0)
        const length = manner === 'empty file' ? 0 : manner === 'shorter file' ? size - 1 : size
        return target.putObject(url, manner === 'other type' ? 'text/plain' : type, file.slice(0, length))
      }
      case 'confirmUpload': {
        const { session, key, fileName } = call.upload === undefined ? this.#madeUpUpload() : this.#upload(call)
        const usedKey = manner === 'unknown key' ? `tenants/other/${fileName}` : (this.#otherKey(call) ?? key)
        const body = soundBodies.confirmUpload(session, usedKey, fileName)
        return target.confirmUpload(deviate('confirmUpload', body, manner), options)
      }
      case 'executeWorkflow': {
        const isMadeUp = needsNoDocument(manner) || call.document === undefined
        // Some services name a document like its upload.
        const unconfirmed = manner === 'unconfirmed document' ? this.#upload(call).session : undefined
        const document = unconfirmed ?? (isMadeUp ? this.#unknown : this.#document(call))
        const body = soundBodies.executeWorkflow(this.#prefix, index, document)
        return target.executeWorkflow(this.#workflowIn(call), deviate('executeWorkflow', body, manner), options)
      }
      default:
        return call.call satisfies never
    }
  }

  /** Returns the header with the key that a call is sent with, if not the usual one. */
  #optionsFor(manner: string): CallOptions {
    if (manner === 'without key') return { headers: {} }
    const { secondKey } = this.#target
    return manner === byAnotherTenant && secondKey !== undefined ? { headers: { Authorization: secondKey } } : {}
  }

  /** Returns an upload that no service knows. */
  #madeUpUpload(): Pick<Upload, 'session' | 'key' | 'fileName'> {
    return { session: this.#unknown, key: 'tenants/other/conformance.pdf', fileName: 'conformance.pdf' }
  }

  /** Returns the name that a call gives: its own, or that of an earlier call. */
  #nameOf(index: number): string {
    const { manner, other } = this.#calls[index] ?? {}
    return manner === 'same name' && other !== undefined ? this.#nameOf(other) : `${this.#prefix}-${index}`
  }

  #otherKey({ manner, other }: PlannedCall): string | undefined {
    return other === undefined || manner === 'same name'
      ? undefined
      : this.#upload({ call: 'confirmUpload', manner: 'sound', upload: other }).key
  }

  #answerTo(index: number | undefined): Exchange | undefined {
    const answer = index === undefined ? undefined : this.#answers[index]
    return answer && succeeded(answer) ? answer : undefined
  }

  #workflow({ workflow }: PlannedCall): string {
    const answer = this.#answerTo(workflow)
    const id = answer && this.#identifierIn('workflow', answer)
    if (id === undefined) throw new Unavailable('The workflow was not created, or its answer shows no identifier.')
    return id
  }

  /** Returns the identifier of the workflow of a call, or a made-up one. */
  #workflowIn(call: PlannedCall): string {
    const isMadeUp = call.manner === 'unknown workflow' || call.workflow === undefined
    return isMadeUp ? this.#unknown : this.#workflow(call)
  }

  #document({ document }: PlannedCall): string {
    const answer = this.#answerTo(document)
    const id = answer && this.#identifierIn('document', answer)
    if (id === undefined) throw new Unavailable('The upload was not confirmed, or its answer shows no document.')
    return id
  }

  #upload({ upload }: PlannedCall): Upload {
    const answer = this.#answerTo(upload)
    const found = answer && uploadIn(answer)
    if (!found) throw new Unavailable('The upload was not granted, or its answer shows no address.')
    return found
  }

  /** Learns the identifiers in all answers, since their places are known only now. */
  learnAll(): void {
    for (const [at, call] of this.#calls.entries()) {
      const answer = this.#answers[at]
      if (answer) this.#learn(call, answer)
    }
  }

  /** Learns the identifiers in an answer. */
  #learn({ call }: PlannedCall, answer: Exchange): void {
    if (!succeeded(answer)) return
    const name = (value: string | undefined, kind: string) => {
      if (value === undefined || value === '' || this.names.has(value)) return
      const count = [...this.names.values()].filter((one) => one.startsWith(`$${kind}_`)).length
      this.names.set(value, `$${kind}_${count + 1}`)
    }
    if (call === 'createWorkflow') name(this.#identifierIn('workflow', answer), 'WORKFLOW')
    const upload = call === 'requestUpload' ? uploadIn(answer) : undefined
    name(upload?.url, 'UPLOAD_URL')
    name(upload?.session, 'SESSION')
    name(upload?.key, 'KEY')
    if (call === 'confirmUpload') name(this.#identifierIn('document', answer), 'DOCUMENT')
  }
}

function uploadIn(answer: Exchange): Upload | undefined {
  const url = memberCalled(answer.json, 'upload_url')?.value
  const session = memberCalled(answer.json, 'session_id')?.value
  const asked = JSON.parse(answer.sent ?? '{}') as Partial<Record<'file_name' | 'content_type' | 'file_size', unknown>>
  const fileName = String(asked.file_name ?? '')
  if (typeof url !== 'string' || !URL.canParse(url) || session === undefined) return undefined
  const key = storageKeyIn(answer.json, url, fileName)?.value
  return {
    url,
    session: String(session),
    key: String(key ?? ''),
    fileName,
    type: typeof asked.content_type === 'string' ? asked.content_type : contentType,
    size: Number(asked.file_size) || 0,
  }
}
