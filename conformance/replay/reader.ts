/** Reads the identifiers of a session from the answers of another deployment, whatever their shape. */
import type { Profile } from '../../src/profile/profile.ts'
import { type DataUse, type Source, valueFrom } from '../../src/session/data-flow.ts'
import type { Places } from '../learning/roles.ts'
import { memberCalled, valueAt } from '../reading/locate.ts'
import { storageKeyIn } from '../reading/storage-key.ts'
import { type Exchange, sentJson } from '../wire/exchange.ts'
import { answeredIn, roleAt, type SessionCall, type ThingRole } from './turns.ts'

type Value = string | number | undefined

export interface ReaderOptions {
  readonly calls: readonly SessionCall[]
  readonly uses: readonly (readonly DataUse[])[]
  readonly profile: Profile
  /** Returns the new answer to a call of the session, if it was accepted. */
  readonly answerTo: (turn: number) => Exchange | undefined
}

/** The answers of another deployment, by what they introduce. */
export class Reader {
  readonly #options: ReaderOptions
  /** The meanings of values of the session. */
  readonly #roles = new Map<string, ThingRole>()
  /** The places that the deployment was found to use. @default unknown */
  places: Places | undefined

  constructor(options: ReaderOptions) {
    this.#options = options
    for (const [turn, uses] of options.uses.entries()) {
      const kind = options.calls[turn]?.turn.kind ?? ''
      for (const { pointer, part, value } of uses) {
        const role = part === '' ? roleAt(kind, pointer) : undefined
        if (role) this.#roles.set(value, role)
      }
    }
  }

  /** Returns true if a value is an identifier whose place may differ from deployment to deployment. */
  mayBeElsewhere({ value }: DataUse): boolean {
    const role = this.#roles.get(value)
    return role === 'workflow' || role === 'document'
  }

  /** Returns true if a value identifies something of the contract. Others are sent as recorded if no answer shows them. */
  isNeeded({ value }: DataUse): boolean {
    return this.#roles.has(value)
  }

  /** Returns the deployment's value for a recorded one; undefined if no answer shows it. */
  valueOf(use: DataUse): Value {
    const role = this.#roles.get(use.value)
    const first = use.sources[0]
    if (!first) return undefined
    const own = role && this.#byRole(role, first)
    if (own !== undefined) return own
    for (const source of use.sources) {
      const answer = this.#options.answerTo(source.turn)
      const value = answer && valueFrom(answeredIn(answer), source)
      // A place that names nothing here, such as a message, would only send nonsense.
      if (value !== undefined && value !== '') return value
      // Other answers may have the value in places that mean something else elsewhere.
      if (role && this.places === undefined) return undefined
    }
    return undefined
  }

  #byRole(role: ThingRole, { turn }: Source): Value {
    const { calls } = this.#options
    const kind = calls[turn]?.turn.kind
    if (role === 'document') return this.#document(turn)
    if (role === 'workflow') return kind === 'createWorkflow' ? this.#located('workflow', turn) : undefined
    return kind === 'requestUpload' ? this.#ofUpload(role, turn) : undefined
  }

  #located(role: 'workflow' | 'document' | 'early document', turn: number): Value {
    const answer = this.#options.answerTo(turn)
    if (!answer) return undefined
    const { locators = {} } = this.#options.profile
    const pointer = role === 'workflow' ? locators.workflow_id : role === 'document' ? locators.document_id : undefined
    const located = pointer === undefined ? undefined : scalar(valueAt(answer.json, pointer))
    return located ?? this.places?.guess(role, answer)
  }

  #ofUpload(role: 'session' | 'key' | 'uploadUrl', turn: number): Value {
    const answer = this.#options.answerTo(turn)
    if (!answer) return undefined
    const { locators = {} } = this.#options.profile
    const name = { session: 'session_id', key: 'key', uploadUrl: 'upload_url' } as const
    const pointer = locators[name[role]]
    const located = pointer === undefined ? undefined : scalar(valueAt(answer.json, pointer))
    if (located !== undefined || role !== 'key') return located ?? scalar(memberCalled(answer.json, name[role])?.value)
    const url = this.#ofUpload('uploadUrl', turn)
    const fileName = String(valueAt(sentJson(answer), '/file_name') ?? '')
    if (typeof url !== 'string' || !URL.canParse(url)) return undefined
    return scalar(storageKeyIn(answer.json, url, fileName)?.value)
  }

  /** A document may have its identifier from the confirmation, from the upload, or be named like one of them. */
  #document(turn: number): Value {
    const { calls, uses } = this.#options
    const isConfirmation = (at: number) => calls[at]?.turn.kind === 'confirmUpload'
    const uploadOf = (at: number) =>
      uses[at]?.find(({ pointer }) => pointer === '/body/session_id')?.sources.at(0)?.turn
    const confirmation = isConfirmation(turn)
      ? turn
      : calls.findIndex((_, at) => at > turn && isConfirmation(at) && uploadOf(at) === turn)
    const upload = isConfirmation(turn) ? uploadOf(turn) : turn
    const shown = confirmation < 0 ? undefined : this.#located('document', confirmation)
    if (shown !== undefined || upload === undefined || !this.places) return shown
    const alias = this.places.isSession ? 'session' : 'key'
    return this.#located('early document', upload) ?? this.#ofUpload(alias, upload)
  }
}

function scalar(value: unknown): Value {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}
