/** Replaces the signatures in the URLs of a session by pseudonyms of the same form, so that it can still be learned from. */
import { signaturesIn } from './credentials.ts'
import { unescaped } from './decoding.ts'
import { random } from './random.ts'
import { decodedText } from './redact.ts'
import type { SessionExchange } from './session.ts'

/** The most signatures that are replaced. */
const most = 1000

/** The signatures of a session and their pseudonyms. */
export class Pseudonyms {
  /** Pseudonyms by signature, as it is spelled in texts. */
  readonly #texts = new Map<string, string>()
  readonly #known = new Map<string, string>()

  /** Finds the signatures in the addresses of the requests, and in the answers and their headers. */
  constructor(exchanges: readonly SessionExchange[]) {
    for (const { request, headers, bytes } of exchanges) {
      const { text } = decodedText(bytes)
      const values = [...headers].map(([, value]) => value)
      // In a body, `&` may be escaped.
      for (const found of new Set([request.url, ...values, text, unescaped(text)])) this.#learn(found)
    }
  }

  /** The signatures themselves. */
  get signatures(): Iterable<string> {
    return this.#known.keys()
  }

  /** True if there are more signatures than are replaced. Then no body is safe to show. */
  get isFull(): boolean {
    return this.#known.size >= most
  }

  /** Replaces all known signatures in a text. The longest ones come first, since one may contain another. */
  replace(text: string): string {
    let replaced = text
    for (const [signature, pseudonym] of this.#sorted()) replaced = replaced.replaceAll(signature, pseudonym)
    return replaced
  }

  #order: readonly (readonly [string, string])[] | undefined

  #sorted() {
    this.#order ??= [...this.#texts].toSorted(([a], [b]) => b.length - a.length)
    return this.#order
  }

  #learn(text: string): void {
    for (const { value, raw } of signaturesIn(text)) {
      if (this.isFull) return
      const pseudonym = this.#known.get(value) ?? inTheFormOf(value, this.#known.size + 1)
      this.#known.set(value, pseudonym)
      const encoded = encodeURIComponent(pseudonym)
      const spellings = [
        [value, pseudonym],
        [encodeURIComponent(value), encoded],
        [raw, raw === value ? pseudonym : encoded],
      ] as const
      for (const [from, to] of spellings) {
        this.#texts.set(from, to)
        // As it is spelled in JSON.
        this.#texts.set(JSON.stringify(from).slice(1, -1), JSON.stringify(to).slice(1, -1))
        this.#texts.set(from.replaceAll('/', '\\/'), to.replaceAll('/', '\\/'))
      }
    }
  }
}

/** Makes a text of the same length and with the same kinds of characters, which depends only on these and on a number. */
function inTheFormOf(text: string, number: number): string {
  // The beginning of the mock's own signature says how it is checked.
  if (text.startsWith('cs1')) return `cs1${inTheFormOf(text.slice(3), number)}`
  const draw = random(number)
  const one = (alphabet: string) => alphabet.charAt(Math.floor(draw() * alphabet.length))
  const [digits, letters] = ['0123456789', 'abcdefghijklmnopqrstuvwxyz']
  if (/^[\da-f]+$/.test(text)) return text.replaceAll(/./g, () => one(`${digits}abcdef`))
  if (/^[\dA-F]+$/.test(text)) return text.replaceAll(/./g, () => one(`${digits}ABCDEF`))
  return text
    .replaceAll(/[a-z]/g, () => one(letters))
    .replaceAll(/[A-Z]/g, () => one(letters.toUpperCase()))
    .replaceAll(/\d/g, () => one(digits))
}
