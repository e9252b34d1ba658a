/** Templates of texts: parts that follow facts, parts that are always the same, and parts that are made anew. */
import { alphabets, forms, type Json, type NewKind } from '../../src/profile/template.ts'
import { type AnswerSample, factsOf } from './sample.ts'
import { readTime } from './times.ts'

/** A part of a text: plain, or a fact in some spelling. */
type Part = string | { readonly pointer: string; readonly as?: 'encoded' | 'path' | 'upper' | 'lower' | 'base64' }

/** Returns a template of texts with at least one part that follows a fact or is made anew, or undefined if there is none. */
export function textTemplate(samples: readonly AnswerSample[]): Json | undefined {
  if (!samples.every(({ value }) => typeof value === 'string')) return undefined
  const texts = samples.map(({ value }) => String(value))
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
  for (const { pointer, as, length } of occurring(samples, texts)) {
    // What never changed may contain a fact by chance.
    if (isSame && length < 6) continue
    const cut = parts.map((one, index) => {
      const sample = samples[index]
      const text = sample && spelled(factsOf(sample).get(pointer)?.value, as)
      return text ? cutAt(one, text, { pointer, ...(as && { as }) }) : one
    })
    if (cut.every((one) => isAligned(one, cut[0] ?? []))) parts = cut
  }
  return parts
}

const spellings = [undefined, 'encoded', 'path', 'upper', 'lower', 'base64'] as const

function spelled(value: unknown, as: (typeof spellings)[number]): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value)
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
  return (
    [...factsOf(first).values()]
      // The name of a rule, such as `required`, is a common word: a single one may be in a sentence by chance.
      .filter(({ pointer, value }) => !pointer.endsWith('/rule') || differs(pointer, value))
      .flatMap(({ pointer, value }) =>
        spellings.flatMap((as) => {
          const text = spelled(value, as)
          if (text === undefined || (as !== undefined && text === String(value))) return []
          if (!isWorthBinding(text, texts[0] ?? '', value)) return []
          const inAll = others.every((sample, index) => {
            const other = spelled(factsOf(sample).get(pointer)?.value, as)
            return other !== undefined && isWorthBinding(other, texts[index + 1] ?? '', value)
          })
          return inAll ? [{ pointer, as, length: text.length, root: rootRank(pointer) }] : []
        }),
      )
      .toSorted((a, b) => b.length - a.length || a.root - b.root)
  )
}

const rootRank = (pointer: string) =>
  /^\d/.test(pointer)
    ? 0
    : ['/answer', '/session_id', '/key', '/path', '/problem', '/base', '/request'].findIndex((root) =>
        pointer.startsWith(root),
      ) + 1 || 9

/** Short texts occur everywhere: they count only as a whole word, and small numbers only between other characters. */
function isWorthBinding(text: string, within: string, value: unknown): boolean {
  if (text.length < 2 && typeof value !== 'number') return false
  const at = within.indexOf(text)
  if (at < 0) return false
  const isWord = !/[A-Za-z0-9]/.test(within.charAt(at - 1)) && !/[A-Za-z0-9]/.test(within.charAt(at + text.length))
  return isWord || text.length >= 12
}

function cutAt(parts: readonly Part[], text: string, fact: Part): Part[] {
  return parts.flatMap((part) => {
    if (typeof part !== 'string') return [part]
    const pieces = part.split(text)
    return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [fact, piece]))
  })
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
  if (texts.every((text) => text === first)) return [first]
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
  if (texts.some((text) => /\s/.test(text)) || areStates(texts)) return undefined
  return madeAnew(texts, samples)
}

/** Returns true if texts are words that repeat, as states do. New identifiers have digits, or never repeat. */
function areStates(texts: readonly string[]): boolean {
  return texts.every((text) => /^[A-Za-z_-]+$/.test(text)) && new Set(texts).size * 2 <= texts.length
}

function tokenTemplate(words: readonly string[], samples: readonly AnswerSample[]): Json[] | undefined {
  const [first = ''] = words
  if (words.every((word) => word === first)) return [first]
  if (words.every((word) => /^[^A-Za-z0-9]$/.test(word))) return undefined
  const times = words.map(readTime)
  const form = times[0]?.forms.find((one) => times.every((time) => time?.forms.includes(one)))
  if (form !== undefined)
    return [
      timePart(
        times.map((time) => time?.ms ?? 0),
        samples,
        form,
      ),
    ]
  // Words of a language differ without being made anew.
  const isMixed = (word: string) => word.length >= 8 && /[A-Z]/.test(word) && /[a-z]/.test(word)
  if (words.every((word) => /^[A-Za-z]{1,11}$/.test(word)) && !words.every(isMixed)) return undefined
  return madeAnew(words, samples)
}

/** Returns the template of a time within a text: the current time, or a number of seconds later. */
function timePart(times: readonly number[], samples: readonly AnswerSample[], form: string): Json {
  const offsets = times.map((ms, index) => ms - (samples[index]?.at ?? 0)).toSorted((a, b) => a - b)
  const plus = Math.round((offsets[Math.floor(offsets.length / 2)] ?? 0) / 1000)
  return { $time: '/now', form, ...(Math.abs(plus) > 2 && { plus }) }
}

/** New texts of the same kind: their common beginning, then a UUID or as many characters of the same alphabet. */
function madeAnew(words: readonly string[], samples: readonly AnswerSample[]): Json[] {
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
