import { bare } from './names.ts'
import { endsWithRole } from './vocabulary.ts'

export { bare } from './names.ts'

/** A value in an answer, and the JSON Pointer (RFC 6901) to it. */
export interface Located {
  readonly pointer: string
  /** The name of the member; of the array, for an item of one. */
  readonly name: string
  readonly value: unknown
}

/** A value that may identify something. */
export interface Identifier extends Located {
  readonly value: string | number
}

/** As much of a hostile answer as is looked at. */
const maxMembers = 10_000
const maxDepth = 32
const longestName = 300
const longestPointer = 1500

/** The members of answers that have been searched before. Checks search each answer many times. */
const searched = new WeakMap<object, readonly Located[]>()
/** The members of larger answers are not kept, so that a hostile deployment cannot fill the memory. */
const mostKept = 1000

/** Returns every member of an answer, at every depth, the outermost first. */
export function membersOf(json: unknown, pointer = ''): readonly Located[] {
  if (json === null || typeof json !== 'object' || pointer !== '') return membersBelow(json, pointer)
  const members = searched.get(json) ?? membersBelow(json, pointer)
  if (members.length <= mostKept) searched.set(json, members)
  return members
}

function membersBelow(json: unknown, pointer: string): Located[] {
  const found: Located[] = []
  let level: Located[] = [{ pointer, name: '', value: json }]
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth += 1) {
    const next: Located[] = []
    for (const parent of level) {
      const room = maxMembers - found.length - next.length
      if (room <= 0) break
      next.push(...childrenOf(parent, room))
    }
    found.push(...next)
    level = next
  }
  return found
}

/** The first so many members of a value; making more than are looked at would take longer than looking. */
function childrenOf({ pointer, name: parent, value }: Located, most: number): Located[] {
  if (value === null || typeof value !== 'object' || pointer.length > longestPointer) return []
  if (Array.isArray(value)) {
    return value.slice(0, most).map((item, index) => ({ pointer: `${pointer}/${index}`, name: parent, value: item }))
  }
  return Object.entries(value)
    .slice(0, most)
    .filter(([name]) => name.length <= longestName)
    .map(([name, item]) => ({
      pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      name,
      value: item,
    }))
}

/** The value that a JSON Pointer names; nothing where there is none. */
export function at(json: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  return steps.reduce<unknown>((value, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    return value !== null && typeof value === 'object' && Object.hasOwn(value, name)
      ? (value as Record<string, unknown>)[name]
      : undefined
  }, json)
}

/** The outermost member of exactly this name. */
export function memberCalled(json: unknown, name: string): Located | undefined {
  return membersOf(json).find((member) => member.name === name)
}

/** The outermost member with one of these names, the best name first; in any case and any envelope. */
export function findNamed(json: unknown, ...names: readonly string[]): Located | undefined {
  const members = membersOf(json)
  for (const name of names) {
    const found = members.find((member) => bare(member.name) === bare(name))
    if (found) return found
  }
  return undefined
}

/** Whether a value can identify something: a short text or a whole number. */
export function isIdentifier(value: unknown): value is string | number {
  // Half of a surrogate pair cannot stand in an address.
  if (typeof value === 'string') return /^[^\s]{1,300}$/.test(value) && value.isWellFormed()
  return typeof value === 'number' && Number.isSafeInteger(value)
}

/** Values that may identify something of this kind, the likeliest first: `workflow_id`, then `id`, then `uuid` and such. */
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
  const rank = ({ name }: Located) => ranks.indexOf(bare(name))
  return membersOf(json)
    .filter((member): member is Identifier => isIdentifier(member.value) && rank(member) >= 0)
    .sort((a, b) => rank(a) - rank(b))
}

/** Values whose name says that they identify, number or abbreviate something: `wf_id`, `insertId`, `workflow_no`, `slug`. */
export function suffixedIdentifiers(json: unknown): Identifier[] {
  return membersOf(json).filter(
    (member): member is Identifier => isIdentifier(member.value) && endsWithRole(member.name, 'identifier'),
  )
}

/** Texts that look like identifiers of something: one word with a digit in it, and no time. */
export function unnamedIdentifiers(json: unknown): Located[] {
  return membersOf(json).filter(
    ({ value }) => typeof value === 'string' && isIdentifier(value) && /\d/.test(value) && !/^\d{4}-\d\d/.test(value),
  )
}

/**
 * What addresses in an answer name: the segment behind a collection, such as `workflows` or `documents|files`, in `Location`,
 * `Link` and links of the body.
 */
export function identifiersInLinks(headers: Headers, json: unknown, collection: string): Located[] {
  const inHeader = ['Location', 'Content-Location', 'Link'].flatMap((name) => {
    const value = headers.get(name)
    return value ? [{ pointer: name, name, value }] : []
  })
  const links = [...inHeader, ...membersOf(json)].filter(({ value }) => typeof value === 'string')
  // A base path may be called like a collection.
  const pattern = new RegExp(`(?:^|/)(?:${collection})(?=/([^/?#>\\s]{1,200}))`, 'g')
  return links.flatMap(({ pointer, name, value }) =>
    [...String(value).matchAll(pattern)]
      .map(([, segment = '']) => ({ pointer, name, value: decoded(segment) }))
      .filter(({ value }) => value.isWellFormed()),
  )
}

/** Identifiers in headers of their own, such as `X-Workflow-Id`. */
export function identifiersInHeaders(headers: Headers, kind: string): Located[] {
  return [...headers].flatMap(([name, value]) =>
    bare(name).endsWith(`${kind}id`) && isIdentifier(value) ? [{ pointer: name, name, value }] : [],
  )
}

/** Whether a text hides letters, as privacy may want it: `s***@example.com`. */
export function isMasked(text: string): boolean {
  return /[*•]/.test(text) || text.includes('xxx@')
}

/** Percent-decoded; as it is where that cannot be done. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The first of each value. */
export function distinct(candidates: readonly Located[]): Located[] {
  const seen = new Set<string>()
  return candidates.filter(({ value }) => !seen.has(String(value)) && seen.add(String(value)))
}
