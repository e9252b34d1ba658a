import { isPublic } from './public-words.ts'

/** Any run of this many characters of a key is masked. */
const keyRun = 8
/** The same for a signature. Longer, since names that a deployment gives may share a few characters with one. */
const signatureRun = 12
/** A shorter secret would be found in texts that have nothing to do with it, in characters. */
const shortest = 4
/** At most this many signatures are looked for, with this many characters in all. */
const maxSignatures = 1000
const maxCharacters = 32_768
/** No signature is shorter, in characters. */
export const shortestSignature = 16
/** How far beyond the end of a cut text a run can reach that begins before it, in characters. */
const margin = 500

/** What stands for a secret: for an API key, and for what only begins like one. A signature has a number of its own. */
export const redacted = { key: '***key***', part: '***' } as const

/** Stands for a whole text once there are more secrets than are looked for. */
const withheld = '[too many secrets: body withheld]'

/** The part of a key that says what kind of key it is, and is no secret. */
const kindOfKey = /^([a-z0-9]{1,16}[_-])?(test|sandbox|live|prod)[_-]/i

/**
 * Masks secrets by their value: every run of 8 characters of a key, and of 12 of a signature, in every spelling that a server,
 * a URL or a report may give them: as they are, in another case, percent-encoded in part or in full, JSON-escaped, in base64
 * (at any offset), in hexadecimal, and backwards. Words that are public anyway, such as `conformance` and the deployment's host,
 * stay readable unless the whole key is there.
 *
 * Runs have a fixed length and are looked up in a set, so the work depends on the text's length alone.
 */
export class Redactor {
  /** Runs by their length, each with what stands for it. */
  readonly #runs = new Map<number, Map<string, string>>()
  /** Whether a run begins with characters of this hash; nearly all places of a text are passed over by it. */
  readonly #begins = new Uint8Array(hashes)
  /** Keys as they are, since runs that are public are not masked by themselves. */
  readonly #keys: readonly string[]
  readonly #signatures = new Set<string>()
  #characters = 0
  #isFull = false
  /** Readers know the deployment's host. */
  readonly #host: string

  /** Names of request headers whose values are secrets, in lower case. */
  readonly #headers: ReadonlySet<string>

  /** The values of `headers` are masked like keys if they are long enough to be no word, and in those headers in any case. */
  constructor(
    apiKeys: readonly string[],
    { host = '', headers = {} }: { readonly host?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.#host = lowered(host)
    this.#headers = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
    const values = Object.values(headers).filter((value) => value.length >= keyRun && !this.#isKnown(lowered(value)))
    const keys = [...apiKeys, ...values]
    const known = keys.filter((key) => key.length >= shortest)
    for (const key of known) this.#addKey(key)
    this.#keys = [...new Set(known.map(lowered).flatMap((key) => [key, normal(key).text, reversed(key)]))]
  }

  /** Whether there are more signatures than are looked for. Texts are withheld as a whole then. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Whether the value of a request header is a secret, however short it is. */
  hides(header: string): boolean {
    return this.#headers.has(header.toLowerCase())
  }

  /** Masks a signature from now on. */
  addSignature(signature: string): void {
    if (this.#isFull || this.#signatures.has(signature)) return
    this.#characters += signature.length
    if (this.#signatures.size >= maxSignatures || this.#characters > maxCharacters) {
      this.giveUp()
      return
    }
    this.#signatures.add(signature)
    this.#addSpellings(signature, signatureRun, `***${this.#signatures.size}***`, (run) => this.#isKnown(run))
  }

  /** Withholds every text that is long enough to have an unknown signature in it. */
  giveUp(): void {
    this.#isFull = true
  }

  /** Masks a text. With `most`, gives at most that many of its characters. */
  text(text: string, most = text.length): string {
    if (this.#isFull && text.length >= shortestSignature) return withheld
    return this.#masked(text, most)
  }

  /** Masks every text within a value. */
  deep<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T
    if (Array.isArray(value)) return value.map((item) => this.deep(item)) as T
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.deep(item)])) as T
  }

  #addKey(key: string): void {
    const prefix = kindOfKey.exec(key)?.[0] ?? ''
    this.#addSpellings(key, keyRun, redacted.key, (run) => lowered(prefix).includes(run) || this.#isKnown(run))
  }

  #isKnown(run: string): boolean {
    return this.#host.includes(run) || isPublic(run)
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

  #masked(text: string, most = text.length): string {
    const looked = text.slice(0, most + margin)
    const raw = lowered(looked)
    const plain = normal(raw)
    const views = plain.text === raw ? [identity(raw)] : [identity(raw), plain]
    const ranges = views.flatMap((view) => [...this.#rangesIn(view)]).sort((a, b) => a.from - b.from || b.to - a.to)
    let masked = ''
    let done = 0
    for (const { from, to, placeholder } of ranges) {
      if (from >= most) break
      if (from > done || (from === done && !masked.endsWith(redacted.part))) {
        masked += looked.slice(done, from) + placeholder
      }
      done = Math.max(done, to)
    }
    return masked + looked.slice(done, Math.max(done, most))
  }

  *#rangesIn({ text, from, to }: View): Generator<Range> {
    const open = new Map<number, Range>()
    for (let at = 0; at + hashed <= text.length; at += 1) {
      if (this.#begins[hashAt(text, at)] === 0) continue
      for (const [length, runs] of this.#runs) {
        const placeholder = runs.get(text.slice(at, at + length))
        if (placeholder === undefined) continue
        const found = { from: from(at), to: to(at + length - 1), placeholder }
        const before = open.get(length)
        if (before && found.from <= before.to) open.set(length, { ...before, to: found.to })
        else {
          if (before) yield before
          open.set(length, found)
        }
      }
    }
    yield* open.values()
    for (const key of this.#keys) {
      for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + key.length)) {
        yield { from: from(at), to: to(at + key.length - 1), placeholder: redacted.key }
      }
    }
  }
}

interface Range {
  readonly from: number
  readonly to: number
  readonly placeholder: string
}

/** How many characters are hashed; no run is shorter. */
const hashed = 4
const hashes = 1 << 16

function hashAt(text: string, at: number): number {
  const [a, b, c, d] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3)]
  return (a * 31 ** 3 + b * 31 ** 2 + c * 31 + d) & (hashes - 1)
}

/** A text in another spelling, and where each of its characters begins and ends in the original one. */
interface View {
  readonly text: string
  from(place: number): number
  to(place: number): number
}

function identity(text: string): View {
  return { text, from: (place) => place, to: (place) => place + 1 }
}

/** How URLs (RFC 3986 section 2.1) and JSON (RFC 8259 section 7) write a character, also one within the other, in lower case. */
const escapes = /%(?:25)*([0-7][0-9a-f])|\\+u00([0-7][0-9a-f])|\\+(?=["/])|\\{2,}/g

/** A lower-case text without the escapes of URLs and JSON, however often they were applied. */
function normal(original: string): View {
  if (!/[%\\]/.test(original)) return identity(original)
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

/** A spelling of a secret, and how long a run in it is. */
interface Spelling {
  readonly text: string
  readonly run: number
}

function spellingsOf(original: string, run: number): Spelling[] {
  const secret = original.toWellFormed()
  const plain = [secret, normal(lowered(secret)).text, normal(lowered(encodeURIComponent(secret))).text]
  const bytes = new TextEncoder().encode(secret)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const base64 = [0, 1, 2].flatMap((offset) => base64Core(bytes, offset))
  const spellings = [
    ...[...plain, ...plain.map(reversed)].map((text) => ({ text: lowered(text), run })),
    { text: hex, run: 2 * run },
    // Of so many bytes, this many characters depend on nothing else, wherever they begin.
    ...base64.map((text) => ({ text: lowered(text), run: Math.floor((8 * run - 4) / 6) })),
  ]
  return spellings.filter(({ text }) => text.length >= shortest)
}

/** In lower case, as far as that keeps every character in its place. */
function lowered(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function reversed(text: string): string {
  return [...text].reverse().join('')
}

/** The part of the base64 of some bytes that does not depend on what stands around it, in both alphabets. */
function base64Core(bytes: Uint8Array, offset: number): string[] {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const encoded = btoa('\0'.repeat(offset) + binary)
  const core = encoded.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6))
  return core.length >= 6 ? [core, core.replaceAll('+', '-').replaceAll('/', '_')] : []
}
