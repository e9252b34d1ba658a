import { publicRunsIn, wellKnown } from './public-words.ts'

/** Any run of this many characters of a key is redacted. */
const keyRun = 8
/** The same for a signature. It is longer, since a deployment's names may share a few characters with a signature. */
const signatureRun = 12
/** The shortest secret in characters. Shorter ones would occur in unrelated texts by chance. */
const shortest = 4
/** The most signatures that are redacted, and their total length in characters. */
const maxSignatures = 1000
const maxCharacters = 32_768
/** The shortest signature, in characters. */
export const shortestSignature = 16
/** The limits of the redacted texts that are remembered: the length of each in characters, and their number. */
const longestRemembered = 100
const mostRemembered = 1000
/** The longest part of a run beyond the end of a truncated text, in characters. */
const margin = 500

/** The placeholders for an API key and for a part of a secret. Each signature has a number as its placeholder. */
export const redacted = { key: '***key***', part: '***' } as const

/** The placeholder for a whole text, once there are more secrets than can be redacted. */
const withheld = '[too many secrets: body withheld]'

/** The prefix of a key that shows its kind, and is not secret. */
const kindOfKey = /^([a-z0-9]{1,16}[_-])?(test|sandbox|live|prod)[_-]/i

interface RedactorOptions {
  readonly host?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly isPublic?: (run: string) => boolean
}

const isWellKnown = publicRunsIn(wellKnown)

/**
 * Redacts secrets by value: every run of 8 characters of a key, and of 12 of a signature, in every encoding that a server, a
 * URL or a report may use: plain, in another case, percent-encoded in part or in full, JSON-escaped, in base64 (at any
 * offset), in hexadecimal, and reversed. Public words, such as `conformance` and the deployment's host, stay readable unless
 * the whole key occurs.
 *
 * Runs have a fixed length and are looked up in a map, so the time depends only on the text's length.
 */
export class SecretRedactor {
  /** Placeholders by run, by the runs' length. */
  readonly #runs = new Map<number, Map<string, string>>()
  /** Is 1 for the hashes of the runs' first characters. Most positions of a text are skipped by it. */
  readonly #begins = new Uint8Array(hashes)
  /** Whole keys, which are redacted even if all their runs are public. */
  readonly #keys: readonly string[]
  readonly #signatures = new Set<string>()
  /** Short texts, redacted with the secrets that are known so far: the headers of a run are mostly the same. */
  readonly #masked = new Map<string, string>()
  #characters = 0
  #isFull = false
  /** The deployment's host, which is public. */
  readonly #host: string

  /** Names of request headers whose values are secrets, in lower case. */
  readonly #headers: ReadonlySet<string>

  readonly #isPublic: (run: string) => boolean

  /**
   * The values of `headers` are redacted like keys if they are too long to be a word, and always in those headers. `isPublic`
   * says which runs of characters are never secret.
   */
  constructor(apiKeys: readonly string[], { host = '', headers = {}, isPublic = isWellKnown }: RedactorOptions = {}) {
    this.#host = lowerAscii(host)
    this.#isPublic = isPublic
    this.#headers = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
    const values = Object.values(headers).filter((value) => value.length >= keyRun && !this.#isKnown(lowerAscii(value)))
    const keys = [...apiKeys, ...values]
    const known = keys.filter((key) => key.length >= shortest)
    for (const key of known) this.#addKey(key)
    this.#keys = [...new Set(known.map(lowerAscii).flatMap((key) => [key, unescapedView(key).text, reverse(key)]))]
  }

  /** True if there are more signatures than can be redacted. Then whole texts are withheld. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** The number of signatures that are redacted. */
  get signatures(): number {
    return this.#signatures.size
  }

  /** Returns true if the value of a request header is always a secret, however short. */
  hides(header: string): boolean {
    return this.#headers.has(header.toLowerCase())
  }

  /** Redacts a signature from now on. */
  addSignature(signature: string): void {
    if (this.#isFull || this.#signatures.has(signature)) return
    this.#characters += signature.length
    if (this.#signatures.size >= maxSignatures || this.#characters > maxCharacters) {
      this.giveUp()
      return
    }
    this.#signatures.add(signature)
    this.#masked.clear()
    this.#addSpellings(signature, signatureRun, `***${this.#signatures.size}***`, (run) => this.#isKnown(run))
  }

  /** Withholds every text that is long enough to contain an unknown signature. */
  giveUp(): void {
    this.#isFull = true
  }

  /** Redacts a text, and truncates it to `most` of its characters. */
  text(text: string, most = text.length): string {
    if (this.#isFull && text.length >= shortestSignature) return withheld
    if (text.length > longestRemembered || most < text.length) return this.#mask(text, most)
    const known = this.#masked.get(text)
    if (known !== undefined) return known
    const masked = this.#mask(text)
    if (this.#masked.size >= mostRemembered) this.#masked.clear()
    this.#masked.set(text, masked)
    return masked
  }

  /** Redacts every text in a JSON value, names of members included. */
  deep<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T
    if (Array.isArray(value)) return value.map((item) => this.deep(item)) as T
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.deep(item)])) as T
  }

  #addKey(key: string): void {
    const prefix = kindOfKey.exec(key)?.[0] ?? ''
    this.#addSpellings(key, keyRun, redacted.key, (run) => lowerAscii(prefix).includes(run) || this.#isKnown(run))
  }

  #isKnown(run: string): boolean {
    return this.#host.includes(run) || this.#isPublic(run)
  }

  #addSpellings(secret: string, run: number, placeholder: string, isKnown: (run: string) => boolean): void {
    for (const spelling of spellingsOf(secret, run)) {
      const length = Math.min(spelling.run, spelling.text.length)
      const runs = this.#runs.get(length) ?? new Map()
      this.#runs.set(length, runs)
      for (let from = 0; from + length <= spelling.text.length; from += 1) {
        const window = spelling.text.slice(from, from + length)
        if (isKnown(window)) continue
        if (!runs.has(window)) runs.set(window, placeholder)
        this.#begins[hashAt(window, 0)] = 1
      }
    }
  }

  #mask(text: string, most = text.length): string {
    const looked = text.slice(0, most + margin)
    const raw = lowerAscii(looked)
    const plain = unescapedView(raw)
    const views = plain.text === raw ? [identityView(raw)] : [identityView(raw), plain]
    const ranges = views.flatMap((view) => this.#rangesIn(view)).sort((a, b) => a.from - b.from || b.to - a.to)
    if (ranges.length === 0) return looked.slice(0, most)
    let masked = ''
    let done = 0
    for (const { from: start, to, placeholder } of ranges) {
      const from = afterEscape(looked, start)
      if (from >= most) break
      if (from > done || (from === done && !masked.endsWith(redacted.part))) {
        masked += looked.slice(done, from) + placeholder
      }
      done = Math.max(done, to)
    }
    return masked + looked.slice(done, Math.max(done, most))
  }

  #rangesIn({ text, from, to }: View): Range[] {
    const ranges: Range[] = []
    const open = new Map<number, Range>()
    let hash = hashAt(text, 0)
    for (let at = 0; at + hashed <= text.length; at += 1) {
      if (at > 0) hash = nextHash(hash, text, at)
      if (this.#begins[hash] === 0) continue
      for (const [length, runs] of this.#runs) {
        const placeholder = runs.get(text.slice(at, at + length))
        if (placeholder === undefined) continue
        const found = { from: from(at), to: to(at + length - 1), placeholder }
        const before = open.get(length)
        if (before && found.from <= before.to) open.set(length, { ...before, to: found.to })
        else {
          if (before) ranges.push(before)
          open.set(length, found)
        }
      }
    }
    ranges.push(...open.values())
    for (const key of this.#keys) {
      for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + key.length)) {
        ranges.push({ from: from(at), to: to(at + key.length - 1), placeholder: redacted.key })
      }
    }
    return ranges
  }
}

interface Range {
  readonly from: number
  readonly to: number
  readonly placeholder: string
}

/** The number of hashed characters. No run is shorter. */
const hashed = 4
const hashes = 1 << 16

function hashAt(text: string, at: number): number {
  const [high, low] = [text.charCodeAt(at) * 31 + text.charCodeAt(at + 1), text.charCodeAt(at + 2) * 31]
  return (high * 961 + low + text.charCodeAt(at + 3)) & (hashes - 1)
}

/** The hash at a position, from the one before it. In integers of 32 bits, of which the lower 16 are the hash. */
function nextHash(before: number, text: string, at: number): number {
  return (before * 31 - Math.imul(text.charCodeAt(at - 1), 31 ** 4) + text.charCodeAt(at + hashed - 1)) & (hashes - 1)
}

/** A decoded text, with the position of each of its characters in the original text. */
interface View {
  readonly text: string
  from(place: number): number
  to(place: number): number
}

function identityView(text: string): View {
  return { text, from: (place) => place, to: (place) => place + 1 }
}

/** Escapes in URLs (RFC 3986 section 2.1) and JSON (RFC 8259 section 7), also nested, in lower case. */
const escapes = /%(?:25)*([0-7][0-9a-f])|\\+u00([0-7][0-9a-f])|\\+(?=["/])|\\{2,}/g

/** Returns a position, or the end of the URL's escape that it is within, so that `%3A` stays whole before a redacted part. */
function afterEscape(text: string, at: number): number {
  const start = [at - 1, at - 2].find((before) => text[before] === '%')
  return start !== undefined && /^%[\da-f]{2}/i.test(text.slice(start, start + 3)) ? start + 3 : at
}

/** Decodes the escapes of URLs and JSON in a lower-case text, however often they were applied. */
function unescapedView(original: string): View {
  if (!/[%\\]/.test(original)) return identityView(original)
  let text = ''
  let done = 0
  const from: number[] = []
  const to: number[] = []
  const copy = (end: number) => {
    for (; done < end; done += 1) {
      text += original[done]
      from.push(done)
      to.push(done + 1)
    }
  }
  for (const { 0: escaped, 1: percent, 2: unicode, index } of original.matchAll(escapes)) {
    copy(index)
    done = index + escaped.length
    const code = percent ?? unicode
    if (code === undefined && escaped.length === 1) continue
    const isQuote = code === undefined && /["/]/.test(original[done] ?? '')
    if (isQuote) continue
    text += code === undefined ? '\\' : String.fromCharCode(Number.parseInt(code, 16)).toLowerCase()
    from.push(index)
    to.push(done)
  }
  copy(original.length)
  return { text, from: (place) => from[place] ?? 0, to: (place) => to[place] ?? 0 }
}

/** An encoding of a secret, and the length of its runs. */
interface Spelling {
  readonly text: string
  readonly run: number
}

function spellingsOf(original: string, run: number): Spelling[] {
  const secret = original.toWellFormed()
  const plain = [
    secret,
    unescapedView(lowerAscii(secret)).text,
    unescapedView(lowerAscii(encodeURIComponent(secret))).text,
  ]
  const bytes = new TextEncoder().encode(secret)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const base64 = [0, 1, 2].flatMap((offset) => base64Core(bytes, offset))
  const spellings = [
    ...[...plain, ...plain.map(reverse)].map((text) => ({ text: lowerAscii(text), run })),
    { text: hex, run: 2 * run },
    // The number of base64 characters that depend only on a run's bytes, at any offset.
    ...base64.map((text) => ({ text: lowerAscii(text), run: Math.floor((8 * run - 4) / 6) })),
  ]
  // Most secrets need no escapes, so that some spellings are the same.
  const distinct = new Map(spellings.map((spelling) => [`${spelling.run} ${spelling.text}`, spelling]))
  return [...distinct.values()].filter(({ text }) => text.length >= shortest)
}

/** Converts only ASCII to lower case, so that every character keeps its position. */
function lowerAscii(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text.toLowerCase()
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function reverse(text: string): string {
  return [...text].reverse().join('')
}

/** Returns the part of the base64 of some bytes that does not depend on the bytes around them, in both alphabets. */
function base64Core(bytes: Uint8Array, offset: number): string[] {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const encoded = btoa('\0'.repeat(offset) + binary)
  const core = encoded.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6))
  return core.length >= 6 ? [core, core.replaceAll('+', '-').replaceAll('/', '_')] : []
}
