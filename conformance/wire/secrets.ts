import { membersOf } from '../reading/locate.ts'
import type { Exchange } from './exchange.ts'
import { Redactor } from './redact.ts'
import type { TargetOptions } from './target.ts'
import { longestAddress, type Transport } from './transport.ts'

/** The secrets of a run: its keys, the values of its headers, and the credentials and signed URLs of the answers. */
export class Secrets {
  readonly #transport: Transport
  readonly #redactor: Redactor
  /** Redacts only the keys and what headers have issued, in the suite's own texts. */
  readonly keys: Redactor
  #looked = 0

  constructor({ url, apiKey, secondKey, headers = {} }: TargetOptions, transport: Transport) {
    this.#transport = transport
    const keys = [apiKey, ...(secondKey ? [secondKey] : [])]
    const { hostname: host } = new URL(url)
    this.keys = new Redactor(keys, { host, headers })
    this.#redactor = new Redactor(keys, { host, headers })
  }

  /** Redacts the keys, and all that answers have issued up to now. */
  get redactor(): Redactor {
    const { exchanges } = this.#transport
    for (; this.#looked < exchanges.length && !this.#redactor.isFull; this.#looked += 1) {
      const { headers, json } = exchanges[this.#looked] as Exchange
      this.keys.addIssued(headers)
      this.#redactor.addIssued(headers)
      this.#learn(json)
    }
    return this.#redactor
  }

  /** Adds the signatures in an answer's URLs. A URL that is too long to be used is not searched. */
  #learn(json: unknown): void {
    for (const { value } of membersOf(json)) {
      if (typeof value !== 'string' || !/^[a-z][a-z0-9+.-]*:/i.test(value)) continue
      if (value.length > longestAddress && value.includes('?')) this.#redactor.giveUp()
      if (this.#redactor.isFull) return
      this.#redactor.addSignaturesIn(value)
    }
  }
}
