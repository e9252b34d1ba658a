/** Decodes texts in every way in which a server may write a secret, and knows which part of the text each character comes from. */

/** A decoded text. */
export interface TextView {
  readonly text: string
  /** True if separators were left out, so that words that have nothing to do with each other are joined. */
  readonly isJoined?: boolean
  /** Returns where the part of the original text begins that a character comes from. */
  from(at: number): number
  /** Returns where that part ends. */
  to(at: number): number
}

/** How often all escapes are decoded again, how many other views there are, and how often base64 or hexadecimal is decoded again. */
const mostLevels = 8
const mostViews = 24
const mostDepth = 2

/** Returns a text as it is, and all that it may be decoded to. */
export function viewsOf(text: string): Generator<TextView> {
  return viewsBelow(viewOf(text), 0)
}

const viewOf = (text: string): TextView => ({ text, from: (at) => at, to: (at) => at + 1 })

function* viewsBelow(original: TextView, depth: number): Generator<TextView> {
  yield original
  // Most digits are none of an encoding, and decode to random bytes.
  if (depth > 0 && !printable.test(original.text)) return
  const levels = levelsOf(original)
  yield* levels
  yield* byKind(original)
  const plain = levels.at(-1) ?? original
  const grouped = rewritten(plain, separators)
  yield { ...grouped, isJoined: true }
  if (depth === mostDepth) return
  // Base64 may be split into lines, and hexadecimal into groups.
  for (const part of unpacked(rewritten(plain, lineBreaks), base64)) yield* viewsBelow(part, depth + 1)
  for (const part of unpacked(grouped, hexadecimal)) yield* viewsBelow(part, depth + 1)
}

/** Returns a text without its escapes, however often they were applied. */
export function unescaped(text: string): string {
  return levelsOf(viewOf(text)).at(-1)?.text ?? text
}

/** Decodes all escapes of a text, again and again. */
function levelsOf(original: TextView): TextView[] {
  const levels: TextView[] = []
  for (let view = original; levels.length < mostLevels; levels.push(view)) {
    const next = rewritten(view, escapes, characterOf)
    if (next === view) break
    view = next
  }
  return levels
}

/** Decodes the escapes of a text in any order of their kinds, if it has several: a key itself may look like an escape of another kind. */
function byKind(original: TextView): TextView[] {
  const views = [original]
  const known = new Set([original.text])
  const kinds = ['%', '&', '\\'].filter((start) => original.text.includes(start))
  for (const view of kinds.length > 1 ? views : []) {
    for (const start of views.length < mostViews ? kinds : []) {
      const next = rewritten(view, escapes, (found) => (found[0].startsWith(start) ? characterOf(found) : found[0]))
      if (!known.has(next.text)) views.push(next)
      known.add(next.text)
    }
  }
  return views.slice(1)
}

/** Returns a text without what may stand between the groups of a key. */
export function joined(text: string): string {
  return text.replaceAll(separators, '')
}

/** White space, punctuation between groups, and characters that are invisible. JSON and markup stay whole. */
const separators = /[\s\0\-._:|/~*·•\u00ad\u200b-\u200f\u2060-\u2064]+/g
/** Characters of ASCII in a row, as in UTF-8 or UTF-16. */
const printable = /(?:[\t\n\r -~]\0?){8}/
const lineBreaks = /[\r\n]+[\t ]*/g

/** Named characters of HTML, each followed by its character. */
const entities = new Map(
  `amp& AMP& lt< LT< gt> GT> quot" QUOT" apos' sol/ bsol\\ plus+ equals= percnt% colon: semi; comma, period. excl! quest? num#
   dollar$ ast* midast* lpar( rpar) lsqb[ lbrack[ rsqb] rbrack] lcub{ lbrace{ rcub} rbrace} lowbar_ UnderBar_ hyphen- dash- verbar|
   vert| VerticalLine| Hat^ grave\` DiacriticalGrave\` commat@`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
)

/**
 * One escape of URLs (RFC 3986 section 2.1), HTML, JSON (RFC 8259 section 7), JavaScript or CSS. The groups are a code in
 * hexadecimal, one in decimal, a name, and an escaped character.
 */
const escapes =
  /(?:%u|\\u)([\da-f]{4})|\\00([\da-f]{4}) ?|(?:%|\\x)([\da-f]{2})|&#x0{0,9}([\da-f]{1,4});?|\\u\{0{0,9}([\da-f]{1,4})\}|\\0{0,4}([2-7][\da-f]) ?|&#0{0,9}(\d{1,5});?|&([a-z]{2,16});|\\([^a-z\d]|[bfnrtv])/gi

/** The start of an escape. A text without any is hardly ever decoded. */
const escapeStart = /[%&\\]/

function characterOf(found: Found): string {
  const [all, ...groups] = found
  const hex = groups.slice(0, 6).find((group) => group !== undefined)
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  const [decimal, name, escaped] = groups.slice(6)
  if (decimal !== undefined) return String.fromCharCode(Number(decimal))
  if (name !== undefined) return entities.get(name) ?? all
  return escaped !== undefined && /[a-z]/i.test(escaped) ? '\n' : (escaped ?? all)
}

type Found = readonly [all: string, ...groups: (string | undefined)[]]

/** Replaces each match by one character; one that is replaced by itself stays. Without `replace`, leaves all matches out. */
function rewritten(view: TextView, pattern: RegExp, replace?: (found: Found) => string): TextView {
  if (replace && !escapeStart.test(view.text)) return view
  const text = replace
    ? view.text.replace(pattern, (...found) => replace(found as unknown as Found))
    : view.text.replace(pattern, '')
  if (text === view.text) return view
  // Most texts have no secret, so that nobody asks for places.
  let known: Places | undefined
  const places = () => {
    known ??= placesOf(view.text, pattern, replace)
    return known
  }
  return { text, from: (at) => view.from(places().first[at] ?? 0), to: (at) => view.to(places().last[at] ?? 0) }
}

/** The first and the last character that each character of a rewritten text comes from. */
interface Places {
  readonly first: number[]
  readonly last: number[]
}

function placesOf(text: string, pattern: RegExp, replace?: (found: Found) => string): Places {
  const places: Places = { first: [], last: [] }
  let done = 0
  const copy = (end: number) => {
    for (; done < end; done += 1) {
      places.first.push(done)
      places.last.push(done)
    }
  }
  for (const found of text.matchAll(pattern)) {
    const character = replace?.(found as unknown as Found)
    if (character === found[0]) continue
    copy(found.index)
    done = found.index + found[0].length
    if (character === undefined) continue
    places.first.push(found.index)
    places.last.push(done - 1)
  }
  copy(text.length)
  return places
}

/** An encoding of bytes as digits. */
interface Packing {
  /** The digits of at least 8 bytes. */
  readonly digits: RegExp
  /** The bits of a digit, and the number of digits after which bytes begin at a digit again. */
  readonly bits: number
  readonly phases: number
  /** Returns the bytes of digits as characters. */
  bytesOf(digits: string): string
}

/** Base64 in both alphabets. Digests and identifiers are many, and hardly can be base64 of text. */
const base64: Packing = {
  digits: /[\w+/-]{11,}/g,
  bits: 6,
  phases: 4,
  bytesOf(digits) {
    if (/^[\da-f]{31,}$|^[\da-f]{5,8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(digits)) return ''
    const standard = digits.replaceAll('-', '+').replaceAll('_', '/')
    return atob(standard.padEnd(Math.ceil(digits.length / 4) * 4, 'A'))
  },
}

const hexadecimal: Packing = {
  digits: /[\da-f]{16,}/gi,
  bits: 4,
  phases: 2,
  bytesOf(digits) {
    let text = ''
    for (let at = 0; at + 1 < digits.length; at += 2) text += byteOf(digits, at)
    return text
  },
}

const byteOf = (digits: string, at: number) => String.fromCharCode(Number.parseInt(digits.slice(at, at + 2), 16))

/** Returns what all digits in a text are, beginning with each digit with which a byte may begin. */
function* unpacked(view: TextView, { digits, bits, phases, bytesOf }: Packing): Generator<TextView> {
  for (const { 0: found, index } of view.text.matchAll(digits)) {
    const last = index + found.length - 1
    for (let phase = 0; phase < phases; phase += 1) {
      const digitOf = (bit: number) => Math.min(index + phase + Math.floor(bit / bits), last)
      const text = bytesOf(found.slice(phase))
      yield { text, from: (at) => view.from(digitOf(8 * at)), to: (at) => view.to(digitOf(8 * at + 7)) }
    }
  }
}

/** Returns the start and the end of each escape of URLs, HTML and JSON in a text. */
export function escapesIn(text: string): { readonly from: number; readonly to: number }[] {
  if (!escapeStart.test(text)) return []
  return [...text.matchAll(escapes)]
    .filter((found) => characterOf(found as unknown as Found) !== found[0] && !/^\\[^\w"\\/]/.test(found[0]))
    .map(({ 0: all, index }) => ({ from: index, to: index + all.length }))
}
