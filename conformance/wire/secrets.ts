import { membersOf } from '../reading/locate.ts'
import { Redactor } from './redact.ts'
import type { TargetOptions } from './target.ts'
import type { Transport } from './transport.ts'

/** The secrets of a run: its keys, and the signatures of the addresses that were answered so far. */
export class Secrets {
  readonly #transport: Transport
  readonly #keys: readonly string[]
  readonly #known = new Set<string>()
  #looked = 0
  #redactor: Redactor | undefined

  constructor({ apiKey, secondKey }: TargetOptions, transport: Transport) {
    this.#transport = transport
    this.#keys = [apiKey, ...(secondKey ? [secondKey] : [])]
  }

  /** Masks what is known to be secret by now. */
  get redactor(): Redactor {
    const before = this.#known.size
    const { exchanges } = this.#transport
    for (const { json } of exchanges.slice(this.#looked)) {
      for (const signature of signaturesIn(json)) this.#known.add(signature)
    }
    this.#looked = exchanges.length
    if (this.#known.size > before) this.#redactor = undefined
    this.#redactor ??= new Redactor(this.#keys, [...this.#known])
    return this.#redactor
  }
}

function signaturesIn(json: unknown): string[] {
  return membersOf(json).flatMap(({ value }) =>
    typeof value === 'string' && URL.canParse(value)
      ? [...new URL(value).searchParams].filter(isSignature).map(([, text]) => text)
      : [],
  )
}

/** Whether a value names a session or an object, which answers show anyway, and judging needs. */
function isIdentifying(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) || value.startsWith('tenants/')
}

/** Whether a parameter of an address is what makes it good; others, such as the list of signed headers, are no secret. */
function isSignature([name, value]: readonly [string, string]): boolean {
  return (
    value.length >= 16 &&
    !isIdentifying(value) &&
    (/signature|token|credential|secret|policy|(^|[-_])sig$/i.test(name) || /^[\w+/=-]{32,}$/.test(value))
  )
}
