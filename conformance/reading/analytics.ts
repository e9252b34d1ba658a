/** The analytics that section 1 names: bottlenecks, success rates and completion times; null counts as shown. */
import type { Finding } from './finding.ts'
import { type Located, membersOf } from './locate.ts'
import { numberOf } from './places.ts'
import { endsWithRole, hasRole, isNamed, mention, type Role, type Term, termsOf } from './vocabulary.ts'

export type Fact = 'bottlenecks' | 'success-rate' | 'completion-time'

/** A member of the details, with the terms of its own name and of all names on the way to it. */
interface Place extends Located {
  readonly own: readonly Term[]
  readonly way: readonly Term[]
}

function placesIn(json: unknown): Place[] {
  return membersOf(json).map((member) => {
    const names = member.pointer.split('/').slice(1).map(termsOf)
    return { ...member, own: names.findLast((terms) => terms.length > 0) ?? [], way: names.flat() }
  })
}

/** Finds one of the analytics by the words on the way to it, in any language of the vocabulary. */
export function findAnalytics(json: unknown, fact: Fact): Finding | undefined {
  const found = placesIn(json).find(kinds[fact])
  return (
    found && {
      what: fact,
      value: found.value,
      place: found.pointer,
      rule: rules[fact],
      strength: 'likely',
      rejected: [],
    }
  )
}

const rules: Readonly<Record<Fact, string>> = {
  bottlenecks: 'its name, or the label of a part, tells of bottlenecks',
  'success-rate': 'its name tells of success and of a rate',
  'completion-time': 'its name tells of how long executions take',
}

const kinds: Readonly<Record<Fact, (place: Place) => boolean>> = {
  bottlenecks: ({ own, name, value }) =>
    mention(own, 'bottleneck') ||
    (mention(own, 'slow') && mention(own, 'step')) ||
    (isNamed(name, 'label') && typeof value === 'string' && mention(termsOf(value), 'bottleneck')),
  'success-rate': (place) => isRate(place) && tellsSuccess(place) && mayBeRate(place.value),
  'completion-time': (place) =>
    mention(place.own, 'duration', 'average', 'completion') &&
    mention(place.way, 'duration') &&
    tellsCompletion(place) &&
    !mention(place.way, 'estimate', 'waiting', 'advice', 'rate') &&
    !isMoment(place.own) &&
    mayBeDuration(place.value),
}

/** A rate by its own name, or within what is called rates: `rates: { success: 0.9 }`. */
const isRate = ({ way }: Place) => mention(way.slice(-3), 'rate')

/** Success by its own name; approval of the whole, since that of a step is the step's own. */
const tellsSuccess = ({ way }: Place) =>
  mention(way.slice(-3), 'success') || (mention(way.slice(-3), 'ended', 'task') && !mention(way, 'step'))

/** A step's own durations are those of completing it only if they say so. */
const tellsCompletion = ({ way }: Place) =>
  mention(way, 'completion') || (!mention(way, 'step') && mention(way, 'execution', 'measure', 'average'))

const isMoment = (own: readonly Term[]) =>
  own.length > 0 && hasRole(own.at(-1) as Term, 'moment', 'computed', 'updated')

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object'

/** A share, in per cent or not, as a number or a text; or null, or several of them. */
function mayBeRate(value: unknown): boolean {
  if (value === null || isContainer(value)) return true
  const number = numberOf(typeof value === 'string' ? value.replace(/ ?%$/, '') : value)
  return number !== undefined && number >= 0 && number <= 100
}

/** A length of time, as a number or a text that begins with one; or null, or several of them. */
function mayBeDuration(value: unknown): boolean {
  if (value === null || isContainer(value)) return true
  return (numberOf(value) ?? -1) >= 0 || (typeof value === 'string' && /^\d+(\.\d+)? ?[a-z]{1,8}$/i.test(value))
}

const mayBe: Readonly<Record<Fact, (value: unknown) => boolean>> = {
  bottlenecks: (value) => value === null || typeof value !== 'number',
  'success-rate': mayBeRate,
  'completion-time': mayBeDuration,
}

/** Words that a name may have besides unknown ones if it is to be the fact. */
const compatible: Readonly<Record<Fact, readonly Role[]>> = {
  bottlenecks: ['measure', 'insight', 'step', 'linking', 'slow', 'overview'],
  'success-rate': ['measure', 'insight', 'linking', 'rate', 'average', 'overview'],
  'completion-time': ['measure', 'insight', 'linking', 'duration', 'average', 'overview', 'step'],
}

/**
 * Figures and parts of the details that nothing explains, and which therefore may be the fact under a name that is not
 * known: what was sent, what is found already and what the vocabulary knows as something else is explained. Where there is
 * none, nothing in the details could be it.
 */
export function unexplained(
  json: unknown,
  fact: Fact,
  sent: object = {},
  found: readonly (string | undefined)[] = [],
  /** Places that tell of something else in all their parts, such as how single steps perform. */
  elsewhere: readonly string[] = [],
): Finding[] {
  const ours = new Set(membersOf(sent).map(({ value }) => String(value)))
  const isFound = (pointer: string) =>
    found.some((one) => one !== undefined && (one === pointer || `${one}/`.startsWith(`${pointer}/`)))
  // What is known to be another of the analytics is this one in none of its parts.
  const others = (Object.keys(kinds) as Fact[]).flatMap((other) =>
    other === fact ? [] : (findAnalytics(json, other)?.place ?? []),
  )
  const isOther = (pointer: string) => [...others, ...elsewhere].some((one) => `${pointer}/`.startsWith(`${one}/`))
  const mayStandFor = (place: Place) =>
    mayBe[fact](place.value) && !isFound(place.pointer) && !isOther(place.pointer) && !isExplained(place, fact, ours)
  return placesIn(json)
    .filter(mayStandFor)
    .map(({ pointer, value }) => ({
      what: fact,
      value,
      place: pointer,
      rule: 'nothing explains it, so it may be this',
      strength: 'likely' as const,
      rejected: [],
    }))
}

/** Whether something else than the fact is known to stand at a place. */
function isExplained(place: Place, fact: Fact, ours: ReadonlySet<string>): boolean {
  const { own, way, name, value, pointer } = place
  // An item of a list says no more than the list.
  if (/\/\d+$/.test(pointer) || endsWithRole(name, 'identifier')) return true
  // What stands within an item of a list of executions tells of that execution alone.
  if (/\/\d+\//.test(pointer) && mention(way, 'execution')) return true
  if (value !== null && !isContainer(value) && (ours.has(String(value)) || !isFigureFor(fact, value))) return true
  if (isContainer(value) && (isEcho(value, ours) || mention(own, 'envelope'))) return true
  if (mention(way.slice(0, -own.length), ...foreign[fact])) return true
  if (!own.every((term) => term.roles.size === 0 || hasRole(term, ...compatible[fact]))) return true
  // A section that is called metrics, say, is explained as such; it is its parts that may be the fact.
  const isUnknown = own.some((term) => term.roles.size === 0)
  return isUnknown
    ? false
    : isContainer(value)
      ? Object.keys(value).length > 0 || !mention(own, 'insight')
      : !isBareFact(own, fact)
}

/** A name that says as much as `rate` or `duration`, and not of what. */
const isBareFact = (own: readonly Term[], fact: Fact) =>
  (fact === 'success-rate' && mention(own, 'rate')) || (fact === 'completion-time' && mention(own, 'duration'))

/** Texts and truth values are no figures; bottlenecks may be told by either. */
function isFigureFor(fact: Fact, value: unknown): boolean {
  if (fact !== 'bottlenecks') return typeof value === 'number' || numberOf(value) !== undefined
  return typeof value === 'boolean'
}

/** Where the fact cannot stand. */
const foreign: Readonly<Record<Fact, readonly Role[]>> = {
  bottlenecks: ['history', 'person', 'other', 'record', 'head'],
  'success-rate': ['history', 'person', 'other', 'record', 'head', 'advice'],
  'completion-time': ['history', 'person', 'other', 'record', 'head', 'advice', 'waiting', 'estimate'],
}

function isEcho(value: object, ours: ReadonlySet<string>): boolean {
  const leaves = membersOf(value).filter((member) => !isContainer(member.value))
  return leaves.length > 0 && leaves.every((leaf) => ours.has(String(leaf.value)))
}
