import { membersOf, wordsOf } from './locate.ts'

/** The three parts of the details that section 4.3 names. */
export type Section = 'execution_metrics' | 'step_performance' | 'optimization_recommendations'

const measure =
  /^(metrics?|stats?|statistics|kpis?|analytics|analysis|summary|totals?|counts?|performances?|figures|report|insights?)$/
const step = /^(steps?|stages?)$/
const execution = /^(executions?|runs?|instances?|completions?|overall)$/
const advice = /^(recommend\w*|optimi[sz]ations?|suggest\w*|improvements?|advice|tips|hints)$/
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
 * JSON Pointer. It is there even while it is empty; null and an empty text are no section.
 */
export function findSection(json: unknown, section: Section): string | undefined {
  const places = placesIn(json)
  const other = others[section]
  return (places.find(kinds[section]) ?? (other && places.find(other)))?.pointer
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

/** Every member; of an array of labelled parts, such as `{ kind: 'step-performance', values: … }`, under its label too. */
function placesIn(json: unknown): Place[] {
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

/** Figures that count executions that have begun, whatever has become of them. */
const begun =
  /^(total|total ?count|executions?|total executions?|executions? total|executions? count|count|started|running|active|in progress|pending|open|current|runs?)$/

/** The figures among the execution metrics that a new execution moves, by JSON Pointer. */
export function executionCounters(json: unknown): Map<string, number> {
  const pointer = findSection(json, 'execution_metrics')
  if (pointer === undefined) return new Map()
  const within = membersOf(json).filter(
    (member) => member.pointer === pointer || member.pointer.startsWith(`${pointer}/`),
  )
  const counters = within.flatMap(({ pointer, value }): [string, number][] => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    const name = wordsOf(pointer.slice(pointer.lastIndexOf('/') + 1)).join(' ')
    return typeof number === 'number' && begun.test(name) ? [[pointer, number]] : []
  })
  return new Map(counters)
}
