import { isObject } from '../../src/contract/json.ts'
import type { Body } from '../../src/contract/operations.ts'
import { isWithin, type Located, membersOf, oncePerAnswer, parentOf } from './locate.ts'
import { remember } from './names.ts'
import { isInList, numberOf, stepListsIn } from './places.ts'
import { endsWithRole, hasRole, isNamed, mentionsRole, type Role, type Term, termsOf } from './vocabulary.ts'

type WorkflowSteps = Body<'createWorkflow'>['steps']

/** The three sections of the details in section 4.3. */
export type Section = 'execution_metrics' | 'step_performance' | 'optimization_recommendations'

/** Words in the names of figures about executions. A name that ends with `at` is a time, not a figure. */
const figure: readonly Role[] = [
  ...(['count', 'success', 'rate', 'ended', 'duration', 'average', 'begun', 'open', 'execution'] as const),
]

/** Words of figures that have no value before an execution has ended. */
const notYet: readonly Role[] = ['rate', 'ended', 'duration', 'average', 'success']

/** A member of the details, with the terms of each name in its path. */
interface Place {
  readonly pointer: string
  readonly value: unknown
  readonly names: readonly (readonly Term[])[]
}

/**
 * Finds a section of the details by the words in its path, under any name and at any place, and returns its JSON Pointer. An
 * empty section counts, but null and an empty text do not. Step performance is also recognized by figures beside the
 * identifiers of the sent steps. If the sent steps are given, a part that only repeats them does not count as
 * performance.
 */
export function findSection(
  json: unknown,
  section: Section,
  stepIds: readonly string[] = [],
  sent: WorkflowSteps = [],
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

/** Returns true if a section is null in the details, for example before the first execution has ended. */
export function isNull(json: unknown, section: Section): boolean {
  return placesIn(json).some(
    (place) => place.value === null && (isCalled(place, section) || kinds[section]({ ...place, value: [] })),
  )
}

/**
 * Returns the JSON Pointer to a part of the details that is neither a found section nor anything known, and so may be a section
 * under an unknown name.
 */
export function unknownPart(
  json: unknown,
  sent: object,
  found: readonly (string | undefined)[],
  /** The pointer to the object of the workflow itself, which has parts but is none. */
  own = '',
): string | undefined {
  const ours = new Set(membersOf(sent).map(({ value }) => String(value)))
  const isEcho = (value: unknown) => {
    const leaves = leavesOf(value)
    return leaves.length > 0 && leaves.every((leaf) => ours.has(String(leaf.value)))
  }
  const places = found.filter((one) => one !== undefined)
  const isExplained = (pointer: string) => places.some((one) => isWithin(pointer, one))
  // A part that contains something found is explained if nothing else is in it. A blank text or false cannot be a section.
  const isFound = (pointer: string, value: object) =>
    isExplained(pointer) ||
    (places.some((one) => one.startsWith(`${pointer}/`)) &&
      leavesOf(value).every((leaf) => isExplained(`${pointer}${leaf.pointer}`) || isEmpty(leaf.value)))
  const part = placesIn(json).find(
    ({ pointer, value, names }) =>
      isContainer(value) &&
      pointer !== own &&
      names
        .slice(pointer.startsWith(`${own}/`) ? own.split('/').length - 1 : 0, -1)
        .every((terms) => terms.every(isWrapping)) &&
      !mentionsRole(names.at(-1) ?? [], 'envelope', ...known) &&
      !isInList(pointer) &&
      !isEcho(value) &&
      !isFound(pointer, value),
  )
  return part?.pointer ?? unknownFlatPart(json, sent, places)
}

/**
 * Returns the first member of such a part in a flat answer: of `perf` in `{ "wf.name": …, "perf.1.step": …, "perf.1.count": … }`. The
 * workflow's own part, which has the sent name, is none.
 */
function unknownFlatPart(json: unknown, sent: object, found: readonly string[]): string | undefined {
  const parts = new Map<string, Located[]>()
  for (const member of leavesOf(json)) {
    const [part, ...rest] = member.name.split('.')
    // Names with `@` are annotations (OData).
    if (part && rest.length > 0 && !part.includes('@')) parts.set(part, [...(parts.get(part) ?? []), member])
  }
  const name = 'name' in sent ? sent.name : undefined
  const unknown = [...parts].find(
    ([part, members]) =>
      !mentionsRole(termsOf(part), ...known) &&
      !members.some(({ pointer, value }) => value === name || found.includes(pointer)),
  )
  return unknown?.[1][0]?.pointer
}

const leavesOf = (value: unknown) => membersOf(value).filter((member) => !isContainer(member.value))

/** Returns true if a term wraps a whole answer, or several sections. */
const isWrapping = (term: Term) => hasRole(term, 'envelope', 'measure') && !hasRole(term, 'head')

/** Parts of the details other than the three sections. */
const known: readonly Role[] = ['record', 'head', 'step', 'person', 'execution', 'bottleneck', 'other', 'fault']

function isCalled({ names }: Place, section: Section): boolean {
  return (
    names
      .at(-1)
      ?.map(({ word }) => word)
      .join('_') === section
  )
}

/** Returns true if items or members identify at least two of the steps and have figures that were not sent. */
function tellsOfSteps({ names, value }: Place, stepIds: readonly string[]): boolean {
  if (!isContainer(value) || mentionsRole(names.flat(), 'advice', ...ofOthers)) return false
  const parts: [string, unknown][] = Array.isArray(value)
    ? value.map((item) => [String(Object.values(item ?? {}).find((one) => stepIds.includes(String(one)))), item])
    : Object.entries(value)
  const told = parts.filter(([id, part]) => stepIds.includes(id) && hasFigures(part))
  return new Set(told.map(([id]) => id)).size >= 2
}

/** Lists about steps other than their performance. */
const ofOthers: readonly Role[] = ['execution', 'history', 'bottleneck', 'task', 'open']

function hasFigures(part: unknown): boolean {
  if (!isObject(part)) return typeof part === 'number'
  return Object.entries(part).some(([name, item]) => isStepFigure(name, item) || (isObject(item) && holdsFigures(item)))
}

/** Returns true if a member is a figure that was not sent. Estimated durations are sent by the client. */
function isStepFigure(name: string, value: unknown): boolean {
  return !isObject(value) && !mentionsRole(termsOf(name), 'estimate') && isFigure(name, value)
}

/** Returns true if there are figures anywhere within an item. */
const holdsFigures = (item: object) => membersOf(item).some(({ name, value }) => isStepFigure(name, value))

const kinds: Record<Section, (place: Place) => boolean> = {
  execution_metrics({ pointer, names, value }) {
    if (!isObject(value) || mentionsRole(names.flat(), 'step', 'advice')) return false
    const own = names.at(-1) ?? []
    const isOfExecution = /\/\d+$/.test(pointer) && !mentionsRole(own, 'measure')
    if (isOfExecution || !mentionsRole(own, 'measure', 'execution', 'overview')) return false
    // A list of executions is not their metrics, nor is one of them. A container of sections has no figures of its own.
    if (mentionsRole(names.slice(0, -1).flat(), 'execution', 'overview')) return false
    const members = Object.entries(value)
    return members.length === 0 ? mentionsRole(own, 'measure') : members.some(([name, item]) => isFigure(name, item))
  },
  step_performance: ({ names, value }) =>
    isContainer(value) &&
    mentionsRole(names.at(-1) ?? [], 'step', 'measure') &&
    mentionsRole(names.flat(), 'step') &&
    mentionsRole(names.flat(), 'measure') &&
    !mentionsRole(names.flat(), 'advice'),
  optimization_recommendations: ({ names, value }) =>
    (isContainer(value) || isText(value)) && mentionsRole(names.at(-1) ?? [], 'advice'),
}

/** Fallbacks for a section that is not found by its name. */
const others: Partial<Record<Section, (place: Place) => boolean>> = {
  execution_metrics: isLooseFigure,
  optimization_recommendations: ({ names, value }) =>
    Array.isArray(value) && mentionsRole(names.at(-1) ?? [], 'insight'),
}

/** Returns true if a place is a figure about executions beside the workflow's own fields. */
function isLooseFigure({ names, value }: Place): boolean {
  const own = names.at(-1) ?? []
  return (
    !mentionsRole(names.flat(), 'step', 'advice') &&
    !isContainer(value) &&
    value !== null &&
    !own.some((term) => hasRole(term, 'measure') && !hasRole(term, 'count')) &&
    tellsFigure(own, value) &&
    mentionsRole(own, 'execution', 'overview', 'success')
  )
}

/** Returns all members, those of labelled parts such as `{ kind: 'step-performance', values: … }` also under the label. */
const placesIn = oncePerAnswer((json): readonly Place[] => {
  const labels = new Map<string, readonly Term[] | undefined>()
  return membersOf(json).map(({ pointer, value }) => {
    const names = namesIn(pointer)
    const parent = parentOf(pointer)
    if (!labels.has(parent)) labels.set(parent, labelOf(json, parent))
    const label = labels.get(parent)
    return { pointer, value, names: label ? [...names, label] : names }
  })
})

/** Returns the terms of each name in a path, without the indexes. */
const namesIn = remember((pointer): readonly (readonly Term[])[] =>
  pointer
    .split('/')
    .slice(1)
    .filter((name) => !/^\d+$/.test(name))
    .map(termsOf),
)

/** Returns the terms of the label of a part that is an item of a list, if it names a section. */
function labelOf(json: unknown, parent: string): readonly Term[] | undefined {
  if (!/\/\d+$/.test(parent)) return undefined
  const part = parent
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], json)
  const label = isObject(part) ? Object.entries(part).find(([name]) => isNamed(name, 'label'))?.[1] : undefined
  const terms = typeof label === 'string' && label.length < 60 ? termsOf(label) : []
  return terms.length > 1 && mentionsRole(terms, 'measure', 'advice') ? terms : undefined
}

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object'
const isText = (value: unknown) => typeof value === 'string' && value.trim().length > 0
const isEmpty = (value: unknown) => value === false || (typeof value === 'string' && !isText(value))

function isFigure(name: string, value: unknown): boolean {
  return tellsFigure(termsOf(name), value)
}

function tellsFigure(terms: readonly Term[], value: unknown): boolean {
  if (!mentionsRole(terms, ...figure) || terms.at(-1)?.word === 'at') return false
  return value === null
    ? mentionsRole(terms, ...notYet)
    : typeof value === 'number' || isObject(value) || (typeof value === 'string' && measured.test(value))
}

/** A number as text, perhaps with a unit: `66,7 %`, `1.5s`, `0:05:30`, `12 minutes`. Identifiers and dates are none. */
const measured = /^\d[\d.,:]*(?: ?[%\p{L}]{1,12}\.?)?$/u

/**
 * Checks whether a part of an answer is only the definition of the steps: it shows them, and all of its figures were sent. A
 * part with other figures is their performance.
 */
function isDefinition(value: unknown, steps: WorkflowSteps): boolean {
  const lists = stepListsIn(value, steps)
  const sent = new Set(membersOf(steps).map((member) => String(member.value)))
  return (
    lists.length > 0 &&
    lists.every(({ items }) =>
      items.every(({ item }) => leavesOf(item).every((leaf) => !isMeasured(leaf) || sent.has(String(leaf.value)))),
    )
  )
}

/**
 * Checks whether a member is a figure: a number, null with the name of a figure, or a mean as a text such as `PT2.5S`; but no
 * identifier or estimate.
 */
function isMeasured({ name, value }: Located): boolean {
  if (mentionsRole(termsOf(name), 'estimate')) return false
  if (value === null) return mentionsRole(termsOf(name), 'rate', 'duration', 'average', 'count')
  if (typeof value === 'string') return mentionsRole(termsOf(name), 'average') && numberOf(value) !== undefined
  return typeof value === 'number' && !endsWithRole(name, 'identifier')
}
