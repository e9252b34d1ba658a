/**
 * Finds what interface.md names in the details: three sections (4.3) and three kinds of analytics (1), under any name and at any place.
 * Words order candidates; what they do not find may still be in a part that nothing explains.
 */
import { isObject } from '../../src/contract/json.ts'
import type { Body } from '../../src/contract/operations.ts'
import { isWithin, type Located, membersOf, oncePerAnswer, oncePerPair, parentOf, valueAt } from './locate.ts'
import { remember } from './names.ts'
import { figureOf, isInList, leavesOf, numberOf, stepListsIn } from './places.ts'
import { timeUnits } from './times.ts'
import { endsWithRole, hasRole, isNamed, mentionsRole, type Role, type Term, termsOf } from './vocabulary.ts'

type Steps = Body<'createWorkflow'>['steps']

/** The three sections of the details. */
export const sections = ['execution_metrics', 'step_performance', 'optimization_recommendations'] as const
export type Section = (typeof sections)[number]

/** The analytics that the details show. */
export const analytics = ['bottlenecks', 'success_rate', 'completion_time'] as const
export type Analytic = (typeof analytics)[number]

/** A part of the details, by the name of its locator. */
export type Part = Section | Analytic

/** A member of the details. Names in its path without known letters, such as indexes, have no terms and are left out. */
interface Place extends Located {
  readonly names: readonly (readonly Term[])[]
  readonly own: readonly Term[]
  /** The terms of all names. */
  readonly way: readonly Term[]
}

/** Returns all members, labelled parts such as `{ kind: 'step-performance', values: … }` and their members also under the label. */
const placesIn = oncePerAnswer((json): readonly Place[] => {
  const labels = new Map<string, readonly Term[] | undefined>()
  const labelAt = (pointer: string) => {
    if (!labels.has(pointer)) labels.set(pointer, labelOf(json, pointer))
    return labels.get(pointer)
  }
  return membersOf(json).map((member) => {
    const label = labelAt(member.pointer) ?? labelAt(parentOf(member.pointer))
    const path = wordsOfPath(member.pointer)
    const unit = unitIn(member.value)
    const names = [...path.names, ...(label && !namesPart(path.own) ? [label] : [])]
    const last = [...(names.at(-1) ?? []), ...unit]
    return { ...member, ...(unit.length > 0 ? wordsOf([...names.slice(0, -1), last]) : wordsOf(names)) }
  })
})

/** Returns the terms of the unit beside the only number of an object, as in `{ value: 422, unit: 'ms' }`. */
function unitIn(value: unknown): readonly Term[] {
  const members = isObject(value) ? Object.values(value) : []
  const text = members.find((one) => typeof one === 'string')
  const isMeasure = members.length === 2 && members.some((one) => one === null || typeof one === 'number')
  const terms = isMeasure && typeof text === 'string' && text.length < 20 ? termsOf(text) : []
  return terms.every((term) => hasRole(term, 'rate', 'duration') || timeUnits.has(term.word)) ? terms : []
}

const wordsOf = (names: readonly (readonly Term[])[]) => ({ names, own: names.at(-1) ?? [], way: names.flat() })

/** Returns the terms of each name in a path, without the indexes. */
const wordsOfPath = remember((pointer) =>
  wordsOf(
    pointer
      .split('/')
      .slice(1)
      .map(termsOf)
      .filter((terms) => terms.length > 0),
  ),
)

/**
 * Returns the terms of a text that labels an item of a list, if it names a part: `['success_rate', 1]`, `{ kind: 'step-performance' }`.
 * A single word must be called a kind or a type.
 */
function labelOf(json: unknown, parent: string): readonly Term[] | undefined {
  const item = /\/\d+$/.test(parent) ? valueAt(json, parent) : undefined
  const labels = Object.entries(item ?? {}).flatMap(([name, one]) => {
    const text = labelIn(one)
    return text === undefined ? [] : [{ isKind: isNamed(name, 'label'), terms: termsOf(text) }]
  })
  return labels.find(
    ({ isKind, terms }) => namesPart(terms) || (isKind && mentionsRole(terms, 'advice', 'success', 'completion')),
  )?.terms
}

/** Returns a short text, also if it is the only item of a list, as in `"class": ["step-performance"]`. */
function labelIn(value: unknown): string | undefined {
  const [text, ...others] = Array.isArray(value) ? value : [value]
  return typeof text === 'string' && text.length < 40 && others.length === 0 ? text : undefined
}

function namesPart(terms: readonly Term[]): boolean {
  const isFigure = mentionsRole(terms, 'success', 'completion') && mentionsRole(terms, 'rate', 'duration', 'average')
  return (
    mentionsRole(terms, 'bottleneck') || (terms.length > 1 && (isFigure || mentionsRole(terms, 'measure', 'advice')))
  )
}

const noSteps: Steps = []

/**
 * Returns the JSON Pointer to a part of the details. An empty section counts, but null and an empty text do not; analytics may be null.
 * What only repeats the sent steps is not their performance.
 */
export function findPart(json: unknown, part: Part, steps: Steps = noSteps): string | undefined {
  return json === null || typeof json !== 'object' ? undefined : partsIn(json, steps)(part)
}

const partsIn = oncePerPair((json: object, steps: Steps) => {
  const known = new Map<Part, string | undefined>()
  return (part: Part) => {
    if (!known.has(part)) known.set(part, search(json, part, steps))
    return known.get(part)
  }
})

function search(json: object, part: Part, steps: Steps): string | undefined {
  const isEcho = ({ value }: Place) => part === 'step_performance' && steps.length > 0 && isDefinition(value, steps)
  for (const is of kinds[part]) {
    const found = placesIn(json).find((place) => is(place, steps) && !isEcho(place))
    if (found) return found.pointer
  }
  return undefined
}

/** How each part is recognized, the surest way first. */
const kinds: Readonly<Record<Part, readonly ((place: Place, steps: Steps) => boolean)[]>> = {
  execution_metrics: [isCalled('execution_metrics'), isMetrics, isLooseFigure],
  step_performance: [isCalled('step_performance'), isPerformance, tellsOfSteps, countsOfSteps, isCalledAfterStep],
  optimization_recommendations: [
    isCalled('optimization_recommendations'),
    isAdvice,
    ({ own, value }) => Array.isArray(value) && mentionsRole(own, 'insight'),
  ],
  bottlenecks: [isBottleneck],
  success_rate: [(place) => isCalledRate(place) && mayBe.success_rate(place.value)],
  completion_time: [(place) => isCalledDuration(place) && mayBe.completion_time(place.value)],
}

/** Returns true if a place is within one of some parts of the details. */
export const isInPart = (json: unknown, pointer: string, ...parts: readonly Part[]) =>
  parts.some((part) => {
    const place = findPart(json, part)
    return place !== undefined && isWithin(pointer, place)
  })

/** Returns true if a section is null in the details, for example before the first execution has ended. */
export function isNull(json: unknown, section: Section): boolean {
  const mayBecome = (place: Place) => kinds[section].slice(0, 2).some((is) => is({ ...place, value: [] }, noSteps))
  return placesIn(json).some((place) => place.value === null && mayBecome(place))
}

function isCalled(part: Part) {
  return ({ own, value }: Place) => isContainer(value) && own.map(({ word }) => word).join('_') === part
}

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object'
const isText = (value: unknown) => typeof value === 'string' && value.trim().length > 0

/** A list of executions is not their metrics, nor is one of them. A container of sections has no figures of its own. */
function isMetrics({ pointer, names, own, way, value }: Place): boolean {
  if (!isObject(value) || mentionsRole(way, 'step', 'advice')) return false
  const isOfExecution = /\/\d+$/.test(pointer) && !mentionsRole(own, 'measure')
  if (isOfExecution || !mentionsRole(own, 'measure', 'execution', 'overview')) return false
  if (mentionsRole(names.slice(0, -1).flat(), 'execution', 'overview')) return false
  const members = Object.entries(value)
  return members.length === 0
    ? mentionsRole(own, 'measure')
    : members.some(([name, one]) => tellsFigure(termsOf(name), one))
}

/** Returns true if a place is a figure about executions beside the workflow's own fields. */
function isLooseFigure({ own, way, value }: Place): boolean {
  return (
    !mentionsRole(way, 'step', 'advice') &&
    !isContainer(value) &&
    value !== null &&
    !own.some((term) => hasRole(term, 'measure') && !hasRole(term, 'count')) &&
    tellsFigure(own, value) &&
    mentionsRole(own, 'execution', 'overview', 'success')
  )
}

function isPerformance({ own, way, value }: Place): boolean {
  const isMeasured = mentionsRole(own, 'step', 'measure') && mentionsRole(way, 'step') && mentionsRole(way, 'measure')
  return isContainer(value) && isMeasured && !mentionsRole(way, 'advice')
}

/** Returns true if items or members identify at least two of the steps and have figures that were not sent. */
function tellsOfSteps({ way, value }: Place, steps: Steps): boolean {
  if (!isContainer(value) || mentionsRole(way, 'advice', 'execution', 'history', 'bottleneck', 'task', 'open')) {
    return false
  }
  const ids = new Set(steps.map(({ step_id }) => step_id))
  const parts: [string, unknown][] = Array.isArray(value)
    ? value.map((item) => [String(leavesOf(item).find((leaf) => ids.has(String(leaf.value)))?.value), item])
    : Object.entries(value)
  return new Set(parts.flatMap(([id, part]) => (ids.has(id) && hasFigures(part) ? [id] : []))).size >= 2
}

/** Returns true for a list or an object with an item for each step that has several figures of its own, and no approvers. */
function countsOfSteps({ pointer, way, value }: Place, steps: Steps): boolean {
  if (!isContainer(value) || steps.length < 2 || isInList(pointer)) return false
  if (mentionsRole(way, 'advice', 'execution', 'history')) return false
  const { items = [] } = stepListsIn(value, steps).find((list) => list.pointer === '') ?? {}
  const isDefined = items.some(({ step, item }) =>
    leavesOf(item).some((leaf) => step.approvers.some(({ email }) => email === leaf.value)),
  )
  const figures = items.map(({ item }) => leavesOf(item).filter(isMeasured))
  const wasSent = (place: string) =>
    items.every(({ step, item }) => [step.order, step.estimated_duration].includes(Number(valueAt(item, place))))
  const isOfAll = (leaf: Located) => figures.every((all) => all.some((one) => one.pointer === leaf.pointer))
  const own = (figures[0] ?? []).filter((leaf) => isOfAll(leaf) && !wasSent(leaf.pointer))
  return items.length === steps.length && !isDefined && own.length > 1
}

/** Returns true for a figure with the identifier of a step in its name, such as `perf_legal-review_count`. */
function isCalledAfterStep(place: Place, steps: Steps): boolean {
  return isMeasured(place) && steps.some(({ step_id }) => place.name !== step_id && place.name.includes(step_id))
}

/** Returns true if there are figures anywhere within a part that were not sent. Estimated durations are sent by the client. */
function hasFigures(part: unknown): boolean {
  if (!isObject(part)) return Array.isArray(part) ? part.some(hasFigures) : typeof part === 'number'
  return membersOf(part).some(
    ({ name, value }) =>
      !isObject(value) && !mentionsRole(termsOf(name), 'estimate') && tellsFigure(termsOf(name), value),
  )
}

function isAdvice({ own, value }: Place): boolean {
  return (isContainer(value) || isText(value)) && mentionsRole(own, 'advice')
}

function isBottleneck({ own, name, value }: Place): boolean {
  const isLabel = isNamed(name, 'label') && typeof value === 'string' && mentionsRole(termsOf(value), 'bottleneck')
  return isLabel || mentionsRole(own, 'bottleneck') || (mentionsRole(own, 'slow') && mentionsRole(own, 'step'))
}

/** Returns true for two counts, such as `{ ok: 1, of: 2 }`. */
const isCountOfAll = (value: unknown) =>
  isObject(value) && Object.keys(value).length === 2 && Object.values(value).every(Number.isInteger)

/** Returns true for a rate of success, or of approval of the whole workflow, and for a share that is only called success. */
function isCalledRate({ own, way, value }: Place): boolean {
  const near = way.slice(-3)
  const isOfWorkflow = mentionsRole(near, 'ended', 'task') && !mentionsRole(way, 'step')
  if (mentionsRole(near, 'rate') && (mentionsRole(near, 'success') || isOfWorkflow)) return true
  const isShare =
    value === null ||
    (typeof value === 'number' && value > 0 && value < 1) ||
    (isSentence(value) && value.includes('%')) ||
    isCountOfAll(value)
  return isShare && own.length > 0 && own.every((term) => hasRole(term, 'success'))
}

/** Returns true for a duration of executions. A step's durations count only if they say so. */
function isCalledDuration({ own, way, value }: Place): boolean {
  // Names such as `avg_completion` and `completion_s: { mean }` need no word for a time, nor does `mean` of `1.5s`.
  const isTime = typeof value === 'string' && duration.test(value)
  const isAverage = mentionsRole(own, 'average') && (isTime || mentionsRole(way.slice(-3), 'completion'))
  const isOfExecutions = !mentionsRole(way, 'step') && mentionsRole(way, 'execution', 'measure', 'average')
  const last = own.at(-1)
  return (
    mentionsRole(own, 'duration', 'average', 'completion') &&
    (way.some((term) => hasRole(term, 'duration') || timeUnits.has(term.word)) || isAverage) &&
    (mentionsRole(way, 'completion') || isOfExecutions) &&
    !mentionsRole(way, 'estimate', 'waiting', 'advice', 'rate') &&
    !(last && hasRole(last, 'moment', 'computed', 'updated'))
  )
}

const isCalledFigure = { success_rate: isCalledRate, completion_time: isCalledDuration } as const
type FigurePart = keyof typeof isCalledFigure

/** Returns the places that have the name of a figure, whatever their values. */
export const placesCalled = (json: unknown, part: FigurePart): readonly Located[] =>
  placesIn(json).filter((place) => figureOf(part, place.value) !== undefined && isCalledFigure[part](place))

/** Returns true if all words of a path are those of a figure or of a section: none says that it is a change or a target. */
export function isPlainlyNamed(pointer: string, part: FigurePart): boolean {
  const isPlain = (term: Term) => hasRole(term, ...around, ...plain[part]) || timeUnits.has(term.word)
  return !isInList(pointer) && pointer.split('/').flatMap(termsOf).every(isPlain)
}

const around: readonly Role[] = [
  ...(['execution', 'workflow', 'measure', 'overview', 'envelope', 'linking', 'ended', 'average'] as const),
]
const plain = { success_rate: ['success', 'rate'], completion_time: ['completion', 'duration'] } as const

/** Words in the names of figures about executions. A name that ends with `at` is a time, not a figure. */
const figure: readonly Role[] = [
  ...(['count', 'success', 'rate', 'ended', 'duration', 'average', 'begun', 'open', 'execution'] as const),
]

/** Words of figures that have no value before an execution has ended. */
const notYet: readonly Role[] = ['rate', 'ended', 'duration', 'average', 'success']

function tellsFigure(terms: readonly Term[], value: unknown): boolean {
  if (!mentionsRole(terms, ...figure) || terms.at(-1)?.word === 'at') return false
  return value === null
    ? mentionsRole(terms, ...notYet)
    : typeof value === 'number' || isObject(value) || (typeof value === 'string' && measured.test(value))
}

/** A number as text, perhaps with a unit: `66,7 %`, `%66,7`, `1.5s`, `0:05:30`, `12 minutes`. Identifiers and dates are none. */
const measured = /^%?\d[\d.,:]*(?: ?[%\p{L}]{1,12}\.?)?$/u

/** Returns true if a part of an answer shows the steps, and all of its figures were sent: with others, it is their performance. */
function isDefinition(value: unknown, steps: Steps): boolean {
  const lists = stepListsIn(value, steps)
  const sent = new Set(membersOf(steps).map((member) => String(member.value)))
  const isEcho = (leaf: Located) => !isMeasured(leaf) || sent.has(String(leaf.value))
  return lists.length > 0 && lists.every(({ items }) => items.every(({ item }) => leavesOf(item).every(isEcho)))
}

/**
 * Returns true for a figure: a number, null with the name of a figure, or a mean as a text such as `PT2.5S`; but no identifier or
 * estimate.
 */
function isMeasured({ name, value }: Located): boolean {
  if (mentionsRole(termsOf(name), 'estimate')) return false
  if (value === null) return mentionsRole(termsOf(name), 'rate', 'duration', 'average', 'count')
  const isText = typeof value === 'string' && !/^\d+(\.\d+)?$/.test(value)
  if (isText) return mentionsRole(termsOf(name), 'average') && figureOf('completion_time', value) !== undefined
  return numberOf(value) !== undefined && !endsWithRole(name, 'identifier')
}

/** Returns true if a value says that there is no figure yet: null, -1, or a short text without digits, such as `n/a`, `-` or none. */
const isPlaceholder = (value: unknown) =>
  value === null || value === -1 || (typeof value === 'string' && value.length <= 20 && !/\p{Nd}/u.test(value))

/** Numbers with their units, as in `2h 5m`, or a duration of ISO 8601. */
const duration = /^((\d+(\.\d+)? ?[a-z]{1,8} ?)+|P(?=.*\d)[\d.,YMWDTHS]+)$/i

/** Returns true for a sentence with a number in it, such as `An execution takes 2 seconds.` */
function isSentence(value: unknown): value is string {
  const words = typeof value === 'string' && value.length < 300 ? value.split(' ') : []
  return words.length > 3 && words.some((word) => /\d/.test(word)) && words.some((word) => /^\p{L}{2,}$/u.test(word))
}

/** The values that a part may have, whatever its name: of a figure also a placeholder, or several of them. */
const mayBe: Readonly<Record<Part, (value: unknown) => boolean>> = {
  execution_metrics: isContainer,
  step_performance: isContainer,
  optimization_recommendations: isContainer,
  bottlenecks: (value) => value === null || typeof value !== 'number',
  success_rate(value) {
    const rate = figureOf('success_rate', value) ?? -1
    return isPlaceholder(value) || isContainer(value) || isSentence(value) || (rate >= 0 && rate <= 100)
  },
  completion_time: (value) =>
    isPlaceholder(value) ||
    isContainer(value) ||
    isSentence(value) ||
    (typeof value === 'string' && duration.test(value)) ||
    (numberOf(value) ?? -1) >= 0,
}

/** Returns true if a value may be a part, whatever its name: a figure, or something with one; metrics, or what is no number. */
export function mayBePart(part: Part, value: unknown): boolean {
  // Advice may be a single sentence.
  if (part === 'optimization_recommendations' && typeof value === 'string') return value.trim().split(' ').length > 2
  if (value === undefined || !mayBe[part](value)) return part === 'execution_metrics' && numberOf(value) !== undefined
  if (!isContainer(value) || (part !== 'success_rate' && part !== 'completion_time')) return true
  return leavesOf(value).some((leaf) => leaf.value === null || figureOf(part, leaf.value) !== undefined)
}

/** What is known of details in which a part was not found. */
export interface Explained {
  readonly sent?: object
  /** The places of the parts that were found. Figures may be in sections. */
  readonly found?: readonly (string | undefined)[]
  /** Places in which the part cannot be, such as the performance of single steps. */
  readonly elsewhere?: readonly string[]
  /** The object of the workflow itself, which has parts but is none. */
  readonly own?: string | undefined
}

/**
 * Returns the places that nothing explains, and that may be a part under an unknown name: what was not sent, nor found as another
 * part, and of which no word says that it is something else. Without any, the details do not contain the part.
 */
export function unexplained(json: unknown, part: Part, explained: Explained = {}): readonly string[] {
  const { sent = {}, found = [], elsewhere = [], own = '' } = explained
  const ours = new Set(membersOf(sent).map(({ value }) => String(value)))
  const places = found.filter((one) => one !== undefined)
  const isSection = sections.some((one) => one === part)
  const others = isSection
    ? places
    : [...elsewhere, ...analytics.flatMap((one) => (one === part ? [] : (findPart(json, one) ?? [])))]
  const isOther = (pointer: string) => others.some((one) => isWithin(pointer, one))
  // What contains something found is explained if nothing else is in it. A blank text or false cannot be a section.
  const isBlank = (value: unknown) => value === false || (typeof value === 'string' && !isText(value))
  const isAround = ({ pointer, value }: Located) =>
    isContainer(value) &&
    places.some((one) => (isSection ? one.startsWith(`${pointer}/`) : isWithin(one, pointer))) &&
    (!isSection || leavesOf(value).every((leaf) => isOther(pointer + leaf.pointer) || isBlank(leaf.value)))
  const isKnown = isSection ? isKnownSection(own, places) : isKnownFigure(part as Analytic, ours)
  const isEcho = (value: unknown) => {
    const leaves = leavesOf(value)
    // Small numbers alone may be counts, not the orders that were sent.
    return leaves.every((leaf) => ours.has(String(leaf.value))) && leaves.some(({ value }) => !(Number(value) < 10))
  }
  const isCandidate = (place: Place) =>
    mayBe[part](place.value) &&
    !isAround(place) &&
    !(isContainer(place.value) && isEcho(place.value)) &&
    !isKnown(place)
  const isTelling = ({ pointer, value }: Place) =>
    !ours.has(String(value)) && (isInList(pointer) ? isSection && mentions(ours, value) : mayTell(value))
  const all = placesIn(json).filter((place) => !isOther(place.pointer) && (isCandidate(place) || isTelling(place)))
  const pointers = all.map(({ pointer }) => pointer)
  return pointers.filter((one) => !pointers.some((other) => other !== one && isWithin(one, other)))
}

/** Returns true for a sentence with a text that was sent, such as the name of a step. */
export const mentions = (sent: ReadonlySet<string>, value: unknown) =>
  typeof value === 'string' &&
  value.split(' ').length > 3 &&
  [...sent].some((one) => one.length > 5 && value.includes(one))

/** Returns true for a sentence that may tell figures or advice. */
const mayTell = (value: unknown) =>
  typeof value === 'string' &&
  value.split(' ').length > 3 &&
  (/\d/.test(value) || mentionsRole(termsOf(value), 'measure', 'rate', 'average', 'completion', 'bottleneck', 'advice'))

/** Returns a function that tells whether a place is known to be no section: these are parts of the answer or of the workflow itself. */
function isKnownSection(own: string, found: readonly string[]) {
  return ({ pointer, names, own: last }: Place): boolean => {
    const isBeside = found.some((one) => parentOf(one) === parentOf(pointer))
    const above = names.slice(pointer.startsWith(`${own}/`) ? own.split('/').length - 1 : 0, -1)
    const isInside = isBeside || above.every((terms) => terms.every(wrapsSections))
    return pointer === own || !isInside || mentionsRole(last, 'envelope', ...noSection) || isInList(pointer)
  }
}

/** Returns true if a term wraps a whole answer, or several sections. */
const wrapsSections = (term: Term) => hasRole(term, 'envelope', 'measure') && !hasRole(term, 'head')

/** Parts of the details other than the three sections. */
const noSection: readonly Role[] = ['record', 'head', 'step', 'person', 'execution', 'bottleneck', 'other', 'fault']

/** Returns a function that tells whether a place is known to be something other than the analytics. */
function isKnownFigure(part: Analytic, ours: ReadonlySet<string>) {
  const { itself, compatible, foreign } = namesOf[part]
  return ({ own, way, name, value, pointer }: Place): boolean => {
    // An item of a list has no name of its own, and a member of an execution concerns only that execution.
    if (/\/\d+$/.test(pointer) || endsWithRole(name, 'identifier')) return true
    if (/\/\d+\//.test(pointer) && mentionsRole(way, 'execution') && !mentionsRole(way, 'measure')) return true
    if (value !== null && !isContainer(value) && (ours.has(String(value)) || !isFigureFor(part, value))) return true
    if (isContainer(value) && mentionsRole(own, 'envelope') && !mentionsRole(own, itself)) return true
    const around = way.slice(0, -own.length).filter((term) => !hasRole(term, 'envelope'))
    if (mentionsRole(around, ...foreign)) return true
    if (!own.every((term) => isUnknown(term) || hasRole(term, itself, ...compatible))) return true
    // A section with a known name, such as metrics, is explained. Its parts may still be the figure.
    if (own.some(isUnknown)) return false
    // A container with the name of the analytics has them in another form.
    if (isContainer(value) && mentionsRole(own, itself)) return false
    if (isContainer(value)) return Object.keys(value).length > 0 || !mentionsRole(own, 'insight')
    return (
      !(part === 'success_rate' && mentionsRole(own, 'rate')) &&
      !(part === 'completion_time' && mentionsRole(own, 'duration', 'average'))
    )
  }
}

/** Returns true if a word does not tell what something is: an unknown one, or one for an extreme. */
const isUnknown = ({ roles }: Term) => [...roles].every((role) => extremes.includes(role))
const extremes: readonly Role[] = ['least', 'most', 'otherPriority']

/** Bottlenecks may also be booleans. */
const isFigureFor = (part: Analytic, value: unknown) =>
  part === 'bottlenecks' ? typeof value === 'boolean' : figureOf(part, value) !== undefined

const sectionWords: readonly Role[] = ['measure', 'insight', 'linking', 'overview']
const foreignParts: readonly Role[] = ['history', 'person', 'other', 'record', 'head']

/** The word for the analytics, those that their name may have beside unknown ones, and those of parts that cannot contain them. */
const namesOf: Readonly<
  Record<Analytic, { readonly itself: Role; readonly compatible: readonly Role[]; readonly foreign: readonly Role[] }>
> = {
  bottlenecks: { itself: 'bottleneck', compatible: [...sectionWords, 'step', 'slow'], foreign: foreignParts },
  success_rate: {
    itself: 'success',
    compatible: [...sectionWords, 'rate', 'average'],
    foreign: [...foreignParts, 'advice'],
  },
  completion_time: {
    itself: 'completion',
    compatible: [...sectionWords, 'duration', 'average', 'step'],
    foreign: [...foreignParts, 'advice', 'waiting', 'estimate'],
  },
}
