import {
  credentialsIn,
  type HeaderPairs,
  isCredentialHeader,
  issuedIn,
  shortestSignature,
  signaturesIn,
} from './credentials.ts'
import { escapesIn, joined, type TextView, unescaped, viewsOf } from './decoding.ts'
import { publicRunsIn, wellKnown } from './public-words.ts'

/** Any run of this many characters of a key is redacted. */
const keyRun = 8
/** The same for a signature. It is longer, since a deployment's names may share a few characters with a signature. */
const signatureRun = 12
/** The shortest secret in characters. Shorter ones would occur in unrelated texts by chance. */
const shortest = 4
/** The most signatures that are redacted, and their total length in characters. */
const maxSignatures = 1000
const maxCharacters = 65_536
/** The most credentials of answers' headers that are redacted elsewhere too. */
const maxIssued = 100
/** The most characters of the redacted texts that are remembered. */
const mostRemembered = 1_000_000
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
 * Redacts secrets by value: every run of 8 characters of a key, and of 12 of a signature, in every encoding that `viewsOf` decodes,
 * in another case, reversed, and in groups. Public words, such as `conformance` and the deployment's host, stay readable unless
 * the whole key occurs.
 *
 * Runs have a fixed length and are looked up in a map, so the time depends only on the text's length.
 */
export class SecretRedactor {
  /** Placeholders by run, by the runs' length. */
  readonly #runs = new Map<number, Map<string, string>>()
  /** Is 1 for the hashes of the runs' first characters. Most positions of a text are skipped by it. */
  readonly #begins = new Uint8Array(hashes)
  readonly #keys = new Set<string>()
  readonly #signatures = new Set<string>()
  /** Texts, redacted with the secrets that are known so far: the headers and the bodies of a run are mostly the same. */
  readonly #masked = new Map<string, string>()
  #remembered = 0
  #characters = 0
  #issued = 0
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
    this.#host = inLowerCase(host)
    this.#isPublic = isPublic
    this.#headers = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
    const values = Object.values(headers).filter(
      (value) => value.length >= keyRun && !this.#isKnown(inLowerCase(value)),
    )
    for (const key of [...apiKeys, ...values]) this.addKey(key)
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

  /** Redacts a key from now on: the whole of it too, even if all its runs are public. One of fewer than 4 characters stays. */
  addKey(key: string): void {
    if (this.#keys.has(key)) return
    this.#keys.add(key)
    const kind = kindOfKey.exec(key)?.[0] ?? ''
    this.#add(key, keyRun, redacted.key, inLowerCase(kind))
    for (const spelling of spellingsOf(key)) this.#addRun(spelling, redacted.key)
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
    this.#add(signature, signatureRun, `***${this.#signatures.size}***`)
  }

  /** Redacts the credentials in the headers of a request from now on. */
  addRequest(headers: HeaderPairs): void {
    for (const key of credentialsIn(headers)) this.addKey(key)
  }

  /** Redacts the credentials in the headers of an answer from now on, at most 100. */
  addIssued(headers: HeaderPairs): void {
    for (const value of issuedIn(headers)) {
      if (this.#signatures.has(value)) continue
      this.#issued += 1
      if (this.#issued <= maxIssued) this.addSignature(value)
    }
  }

  /** Redacts the signatures of the URLs in a text from now on. */
  addSignaturesIn(text: string): void {
    for (const { value } of signaturesIn(text)) this.addSignature(value)
  }

  /** Withholds every text that is long enough to contain an unknown signature. */
  giveUp(): void {
    this.#isFull = true
  }

  /** Redacts a text, and truncates it to `most` of its characters. */
  text(text: string, most = text.length): string {
    if (this.#isFull && text.length >= shortestSignature) return withheld
    if (most < text.length) return this.#mask(text, most)
    const known = this.#masked.get(text)
    if (known !== undefined) return known
    const masked = this.#mask(text)
    this.#remembered += text.length
    if (this.#remembered > mostRemembered) this.#forget()
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

  /** Redacts the value of a header, all of it if its name is that of a credential. Of a key, the scheme in front stays. */
  header(name: string, value: string): string {
    const shown = this.text(value)
    return !isCredentialHeader(name) || /^([\w-]+ +)?\*\*\*key\*\*\*$/.test(shown) ? shown : redacted.part
  }

  /** Redacts the text that bytes are, in UTF-8 or else as single bytes. Returns the same bytes if nothing is redacted. */
  bytes(bytes: Uint8Array): Uint8Array {
    const { text, isUtf8 } = decodedText(bytes)
    const masked = this.text(text)
    if (masked === text) return bytes
    return isUtf8 ? new TextEncoder().encode(masked) : Uint8Array.from(masked, (character) => character.charCodeAt(0))
  }

  #forget(): void {
    this.#masked.clear()
    this.#remembered = 0
  }

  #isKnown(run: string): boolean {
    return this.#host.includes(run) || this.#isPublic(run)
  }

  /** Adds all runs of a secret that are not public. `kind` is its public beginning. */
  #add(secret: string, run: number, placeholder: string, kind = ''): void {
    this.#forget()
    const addRuns = (text: string, most: number) => {
      const length = Math.min(most, text.length)
      for (let from = 0; from + length <= text.length; from += 1) {
        const part = text.slice(from, from + length)
        if (!kind.includes(part) && !this.#isKnown(part)) this.#addRun(part, placeholder)
      }
    }
    for (const text of spellingsOf(secret)) addRuns(text, run)
    for (const text of [secret, unescaped(secret)].map((one) => joined(one.slice(kind.length))).flatMap(bothWays)) {
      for (const length of [run, letters]) if (text.length >= length) addRuns(text, length)
    }
  }

  #addRun(text: string, placeholder: string): void {
    if (text.length < shortest) return
    const runs = this.#runs.get(text.length) ?? new Map<string, string>()
    this.#runs.set(text.length, runs)
    if (!runs.has(text)) runs.set(text, placeholder)
    this.#begins[hashAt(text, 0)] = 1
  }

  #mask(text: string, most = text.length): string {
    const looked = text.slice(0, most + margin)
    let masked = ''
    let done = 0
    for (const { from, to, placeholder } of this.#rangesIn(looked)) {
      if (from >= most) break
      if (from > done || (from === done && !masked.endsWith(redacted.part))) {
        masked += looked.slice(done, from) + placeholder
      }
      done = Math.max(done, to)
    }
    return masked + looked.slice(done, Math.max(done, most))
  }

  /** Returns the parts of a text that are secret, the first one first. */
  #rangesIn(text: string): Range[] {
    if (this.#runs.size === 0) return []
    const ranges: Range[] = []
    for (const view of viewsOf(text)) this.#search(view, ranges)
    if (ranges.length === 0) return ranges
    ranges.sort((a, b) => a.from - b.from || b.to - a.to)
    return withWholeEscapes(ranges, escapesIn(text))
  }

  /** Adds the parts of a view that are secret. */
  #search(view: TextView, ranges: Range[]): void {
    const text = inLowerCase(view.text)
    let hash = text.length < hashed ? 0 : hashAt(text, 0)
    for (let at = 0; at + hashed <= text.length; at += 1) {
      if (at > 0) hash = nextHash(hash, text, at)
      if (this.#begins[hash] === 0) continue
      for (const [length, runs] of this.#runs) {
        const run = text.slice(at, at + length)
        const placeholder = runs.get(run)
        if (placeholder === undefined || (view.isJoined && this.#mayBeWords(run))) continue
        ranges.push({ from: view.from(at), to: view.to(at + length - 1), placeholder })
      }
    }
  }

  /** Returns true if words or a date that stand next to each other may form a run by chance. */
  #mayBeWords(run: string): boolean {
    if (/^\d+$/.test(run) || (run.length < letters && /^[a-z]+$/.test(run))) return true
    return Array.from(run, (_, at) => run.slice(at, at + word)).some(
      (part) => part.length === word && this.#isKnown(part),
    )
  }
}

/** The number of letters of a key, without digits, that words do not form by chance, and of those that make a public word. */
const letters = 12
const word = 4

interface Range {
  readonly from: number
  readonly to: number
  readonly placeholder: string
}

/** Moves the ends of ranges out of escapes, so that `%3A` stays whole before a redacted part, and no text becomes invalid. */
function withWholeEscapes(ranges: readonly Range[], escapes: readonly Omit<Range, 'placeholder'>[]): Range[] {
  const ends = new Map<number, number>()
  for (const { from, to } of escapes) for (let at = from + 1; at < to; at += 1) ends.set(at, to)
  return ranges.map(({ from, to, placeholder }) => ({
    from: ends.get(from) ?? from,
    to: ends.get(to) ?? to,
    placeholder,
  }))
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

/** Returns a secret as text, as bytes and without its escapes, in lower case, forwards and backwards. */
function spellingsOf(original: string): Set<string> {
  const secret = original.toWellFormed()
  const bytes = Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte)).join('')
  return new Set([secret, bytes, unescaped(secret)].flatMap(bothWays))
}

/** Returns a text in lower case, forwards and backwards. */
function bothWays(text: string): string[] {
  const lower = inLowerCase(text)
  return [lower, [...lower].reverse().join('')]
}

/** Converts to lower case so that every character keeps its position. */
function inLowerCase(text: string): string {
  if (!/[\u0100-\uffff]/.test(text)) return text.toLowerCase()
  return text.replaceAll(/[A-Z\u00c0-\u00de]+/g, (letters) => letters.toLowerCase())
}

/** Returns bytes as text with its byte order mark: the text of UTF-8, or else one character for each byte. */
export function decodedText(bytes: Uint8Array): { readonly text: string; readonly isUtf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), isUtf8: true }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { text: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''), isUtf8: false }
  }
}
