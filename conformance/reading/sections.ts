import { isDefinition, type SentStep } from './by-value.ts'
import { membersOf } from './locate.ts'
import { hasRole, isNamed, mention, type Role, type Term, termsOf } from './vocabulary.ts'

/** The three parts of the details that section 4.3 names. */
export type Section = 'execution_metrics' | 'step_performance' | 'optimization_recommendations'

/** What a figure about executions may be called; what ends in `at` is a time of day and no figure. */
const figure: readonly Role[] = [
  ...(['count', 'success', 'rate', 'ended', 'duration', 'average', 'begun', 'open', 'execution'] as const),
]

/** What has no value before an execution has ended. */
const notYet: readonly Role[] = ['rate', 'ended', 'duration', 'average', 'success']

/** A member of the details, with the words of each name on the way to it. */
interface Place {
  readonly pointer: string
  readonly value: unknown
  readonly names: readonly (readonly Term[])[]
}

/**
 * Finds a section of the details by the words on the way to it, whatever it is called and wherever it stands; gives its
 * JSON Pointer. It is there even while it is empty; null and an empty text are no section. How steps perform may also be
 * told by what stands with the identifiers of the steps that were sent. With the steps as they were sent, nothing that only
 * repeats them is taken for how they perform.
 */
export function findSection(
  json: unknown,
  section: Section,
  stepIds: readonly string[] = [],
  sent: readonly SentStep[] = [],
): string | undefined {
  const all = placesIn(json)
  const isEcho = ({ value }: Place) => section === 'step_performance' && sent.length > 0 && isDefinition(value, sent)
  const find = (isSection: (place: Place) => boolean) => all.find((place) => isSection(place) && !isEcho(place))
  const other = others[section]
  const found =
    find((place) => isCalled(place, section) && isContainer(place.value)) ??
    find(kinds[section]) ??
    (other && find(other))
  if (found || section !== 'step_performance') return found?.pointer
  return find((place) => tellsOfSteps(place, stepIds))?.pointer
}

/** Whether details give a section's name to null: there is nothing to tell yet, or a list that is empty. */
export function isNull(json: unknown, section: Section): boolean {
  return placesIn(json).some(
    (place) => place.value === null && (isCalled(place, section) || kinds[section]({ ...place, value: [] })),
  )
}

/**
 * A part of the details that is neither a section that was found nor anything else that is known: perhaps a section under a
 * name of its own. Gives its JSON Pointer.
 */
export function unknownPart(json: unknown, sent: object, found: readonly (string | undefined)[]): string | undefined {
  const ours = new Set(membersOf(sent).map(({ value }) => String(value)))
  const isEcho = (value: unknown) => {
    const leaves = membersOf(value).filter((member) => !isContainer(member.value))
    return leaves.length > 0 && leaves.every((leaf) => ours.has(String(leaf.value)))
  }
  const isFound = (pointer: string) =>
    found.some((one) => one !== undefined && (`${one}/`.startsWith(`${pointer}/`) || pointer.startsWith(`${one}/`)))
  const part = placesIn(json).find(
    ({ pointer, value, names }) =>
      isContainer(value) &&
      names.slice(0, -1).every((terms) => terms.every(isWrapping)) &&
      !mention(names.at(-1) ?? [], 'envelope', ...known) &&
      !/\/\d+(\/|$)/.test(pointer) &&
      !isEcho(value) &&
      !isFound(pointer),
  )
  return part?.pointer
}

/** What wraps all of an answer, or several sections. */
const isWrapping = (term: Term) => hasRole(term, 'envelope', 'measure') && !hasRole(term, 'head')

/** What details show beside the three sections. */
const known: readonly Role[] = ['record', 'head', 'step', 'person', 'execution', 'bottleneck', 'other', 'fault']

function isCalled({ names }: Place, section: Section): boolean {
  return (
    names
      .at(-1)
      ?.map(({ word }) => word)
      .join('_') === section
  )
}

/** Items or members that name at least two of the steps, with figures that nobody sent. */
function tellsOfSteps({ names, value }: Place, stepIds: readonly string[]): boolean {
  if (!isContainer(value) || mention(names.flat(), 'advice', ...ofOthers)) return false
  const parts: [string, unknown][] = Array.isArray(value)
    ? value.map((item) => [String(Object.values(item ?? {}).find((one) => stepIds.includes(String(one)))), item])
    : Object.entries(value)
  const told = parts.filter(([id, part]) => stepIds.includes(id) && hasFigures(part))
  return new Set(told.map(([id]) => id)).size >= 2
}

/** Lists of what happens to steps, which say nothing of how they perform. */
const ofOthers: readonly Role[] = ['execution', 'history', 'bottleneck', 'task', 'open']

function hasFigures(part: unknown): boolean {
  if (!isObject(part)) return typeof part === 'number'
  return Object.entries(part).some(([name, item]) => isStepFigure(name, item) || (isObject(item) && holdsFigures(item)))
}

/** A figure that nobody sent: durations are estimated by the client. */
function isStepFigure(name: string, value: unknown): boolean {
  return !isObject(value) && !mention(termsOf(name), 'estimate') && isFigure(name, value)
}

/** Whether figures stand anywhere within what a step shows; its approvers and the like are none. */
const holdsFigures = (item: object) => membersOf(item).some(({ name, value }) => isStepFigure(name, value))

const kinds: Record<Section, (place: Place) => boolean> = {
  execution_metrics({ names, value }) {
    if (!isObject(value) || mention(names.flat(), 'step', 'advice')) return false
    const own = names.at(-1) ?? []
    if (!mention(own, 'measure', 'execution', 'overview')) return false
    // A list of executions is not their metrics, and a container of sections holds no figures of its own.
    if (mention(names.slice(0, -1).flat(), 'execution', 'overview')) return false
    const members = Object.entries(value)
    return members.length === 0 ? mention(own, 'measure') : members.some(([name, item]) => isFigure(name, item))
  },
  step_performance: ({ names, value }) =>
    isContainer(value) &&
    mention(names.at(-1) ?? [], 'step', 'measure') &&
    mention(names.flat(), 'step') &&
    mention(names.flat(), 'measure') &&
    !mention(names.flat(), 'advice'),
  optimization_recommendations: ({ names, value }) =>
    (isContainer(value) || isText(value)) && mention(names.at(-1) ?? [], 'advice'),
}

/** What is taken for a section where nothing is called so. */
const others: Partial<Record<Section, (place: Place) => boolean>> = {
  execution_metrics: isLooseFigure,
  optimization_recommendations: ({ names, value }) => Array.isArray(value) && mention(names.at(-1) ?? [], 'insight'),
}

/** A figure about executions that stands beside the workflow's own fields. */
function isLooseFigure({ names, value }: Place): boolean {
  const own = names.at(-1) ?? []
  return (
    !mention(names.flat(), 'step', 'advice') &&
    !isContainer(value) &&
    value !== null &&
    !own.some((term) => hasRole(term, 'measure') && !hasRole(term, 'count')) &&
    tellsFigure(own, value) &&
    mention(own, 'execution', 'overview', 'success')
  )
}

/** Answers do not change, and each is looked at for several sections by several checks. */
const places = new WeakMap<object, readonly Place[]>()

/** Every member; of an array of labelled parts, such as `{ kind: 'step-performance', values: … }`, under its label too. */
function placesIn(json: unknown): readonly Place[] {
  if (!isContainer(json)) return []
  const before = places.get(json)
  if (before) return before
  const found = readPlaces(json)
  places.set(json, found)
  return found
}

function readPlaces(json: object): Place[] {
  return membersOf(json).map(({ pointer, value }) => {
    const names = pointer
      .split('/')
      .slice(1)
      .filter((name) => !/^\d+$/.test(name))
      .map(termsOf)
    const label = labelAbove(json, pointer)
    return { pointer, value, names: label ? [...names, label] : names }
  })
}

/** The terms of the label of the part that a member belongs to, if the part has one that names a section. */
function labelAbove(json: unknown, pointer: string): Term[] | undefined {
  const parent = pointer.slice(0, pointer.lastIndexOf('/'))
  if (!/\/\d+$/.test(parent)) return undefined
  const part = parent
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], json)
  const label = isObject(part) ? Object.entries(part).find(([name]) => isNamed(name, 'label'))?.[1] : undefined
  const terms = typeof label === 'string' && label.length < 60 ? termsOf(label) : []
  return terms.length > 1 && mention(terms, 'measure', 'advice') ? terms : undefined
}

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object'
const isObject = (value: unknown): value is object => isContainer(value) && !Array.isArray(value)
const isText = (value: unknown) => typeof value === 'string' && value.trim().length > 0

function isFigure(name: string, value: unknown): boolean {
  return tellsFigure(termsOf(name), value)
}

function tellsFigure(terms: readonly Term[], value: unknown): boolean {
  if (!mention(terms, ...figure) || terms.at(-1)?.word === 'at') return false
  return value === null
    ? mention(terms, ...notYet)
    : typeof value === 'number' || isObject(value) || (typeof value === 'string' && /^\d/.test(value))
}
