import { membersOf } from '../reading/locate.ts'
import { Redactor, shortestSignature } from './redact.ts'
import type { TargetOptions } from './target.ts'
import { longestAddress, type Transport } from './transport.ts'

/** The secrets of a run: its keys, the values of its headers, and the signatures in the URLs of the answers. */
export class Secrets {
  readonly #transport: Transport
  readonly #redactor: Redactor
  /** Redacts only the keys, in the suite's own texts. */
  readonly keys: Redactor
  #looked = 0

  constructor({ url, apiKey, secondKey, headers = {} }: TargetOptions, transport: Transport) {
    this.#transport = transport
    const keys = [apiKey, ...(secondKey ? [secondKey] : [])]
    const { hostname: host } = new URL(url)
    this.keys = new Redactor(keys, { host, headers })
    this.#redactor = new Redactor(keys, { host, headers })
  }

  /** Redacts the keys, and all signatures up to now. */
  get redactor(): Redactor {
    const { exchanges } = this.#transport
    for (; this.#looked < exchanges.length && !this.#redactor.isFull; this.#looked += 1) {
      this.#learn(exchanges[this.#looked]?.json)
    }
    return this.#redactor
  }

  /** Adds the signatures in an answer's URLs. A URL that is too long to be used is not searched. */
  #learn(json: unknown): void {
    for (const { value } of membersOf(json)) {
      if (typeof value !== 'string' || !/^[a-z][a-z0-9+.-]*:/i.test(value)) continue
      if (value.length > longestAddress && value.includes('?')) this.#redactor.giveUp()
      if (this.#redactor.isFull) return
      if (!URL.canParse(value)) continue
      for (const [name, text] of new URL(value).searchParams) {
        if (isSignature(name, text)) this.#redactor.addSignature(text)
        if (this.#redactor.isFull) return
      }
    }
  }
}

/** Returns whether a value is an identifier of a session or an object, which answers show too and the checks need. */
function isIdentifying(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) || value.startsWith('tenants/')
}

/** Returns whether a query parameter is a credential. Others, such as the list of signed headers, are not secret. */
export function isSignature(name: string, value: string): boolean {
  return (
    value.length >= shortestSignature &&
    !isIdentifying(value) &&
    (/signature|token|credential|secret|policy|(^|[-_])sig$/i.test(name) || /^[\w+/=-]{32,}$/.test(value))
  )
}
