/** Finds new values in answers, such as identifiers, and the places where they appear. */
import { escapePointer } from '../../src/contract/json.ts'
import { decodePercent, isIdentifier, lastName, membersOf, normalizeName, valueAt } from '../reading/locate.ts'
import { isInList } from '../reading/places.ts'
import { readTime } from '../reading/times.ts'
import { isJoined, mentionsRole, termsOf } from '../reading/vocabulary.ts'
import { type Exchange, sentJson } from './exchange.ts'

/** Texts of at most this many characters may be equal to others by chance. */
export const longestCommon = 5

/** Marks the place of a link whose last segment is the identifier. */
export const lastPart = ' (last part)'

/** Returns a function that writes `*` for the name of the file that was sent in the pointers to members of the answer. */
function withoutFileName(sent: unknown): (pointer: string) => string {
  const name = valueAt(sent, '/completed_files/0/file_name') ?? valueAt(sent, '/file_name')
  if (typeof name !== 'string' || name === '') return (pointer) => pointer
  const segment = `/${escapePointer(name)}/`
  return (pointer) => `${pointer}/`.replace(segment, '/*/').slice(0, -1)
}

/** A value that may be an identifier, with its place in an answer. */
interface Candidate {
  readonly place: string
  readonly value: string
}

const candidates = new WeakMap<Exchange, readonly Candidate[]>()

/** Returns the scalars of an answer, and the last segments of its links and of `Location`. Several searches need them. */
export function candidatesIn(exchange: Exchange): readonly Candidate[] {
  const found = candidates.get(exchange) ?? findCandidates(exchange)
  candidates.set(exchange, found)
  return found
}

function findCandidates(exchange: Exchange): readonly Candidate[] {
  const { json, headers } = exchange
  const placeOf = withoutFileName(sentJson(exchange))
  const scalars = membersOf(json)
    .filter(({ value }) => typeof value === 'string' || typeof value === 'number')
    .map((member) => ({ ...member, pointer: placeOf(member.pointer) }))
  const location = headers.get('Location')
  const inHeaders = [...headers]
    .filter(([name]) => name !== 'location')
    .map(([name, value]) => ({ place: `header ${name}`, value }))
  return [
    ...scalars.map(({ pointer, value }) => ({ place: pointer, value: String(value) })),
    ...(typeof json === 'string' || typeof json === 'number' ? [{ place: '', value: String(json) }] : []),
    ...(location === null ? [] : [{ place: 'Location', value: lastSegment(location) }]),
    ...scalars
      .filter(({ value }) => String(value).includes('/'))
      .map(({ pointer, value }) => ({ place: pointer + lastPart, value: lastSegment(String(value)) })),
    ...inHeaders,
  ]
}

const lastSegment = (text: string) => decodePercent(text.replace(/\/$/, '').split('/').at(-1) ?? '')

export function scalarsOf(json: unknown): Set<string> {
  return new Set(
    membersOf(json).flatMap(({ value }) =>
      typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
    ),
  )
}

/** An execution that was accepted. */
interface Started {
  readonly exchange: Exchange
  readonly workflowId?: string
}

/**
 * Returns the place where the answers to executing introduce identifiers: it has a new value in each answer. Prefers a place whose values
 * the details show again.
 */
export function executionPlace(
  executions: readonly Started[],
  known: ReadonlySet<string>,
  details: readonly Exchange[],
): string | undefined {
  // An object may have a member for each execution, under its identifier.
  const shownAgain = new Set(
    details.flatMap(({ json }) => [...scalarsOf(json), ...membersOf(json).map(({ name }) => name)]),
  )
  // A short number may be shown again by chance, but seldom under its own name.
  const named = ({ place, value }: Candidate) => `${lastName(place)} ${value}`
  const shownAgainNamed = new Set(details.flatMap((exchange) => candidatesIn(exchange).map(named)))
  const places = new Map<string, { values: Set<string>; again: number; count: number; echoes: number }>()
  const called = (place: string) => (isOfExecution(place) ? 2 : 0) + (/id$/.test(normalizeName(place)) ? 1 : 0)
  // Times in numbers look like identifiers that count.
  const isTime = (place: string, value: string) =>
    /^\d{4}-\d\d-\d\d/.test(value) || (called(place) === 0 && readTime(value) !== undefined)
  for (const { exchange, workflowId = '' } of executions) {
    const sent = scalarsOf(sentJson(exchange)).add(workflowId)
    for (const { place, value } of candidatesIn(exchange)) {
      const isKnown = known.has(value) && value.length > longestCommon
      if (!isIdentifier(value) || isKnown || isTime(place, value)) continue
      const seen = places.get(place) ?? { values: new Set<string>(), again: 0, count: 0, echoes: 0 }
      seen.values.add(value)
      seen.count += 1
      seen.echoes += Number(sent.has(value))
      seen.again += Number(value.length > 3 ? shownAgain.has(value) : shownAgainNamed.has(named({ place, value })))
      places.set(place, seen)
    }
  }
  const [best] = [...places]
    .filter(([, { values, count }]) => values.size === count && count === executions.length)
    .filter(([, { echoes, count }]) => echoes < count)
    // States have no digits. An identifier may lack them by chance.
    .filter(([, { values }]) => [...values].some((value) => /\d/.test(value)))
    .filter(([place, { again }]) => again > 0 || called(place) > 0)
    // Lists in it are about its parts.
    .toSorted(
      ([a, one], [b, other]) =>
        other.again - one.again || Number(isInList(a)) - Number(isInList(b)) || called(b) - called(a),
    )
  return best?.[0]
}

/** Returns true if a place is named after executions, also in one word: `runid`. */
function isOfExecution(place: string): boolean {
  const name = lastName(place)
  return mentionsRole(termsOf(place), 'execution') || isJoined(name, 'execution', 'identifier')
}
