/** How many characters of a secret already give it away. */
const telling = 12
/** What is shorter is found in texts that have nothing to do with it, in characters. */
const shortest = 4
/** What stands for a secret: for an API key, and for the beginning of any secret. */
export const redacted = { key: '***key***', part: '***' } as const
/** Stands where a text was cut. */
const ellipsis = '…'

/**
 * Masks secrets by their value, in every spelling that a server, a URL or a report may give them: as they are,
 * percent-encoded in part or in full, JSON-escaped, in base64 (at any offset), in hexadecimal, backwards, and by their
 * first characters.
 */
export class Redactor {
  readonly #spellings: string[]
  readonly #placeholders = new Map<string, string>()

  /** Keys become one placeholder; each other secret has its own, so that two that differ still differ. */
  constructor(keys: readonly string[], others: readonly string[] = []) {
    const add = (secret: string, placeholder: string) => {
      if (secret.length < shortest) return
      for (const spelling of spellingsOf(secret)) {
        if (!this.#placeholders.has(spelling)) this.#placeholders.set(spelling, placeholder)
      }
    }
    for (const key of keys) add(key, redacted.key)
    for (const [index, secret] of others.entries()) add(secret, `***${index + 1}***`)
    // The longest first, so that no part of a longer one is left over.
    this.#spellings = [...this.#placeholders.keys()].sort((a, b) => b.length - a.length)
  }

  text(text: string): string {
    let masked = text
    for (const spelling of this.#spellings) {
      if (masked.includes(spelling))
        masked = masked.replaceAll(spelling, this.#placeholders.get(spelling) ?? redacted.part)
    }
    return masked
  }

  /** Masks a text in which values were cut, as `cut` does: there, the beginning of a secret is masked too. */
  message(text: string): string {
    const parts = text.split(ellipsis)
    const last = parts.pop() ?? ''
    return this.text([...parts.map((part) => this.#withoutBeginning(part)), last].join(ellipsis))
  }

  #withoutBeginning(text: string): string {
    const longest = this.#spellings[0]?.length ?? 0
    for (let from = Math.max(0, text.length - longest); from <= text.length - shortest; from += 1) {
      const end = text.slice(from)
      if (this.#spellings.some((spelling) => spelling.startsWith(end))) return `${text.slice(0, from)}${redacted.part}`
    }
    return text
  }

  /** Masks every text within a value. */
  deep<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T
    if (Array.isArray(value)) return value.map((item) => this.deep(item)) as T
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.deep(item)])) as T
  }
}

function spellingsOf(secret: string): string[] {
  // By characters, for half of one cannot be encoded.
  const start = [...secret].slice(0, telling).join('')
  const plain = [secret, [...secret].reverse().join(''), ...(secret.length > telling ? [start] : [])]
  const bytes = new TextEncoder().encode(secret)
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'))
  const encoded = [...plain.map(encodeURIComponent), hex.map((pair) => `%${pair}`).join('')]
  return [
    ...plain,
    ...encoded,
    ...encoded.map((text) => withEscapes(text, 'toLowerCase')),
    ...encoded.map((text) => withEscapes(text, 'toUpperCase')),
    ...plain.map(inJson),
    ...plain.map(inJson).map(inJson),
    ...[0, 1, 2].flatMap((offset) => base64Core(bytes, offset)),
    hex.join(''),
    hex.join('').toUpperCase(),
  ].filter((spelling) => spelling.length >= shortest)
}

/** As it stands in JSON; twice, as in a log that quotes a body. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Percent-encoded text with its hexadecimal digits in one case (RFC 3986 section 2.1 allows both). */
function withEscapes(text: string, change: 'toLowerCase' | 'toUpperCase'): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => escaped[change]())
}

/** The part of the base64 of some bytes that does not depend on what stands around it, in both alphabets. */
function base64Core(bytes: Uint8Array, offset: number): string[] {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const encoded = btoa('\0'.repeat(offset) + binary)
  const core = encoded.slice(Math.ceil((offset * 4) / 3) + (offset > 0 ? 1 : 0), -4)
  return core.length >= 6 ? [core, core.replaceAll('+', '-').replaceAll('/', '_')] : []
}
