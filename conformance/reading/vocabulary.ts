/**
 * The meaning of words in names, as a table: a word, its role, and its language if it is not English. To support an unknown
 * word of a deployment, add a row in `words/`.
 */
import { fold, normalizeName, remember, wordsOf } from './names.ts'
import { answerWords } from './words/answers.ts'
import { chineseWords } from './words/chinese.ts'
import { detailWords } from './words/details.ts'
import { dutchWords } from './words/dutch.ts'
import { frenchWords } from './words/french.ts'
import { germanWords } from './words/german.ts'
import { italianWords } from './words/italian.ts'
import { japaneseWords } from './words/japanese.ts'
import { polishWords } from './words/polish.ts'
import { portugueseWords } from './words/portuguese.ts'
import type { Role, WordRow } from './words/row.ts'
import { spanishWords } from './words/spanish.ts'

export type { Role, WordRow } from './words/row.ts'

export const vocabulary: readonly WordRow[] = [
  ...[answerWords, detailWords, germanWords, frenchWords, spanishWords, portugueseWords, italianWords, dutchWords],
  ...[polishWords, japaneseWords, chineseWords],
].flat()

/** A word or phrase of a name, with all of its roles. An unknown word has no role. */
export interface Term {
  readonly word: string
  readonly roles: ReadonlySet<Role>
}

/** Languages that write several words as one: `Erfolgsquote`, `成功率`. */
const compounding = ['de', 'nl', 'ja', 'zh']

/** The longest part of a name that is analysed, in characters; of a compound, in characters; of a phrase, in words. */
const longestName = 120
const longestCompound = 40
const longestPhrase = 4

const noRoles: ReadonlySet<Role> = new Set()
const byWord = indexBy((word) => word)
const byBareWord = indexBy(normalizeName)
const parts = new Set(vocabulary.filter(({ language = 'en' }) => compounding.includes(language)).flatMap(spellingsOf))

function indexBy(keyOf: (word: string) => string): Map<string, Set<Role>> {
  const index = new Map<string, Set<Role>>()
  for (const row of vocabulary) {
    for (const key of spellingsOf(row).map(keyOf)) index.set(key, (index.get(key) ?? new Set()).add(row.role))
  }
  return index
}

/** Returns the spellings of a word: without diacritics, and for German also with `ae`, `oe` and `ue`. */
function spellingsOf({ word, language }: WordRow): string[] {
  const written = language === 'de' ? word.replaceAll(/[äöü]/g, (vowel) => `${fold(vowel)}e`) : word
  return [...new Set([fold(word), fold(written)])]
}

/** Returns the roles of a word or phrase, in the singular or the plural. */
function rolesOf(word: string, index: ReadonlyMap<string, ReadonlySet<Role>> = byWord): ReadonlySet<Role> | undefined {
  const known = index.get(word)
  if (known || word.length < 4 || !word.endsWith('s')) return known
  return (
    index.get(word.slice(0, -1)) ??
    (word.endsWith('es') ? index.get(word.slice(0, -2)) : undefined) ??
    (word.endsWith('ies') ? index.get(`${word.slice(0, -3)}y`) : undefined)
  )
}

/** Splits a name into words with their roles. A phrase such as `in progress` is one term. */
export const termsOf = remember((name): readonly Term[] => {
  const words = wordsOf(name.slice(0, longestName))
  const terms: Term[] = []
  for (let from = 0; from < words.length; ) {
    const phrase = phraseAt(words, from)
    terms.push(...phrase.terms)
    from += phrase.length
  }
  return terms
})

/** Returns the longest known phrase at a position; or else the parts of the word, or the unknown word itself. */
function phraseAt(words: readonly string[], from: number): { terms: Term[]; length: number } {
  for (let length = Math.min(longestPhrase, words.length - from); length > 0; length -= 1) {
    const word = words.slice(from, from + length).join(' ')
    const roles = rolesOf(word)
    if (roles) return { terms: [{ word, roles }], length }
  }
  const word = words[from] ?? ''
  const compound = word.length <= longestCompound ? partsOf(word) : undefined
  const terms = compound?.map((part) => ({ word: part, roles: rolesOf(part) ?? noRoles }))
  return { terms: terms ?? [{ word, roles: noRoles }], length: 1 }
}

/** Splits a compound into known words, preferring long ones. Returns undefined if that is not possible. */
function partsOf(word: string, unsplittable = new Set<string>()): string[] | undefined {
  if (word === '') return []
  if (unsplittable.has(word)) return undefined
  for (let length = word.length; length > 0; length -= 1) {
    const part = word.slice(0, length)
    const rest = parts.has(part) ? partsOf(word.slice(length), unsplittable) : undefined
    if (rest) return [part, ...rest]
  }
  unsplittable.add(word)
  return undefined
}

/** Returns true if a term has one of these roles. */
export function hasRole({ roles: known }: Term, ...roles: readonly Role[]): boolean {
  return roles.some((role) => known.has(role))
}

/** Returns true if any of the terms has one of these roles. */
export function mentionsRole(terms: readonly Term[], ...roles: readonly Role[]): boolean {
  return terms.some((term) => hasRole(term, ...roles))
}

/** Returns true if a whole name, in any spelling, is one word or phrase with one of these roles. */
export function isNamed(name: string, ...roles: readonly Role[]): boolean {
  const known = rolesOf(normalizeName(name), byBareWord)
  return known !== undefined && roles.some((role) => known.has(role))
}

/** Returns true if a name is a word with one role followed by one with another, such as `errorCode` or `errcode`. */
export function isJoined(name: string, first: Role, second: Role): boolean {
  const whole = normalizeName(name)
  return bareWordsWith(first).some((word) => whole.startsWith(word) && isNamed(whole.slice(word.length), second))
}

/** Returns true if a name ends with a word of a role, separated or not: `workflow_id`, `wfid`. */
export function endsWithRole(name: string, role: Role): boolean {
  const whole = normalizeName(name)
  return bareWordsWith(role).some((word) => whole.endsWith(word))
}

const bareWords = new Map<Role, readonly string[]>()

function bareWordsWith(role: Role): readonly string[] {
  const known = bareWords.get(role) ?? [...byBareWord].flatMap(([word, roles]) => (roles.has(role) ? [word] : []))
  bareWords.set(role, known)
  return known
}

/** Names that wrap the record itself; behind any other name stands something of its own, such as an owner. */
export function isWrapping(name: string): boolean {
  const terms = termsOf(name)
  return name === '0' || (terms.length > 0 && terms.every((term) => hasRole(term, 'envelope')))
}
