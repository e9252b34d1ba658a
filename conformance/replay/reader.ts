/** Reads the identifiers of a session from the answers of another deployment, whatever their shape. */
import { type DataUse, valueFrom } from '../../src/session/data-flow.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Deployment, ThingRole } from './deployment.ts'
import { answeredIn, roleAt, type SessionCall } from './turns.ts'

type Value = string | number | undefined

/** The answers of another deployment, by what they introduce. */
export class Reader {
  readonly #calls: readonly SessionCall[]
  readonly #deployment: Deployment
  /** The new answers to calls of the session that were accepted, by their index. */
  readonly #answers: ReadonlyMap<number, Exchange>
  /** The meanings of values of the session. */
  readonly #roles = new Map<string, ThingRole>()

  constructor(calls: readonly SessionCall[], deployment: Deployment, answers: ReadonlyMap<number, Exchange>) {
    this.#calls = calls
    this.#deployment = deployment
    this.#answers = answers
    for (const { call, uses } of calls) {
      for (const { pointer, part, value } of uses) {
        const role = part === '' ? roleAt(call, pointer) : undefined
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
  valueOf({ value: recorded, sources }: DataUse): Value {
    const role = this.#roles.get(recorded)
    const [first] = sources
    const own = role && first && this.#byRole(role, first.turn)
    if (own !== undefined) return own
    for (const source of sources) {
      const answer = this.#answers.get(source.turn)
      const value = answer && valueFrom(answeredIn(answer), source)
      // A place that names nothing here, such as a message, would only send nonsense.
      if (value !== undefined && value !== '') return value
      // Other answers may have the value in places that mean something else elsewhere.
      if (role && !this.#deployment.discovered) return undefined
    }
    return undefined
  }

  #byRole(role: ThingRole, turn: number): Value {
    if (role === 'document') return this.#document(turn)
    const maker = role === 'workflow' ? 'createWorkflow' : 'requestUpload'
    return this.#calls[turn]?.call === maker ? this.#shown(role, turn) : undefined
  }

  #shown(role: ThingRole, turn: number): Value {
    const answer = this.#answers.get(turn)
    return answer && this.#deployment.identifierIn(role, answer)
  }

  /** A document may have its identifier from the confirmation, from the upload, or be named like one of them. */
  #document(turn: number): Value {
    const isConfirmation = (at: number) => this.#calls[at]?.call === 'confirmUpload'
    const uploadOf = (at: number) =>
      this.#calls[at]?.uses.find(({ pointer }) => pointer === '/body/session_id')?.sources.at(0)?.turn
    const confirmation = isConfirmation(turn)
      ? turn
      : this.#calls.findIndex((_, at) => at > turn && isConfirmation(at) && uploadOf(at) === turn)
    const upload = isConfirmation(turn) ? uploadOf(turn) : turn
    const shown = this.#shown('document', confirmation)
    const places = this.#deployment.discovered?.places
    if (shown !== undefined || upload === undefined || !places) return shown
    const answer = this.#answers.get(upload)
    return (
      (answer && places.guess('early document', answer)) ?? this.#shown(places.isSession ? 'session' : 'key', upload)
    )
  }
}
