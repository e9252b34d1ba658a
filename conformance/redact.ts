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
/** Stands where a text was cut. */
const ellipsis = '…'

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
  readonly #runs = new Map<number, Set<string>>()
  /** The first characters of each spelling, fewer than a run. */
  readonly #beginnings = new Set<string>()
  /** Keys as they are, since runs that are public are not masked by themselves. */
  readonly #keys: readonly string[]
  readonly #signatures = new Set<string>()
  #characters = 0
  #isFull = false
  /** Readers know the deployment's host. */
  readonly #host: string

  constructor(keys: readonly string[], { host = '' }: { readonly host?: string } = {}) {
    this.#host = lowered(host)
    const known = keys.filter((key) => key.length >= shortest)
    for (const key of known) this.#addKey(key)
    this.#keys = [...new Set(known.map(lowered).flatMap((key) => [key, normal(key).text, reversed(key)]))]
  }

  /** Whether there are more signatures than are looked for. Texts are withheld as a whole then. */
  get isFull(): boolean {
    return this.#isFull
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
    this.#addSpellings(signature, signatureRun, (run) => this.#isKnown(run))
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

  /** Masks a text in which values were cut, as `cut` does: there, the beginning of a secret is masked too. */
  message(text: string): string {
    const parts = this.#masked(text).split(ellipsis)
    const last = parts.pop() ?? ''
    const masked = [...parts.map((part) => this.#withoutBeginning(part)), last].join(ellipsis)
    // A message is ours but for what it quotes.
    return this.#isFull ? masked.replaceAll(/\S{16,}/g, '***') : masked
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
    this.#addSpellings(key, keyRun, (run) => lowered(prefix).includes(run) || this.#isKnown(run))
    // A server may cut the key at both ends.
    if (key.length - prefix.length >= keyRun) this.#addBeginnings(key.slice(prefix.length), keyRun)
  }

  #isKnown(run: string): boolean {
    return this.#host.includes(run) || isPublic(run)
  }

  #addSpellings(secret: string, run: number, isKnown: (run: string) => boolean): void {
    for (const spelling of spellingsOf(secret, run)) {
      const length = Math.min(spelling.run, spelling.text.length)
      const runs = this.#runs.get(length) ?? new Set()
      this.#runs.set(length, runs)
      for (let from = 0; from + length <= spelling.text.length; from += 1) {
        const window = spelling.text.slice(from, from + length)
        if (!isKnown(window)) runs.add(window)
      }
    }
    this.#addBeginnings(secret, run)
  }

  #addBeginnings(secret: string, run: number): void {
    for (const spelling of spellingsOf(secret, run)) {
      for (let length = shortest; length < spelling.run; length += 1) {
        this.#beginnings.add(spelling.text.slice(0, length))
      }
    }
  }

  #masked(text: string, most = text.length): string {
    const looked = text.slice(0, most + margin)
    const raw = lowered(looked)
    const ranges = [...this.#rangesIn(identity(raw)), ...this.#rangesIn(normal(raw))].sort((a, b) => a.from - b.from)
    let masked = ''
    let done = 0
    for (const { from, to } of ranges) {
      if (from >= most) break
      if (from > done || (from === done && !masked.endsWith('***'))) masked += `${looked.slice(done, from)}***`
      done = Math.max(done, to)
    }
    return masked + looked.slice(done, Math.max(done, most))
  }

  *#rangesIn({ text, from, to }: View): Generator<Range> {
    for (const [length, runs] of this.#runs) {
      let open: Range | undefined
      for (let at = 0; at + length <= text.length; at += 1) {
        if (!runs.has(text.slice(at, at + length))) continue
        const found = { from: from(at), to: to(at + length - 1) }
        if (open && found.from <= open.to) open = { from: open.from, to: found.to }
        else {
          if (open) yield open
          open = found
        }
      }
      if (open) yield open
    }
    for (const key of this.#keys) {
      for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + key.length)) {
        yield { from: from(at), to: to(at + key.length - 1) }
      }
    }
  }

  #withoutBeginning(text: string): string {
    const start = Math.max(0, text.length - margin)
    const end = lowered(text.slice(start))
    for (const view of [identity(end), normal(end)]) {
      const longest = Math.min(view.text.length, 2 * signatureRun)
      for (let length = longest; length >= shortest; length -= 1) {
        const at = view.text.length - length
        if (this.#beginnings.has(view.text.slice(at))) return `${text.slice(0, start + view.from(at))}***`
      }
    }
    return text
  }
}

interface Range {
  readonly from: number
  readonly to: number
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
