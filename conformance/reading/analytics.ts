/** Finds the analytics of section 1: bottlenecks, success rates and completion times. Null counts as shown. */
import type { Finding } from './finding.ts'
import { isWithin, type Located, membersOf, oncePerAnswer } from './locate.ts'
import { remember } from './names.ts'
import { isInList, numberOf } from './places.ts'
import { timeUnits } from './times.ts'
import { endsWithRole, hasRole, isNamed, mentionsRole, type Role, type Term, termsOf } from './vocabulary.ts'

export type Fact = 'bottlenecks' | 'success-rate' | 'completion-time'

/** The locator of each fact in a profile. */
export const locatorOfFact = {
  bottlenecks: 'bottlenecks',
  'success-rate': 'success_rate',
  'completion-time': 'completion_time',
} as const satisfies Record<Fact, string>

/** A member of the details, with the terms of its own name and of all names in its path. */
interface Place extends Located {
  readonly own: readonly Term[]
  readonly way: readonly Term[]
}

const placesIn = oncePerAnswer((json): readonly Place[] =>
  membersOf(json).map(({ pointer, name, value }) => {
    const { own, way } = wordsOfPath(pointer)
    return { pointer, name, value, own, way }
  }),
)

const wordsOfPath = remember((pointer): Pick<Place, 'own' | 'way'> => {
  const names = pointer.split('/').slice(1).map(termsOf)
  return { own: names.findLast((terms) => terms.length > 0) ?? [], way: names.flat() }
})

/** Finds one of the analytics by the words in its path. */
export function findAnalytics(json: unknown, fact: Fact): Finding | undefined {
  return finders[fact](json)
}

const finderOf = (fact: Fact) =>
  oncePerAnswer(
    (json): Finding | undefined => {
      const found = placesIn(json).find(kinds[fact])
      if (!found) return undefined
      const { value, pointer: place } = found
      return { what: fact, value, place, rule: rules[fact], strength: 'likely', rejected: [] }
    },
    { isSingle: true },
  )

const finders: Readonly<Record<Fact, (json: unknown) => Finding | undefined>> = {
  bottlenecks: finderOf('bottlenecks'),
  'success-rate': finderOf('success-rate'),
  'completion-time': finderOf('completion-time'),
}

/** Returns the numbers that have the name of the duration of executions, each with its place. */
export const completionTimes = (json: unknown): readonly Located[] =>
  placesIn(json).filter((place) => typeof place.value === 'number' && named['completion-time'](place))

/** Returns the pointers of figures that are called the mean duration of executions, and nothing else. */
export const meanCompletionTimes = (json: unknown): string[] =>
  placesIn(json).flatMap((place) => {
    const { value, own, way, pointer } = place
    const isFigure = figureOf('completion-time', value) !== undefined && named['completion-time'](place)
    const isPlain = way.every((term) => hasRole(term, ...around, ...plain['completion-time']) || isUnit(term))
    const isMean = mentionsRole(own, 'average') && !mentionsRole(way, 'quantile')
    return isFigure && isPlain && isMean && !isInList(pointer) ? [pointer] : []
  })

const isUnit = ({ word }: Term) => timeUnits.has(word)

/** Returns the place of a number that has the name of a rate or a duration, but that none can be. */
export function impossibleFigure(json: unknown, fact: 'success-rate' | 'completion-time'): string | undefined {
  return placesIn(json).find(
    (place) => figureOf(fact, place.value) !== undefined && named[fact](place) && !mayBe[fact](place.value),
  )?.pointer
}

/** Returns true if all words of a path are those of the fact or of a section, and none says that it is a change or a target. */
export function isPlainlyNamed(pointer: string, fact: 'success-rate' | 'completion-time'): boolean {
  const way = pointer.split('/').flatMap(termsOf)
  return !isInList(pointer) && way.every((term) => hasRole(term, ...around, ...plain[fact]))
}

const around: readonly Role[] = [
  'execution',
  'workflow',
  'measure',
  'overview',
  'envelope',
  'linking',
  'ended',
  'average',
]
const plain = {
  'success-rate': ['success', 'rate'],
  'completion-time': ['completion', 'duration'],
} as const

const rules: Readonly<Record<Fact, string>> = {
  bottlenecks: 'its name, or the label of a part, means bottlenecks',
  'success-rate': 'its name means a rate of success',
  'completion-time': 'its name means the duration of executions',
}

const kinds: Readonly<Record<Fact, (place: Place) => boolean>> = {
  bottlenecks: ({ own, name, value }) =>
    mentionsRole(own, 'bottleneck') ||
    (mentionsRole(own, 'slow') && mentionsRole(own, 'step')) ||
    (isNamed(name, 'label') && typeof value === 'string' && mentionsRole(termsOf(value), 'bottleneck')),
  'success-rate': (place) => named['success-rate'](place) && mayBeRate(place.value),
  'completion-time': (place) => named['completion-time'](place) && mayBeDuration(place.value),
}

/** The names of figures, whatever their values. */
const named = {
  'success-rate': (place: Place) => (isRate(place) && tellsSuccess(place)) || isLoneShare(place),
  'completion-time': (place: Place) =>
    mentionsRole(place.own, 'duration', 'average', 'completion') &&
    (mentionsRole(place.way, 'duration') || isAverageCompletion(place)) &&
    tellsCompletion(place) &&
    !mentionsRole(place.way, 'estimate', 'waiting', 'advice', 'rate') &&
    !isMoment(place.own),
}

/** Returns true for names such as `avg_completion` and `completion_s: { mean }`, which need no word for a time. */
const isAverageCompletion = ({ own, way }: Place) =>
  mentionsRole(own, 'average') && mentionsRole(way.slice(-3), 'completion')

/** Returns true if a member is a rate by its own name, or inside of rates: `rates: { success: 0.9 }`. */
const isRate = ({ way }: Place) => mentionsRole(way.slice(-3), 'rate')

/** Returns true if a name means success, or approval of the whole workflow. (Approval of a step is the step's own.) */
const tellsSuccess = ({ way }: Place) =>
  mentionsRole(way.slice(-3), 'success') || (mentionsRole(way.slice(-3), 'ended', 'task') && !mentionsRole(way, 'step'))

/** Returns true if a name means completion. A step's durations count only if they say so. */
const tellsCompletion = ({ way }: Place) =>
  mentionsRole(way, 'completion') ||
  (!mentionsRole(way, 'step') && mentionsRole(way, 'execution', 'measure', 'average'))

/** Returns true for a share that is only called success, and may not be there yet: `success: 0.75`, `success: null`. */
const isLoneShare = ({ own, value }: Place) =>
  own.length > 0 &&
  own.every((term) => hasRole(term, 'success')) &&
  (value === null || (typeof value === 'number' && value > 0 && value < 1))

const isMoment = (own: readonly Term[]) =>
  own.length > 0 && hasRole(own.at(-1) as Term, 'moment', 'computed', 'updated')

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object'

/** Returns true if a value says that there is no figure yet: null, -1, or a short text without digits, such as `n/a`, `-` or none. */
const isPlaceholder = (value: unknown) =>
  value === null || value === -1 || (typeof value === 'string' && value.length <= 20 && !/\p{Nd}/u.test(value))

/** Returns true if a value may be a rate: a share or a percentage, as a number or a text; a placeholder; or several of them. */
function mayBeRate(value: unknown): boolean {
  if (isPlaceholder(value) || isContainer(value)) return true
  const number = figureOf('success-rate', value)
  return number !== undefined && number >= 0 && number <= 100
}

/** Returns a percentage without its sign, with a decimal point: `66,7 %` becomes `66.7`. */
const withoutPercent = (text: string) => text.replace(/\s?%$/, '').replace(/^(-?\d+),(\d+)$/, '$1.$2')

/** Parses a rate such as `140 %`, or a duration such as `-1.5 h` and `-PT5S`. */
export function figureOf(fact: 'success-rate' | 'completion-time', value: unknown): number | undefined {
  const number = numberOf(typeof value === 'string' ? withoutPercent(value) : value)
  if (number !== undefined || fact === 'success-rate' || typeof value !== 'string' || value.length > 40) return number
  const withUnit = value.match(/^(-?\d+(?:\.\d+)?) ?[a-z]{1,8}$/i)?.[1]
  const positive = value.startsWith('-') ? numberOf(value.slice(1)) : undefined
  return withUnit === undefined ? positive && -positive : Number(withUnit)
}

/**
 * Returns true if a value may be a duration: a number, a text that begins with one, or a duration of ISO 8601 such as `PT2.5S`; a
 * placeholder; or several of them.
 */
function mayBeDuration(value: unknown): boolean {
  if (isPlaceholder(value) || isContainer(value)) return true
  if (typeof value === 'string' && /^(\d+(\.\d+)? ?[a-z]{1,8}|P(?=.*\d)[\d.,YMWDTHS]+)$/i.test(value)) return true
  return (numberOf(value) ?? -1) >= 0
}

const mayBe: Readonly<Record<Fact, (value: unknown) => boolean>> = {
  bottlenecks: (value) => value === null || typeof value !== 'number',
  'success-rate': mayBeRate,
  'completion-time': mayBeDuration,
}

/** Returns true if a value may be one of the analytics, whatever its name. */
export function mayBeFact(fact: Fact, value: unknown): boolean {
  return value !== undefined && mayBe[fact](value)
}

/** The known words that the name of the fact may have, besides unknown words. */
const compatible: Readonly<Record<Fact, readonly Role[]>> = {
  bottlenecks: ['measure', 'insight', 'step', 'linking', 'slow', 'overview'],
  'success-rate': ['measure', 'insight', 'linking', 'rate', 'average', 'overview'],
  'completion-time': ['measure', 'insight', 'linking', 'duration', 'average', 'overview', 'step'],
}

/**
 * Finds figures and parts of the details that are unexplained, and so may be the fact under an unknown name. Sent values,
 * findings, and names that the vocabulary knows as something else are explained. If there is no unexplained part, the details
 * do not contain the fact.
 */
export function unexplained(
  json: unknown,
  fact: Fact,
  sent: object = {},
  found: readonly (string | undefined)[] = [],
  /** Places whose parts are all something else, such as the performance of single steps. */
  elsewhere: readonly string[] = [],
): Finding[] {
  const ours = new Set(membersOf(sent).map(({ value }) => String(value)))
  const isFound = (pointer: string) => found.some((one) => one !== undefined && isWithin(one, pointer))
  // A part of another fact of the analytics cannot be this fact.
  const others = (Object.keys(kinds) as Fact[]).flatMap((other) =>
    other === fact ? [] : (findAnalytics(json, other)?.place ?? []),
  )
  const isOther = (pointer: string) => [...others, ...elsewhere].some((one) => isWithin(pointer, one))
  const mayStandFor = (place: Place) =>
    mayBe[fact](place.value) && !isFound(place.pointer) && !isOther(place.pointer) && !isExplained(place, fact, ours)
  return placesIn(json)
    .filter(mayStandFor)
    .map(({ pointer, value }) => ({
      what: fact,
      value,
      place: pointer,
      rule: 'it is unexplained, so it may be this',
      strength: 'likely' as const,
      rejected: [],
    }))
}

/** Returns true if a place is known to be something other than the fact. */
function isExplained(place: Place, fact: Fact, ours: ReadonlySet<string>): boolean {
  const { own, way, name, value, pointer } = place
  // An item of a list has no name of its own.
  if (/\/\d+$/.test(pointer) || endsWithRole(name, 'identifier')) return true
  // A member of an item in a list of executions concerns only that execution.
  if (/\/\d+\//.test(pointer) && mentionsRole(way, 'execution')) return true
  if (value !== null && !isContainer(value) && (ours.has(String(value)) || !isFigureFor(fact, value))) return true
  if (isContainer(value) && (isEcho(value, ours) || mentionsRole(own, 'envelope'))) return true
  if (mentionsRole(way.slice(0, -own.length), ...foreign[fact])) return true
  if (!own.every((term) => isUnknownTerm(term) || hasRole(term, ...compatible[fact]))) return true
  // A section with a known name, such as metrics, is explained. Its parts may still be the fact.
  const isUnknown = own.some(isUnknownTerm)
  return isUnknown
    ? false
    : isContainer(value)
      ? Object.keys(value).length > 0 || !mentionsRole(own, 'insight')
      : !isBareFact(own, fact)
}

/** Returns true if a word does not tell what something is: an unknown one, or one for an extreme. */
const isUnknownTerm = ({ roles }: Term) => [...roles].every((role) => extremes.includes(role))

const extremes: readonly Role[] = ['least', 'most', 'otherPriority']

/** Returns true if a name is only `rate` or `duration`, without a subject. */
const isBareFact = (own: readonly Term[], fact: Fact) =>
  (fact === 'success-rate' && mentionsRole(own, 'rate')) ||
  (fact === 'completion-time' && mentionsRole(own, 'duration'))

/** Returns true if a value may be a figure of the fact. Bottlenecks may also be texts or booleans. */
function isFigureFor(fact: Fact, value: unknown): boolean {
  if (fact !== 'bottlenecks') return typeof value === 'number' || numberOf(value) !== undefined
  return typeof value === 'boolean'
}

/** Parts that cannot contain the fact. */
const foreign: Readonly<Record<Fact, readonly Role[]>> = {
  bottlenecks: ['history', 'person', 'other', 'record', 'head'],
  'success-rate': ['history', 'person', 'other', 'record', 'head', 'advice'],
  'completion-time': ['history', 'person', 'other', 'record', 'head', 'advice', 'waiting', 'estimate'],
}

function isEcho(value: object, ours: ReadonlySet<string>): boolean {
  const leaves = membersOf(value).filter((member) => !isContainer(member.value))
  return leaves.length > 0 && leaves.every((leaf) => ours.has(String(leaf.value)))
}
