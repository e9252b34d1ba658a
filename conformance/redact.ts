/** How many characters of a secret already give it away. */
const telling = 12

/**
 * Masks secrets by their value, in every spelling that a server, a URL or a report may give them: as they are,
 * percent-encoded, JSON-escaped, in base64 (at any offset), in hexadecimal, backwards, and by their first characters.
 */
export class Redactor {
  readonly #spellings: string[]

  constructor(secrets: readonly string[]) {
    const spellings = secrets.filter((secret) => secret.length >= 4).flatMap(spellingsOf)
    // The longest first, so that no part of a longer one is left over.
    this.#spellings = [...new Set(spellings)].sort((a, b) => b.length - a.length)
  }

  text(text: string): string {
    let masked = text
    for (const spelling of this.#spellings) {
      if (masked.includes(spelling)) masked = masked.replaceAll(spelling, '***')
    }
    return masked
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
  return [
    ...plain,
    ...plain.map(encodeURIComponent),
    ...plain.map((text) => JSON.stringify(text).slice(1, -1)),
    ...[0, 1, 2].flatMap((offset) => base64Core(bytes, offset)),
    [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  ].filter((spelling) => spelling.length >= 4)
}

/** The part of the base64 of some bytes that does not depend on what stands around it, in both alphabets. */
function base64Core(bytes: Uint8Array, offset: number): string[] {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const encoded = btoa('\0'.repeat(offset) + binary)
  const core = encoded.slice(Math.ceil((offset * 4) / 3) + (offset > 0 ? 1 : 0), -4)
  return core.length >= 6 ? [core, core.replaceAll('+', '-').replaceAll('/', '_')] : []
}
