import { membersOf, wordsOf } from './locate.ts'

/** The three parts of the details that section 4.3 names. */
export type Section = 'execution_metrics' | 'step_performance' | 'optimization_recommendations'

const measure =
  /^(metrics?|stats?|statistics|kpis?|analytics|analysis|summary|totals?|counts?|performances?|figures|report|insights?|throughput)$/
const step = /^(steps?|stages?)$/
const execution = /^(executions?|runs?|instances?|completions?|overall)$/
const advice = /^(recommend\w*|optimi[sz]ations?|suggest\w*|improvements?|opportunity|opportunities|advice|tips|hints)$/
/** Figures about executions, by name; what ends in `at` is a time of day and no figure. */
const figure =
  /^(?!.*\bat$).*\b(total|count|success|succeeded|rate|ratio|complet\w*|duration|time|avg|average|mean|median|running|active|started|finished|approved|rejected|executions?|runs?)\b/

/** A member of the details, with the words of each name on the way to it. */
interface Place {
  readonly pointer: string
  readonly value: unknown
  readonly names: readonly (readonly string[])[]
}

/**
 * Finds a section of the details by the words on the way to it, whatever it is called and wherever it stands; gives its
 * JSON Pointer. It is there even while it is empty; null and an empty text are no section. How steps perform may also be
 * told by what stands with the identifiers of the steps that were sent.
 */
export function findSection(json: unknown, section: Section, stepIds: readonly string[] = []): string | undefined {
  const all = placesIn(json)
  const other = others[section]
  const found =
    all.find((place) => isCalled(place, section) && isContainer(place.value)) ??
    all.find(kinds[section]) ??
    (other && all.find(other))
  if (found || section !== 'step_performance') return found?.pointer
  return all.find((place) => tellsOfSteps(place, stepIds))?.pointer
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
      names.slice(0, -1).every((words) => words.every((word) => wrapping.test(word) || measure.test(word))) &&
      !(names.at(-1) ?? []).some((word) => wrapping.test(word) || known.test(word)) &&
      !/\/\d+(\/|$)/.test(pointer) &&
      !isEcho(value) &&
      !isFound(pointer),
  )
  return part?.pointer
}

/** Words of what wraps all of an answer. */
const wrapping = /^(data|results?|workflows?|attributes|payload|value|record|items?|response|content|body)$/

/** Words of what details show beside the three sections. */
const known =
  /^(meta|metadata|links?|relationships|included|steps?|approvers?|executions?|runs?|bottlenecks?|owner|user|author|creator|tenant|organi[sz]ation|account|team|permissions|settings|tags|labels|pagination|errors?|warnings?)$/

function isCalled({ names }: Place, section: Section): boolean {
  return names.at(-1)?.join('_') === section
}

/** Items or members that name at least two of the steps, with figures that nobody sent. */
function tellsOfSteps({ names, value }: Place, stepIds: readonly string[]): boolean {
  if (!isContainer(value) || any(names, ofOthers) || any(names, advice)) return false
  const parts: [string, unknown][] = Array.isArray(value)
    ? value.map((item) => [String(Object.values(item ?? {}).find((one) => stepIds.includes(String(one)))), item])
    : Object.entries(value)
  const told = parts.filter(([id, part]) => stepIds.includes(id) && hasFigures(part))
  return new Set(told.map(([id]) => id)).size >= 2
}

/** Lists of what happens to steps, which say nothing of how they perform. */
const ofOthers = /^(executions?|runs?|instances?|history|events?|bottlenecks?|tasks?|assignments?|current|pending)$/

function hasFigures(part: unknown): boolean {
  return (
    typeof part === 'number' ||
    (isObject(part) &&
      Object.entries(part).some(([name, item]) => !/estimated/i.test(name) && (isFigure(name, item) || isObject(item))))
  )
}

const kinds: Record<Section, (place: Place) => boolean> = {
  execution_metrics({ names, value }) {
    if (!isObject(value) || any(names, step) || any(names, advice)) return false
    const own = names.at(-1) ?? []
    if (!own.some((word) => measure.test(word) || execution.test(word))) return false
    // A list of executions is not their metrics, and a container of sections holds no figures of its own.
    if (names.slice(0, -1).some((words) => words.some((word) => execution.test(word)))) return false
    const members = Object.entries(value)
    return members.length === 0
      ? own.some((word) => measure.test(word))
      : members.some(([name, item]) => isFigure(name, item))
  },
  step_performance: ({ names, value }) =>
    isContainer(value) &&
    (names.at(-1) ?? []).some((word) => step.test(word) || measure.test(word)) &&
    any(names, step) &&
    any(names, measure) &&
    !any(names, advice),
  optimization_recommendations: ({ names, value }) =>
    (isContainer(value) || isText(value)) && (names.at(-1) ?? []).some((word) => advice.test(word)),
}

/** What is taken for a section where nothing is called so. */
const others: Partial<Record<Section, (place: Place) => boolean>> = {
  execution_metrics: isLooseFigure,
  optimization_recommendations: ({ names, value }) => Array.isArray(value) && (names.at(-1) ?? []).includes('insights'),
}

/** A figure about executions that stands beside the workflow's own fields. */
function isLooseFigure({ names, value }: Place): boolean {
  const own = names.at(-1) ?? []
  return (
    !any(names, step) &&
    !any(names, advice) &&
    !isContainer(value) &&
    value !== null &&
    !own.some((word) => measure.test(word) && word !== 'total') &&
    isFigure(own.join(' '), value) &&
    own.some((word) => execution.test(word) || word === 'success')
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
      .map(wordsOf)
    const label = labelAbove(json, pointer)
    return { pointer, value, names: label ? [...names, label] : names }
  })
}

/** The words of the label of the part that a member belongs to, if the part has one that names a section. */
function labelAbove(json: unknown, pointer: string): string[] | undefined {
  const parent = pointer.slice(0, pointer.lastIndexOf('/'))
  if (!/\/\d+$/.test(parent)) return undefined
  const part = parent
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], json)
  const label = isObject(part)
    ? Object.entries(part).find(([name]) => /^(kind|type|section|category)$/i.test(name))?.[1]
    : undefined
  const words = typeof label === 'string' && label.length < 60 ? wordsOf(label) : []
  return words.length > 1 && words.some((word) => measure.test(word) || advice.test(word)) ? words : undefined
}

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object'
const isObject = (value: unknown): value is object => isContainer(value) && !Array.isArray(value)
const isText = (value: unknown) => typeof value === 'string' && value.trim().length > 0

/** What has no value before an execution has ended. */
const notYet = /\b(rate|ratio|complet\w*|duration|time|avg|average|mean|median|success)\b/

function isFigure(name: string, value: unknown): boolean {
  const words = wordsOf(name).join(' ')
  if (!figure.test(words)) return false
  return value === null
    ? notYet.test(words)
    : typeof value === 'number' || isObject(value) || (typeof value === 'string' && /^\d/.test(value))
}

function any(names: readonly (readonly string[])[], pattern: RegExp): boolean {
  return names.some((words) => words.some((word) => pattern.test(word)))
}
