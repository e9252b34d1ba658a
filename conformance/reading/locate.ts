import { escapePointer, isObject } from '../../src/contract/json.ts'
import { normalizeName } from './names.ts'
import { endsWithRole, isNamed } from './vocabulary.ts'

export { normalizeName } from './names.ts'

/** A value in an answer, with the JSON Pointer (RFC 6901) to it. */
export interface Located {
  readonly pointer: string
  /** The name of the member; for an item of an array, the name of the array. */
  readonly name: string
  readonly value: unknown
}

/** A value that may identify something. */
export interface Identifier extends Located {
  readonly value: string | number
}

/** The limits for hostile answers. */
const maxMembers = 10_000
const maxDepth = 32
const longestName = 300
const longestPointer = 1500

/** The limit of members of an answer whose findings are kept, so that a hostile deployment cannot fill the memory. */
const mostKept = 1000

/** Answers with more members than are kept. */
const large = new WeakSet<object>()

/** What was found in answers: in the latest large one, and in all others. */
class Known<Found> {
  readonly #small = new WeakMap<object, { readonly found: Found }>()
  #latestLarge = new WeakMap<object, { readonly found: Found }>()

  of(json: object): { readonly found: Found } | undefined {
    return this.#small.get(json) ?? this.#latestLarge.get(json)
  }

  keep(json: object, found: Found, isLarge: boolean): Found {
    if (isLarge) this.#latestLarge = new WeakMap([[json, { found }]])
    else this.#small.set(json, { found })
    return found
  }
}

const searched = new Known<readonly Located[]>()

/** Returns all members of an answer at every depth, the outermost first. */
export function membersOf(json: unknown, pointer = ''): readonly Located[] {
  if (json === null || typeof json !== 'object' || pointer !== '') return membersBelow(json, pointer)
  const known = searched.of(json)
  if (known) return known.found
  const members = membersBelow(json, pointer)
  if (members.length > mostKept) large.add(json)
  return searched.keep(json, members, large.has(json))
}

/**
 * Finds something once in each answer. Answers do not change, and many checks search the same one. Of large answers, keeps only
 * what was found in the latest, unless that is a single value.
 */
export function oncePerAnswer<Found>(
  find: (json: unknown) => Found,
  { isSingle = false }: { readonly isSingle?: boolean } = {},
): (json: unknown) => Found {
  const known = new Known<Found>()
  return (json) => {
    if (json === null || typeof json !== 'object') return find(json)
    const before = known.of(json)
    if (before) return before.found
    const found = find(json)
    if (isSingle) return known.keep(json, found, false)
    if (!large.has(json)) membersOf(json)
    return known.keep(json, found, large.has(json))
  }
}

/** Finds something once in each answer for each of some other objects that do not change, such as the steps that were sent. */
export function oncePerPair<Other extends object, Found>(
  find: (json: object, other: Other) => Found,
): (json: object, other: Other) => Found {
  const known = oncePerAnswer(() => new WeakMap<Other, { readonly found: Found }>())
  return (json, other) => {
    const before = known(json)
    const one = before.get(other) ?? { found: find(json, other) }
    before.set(other, one)
    return one.found
  }
}

function membersBelow(json: unknown, pointer: string): Located[] {
  const found: Located[] = []
  let level: Located[] = [{ pointer, name: '', value: json }]
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth += 1) {
    const next: Located[] = []
    for (const parent of level) {
      const left = maxMembers - found.length - next.length
      if (left <= 0) break
      next.push(...childrenOf(parent, left))
    }
    found.push(...next)
    level = next
  }
  return found
}

/** Returns the first `most` members of a value. */
function childrenOf({ pointer, name: parent, value }: Located, most: number): Located[] {
  if (value === null || typeof value !== 'object' || pointer.length > longestPointer) return []
  if (Array.isArray(value)) {
    return value.slice(0, most).map((item, index) => ({ pointer: `${pointer}/${index}`, name: parent, value: item }))
  }
  return Object.entries(value)
    .slice(0, most)
    .filter(([name]) => name.length <= longestName)
    .map(([name, item]) => ({
      pointer: `${pointer}/${escapePointer(name)}`,
      name,
      value: item,
    }))
}

export { isWithin, lastName, parentOf, valueAt } from '../../src/contract/json.ts'

/** Returns the outermost member with exactly this name. */
export function memberCalled(json: unknown, name: string): Located | undefined {
  return membersOf(json).find((member) => member.name === name)
}

/** Returns the outermost member with one of these names, in any spelling and any envelope. Earlier names are preferred. */
export function findNamed(json: unknown, ...names: readonly string[]): Located | undefined {
  const members = membersOf(json)
  for (const name of names) {
    const found = members.find((member) => normalizeName(member.name) === normalizeName(name))
    if (found) return found
  }
  return undefined
}

/** Returns true if a value can be an identifier: a short text or an integer. */
export function isIdentifier(value: unknown): value is string | number {
  // An unpaired surrogate cannot be part of a URL.
  if (typeof value === 'string') return /^[^\s]{1,300}$/.test(value) && value.isWellFormed()
  return typeof value === 'number' && Number.isSafeInteger(value)
}

/** Returns candidates for the identifier of an object, the likeliest first: `workflow_id`, then `id`, then `uuid` etc. */
export function identifierCandidates(json: unknown, kind: string): Identifier[] {
  if (isIdentifier(json)) return [{ pointer: '', name: '', value: json }]
  const ranks = [
    `${kind}id`,
    `${kind}ids`,
    `${kind}uuid`,
    `${kind}guid`,
    `${kind}ref`,
    kind,
    'id',
    'pk',
    'uuid',
    'guid',
    'key',
    'ref',
  ]
  const rank = ({ name }: Located) => ranks.indexOf(normalizeName(name))
  return membersOf(json)
    .filter((member): member is Identifier => isIdentifier(member.value) && rank(member) >= 0)
    .sort((a, b) => rank(a) - rank(b))
}

/** Returns values with the name of an identifier: `wf_id`, `insertId`, `workflow_no`, `slug`. */
export function namedIdentifiers(json: unknown): Identifier[] {
  return membersOf(json).filter(
    (member): member is Identifier => isIdentifier(member.value) && endsWithRole(member.name, 'identifier'),
  )
}

/** Returns texts that look like identifiers: one word with a digit, but not a date. */
export function unnamedIdentifiers(json: unknown): Located[] {
  const texts = membersOf(json).filter(({ value }) => typeof value === 'string' && isIdentifier(value))
  const isOf = (pattern: RegExp) => texts.filter(({ value }) => pattern.test(String(value)))
  // A random identifier may have no digit.
  return [...isOf(/^(?!\d{4}-\d\d).*\d/), ...isOf(/^[a-z]+[-_][a-z]{5,}$/i)]
}

/**
 * Returns the identifiers in URLs of an answer: the segment after a collection, such as `workflows` or `documents|files`, in
 * `Location`, `Link` and links of the body.
 */
export function identifiersInLinks(headers: Headers, json: unknown, collection: string): Located[] {
  const inHeader = ['Location', 'Content-Location', 'Link'].flatMap((name) => {
    const value = headers.get(name)
    return value ? [{ pointer: name, name, value }] : []
  })
  const links = [...inHeader, ...membersOf(json)].filter(
    ({ value }) => typeof value === 'string' && value.includes('/'),
  )
  // A base path may have the name of a collection.
  const pattern = new RegExp(`(?:^|/)(?:${collection})(?=/([^/?#>\\s]{1,200}))`, 'g')
  return links.flatMap(({ pointer, name, value }) =>
    [...String(value).matchAll(pattern)]
      .map(([, segment = '']) => ({ pointer, name, value: decodePercent(segment) }))
      .filter(({ value }) => value.isWellFormed()),
  )
}

/** Returns the identifiers in headers such as `X-Workflow-Id`. */
export function identifiersInHeaders(headers: Headers, kind: string): Located[] {
  return [...headers].flatMap(([name, value]) =>
    normalizeName(name).endsWith(`${kind}id`) && isIdentifier(value) ? [{ pointer: name, name, value }] : [],
  )
}

/**
 * Returns the value in an object that only labels it, such as `{ _type: 'Some', value: 3 }`; the label if there is nothing else, as in
 * `{ _type: 'normal' }`. Returns any other value unchanged.
 */
export function unwrapTagged(value: unknown): unknown {
  if (!isObject(value)) return value
  const members = Object.entries(value)
  const [tag] = members.filter(([name]) => isNamed(name, 'label'))
  const [other, ...more] = members.filter((member) => member !== tag)
  if (!tag || more.length > 0) return value
  if (!other) return tag[1]
  return isNamed(other[0], 'envelope') ? unwrapTagged(other[1]) : value
}

/** Returns true if a text is masked, for example for privacy: `s***@example.com`. */
export function isMasked(text: string): boolean {
  return /[*•]/.test(text) || text.includes('xxx@')
}

/** Decodes percent-encoding. Returns the text unchanged if it is invalid. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Removes candidates with repeated values. */
export function withoutRepeats(candidates: readonly Located[]): Located[] {
  const seen = new Set<string>()
  return candidates.filter(({ value }) => !seen.has(String(value)) && seen.add(String(value)))
}
