/** Templates of texts: parts that follow facts, parts that are always the same, and parts that are made anew. */
import { escapePointer } from '../../src/contract/json.ts'
import { alphabets, forms, type Json, type NewKind } from '../../src/profile/template.ts'
import { commonForm, readTime } from '../reading/times.ts'
import { type AnswerSample, factsOf, isShown, type KnownFact } from './sample.ts'
import { timeFact } from './time-facts.ts'

/** The forms in which a text names the field that was broken, the longest first. */
export const fieldSpellings = [
  'brackets',
  'camel-brackets',
  'pascal-brackets',
  'dotted',
  'words',
  'camel',
  'pascal',
  'last',
  'first',
] as const

/** The forms of numbers that stand before a unit, as in `7200s`. */
const units = ['minutes', 'hours', 'millis', 'percent'] as const

const spellings = [
  undefined,
  'encoded',
  'path',
  'upper',
  'lower',
  'base64',
  'ordinal',
  ...units,
  ...fieldSpellings,
] as const

type Spelling = (typeof spellings)[number]

/** A part of a text: plain, or a fact in some spelling. */
type Part = string | { readonly pointer: string; readonly as?: NonNullable<Spelling> }

/** Returns a template of texts with at least one part that follows a fact or is made anew, or undefined if there is none. */
export function textTemplate(samples: readonly AnswerSample[]): Json | undefined {
  if (!samples.every(({ value }) => typeof value === 'string')) return undefined
  const texts = samples.map(({ value }) => String(value))
  return codedTemplate(samples, texts) ?? templateOf(samples, texts)
}

/** Returns true if nothing of a template is made anew, so that facts explain it. */
export const isExplained = (template: Json) => !/"\$(new|time)":/.test(JSON.stringify(template))

const showsFact = (template: Json) => /"\$":/.test(JSON.stringify(template))

function templateOf(samples: readonly AnswerSample[], texts: readonly string[]): Json | undefined {
  const parts = alignParts(samples, texts)
  const [first = []] = parts
  const isSame = texts.every((text) => text === texts[0])
  const made: Json[] = []
  for (let index = 0; index < first.length; index += 1) {
    const part = first[index]
    if (part === undefined) continue
    if (typeof part !== 'string') {
      made.push({ $: part.pointer, ...(part.as && { as: part.as }) })
      continue
    }
    const literals = parts.map((one) => String(one[index]))
    const template = literalTemplate(literals, samples)
    if (template === undefined) return undefined
    made.push(...template)
  }
  const joined = joinPlain(made)
  if (isSame && joined.every((part) => typeof part === 'string')) return undefined
  const [only] = joined
  if (joined.length > 1 || only === undefined || typeof only === 'string') return { $text: joined }
  return '$' in (only as object) ? { ...(only as object), as: (only as { as?: string }).as ?? 'text' } : only
}

/** The codings of opaque identifiers. */
const codings = ['base64-text', 'base64url-text'] as const

/** Returns a template of texts that are coded, as opaque identifiers and cursors are, if a fact explains what they say. */
function codedTemplate(samples: readonly AnswerSample[], texts: readonly string[]): Json | undefined {
  if (decoded(texts[0] ?? '') === undefined) return undefined
  const plain = texts.map(decoded)
  if (!plain.every((text) => text !== undefined)) return undefined
  const as = codings.find((form) => plain.every((text, index) => forms[form](text) === texts[index]))
  if (as === undefined) return undefined
  // A number may follow a letter there, as in `c0`.
  const spaced = plain.map((text) => text.replaceAll(/([A-Za-z])(?=\d)/g, `$1${joint}`))
  const ways = [templateOf(samples, plain), withoutJoints(templateOf(samples, spaced))]
  const template = ways.find((one) => one !== undefined && showsFact(one))
  if (template === undefined) return undefined
  const { $text } = template as { readonly $text?: Json[] }
  return { $text: $text ?? [template], as }
}

/** Stands between a letter and a digit, so that each is a word. */
const joint = '\u0001'

function withoutJoints(template: Json | undefined): Json | undefined {
  return template && (JSON.parse(JSON.stringify(template).replaceAll('\\u0001', '')) as Json)
}

/** Returns the readable text that a text codes in base64, or undefined if it codes none. */
function decoded(text: string): string | undefined {
  if (text.length < 3 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
  try {
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return /^[\x20-\x7e]+$/.test(plain) ? plain : undefined
  } catch {
    // No base64, or no text.
    return undefined
  }
}

function joinPlain(parts: readonly Json[]): Json[] {
  const joined: Json[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part
    else if (part !== '') joined.push(part)
  }
  return joined.length === 0 ? [''] : joined
}

/** Cuts all texts at the facts that occur in each, in the same order. */
function alignParts(samples: readonly AnswerSample[], texts: readonly string[]): Part[][] {
  const plain = texts.map((text): Part[] => [text])
  const [first] = samples
  if (!first) return plain
  let parts = plain
  const isSame = texts.every((text) => text === texts[0])
  for (const { pointer, as, text: spelling } of occurring(samples, texts)) {
    // A text that never changed may contain a short fact by chance. Methods are in capitals, and sizes are seldom equal by chance.
    if (isSame && spelling.length < 6 && !isField(as) && pointer !== '/method' && !isSize(pointer)) continue
    const cut = parts.map((one, index) => {
      const sample = samples[index]
      const text = sample && spelled(factsOf(sample).get(pointer)?.value, as)
      return text ? cutAt(one, text, { pointer, ...(as && { as }) }) : one
    })
    if (cut.every((one) => isAligned(one, cut[0] ?? []))) parts = cut
  }
  return isSame && texts.length > 1 ? parts : withAnyItem(parts, samples)
}

/** Matches the pointer to a member of the first item of a list that stands for any of them. */
const anyItem = /^(?!.*\/(recent_executions|completed_files|errors|approvers)\/0\/[^/]+$).*\/0\/[^/]+$/

/** Returns the list of which a template shows any item, if it does. */
export function anyItemIn(template: Json): string | undefined {
  if (template === null || typeof template !== 'object') return undefined
  if ('$' in template && typeof template.$ === 'string' && anyItem.test(template.$))
    return template.$.slice(0, template.$.lastIndexOf('/0/'))
  return Object.values(template)
    .map((member) => anyItemIn(member as Json))
    .find((list) => list !== undefined)
}

/** Cuts texts at what an item of a list is called, if all have one: which item it is, no fact explains. */
function withAnyItem(parts: readonly Part[][], samples: readonly AnswerSample[]): Part[][] {
  let cut = [...parts]
  const [first] = samples
  if (!first) return cut
  for (const { pointer, value } of factsOf(first).values()) {
    if (!Array.isArray(value) || value.length === 0 || !anyItem.test(`${pointer}/0/name`)) continue
    const names = Object.entries((value[0] ?? {}) as object).flatMap(([name, one]) =>
      typeof one === 'string' ? [name] : [],
    )
    for (const name of names) {
      const found = samples.map((sample, index) => {
        const items = factsOf(sample).get(pointer)?.value
        const known = (Array.isArray(items) ? items : [])
          .map((item: unknown) => (item as Record<string, unknown> | null)?.[name])
          .filter((one): one is string => typeof one === 'string' && isOwn(one))
        const plain = (cut[index] ?? []).filter((part) => typeof part === 'string')
        return known
          .toSorted((a, b) => b.length - a.length)
          .find((one) => plain.some((part) => isWorthBinding(one, part)))
      })
      if (found.some((one) => one === undefined)) continue
      const fact = { pointer: `${pointer}/0/${escapePointer(name)}` }
      const next = cut.map((one, index) => cutAt(one, found[index] ?? '', fact))
      if (next.every((one) => isAligned(one, next[0] ?? []))) cut = next
    }
  }
  return cut
}

/** Returns true if a text is so special that it belongs to one thing: an address, or a name with digits. */
const isOwn = (text: string) => text.length >= 6 && /[\d@]/.test(text)

/** Returns true for the sizes of a file, as it was announced and as it was stored. */
const isSize = (pointer: string) => pointer === '/answer/file_size' || pointer === '/object/size'

const isField = (as: Spelling) => fieldSpellings.some((one) => one === as)

function spelled(value: unknown, as: Spelling): string | undefined {
  if (isField(as))
    return (forms[as as (typeof fieldSpellings)[number]](value as string) as string | undefined) || undefined
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value)
  const unit = units.find((one) => one === as)
  // Zero is everything times zero.
  if (unit) return typeof value === 'number' && value !== 0 ? String(forms[unit](value)) : undefined
  if (as === 'ordinal') return typeof value === 'number' ? String(value + 1) : undefined
  if (as === 'encoded') return encodeURIComponent(text)
  if (as === 'base64') return forms.base64(text) as string | undefined
  if (as === 'path') return text.split('/').map(encodeURIComponent).join('/')
  return as === 'upper' ? text.toUpperCase() : as === 'lower' ? text.toLowerCase() : text
}

/** Returns the facts that occur in every text, the longest first. */
function occurring(samples: readonly AnswerSample[], texts: readonly string[]) {
  const [first, ...others] = samples
  if (!first) return []
  const differs = (pointer: string, value: unknown) =>
    others.some((sample) => factsOf(sample).get(pointer)?.value !== value)
  const found = [...factsOf(first).made(spelledFacts)].filter(
    ({ pointer, value, as, text }) =>
      isWorthBinding(text, texts[0] ?? '') &&
      // The name of a rule, such as `required`, is a common word: a single one may be in a sentence by chance.
      (!pointer.endsWith('/rule') || differs(pointer, value)) &&
      others.every((sample, index) => {
        const other = spelled(factsOf(sample).get(pointer)?.value, as)
        return other !== undefined && isWorthBinding(other, texts[index + 1] ?? '')
      }),
  )
  return found.toSorted((a, b) => b.text.length - a.text.length || rootRank(a.pointer) - rootRank(b.pointer))
}

/** Returns what facts are called in texts, in all spellings. */
function spelledFacts(facts: readonly KnownFact[]) {
  return facts.filter(isShown).flatMap(({ pointer, value }) =>
    spellings.flatMap((as) => {
      const text = spelled(value, as)
      // An identifier of another call may have characters that are encoded.
      const isOfPath = as === 'encoded' && pointer.startsWith('/path/')
      if (text === undefined || (as !== undefined && text === String(value) && !isOfPath)) return []
      if (as === 'ordinal' && !pointer.endsWith('#')) return []
      if (isField(as) !== pointer.endsWith('/pointer') && (isField(as) || as !== undefined)) return []
      return [{ pointer, value, as, text }]
    }),
  )
}

const rootRank = (pointer: string) =>
  /^\d/.test(pointer)
    ? 0
    : ['/answer', '/session_id', '/key', '/path', '/problem', '/base', '/request'].findIndex((root) =>
        pointer.startsWith(root),
      ) + 1 || 9

/** Short texts occur everywhere: they count only as whole words, and a single character only if it is a digit, as in identifiers. */
function isWorthBinding(text: string, within: string): boolean {
  if (text.length < 2 && !/\d/.test(text)) return false
  return indexOfWord(within, text) >= 0 || (text.length >= 12 && within.includes(text))
}

/** Returns true if a unit of one to three letters follows a number, as in `90s`. */
const hasUnit = (number: string, rest: string) => /^\d+$/.test(number) && /^[A-Za-z]{1,3}(?![A-Za-z0-9])/.test(rest)

/** Returns the first index of a text that is no part of a longer word, or -1. */
export function indexOfWord(within: string, text: string): number {
  for (let at = within.indexOf(text); at >= 0; at = within.indexOf(text, at + 1)) {
    const isEnd = !/[A-Za-z0-9]/.test(within.charAt(at + text.length)) || hasUnit(text, within.slice(at + text.length))
    if (isEnd && !/[A-Za-z0-9]/.test(within.charAt(at - 1))) return at
  }
  return -1
}

function cutAt(parts: readonly Part[], text: string, fact: Part): Part[] {
  return parts.flatMap((part) => {
    if (typeof part !== 'string') return [part]
    const pieces = text.length >= 12 ? part.split(text) : splitAtWord(part, text)
    return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [fact, piece]))
  })
}

function splitAtWord(part: string, text: string): string[] {
  const pieces: string[] = []
  let rest = part
  for (let at = indexOfWord(rest, text); at >= 0; at = indexOfWord(rest, text)) {
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at + text.length)
  }
  return [...pieces, rest]
}

/** Returns true if two texts have the same facts at the same places. */
function isAligned(one: readonly Part[], other: readonly Part[]): boolean {
  return (
    one.length === other.length &&
    one.every((part, index) => {
      const [a, b] = [part, other[index]]
      if (typeof a === 'string' || typeof b === 'string' || b === undefined) return typeof a === typeof b
      return a.pointer === b.pointer && a.as === b.as
    })
  )
}

/** A token: a UUID, a time, a run of letters and digits, or what is between them. */
const tokens =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)|[A-Za-z0-9]+|[^A-Za-z0-9]/gi

/** Returns the template of parts that differ, or undefined if they are sentences that no fact explains. */
function literalTemplate(texts: readonly string[], samples: readonly AnswerSample[]): Json[] | undefined {
  const [first = ''] = texts
  if (texts.every((text) => text === first)) return constantParts(first, samples)
  if (texts.every((text) => figure.test(text)) && texts.some((text) => /[.,]/.test(text))) return undefined
  if (texts.every(isMeasured)) {
    const time = timeIn(texts, samples)
    return time === undefined ? undefined : [time]
  }
  const inAddress = addressParts(texts, samples) ?? encodedTime(texts, samples)
  if (inAddress) return inAddress
  const cut = texts.map((text) => text.match(tokens) ?? [])
  const count = cut[0]?.length ?? 0
  const isAligned = cut.every((one) => one.length === count)
  if (isAligned && count > 0) {
    const parts: Json[] = []
    for (let index = 0; index < count; index += 1) {
      const words = cut.map((one) => one[index] ?? '')
      const part = tokenTemplate(words, samples)
      if (part === undefined) return undefined
      parts.push(...part)
    }
    return parts
  }
  if (texts.some((text) => /\s/.test(text)) || areWords(texts)) return undefined
  if (areMostlyFields(texts)) return undefined
  if (isMostlyOne(texts, samples)) return undefined
  return madeAnew(texts, samples)
}

/** Matches a figure, with or without decimals and a unit: `2s`, `0.184s`. If no text has decimals, they may be identifiers. */
const figure = /^\d+(?:[.,]\d+)? ?[A-Za-z%]{0,4}$/

/** Durations in ISO 8601 or as `hh:mm:ss`. */
const duration = /^-?P(?=[\dT])[\dYMWDTHS.,]+$|^\d+:\d\d(:\d\d([.,]\d+)?)?$/

/** Returns true if a text is a time or a duration. Characters by chance would be neither. */
const isMeasured = (text: string) => duration.test(text) || (/\D/.test(text) && readTime(text) !== undefined)

/** Cuts texts with parameters, such as queries, at the marks between them, so that no part takes in another one. */
function addressParts(texts: readonly string[], samples: readonly AnswerSample[]): Json[] | undefined {
  if (!texts.every((text) => text.includes('&') && text.includes('='))) return undefined
  const cut = texts.map((text) => text.split(/([&=/?])/))
  const [first = []] = cut
  if (!cut.every((one) => one.length === first.length)) return undefined
  const parts: Json[] = []
  for (const index of first.keys()) {
    const made = literalTemplate(
      cut.map((one) => one[index] ?? ''),
      samples,
    )
    if (made === undefined) return undefined
    parts.push(...made)
  }
  return parts
}

/** Returns a time that is encoded for an address. */
function encodedTime(texts: readonly string[], samples: readonly AnswerSample[]): Json[] | undefined {
  if (!texts.every((text) => /^[\d-]+T\d\d%3A[\d.%A]+Z?$/.test(text))) return undefined
  const part = timeIn(
    texts.map((text) => text.replaceAll('%3A', ':')),
    samples,
  )
  return part === undefined ? undefined : [{ $text: [part], as: 'encoded' }]
}

function timeIn(texts: readonly string[], samples: readonly AnswerSample[]): Json | undefined {
  const times = texts.map(readTime)
  const common = commonForm(times)
  if (!common) return undefined
  const ms = times.map((time) => time?.ms ?? 0)
  return { ...timePart(ms, samples), ...common }
}

/** The furthest time from the answer that a number of seconds or milliseconds in a text stands for: upload URLs live for a week at most. */
const longestMs = 8 * 24 * 60 * 60 * 1000

/** Returns the parts of a text that is always the same: times in it are those of answers within one second. */
function constantParts(text: string, samples: readonly AnswerSample[]): Json[] {
  const parts = text.split(/((?<![\w%-])(?:\d{10}(?:\d{3})?|[\d-]{10}T\d\d(?::|%3A)[\d.%A:]+Z)(?![\w%-]))/)
  return parts.flatMap((part, index) => {
    if (index % 2 === 0) return part === '' && parts.length > 1 ? [] : [part]
    const ms = readTime(part.replaceAll('%3A', ':'))?.ms
    const isNear = ms !== undefined && samples.every(({ at }) => Math.abs(ms - at) < longestMs)
    if (!isNear) return [part]
    const texts = samples.map(() => part)
    const time = part.includes('%3A') ? encodedTime(texts, samples) : timeIn(texts, samples)
    return time === undefined ? [part] : [time].flat()
  })
}

/** A time of 2016 to 2084 and chance, in Crockford's Base32. */
const ulid = /^01[0-9A-HJKMNP-TV-Z]{24}$/
const lowerUlid = /^01[0-9a-hjkmnp-tv-z]{24}$/
const upperUuid = /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/

/** Returns true if texts are words of a language, or numbers with a unit, which differ without being made anew. */
function areWords(texts: readonly string[]): boolean {
  if (texts.every((text) => /^\d+[A-Za-z]{0,3}$/.test(text))) return new Set(texts.map(({ length }) => length)).size > 1
  return texts.every((text) => /^[A-Za-z_-]+$/.test(text)) && new Set(texts.map(({ length }) => length)).size > 1
}

/** Returns true if most texts are names of fields, such as `file_name` and `steps[0].order`, of different lengths. Identifiers have digits. */
function areMostlyFields(texts: readonly string[]): boolean {
  const words = texts.filter((text) => /^[A-Za-z_-]+(?:\[\d+\]|\.[A-Za-z_-]+)*$/.test(text))
  return words.length * 2 > texts.length && new Set(words.map(({ length }) => length)).size > 1
}

/** Returns true if most calls or things share one text, such as the code of an error. What is made anew for each seldom repeats. */
function isMostlyOne(texts: readonly string[], samples: readonly AnswerSample[]): boolean {
  const byThing = new Map(texts.map((text, index) => [samples[index]?.thing, text]))
  const all = perCall(texts, samples) ? texts : [...byThing.values()]
  const counts = new Map<string, number>()
  for (const text of all) counts.set(text, (counts.get(text) ?? 0) + 1)
  return Math.max(...counts.values()) * 2 > all.length && all.length > 1
}

function tokenTemplate(words: readonly string[], samples: readonly AnswerSample[]): Json[] | undefined {
  const [first = ''] = words
  if (words.every((word) => word === first)) return [first]
  if (words.every((word) => /^[^A-Za-z0-9]$/.test(word))) return undefined
  const times = words.map(readTime)
  const common = commonForm(times)
  if (common)
    return [
      {
        ...timePart(
          times.map((time) => time?.ms ?? 0),
          samples,
        ),
        ...common,
      },
    ]
  // Words of a language differ without being made anew, alone or put together as in `AccessDenied`.
  if (words.every((word) => /^([A-Z][a-z]+){2,}$/.test(word) && /[a-z]{3}/.test(word))) return undefined
  const isMixed = (word: string) => word.length >= 8 && /[A-Z]/.test(word) && /[a-z]/.test(word)
  if (words.every((word) => /^[A-Za-z]{1,11}$/.test(word)) && !words.every(isMixed)) return undefined
  if (isMostlyOne(words, samples)) return undefined
  if (areWords(words) && !words.every((word) => /^\d+$/.test(word))) return undefined
  return madeAnew(words, samples)
}

/** Returns what a time within a text follows: a fact, or the current time, or a number of seconds later. */
function timePart(times: readonly number[], samples: readonly AnswerSample[]): { $time: string; plus?: number } {
  const fact = timeFact(samples, times, '')
  if (fact) return { $time: fact.pointer, ...(fact.plus !== 0 && { plus: fact.plus }) }
  const offsets = times.map((ms, index) => ms - (samples[index]?.at ?? 0)).toSorted((a, b) => a - b)
  const plus = Math.round((offsets[Math.floor(offsets.length / 2)] ?? 0) / 1000)
  return { $time: '/now', ...(Math.abs(plus) > 2 && { plus }) }
}

/** New texts of the same kind: their common beginning, then a UUID or as many characters of the same alphabet. */
function madeAnew(words: readonly string[], samples: readonly AnswerSample[]): Json[] {
  const inCase = (other: readonly string[], as: 'upper' | 'lower'): Json[] => [{ $text: madeAnew(other, samples), as }]
  if (words.every((word) => upperUuid.test(word)) && words.some((word) => /[A-F]/.test(word)))
    return inCase(
      words.map((word) => word.toLowerCase()),
      'upper',
    )
  if (words.every((word) => lowerUlid.test(word)) && words.some((word) => /[a-z]/.test(word)))
    return inCase(
      words.map((word) => word.toUpperCase()),
      'lower',
    )
  if (words.every((word) => ulid.test(word))) return [{ $new: 'ulid', ...(perCall(words, samples) && { per: 'call' }) }]
  const per = perCall(words, samples) ? ({ per: 'call' } as const) : {}
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
  const versions = new Set(words.map((word) => uuid.exec(word)?.[1]))
  if (!versions.has(undefined)) {
    const [version] = versions.size === 1 ? versions : []
    return [{ $new: version === '1' ? 'uuid-v1' : version === '7' ? 'uuid-v7' : 'uuid', ...per }]
  }
  const common = commonStart(words)
  // Two words may begin alike by chance, up to a mark between their parts.
  const start = words.length > 2 ? common : withoutLastWord(common)
  const end = commonMarks(words.map((word) => word.slice(start.length)))
  const rests = words.map((word) => word.slice(start.length, word.length - end.length))
  const lengths = rests.map(({ length }) => length).toSorted((a, b) => a - b)
  const length = lengths[Math.floor(lengths.length / 2)] ?? 0
  return [start, { $new: alphabetOf(rests), length, ...per }, end]
}

/** Returns a template of texts in the form of a single one: a part with digits is made anew, or else the last word. */
export function inFormOf(text: string): Json {
  const parts = text.split(
    /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?<![A-Za-z\d])[A-Za-z]+(?=\d+(?![A-Za-z\d]))|[A-Za-z\d]+)/i,
  )
  const isMade = parts.some((part) => /\d/.test(part))
    ? (part: string) => /\d/.test(part)
    : (_: string, index: number) => index === parts.length - 2
  const made = parts.map((part, index): Json => {
    if (!isMade(part, index)) return part
    return /-/.test(part) ? { $new: 'uuid' } : { $new: alphabetOf([part]), length: part.length }
  })
  return { $text: joinPlain(made) }
}

/** Removes the letters and digits at the end of a text. */
function withoutLastWord(text: string): string {
  let end = text.length
  while (end > 0 && /[A-Za-z0-9]/.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Returns the marks, such as quotes, that all words end with. */
function commonMarks(words: readonly string[]): string {
  const [first = ''] = words
  let length = 0
  while (length < first.length) {
    const mark = first.charAt(first.length - 1 - length)
    if (/[A-Za-z0-9=]/.test(mark) || !words.every((word) => word.charAt(word.length - 1 - length) === mark)) break
    length += 1
  }
  return first.slice(first.length - length)
}

function commonStart(words: readonly string[]): string {
  const [first = ''] = words
  let length = 0
  while (length < first.length && words.every((word) => word.charAt(length) === first.charAt(length))) length += 1
  return first.slice(0, length)
}

/** Returns the smallest alphabet that all characters are from. */
function alphabetOf(words: readonly string[]): NewKind {
  const used = new Set(words.join(''))
  const names = Object.keys(alphabets) as (keyof typeof alphabets)[]
  return names.find((name) => [...used].every((character) => alphabets[name].includes(character))) ?? 'base64url'
}

/** Returns true if the same thing had two values: then a value belongs to the call. */
function perCall(words: readonly string[], samples: readonly AnswerSample[]): boolean {
  const known = new Map<string, string>()
  return samples.some(({ thing }, index) => {
    const word = words[index] ?? ''
    const before = known.get(thing)
    known.set(thing, word)
    return before !== undefined && before !== word
  })
}

/** The longest interval between calls that are sent side by side, in milliseconds. */
const sideBySideMs = 50

/** Makes a counter of identifiers that end with a number that grows, in base64 too, as `WF-0042` and `Workflow:43`. */
export function counting(samples: readonly AnswerSample[]): Json | undefined {
  const texts = samples.map(({ value }) => String(value))
  if (texts.some((text) => readTime(text))) return undefined
  const plain = texts.map((text) => decoded(text) ?? text)
  const as = codings.find((form) => plain.every((text, index) => forms[form](text) === texts[index]))
  const parts = (as === undefined ? texts : plain).map((text) => /^(.*?)(\d{1,15})$/s.exec(text))
  const [start = '', digits = ''] = parts[0]?.slice(1) ?? []
  if (!parts.every((part) => part?.[1] === start) || readTime(digits)) return undefined
  const numbers = parts.map((part) => Number(part?.[2]))
  // Calls that were sent side by side may be answered in another order.
  const isOlder = (index: number, other: number) => (samples[index]?.at ?? 0) + sideBySideMs < (samples[other]?.at ?? 0)
  const sorted = numbers.toSorted((a, b) => a - b)
  const grows =
    new Set(numbers).size === numbers.length &&
    numbers.every((number, index) => !numbers.some((other, at) => other < number && isOlder(index, at)))
  const isNear = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0) < 100 * numbers.length
  if (!grows || !isNear) return undefined
  const isPadded =
    parts.every((part) => part?.[2]?.length === digits.length) && parts.some((part) => part?.[2]?.startsWith('0'))
  const counter = { $new: 'counter', from: sorted[0] ?? 1, ...(isPadded && { length: digits.length }) }
  if (start === '' && as === undefined && !isPadded) return counter
  return { $text: start === '' ? [counter] : [start, counter], ...(as && { as }) }
}
