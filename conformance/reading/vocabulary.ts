/**
 * The meaning of English words in names, as a table. Words order candidates, and none accuses by itself. What they do not find,
 * a locator of a profile does.
 */
import { normalizeName, remember, wordsOf } from './names.ts'
import { words } from './words.ts'

/** The meaning of a word in a name. */
export type Role = keyof typeof words

const roles = Object.keys(words) as Role[]

/** Each word with one of its roles. */
export const vocabulary = roles.flatMap((role) => words[role].map((word) => ({ word, role })))

/** A word or phrase of a name, with all of its roles. An unknown word has no role. */
export interface Term {
  readonly word: string
  readonly roles: ReadonlySet<Role>
}

/** The longest part of a name that is analysed, in characters; of a phrase, in words. */
const longestName = 120
const longestPhrase = 4

const noRoles: ReadonlySet<Role> = new Set()
const byWord = indexBy((word) => word)
const byBareWord = indexBy(normalizeName)

function indexBy(keyOf: (word: string) => string): Map<string, Set<Role>> {
  const index = new Map<string, Set<Role>>()
  for (const { word, role } of vocabulary) {
    const key = keyOf(word)
    index.set(key, (index.get(key) ?? new Set()).add(role))
  }
  return index
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
    terms.push(phrase.term)
    from += phrase.length
  }
  return terms
})

/** Returns the longest known phrase at a position, and its number of words; or else the unknown word itself. */
function phraseAt(words: readonly string[], from: number): { term: Term; length: number } {
  for (let length = Math.min(longestPhrase, words.length - from); length > 0; length -= 1) {
    const word = words.slice(from, from + length).join(' ')
    const roles = rolesOf(word)
    if (roles) return { term: { word, roles }, length }
  }
  return { term: { word: words[from] ?? '', roles: noRoles }, length: 1 }
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
