/** Figures of steps that contradict those of other steps, or what was sent. */
import { isObject } from '../../../src/contract/json.ts'
import { type Figure, figuresIn } from '../figures.ts'
import { isWithin, lastName, membersOf, normalizeName, parentOf, valueAt } from '../locate.ts'
import { findPart } from '../parts.ts'
import { figureOf, leavesOf, numberOf, type StepList, stepListsIn } from '../places.ts'
import { hasRole, isNamed, mentionsRole, termsOf } from '../vocabulary.ts'
import { type Contradiction, contradiction, type SentStep } from './contradiction.ts'

/** What identifies a step. */
type Identified = Pick<SentStep, 'step_id' | 'name'>

/** Finds a list of the performance of steps that lacks some that the details show, although none has been worked on. */
export function lackingSteps(json: unknown, section: string, steps: readonly Identified[]): Contradiction | undefined {
  const all = stepListsIn(json, steps)
  const lists = all.filter(({ pointer }) => isWithin(pointer, section))
  const first = lists[0] ?? listOfOne(json, section, steps)
  // If no other list shows all steps, the workflow itself may lack one.
  const isElsewhere = all.some(({ pointer, items }) => !pointer.startsWith(section) && items.length === steps.length)
  if (!first || !isElsewhere || lists.some(({ items }) => items.length >= steps.length)) return undefined
  const missing = steps.find((step) => !first.items.some((one) => one.step === step))
  if (!missing) return undefined
  const shown: [string, unknown] = [`${first.pointer}/*`, first.items.length]
  const rule = 'shows steps that were sent, before any has been worked on'
  return contradiction('step_performance', shown, rule, `${first.pointer} lacks ${JSON.stringify(missing.step_id)}`)
}

/** Finds a part of the details that names a step of another workflow, and none of its own. */
export function strangeStep(
  json: unknown,
  [part, place]: readonly [part: string, place: string],
  steps: readonly Identified[],
  others: readonly Identified[],
): Contradiction | undefined {
  // Parts may be objects by the identifiers of steps.
  const shown = membersOf(valueAt(json, place)).flatMap(({ pointer, name, value }) =>
    [name, value].map((text) => ({ pointer, text })),
  )
  // The workflow's own identifiers may be written in another way.
  const own = new Set(steps.flatMap(({ step_id, name }) => [step_id, name].map(normalizeName)))
  const other = shown.find(({ text }) => others.some(({ step_id }) => step_id === text))
  if (!other || shown.some(({ text }) => own.has(normalizeName(String(text))))) return undefined
  const pointer = `${place}${other.pointer}`
  const message = `${pointer} shows ${JSON.stringify(other.text)}, a step that only another workflow has`
  return contradiction(part, [pointer, other.text], 'identifies a step of another workflow', message, 'proven')
}

/** Returns the list in a section with a single item, of one of several steps, if the section mentions no other step. */
function listOfOne(json: unknown, section: string, steps: readonly Identified[]) {
  const named = membersOf(valueAt(json, section)).flatMap(({ pointer, name, value }) => {
    const step = steps.find(({ step_id }) => step_id === value || (step_id === name && isObject(value)))
    return step
      ? [{ step, list: step.step_id === name ? parentOf(pointer) : pointer.match(/^(.*)\/0\/[^/]+$/)?.[1] }]
      : []
  })
  const [only] = named
  if (only?.list === undefined || named.length > 1 || steps.length < 2) return undefined
  const isOne = Object.keys(valueAt(json, section + only.list) as object).length === 1
  return isOne ? { pointer: section + only.list, items: [only] } : undefined
}

/** Finds a negative duration in the performance of a step. Overruns and changes may be negative, and -1 a placeholder. */
export function negativeDuration(
  json: unknown,
  section: string,
  steps: readonly Identified[],
): Contradiction | undefined {
  const lists = stepListsIn(json, steps).filter(({ pointer }) => isWithin(pointer, section))
  for (const { list, step, item } of lists.flatMap((list) => list.items.map((one) => ({ list, ...one })))) {
    const found = leavesOf(item).find(
      ({ pointer, value }) => isDuration(pointer) && value !== -1 && (figureOf('completion_time', value) ?? 0) < 0,
    )
    if (!found) continue
    const place = `${list.pointer}/*${found.pointer}`
    const message = `${place} of ${JSON.stringify(step.step_id)} is ${JSON.stringify(found.value)}, which is impossible`
    const rule = 'is called a duration, beside a step that was sent'
    return contradiction('step_performance', [place, found.value], rule, message)
  }
  return undefined
}

/** Returns true if all words of a path are those of a duration or an average. */
function isDuration(pointer: string): boolean {
  const terms = pointer.split('/').flatMap(termsOf)
  return (
    mentionsRole(terms, 'duration') &&
    terms.every((term) => hasRole(term, 'duration', 'average', 'completion', 'step', 'execution', 'linking'))
  )
}

const isTime = (terms: Figure['terms']) => mentionsRole(terms, 'duration', 'average')

/** Finds durations of steps in their performance that an execution shows for its steps, but for other ones. */
export function shiftedPerformance(
  json: unknown,
  section: string,
  steps: readonly SentStep[],
): Contradiction | undefined {
  const columns = stepListsIn(json, steps).flatMap(columnsOf)
  const isShown = ({ place }: Column) => isWithin(place, section)
  for (const shown of columns.filter((one) => isShown(one) && one.isTime)) {
    const other = columns.find((one) => !isShown(one) && isMixed(shown.values, one.values))
    if (!other) continue
    const rule = 'is called a duration, and has values that an execution shows for its steps'
    const message = `${shown.place} has the values of ${other.place}, but at other steps`
    return contradiction('step_performance', [shown.place, [...shown.values.values()]], rule, message)
  }
  return undefined
}

/** A figure that each item of a list of steps has. */
interface Column {
  readonly place: string
  readonly isTime: boolean
  readonly values: ReadonlyMap<SentStep, number>
}

/** Returns the figures that all items of a list of steps have. */
export function columnsOf({ pointer, items }: StepList<SentStep>): Column[] {
  const found = items.map(({ step, item }) => [step, figuresIn(item)] as const)
  return (found[0]?.[1] ?? []).flatMap((first): Column[] => {
    const values = found.flatMap(([step, figures]): [SentStep, number][] => {
      const same = figures.find((one) => one.pointer === first.pointer && one.unit === first.unit)
      return same ? [[step, same.value]] : []
    })
    const place = `${pointer}/*${first.pointer}`
    return values.length === items.length ? [{ place, isTime: isTime(first.terms), values: new Map(values) }] : []
  })
}

/** Returns true if steps have each other's values. Values of few digits may be the same by chance. */
function isMixed(one: Column['values'], other: Column['values']): boolean {
  const values = [...one.values()]
  const sorted = (all: Iterable<number>) => [...all].sort((a, b) => a - b).join(' ')
  const digits = values.map((value) => String(value).replaceAll(/^0|\D/g, '').length)
  return (
    values.length > 1 &&
    new Set(values).size === values.length &&
    digits.every((count) => count > 1) &&
    digits.reduce((sum, count) => sum + count, 0) > 2 * values.length &&
    sorted(values) === sorted(other.values()) &&
    [...one].some(([step, value]) => other.has(step) && other.get(step) !== value)
  )
}

/** Finds a bottleneck in a step that was not sent, under a name that shows only steps that were sent everywhere else. */
export function bottleneckElsewhere(json: unknown, steps: readonly Identified[]): Contradiction | undefined {
  const section = findPart(json, 'bottlenecks')
  if (section === undefined) return undefined
  const sent: readonly unknown[] = steps.map(({ step_id }) => step_id)
  const members = membersOf(json).filter(({ value }) => typeof value === 'string' && !meansNone(value))
  const found = members.find(({ pointer, name, value }) => {
    if (!isWithin(pointer, section) || sent.includes(value)) return false
    const outside = members.filter((one) => !isWithin(one.pointer, section))
    // A deployment may show identifiers of its own beside those that were sent, and codes beside the step that they are about.
    const beside = members.filter((one) => parentOf(one.pointer) === parentOf(pointer))
    if (outside.some((one) => one.value === value) || beside.some((one) => sent.includes(one.value))) return false
    const others = outside.filter((one) => normalizeName(one.name) === normalizeName(name))
    return new Set(others.map((one) => one.value)).size > 1 && others.every((one) => sent.includes(one.value))
  })
  if (!found) return undefined
  const { pointer: place, value, name } = found
  const rule = `${name} shows identifiers of the sent steps everywhere else`
  return contradiction(
    'bottlenecks',
    [place, value],
    rule,
    `${place} is ${JSON.stringify(value)}, which no step has`,
    'proven',
  )
}

/** Returns true if a text stands for null: an empty one, a dash, `none`. */
const meansNone = (text: string) => !/[\p{L}\p{N}]/u.test(text) || isNamed(text, 'empty')

/**
 * Finds a bottleneck whose own figure, which the performance of each step shows too, is the smallest of all. Beside it may be its share
 * of those of all steps. Ignores steps that exceed their estimates by more than all others.
 */
export function fastestBottleneck(json: unknown, steps: readonly SentStep[]): Contradiction | undefined {
  const section = findPart(json, 'bottlenecks')
  const own = section === undefined ? undefined : soleFigure(json, section, steps)
  if (section === undefined || !own) return undefined
  const { step, figure } = own
  const overrun = (one: StepFigure) => one.figure.value / one.step.estimated_duration
  for (const { pointer, items } of stepListsIn(json, steps)) {
    if (isWithin(pointer, section)) continue
    const shown = items.flatMap(({ step: one, item }): StepFigure[] => {
      const alike = figuresIn(item).filter(({ name, unit }) => name === figure.name && unit === figure.unit)
      // Others further in are those of persons.
      const depthOf = ({ pointer: place }: Figure) => place.split('/').length
      const [first, second] = alike.toSorted((a, b) => depthOf(a) - depthOf(b))
      return first && (!second || depthOf(first) < depthOf(second)) ? [{ step: one, figure: first }] : []
    })
    const others = shown.filter((one) => one.step !== step)
    const isSame = shown.some((one) => one.step === step && one.figure.value === figure.value)
    const isFastest =
      others.every((one) => figure.value < one.figure.value) && others.some((one) => overrun(one) > overrun(own))
    if (
      !isSame ||
      !isFastest ||
      !areShares(
        own,
        shown.map((one) => one.figure.value),
      )
    )
      continue
    const rule = 'shows a figure of the performance of steps, and nothing else but its shares'
    const message = `${section} is step ${JSON.stringify(step.step_id)}, whose ${figure.name} is ${JSON.stringify(valueAt(json, figure.pointer))}, less than that of every other step`
    return contradiction('bottlenecks', [section, step.step_id], rule, message)
  }
  return undefined
}

interface StepFigure {
  readonly step: SentStep
  readonly figure: Figure
}

/** Returns true if the other numbers of a bottleneck are 1, or shares of all steps, of the mean, or of the mean of the others. */
function areShares(
  { figure, others }: StepFigure & { readonly others: readonly number[] },
  all: readonly number[],
): boolean {
  const whole = all.reduce((sum, one) => sum + one, 0)
  const shares = [1, all.length, all.length - 1].map(
    (parts, index) => (parts * figure.value) / (index < 2 ? whole : whole - figure.value),
  )
  const isShare = (one: number) => shares.some((share) => [1, 100].some((unit) => Math.abs(one / unit - share) < 0.006))
  return others.every((one) => one === 1 || isShare(one))
}

/** Returns the step and the only duration of a bottleneck, if it shows nothing else but labels and numbers. A text may name another reason. */
function soleFigure(json: unknown, section: string, steps: readonly SentStep[]) {
  const leaves = leavesOf(json).filter(({ pointer }) => isWithin(pointer, section))
  const figures = figuresIn(json).filter(({ pointer, terms }) => isWithin(pointer, section) && isTime(terms))
  const [figure] = figures
  const found = steps.filter(({ step_id }) => leaves.some(({ value }) => value === step_id))
  const [step] = found
  if (!figure || !step || figures.length > 1 || found.length > 1) return undefined
  // Such as the address of the step.
  const items = stepListsIn(json, steps).flatMap((list) => list.items.filter((one) => one.step === step))
  const ofStep = new Set(items.flatMap(({ item }) => leavesOf(item).map(({ value }) => value)))
  const others = leaves.filter(
    ({ pointer, name, value }) =>
      pointer !== figure.pointer &&
      !(typeof value === 'string' && (ofStep.has(value) || isNameOf(figure, value))) &&
      value !== step.step_id &&
      value !== step.name &&
      !isNamed(name, 'label') &&
      !isNamed(String(value), 'level'),
  )
  const numbers = others.flatMap(({ value }) => numberOf(value) ?? [])
  return numbers.length === others.length ? { step, figure, others: numbers } : undefined
}

/** Returns true if a text says what a figure is: `MEAN_DURATION` for `mean_duration_ms`. */
const isNameOf = ({ pointer }: Figure, text: string) =>
  text !== '' && normalizeName(lastName(pointer)).startsWith(normalizeName(text))
