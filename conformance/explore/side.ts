/** Sends the calls of an exploration to one side, and keeps what that side made. */
import type { Body } from '../../src/contract/operations.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { pdfOf } from '../flow/pdf.ts'
import type { Places } from '../learning/roles.ts'
import { memberCalled, valueAt } from '../reading/locate.ts'
import { storageKeyIn } from '../reading/storage-key.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import { Secrets } from '../wire/secrets.ts'
import { Target, type TargetOptions } from '../wire/target.ts'
import type { PlannedCall } from './plan.ts'

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
      return true
    } catch (error) {
      if (error instanceof Unavailable) return false
      throw error
    }
  }

  /** Leaves out the next call. */
  skip(): void {
    this.#answers.push(undefined)
  }

  /** Sends the next call. Throws `Undecided` without an answer. */
  async send(call: PlannedCall): Promise<Exchange> {
    const index = this.#answers.length
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
    let renamed = text.replaceAll(this.#prefix, '…')
    for (const [value, name] of this.names) if (value.length >= 8) renamed = renamed.replaceAll(value, name)
    return renamed
  }

  async #sendAs(call: PlannedCall, index: number): Promise<Exchange> {
    const target = this.#target
    const options = call.manner === 'without key' ? { headers: {} } : {}
    switch (call.call) {
      case 'createWorkflow':
        return target.createWorkflow(workflowBody(call, this.#prefix, index), options)
      case 'getWorkflow':
        return target.getWorkflow(
          call.manner === 'unknown workflow' ? crypto.randomUUID() : this.#workflow(call),
          options,
        )
      case 'requestUpload': {
        const { file_name, ...file } = this.#fileBody(call, index)
        return target.requestUpload(call.manner === 'without name' ? file : { file_name, ...file }, options)
      }
      case 'putObject': {
        const { url } = this.#upload(call)
        return target.putObject(url, call.manner === 'other type' ? 'text/plain' : contentType, fileOf(call.upload))
      }
      case 'confirmUpload': {
        const { session, key, fileName } = this.#upload(call)
        const file = { key: call.manner === 'other key' ? `tenants/other/${fileName}` : key, file_name: fileName }
        const body = { session_id: session, ...(call.manner !== 'without files' && { completed_files: [file] }) }
        return target.confirmUpload(body as Body<'confirmUpload'>, options)
      }
      case 'executeWorkflow': {
        const id = call.manner === 'unknown workflow' ? crypto.randomUUID() : this.#workflow(call)
        const document_id = call.manner === 'unknown document' ? crypto.randomUUID() : this.#document(call)
        const body = executionBody(call.manner === 'low priority' ? 'low' : 'high')
        return target.executeWorkflow(id, call.manner === 'without document' ? body : { document_id, ...body }, options)
      }
      default:
        return call.call satisfies never
    }
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

  #document({ document, manner }: PlannedCall): string {
    if (manner === 'without document') return ''
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

  #fileBody({ manner }: PlannedCall, index: number): Body<'requestUpload'> {
    const name = manner === 'same name' ? `${this.#prefix}.pdf` : `${this.#prefix}-${index}.pdf`
    return { file_name: name, content_type: contentType, file_size: fileOf(index).byteLength }
  }
}

const contentType = 'application/pdf'

/** A file that differs from upload to upload, in the same form as the suite's own. */
const fileOf = (index = 0) => pdfOf(`upload ${index}`, 'x'.repeat(100 + index))

function workflowBody({ manner }: PlannedCall, prefix: string, index: number): Body<'createWorkflow'> {
  const step = (number: number) => ({
    step_id: `step-${number}`,
    name: `Step ${number}`,
    order: number,
    type: 'approval' as const,
    approvers: [{ email: `approver.${number}@example.com`, name: `Approver ${number}` }],
    estimated_duration: 10 * number,
  })
  const name = manner === 'same name' ? prefix : `${prefix}-${index}`
  const length = manner === 'longest name' ? 100 : manner === 'name too long' ? 101 : name.length
  return {
    name: name.padEnd(length, 'x'),
    description: 'Made by countersign compare; it may be deleted.',
    isSequential: true,
    steps: manner === 'without steps' ? [] : manner === 'two steps' ? [step(1), step(2)] : [step(1)],
  }
}

function executionBody(priority: Body<'executeWorkflow'>['priority']) {
  return { submitter_email: 'submitter@example.com', execution_mode: 'standard' as const, priority }
}

function uploadIn(answer: Exchange): Upload | undefined {
  const url = memberCalled(answer.json, 'upload_url')?.value
  const session = memberCalled(answer.json, 'session_id')?.value
  const asked = JSON.parse(answer.sent ?? '{}') as { file_name?: string }
  const fileName = asked.file_name ?? ''
  if (typeof url !== 'string' || !URL.canParse(url) || session === undefined) return undefined
  const key = storageKeyIn(answer.json, url, fileName)?.value
  return { url, session: String(session), key: String(key ?? ''), fileName }
}
