/**
 * Follows the data of a session: what an answer introduced and a later request used, whatever it is called. With it a session
 * can be sent again to a service that makes other identifiers.
 */
import { isObject, parentOf, pointerSteps, valueAt } from '../contract/json.ts'
import { jsonLeaves } from './leaves.ts'

/** A request and its answer as JSON values. */
export interface Turn {
  /** The call. Calls of one kind have their values at the same places. */
  readonly kind: string
  readonly asked: unknown
  readonly answered: unknown
}

/** A place in an answer. */
export interface Source {
  /** The index of the turn. */
  readonly turn: number
  readonly pointer: string
  /** The name of a part of the text, such as `segment -1`; empty for the whole value. */
  readonly part: string
}

/** A value in a request that an earlier answer introduced. */
export interface DataUse {
  readonly pointer: string
  readonly part: string
  readonly value: string
  /** The places that introduced it, the likeliest first. */
  readonly sources: readonly Source[]
}

interface FollowOptions {
  /**
   * Returns true for a place in the requests of a kind that always has an identifier. There, short numbers and words are
   * followed too.
   */
  readonly isIdentifier: (kind: string, pointer: string) => boolean
}

/** The most places that are remembered of one value. */
const mostSources = 40

/** Returns the uses of each turn. */
export function followData(turns: readonly Turn[], { isIdentifier }: FollowOptions): DataUse[][] {
  const known = new Known()
  const found = turns.map(({ kind, asked, answered }, turn) => {
    const uses: FoundUse[] = []
    for (const { pointer, value } of jsonLeaves(asked)) {
      if (value === null || typeof value === 'boolean') continue
      uses.push(...usesIn({ kind, pointer, text: String(value), isSlot: isIdentifier(kind, pointer) }, known))
    }
    known.addSent(asked, uses)
    known.addAnswer(turn, answered)
    return uses
  })
  return ranked(found, turns)
}

/** Returns a request with the values of another run, and the uses that have none. */
export function withValues(
  asked: unknown,
  uses: readonly DataUse[],
  read: (use: DataUse) => string | number | undefined,
): { readonly asked: unknown; readonly missing: readonly DataUse[] } {
  const missing: DataUse[] = []
  const values = new Map<string, { part: string; value: string | number }[]>()
  for (const use of uses) {
    const value = read(use)
    if (value === undefined) missing.push(use)
    else values.set(use.pointer, [...(values.get(use.pointer) ?? []), { part: use.part, value }])
  }
  const copy = structuredClone(asked)
  for (const [pointer, changes] of values) change(copy, pointer, changes)
  return { asked: copy, missing }
}

/** Returns the value at a place of another run's answer, or undefined. */
export function valueFrom(answered: unknown, { pointer, part }: Omit<Source, 'turn'>): string | number | undefined {
  const value = valueAt(answered, pointer)
  if (part === '') return typeof value === 'string' || typeof value === 'number' ? value : undefined
  return typeof value === 'string' ? partsOf(value).find(({ name }) => name === part)?.value : undefined
}

type FoundUse = Omit<DataUse, 'sources'> & { readonly isCertain: boolean; readonly sources: Source[] }

/** A text or number in a request. */
interface Sent {
  readonly kind: string
  readonly pointer: string
  readonly text: string
  readonly isSlot: boolean
}

function usesIn({ pointer, text, isSlot }: Sent, known: Known): FoundUse[] {
  if (known.foreign.has(text)) return []
  const certain = known.certain.get(text)
  const mayBe = isSlot || (isCalledIdentifier(pointer) && !known.isChosen(text))
  const sources = certain ?? (mayBe ? known.any.get(text) : undefined)
  if (sources) return [{ pointer, part: '', value: text, isCertain: certain !== undefined, sources: [...sources] }]
  if (isSlot) known.foreign.add(text)
  return partsOf(text).flatMap(({ name: part, value }) => {
    const own = known.certain.get(value)
    return own ? [{ pointer, part, value, isCertain: true, sources: [...own] }] : []
  })
}

/** The values that were seen up to a turn. */
class Known {
  /** Values that only an answer can have introduced. */
  readonly certain = new Map<string, Source[]>()
  /** All values of answers. */
  readonly any = new Map<string, Source[]>()
  /** Identifiers that the client used before an answer had them: of things that are older than the session, or of none. */
  readonly foreign = new Set<string>()
  /** The values that the client chose. */
  readonly #chosen = new Set<string>()

  isChosen(value: string): boolean {
    return this.#chosen.has(value)
  }

  addSent(asked: unknown, uses: readonly FoundUse[]): void {
    const taken = new Set(uses.map(({ pointer, part }) => `${pointer} ${part}`))
    for (const { pointer, value } of jsonLeaves(asked)) {
      if (taken.has(`${pointer} `)) continue
      const text = String(value)
      this.#chosen.add(text)
      for (const part of partsOf(text)) if (!taken.has(`${pointer} ${part.name}`)) this.#chosen.add(part.value)
    }
  }

  addAnswer(turn: number, answered: unknown): void {
    for (const { pointer, value } of jsonLeaves(answered)) {
      if (value === null || typeof value === 'boolean') continue
      const text = String(value)
      this.#add(text, { turn, pointer, part: '' })
      for (const part of partsOf(text)) this.#add(part.value, { turn, pointer, part: part.name })
    }
  }

  #add(value: string, source: Source): void {
    if (value === '') return
    addTo(this.any, value, source)
    if (!this.#chosen.has(value) && isIdentifying(value, source.pointer)) addTo(this.certain, value, source)
  }
}

function addTo(map: Map<string, Source[]>, value: string, source: Source): void {
  const sources = map.get(value)
  if (!sources) map.set(value, [source])
  else if (sources.length < mostSources) sources.push(source)
}

/** Returns true if a service seems to have made a value: it has no spaces, and has a digit or the name of an identifier. */
function isIdentifying(value: string, pointer: string): boolean {
  if (value.length > longestText || /\s/.test(value)) return false
  if (isCalledIdentifier(pointer)) return true
  return /^\d+$/.test(value) ? value.length > 4 : value.length > 3 && /\d/.test(value)
}

/** Returns true if the last name of a pointer is that of an identifier: `id`, `parentRef`, `session_id`, `tokens/0`. */
function isCalledIdentifier(pointer: string): boolean {
  const name = pointerSteps(pointer).findLast((step) => !/^\d+$/.test(step)) ?? ''
  return /(^|[a-z_.-])(id|Id|ID|key|Key|ref|Ref|token|Token|uuid|Uuid|UUID|code|Code|number|Number)s?$/.test(name)
}

/** The longest text, in characters, and the most of its parts that are followed. */
const longestText = 4000
const mostParts = 64

interface Part {
  readonly name: string
  readonly value: string
  readonly from: number
  readonly to: number
}

/**
 * Returns the parts of a text: of a path or URL its segments, counted from the end, and its parameters; of other texts their
 * words. A text that is one word has none.
 */
function partsOf(text: string): Part[] {
  if (text.length > longestText) return []
  if (!text.includes('/') || /\s/.test(text)) return wordsOf(text)
  const query = text.search(/[?#]/)
  const path = query < 0 ? text : text.slice(0, query)
  const tokens = (of: string, offset: number, separators: RegExp): Part[] =>
    [...of.matchAll(separators)].map(({ 0: raw, index }) => {
      const from = offset + index
      return { name: '', value: decoded(raw), from, to: from + raw.length }
    })
  const segments = tokens(path, 0, /[^/]+/g)
  const named = segments.map((part, index) => ({ ...part, name: `segment ${index - segments.length}` }))
  const params =
    query < 0
      ? []
      : tokens(text.slice(query), query, /[^?&#]+/g).flatMap(({ from, to }) => {
          const equals = text.indexOf('=', from)
          if (equals < 0 || equals >= to) return []
          return [
            {
              name: `param ${text.slice(from, equals)}`,
              value: decoded(text.slice(equals + 1, to)),
              from: equals + 1,
              to,
            },
          ]
        })
  // The scheme and the host of a URL say where, not what.
  const own = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? named.slice(2) : named
  return [...own, ...params].slice(0, mostParts)
}

function wordsOf(text: string): Part[] {
  const words = [...text.matchAll(/[A-Za-z0-9_.~:@-]+/g)]
  if (words.length === 1 && words[0]?.[0].length === text.length) return []
  return words.slice(0, mostParts).map(({ 0: raw, index }, place) => {
    const value = raw.replace(/[.:]$/, '')
    return { name: `word ${place}`, value, from: index, to: index + value.length }
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** Changes a value in a request, or parts of it. */
function change(asked: unknown, pointer: string, changes: readonly { part: string; value: string | number }[]): void {
  const last = pointerSteps(pointer).at(-1)
  const holder = valueAt(asked, parentOf(pointer))
  if (last === undefined || (!isObject(holder) && !Array.isArray(holder))) return
  const values = holder as Record<string, unknown>
  const whole = changes.find(({ part }) => part === '')
  values[last] = whole ? whole.value : withParts(String(values[last]), changes)
}

function withParts(text: string, changes: readonly { part: string; value: string | number }[]): string {
  const parts = partsOf(text).toReversed()
  return parts.reduce((rest, { name, from, to, value: before }) => {
    const value = changes.find(({ part }) => part === name)?.value
    if (value === undefined) return rest
    const isEncoded = rest.slice(from, to) !== before || name.startsWith('param ')
    return rest.slice(0, from) + (isEncoded ? encodeURIComponent(value) : value) + rest.slice(to)
  }, text)
}

/**
 * Sorts the places of each use. A value that only answers can have introduced comes from the first answer with it. Another one,
 * such as 1, comes from the place that explains most values at the same place of such requests.
 */
function ranked(found: readonly (readonly FoundUse[])[], turns: readonly Turn[]): DataUse[][] {
  const slots = new Map<string, Map<string, Set<string>>>()
  const general = (pointer: string) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
  const slotOf = (turn: number, { pointer, part }: FoundUse) => `${turns[turn]?.kind} ${general(pointer)} ${part}`
  const placeOf = ({ turn, pointer, part }: Source) => `${turns[turn]?.kind} ${general(pointer)} ${part}`
  for (const [turn, uses] of found.entries()) {
    for (const use of uses) {
      const slot = slotOf(turn, use)
      const places = slots.get(slot) ?? new Map<string, Set<string>>()
      slots.set(slot, places)
      for (const source of use.sources) {
        const place = placeOf(source)
        places.set(place, (places.get(place) ?? new Set()).add(use.value))
      }
    }
  }
  return found.map((uses, turn) =>
    uses.map((use): DataUse => {
      const places = slots.get(slotOf(turn, use))
      const explained = (source: Source) => places?.get(placeOf(source))?.size ?? 0
      const order = (a: Source, b: Source) =>
        (use.isCertain ? a.turn - b.turn : 0) ||
        explained(b) - explained(a) ||
        Number(a.part !== '') - Number(b.part !== '') ||
        Number(isCalledIdentifier(b.pointer)) - Number(isCalledIdentifier(a.pointer)) ||
        a.turn - b.turn
      const { pointer, part, value } = use
      return { pointer, part, value, sources: use.sources.toSorted(order) }
    }),
  )
}
