/** Relations between figures of one answer that hold whatever the deployment measures. Finds the figures that break them. */
import { completionTimes, figureOf, findAnalytics, isPlainlyNamed } from './analytics.ts'
import { type Contradiction, isOutcome, runningList, sectionOf } from './contradictions.ts'
import { executionFigures, executionTotals, figuresOfExecutions, isNamedForExecutions } from './counters.ts'
import { type Figure, figuresIn } from './figures.ts'
import { type Finding, namedInDetails } from './finding.ts'
import { isWithin, lastName, membersOf, normalizeName, parentOf, valueAt } from './locate.ts'
import { leavesOf, numberOf, type StepList, stepListsIn } from './places.ts'
import { executionLists, mayBeNewer } from './progress.ts'
import { hasRole, isNamed, mentionsRole, type Role, termsOf } from './vocabulary.ts'

interface SentStep {
  readonly step_id: string
  readonly name: string
  readonly estimated_duration: number
}

const show = (value: unknown) => JSON.stringify(value)

/** The details of a workflow before its first execution, and the steps that were sent. */
interface Projection {
  readonly json: unknown
  readonly steps: readonly (SentStep & { readonly order: number })[]
}

/**
 * Finds a completion time that is the estimate of the first step alone, in some unit, in the details of all these workflows before their
 * first execution. Their steps follow each other, so that none can be completed by then. Undefined if their first steps do not differ.
 */
export function projectedFromFirst(workflows: readonly Projection[]): Contradiction | undefined {
  const [one] = workflows
  const first = workflows.map(({ steps }) => steps.toSorted((a, b) => a.order - b.order)[0]?.estimated_duration ?? 0)
  const isOneOfSeveral = workflows.every(
    ({ steps }) => steps.length > 1 && steps.every((step) => step.estimated_duration > 0),
  )
  if (!isOneOfSeveral || new Set(first).size < 2) return undefined
  const found = completionTimes(one?.json).find(({ pointer, value, name }) => {
    const unit = Number(value) / (first[0] ?? 0)
    const isOfFirst = workflows.every(({ json }, index) => valueAt(json, pointer) === unit * (first[index] ?? 0))
    return unit > 0 && isOfFirst && !mentionsRole(termsOf(name), 'step')
  })
  if (!found) return undefined
  const { pointer: place, value } = found
  const rule = 'shows the estimate of the first step in workflows whose first steps differ'
  const finding: Finding = { ...namedInDetails('completion-time', place, value, rule), strength: 'proven' }
  const steps = one?.steps.length
  return {
    finding,
    message: `${place} is ${show(value)}, the estimate of the first of ${steps} steps that follow each other`,
  }
}

/** Returns the words of a figure's name without those of a role. */
const subjectOf = ({ terms }: Figure, role: Role) =>
  terms
    .filter((term) => !hasRole(term, role))
    .map(({ word }) => word)
    .join(' ')

/** Returns the size of a figure's last digit. */
const precisionOf = ({ value }: Figure) => digitOf(value)
const digitOf = (value: number) => 10 ** -(String(value).split('.')[1]?.length ?? 0)

/** Returns true if a figure is less than another one by more than rounding explains. */
const isLess = (one: Figure, other: Figure) =>
  other.value - one.value > Math.max(precisionOf(one), precisionOf(other)) * 1.001

/** Finds a count of ended executions that is larger than the total beside it. */
export function partAboveTotal(json: unknown): Contradiction | undefined {
  for (const [whole, total] of executionTotals(json)) {
    const holder = parentOf(whole)
    const part = [...executionFigures(json)].find(
      ([pointer, count]) =>
        count > total &&
        parentOf(pointer) === holder &&
        isOutcome(pointer.slice(holder.length + 1)) &&
        isNamedForExecutions(pointer),
    )
    if (!part) continue
    const [place, count] = part
    const rule = 'is called a count of executions that have ended, beside their total'
    return {
      finding: namedInDetails('executions-started', place, count, rule),
      message: `${place} is ${count}, but ${whole} is ${total}`,
    }
  }
  return undefined
}

/**
 * Finds a success rate that is no share of all executions, once all have ended. Some deployments add a success and a failure to
 * the counts, or half of each.
 */
export function shareOfNone(
  json: unknown,
  counts: ReadonlyMap<string, number>,
  earlier: readonly unknown[] = [],
): Contradiction | undefined {
  const place = findAnalytics(json, 'success-rate')?.place
  const isBeside = (pointer: string) =>
    place?.startsWith(`${sectionOf(pointer)}/`) && !Array.isArray(valueAt(json, pointer))
  const [whole, total] = [...counts].find(([pointer]) => isBeside(pointer)) ?? []
  if (place === undefined || whole === undefined || total === undefined || total < 1 || total > 3) return undefined
  const section = sectionOf(whole)
  const rate = rateAt(json, place)
  const figures = [...figuresOfExecutions(json)].filter(([pointer]) => isWithin(pointer, section))
  const open = figures.filter(([pointer]) => countsOpen(pointer))
  const isOver = open.length > 0 && open.every(([, count]) => count === 0)
  const areApproved = allApproved(figures, total)
  if (rate === undefined || !(isOver || areApproved)) return undefined
  if (!isPlainlyNamed(place.slice(section.length), 'success-rate') || mayBeNewer(earlier, json, whole)) return undefined
  const shown = rate > 1 ? rate / 100 : rate
  const isShare = (least: number) => sharesOf(total, least).some((share) => Math.abs(shown - share) < 0.011)
  // A rate may be computed later than counts, and be that of fewer executions.
  const isOld = rate === 0 || earlier.some((one) => rateAt(one, place) === rate)
  const isNone = (isOver && !isShare(0)) || (areApproved && !isOld && !isShare(total))
  if (!isNone) return undefined
  return {
    finding: namedInDetails('success-rate', place, rate, 'is called nothing else, beside a proven count of executions'),
    message: `${place} is ${rate}, but ${whole} is ${total}, and all ${areApproved ? 'were approved' : 'have ended'}`,
  }
}

/** Returns the shares of at least some successes. */
const sharesOf = (total: number, least: number) =>
  [0, 0.5, 1].flatMap((added) =>
    Array.from({ length: total + 1 - least }, (_, more) => (least + more + added) / (total + 2 * added)),
  )

/** Returns true if figures count as many executions that have ended as there are, and none that was denied. */
function allApproved(figures: readonly (readonly [string, number])[], total: number): boolean {
  const outcomes = figures.filter(([pointer]) => isOutcome(lastName(pointer)) && isNamedForExecutions(pointer))
  const denied = outcomes.filter(([pointer]) => saysDenied(pointer))
  return (
    denied.length > 0 &&
    denied.every(([, count]) => count === 0) &&
    outcomes.some(([pointer, count]) => !saysDenied(pointer) && count === total)
  )
}

const saysDenied = (pointer: string) => mentionsRole(termsOf(lastName(pointer)), 'denied')

/**
 * Finds a count of ended executions that counts running ones too: as many have ended as are listed as running, together more than the
 * `started` ones. Returns `'sound'` if running ones are listed that have not ended, and undefined if that is unknown: once a step has
 * ended, the figure may count steps.
 */
export function endedYetRunning(json: unknown, started: number): Contradiction | 'sound' | undefined {
  const [list, length = 0] = runningList(json) ?? []
  if (list === undefined || leavesOf(valueAt(json, list)).some(({ value }) => saysEnded(value))) return undefined
  const outcomes = [...figuresOfExecutions(json)].filter(
    ([pointer]) => isOutcome(lastName(pointer)) && !saysDenied(pointer) && !isOfSteps(pointer),
  )
  const [place, ended = 0] = outcomes.find(([, count]) => count > 0) ?? []
  if (place === undefined || ended < length) return 'sound'
  if (ended !== length || ended + length <= started) return undefined
  const rule = 'is called a count of executions that have ended, beside a list of running ones'
  return {
    finding: namedInDetails('executions-started', place, ended, rule),
    message: `${place} is ${ended}, but ${list} shows ${length} running, and no more than ${started} were started`,
  }
}

const isOfSteps = (pointer: string) =>
  mentionsRole(pointer.split('/').flatMap(termsOf), 'step', 'task', 'person', 'other')
const saysEnded = (value: unknown) => typeof value === 'string' && mentionsRole(termsOf(value), 'ended')

/** Returns the rate at a place, which may be an object around it. */
function rateAt(json: unknown, place: string): number | undefined {
  const own = figureOf('success-rate', valueAt(json, place))
  const within = figuresIn(json).filter(({ pointer }) => isWithin(pointer, place))
  return own ?? (within.length === 1 ? within[0]?.value : undefined)
}

/** Returns true if a figure counts the executions that have not ended. */
function countsOpen(pointer: string): boolean {
  const terms = termsOf(lastName(pointer))
  return (
    mentionsRole(terms, 'open', 'atWork') &&
    terms.every((term) => hasRole(term, 'open', 'atWork', 'execution', 'count', 'linking'))
  )
}

/**
 * Finds a mean that at most `count` values cannot have, of which the least and the greatest are beside it under the same name: even if all
 * others are equal to one of these, the mean is at least a share of their difference away from the other.
 */
export function meanOutside(json: unknown, count = Number.POSITIVE_INFINITY): Contradiction | undefined {
  const figures = figuresIn(json)
  for (const mean of figures) {
    if (!mentionsRole(mean.terms, 'average')) continue
    const [least, most] = (['least', 'most'] as const).map((role) =>
      figures.find(
        (one) =>
          one.holder === mean.holder &&
          one.unit === mean.unit &&
          mentionsRole(one.terms, role) &&
          subjectOf(one, role) === subjectOf(mean, 'average'),
      ),
    )
    if (!least || !most) continue
    // Of two values, each is a median for some definition.
    const isMean = !mentionsRole(mean.terms, 'quantile')
    const share = isMean ? Math.max(most.value - least.value, 0) / Math.max(count, 1) : 0
    const isBelow = isLess(mean, { ...least, value: least.value + share })
    const bound = isBelow ? least : isLess({ ...most, value: most.value - share }, mean) ? most : undefined
    if (!bound) continue
    const rule = 'is called a mean, beside the least and the greatest value'
    return {
      finding: namedInDetails('completion-time', mean.pointer, valueAt(json, mean.pointer), rule),
      message: `${mean.pointer} is ${show(valueAt(json, mean.pointer))}, but ${[least, most].map((one) => `${one.pointer} is ${show(valueAt(json, one.pointer))}`).join(' and ')}`,
    }
  }
  return undefined
}

/**
 * Finds a bottleneck whose own figure, which the performance of each step shows too, is the smallest of all. Beside it may be its share
 * of those of all steps. Ignores steps that exceed their estimates by more than all others.
 */
export function fastestBottleneck(json: unknown, steps: readonly SentStep[]): Contradiction | undefined {
  const section = findAnalytics(json, 'bottlenecks')?.place
  const own = section === undefined ? undefined : soleFigure(json, section, steps)
  if (section === undefined || !own) return undefined
  const { step, figure, others: unknown } = own
  for (const { pointer, items } of stepListsIn(json, steps)) {
    if (isWithin(pointer, section)) continue
    const shown = items.flatMap(({ step: one, item }) => {
      const alike = figuresIn(item).filter(({ name, unit }) => name === figure.name && unit === figure.unit)
      // Others further in are those of persons.
      const depthOf = ({ pointer: place }: Figure) => place.split('/').length
      const [first, second] = alike.toSorted((a, b) => depthOf(a) - depthOf(b))
      return first && (!second || depthOf(first) < depthOf(second)) ? [{ step: one, figure: first }] : []
    })
    const others = shown.filter((one) => one.step !== step)
    const isSame = shown.some((one) => one.step === step && one.figure.value === figure.value)
    const overrun = (one: { readonly step: SentStep; readonly figure: Figure }) =>
      one.figure.value / one.step.estimated_duration
    if (!isSame || !others.some((one) => overrun(one) > overrun(own))) continue
    if (!others.every((one) => figure.value < one.figure.value)) continue
    const whole = shown.reduce((sum, one) => sum + one.figure.value, 0)
    // Its shares of all steps, of the mean, and of the mean of the others.
    const shares = [1, shown.length, shown.length - 1].map((parts, index) => {
      return (parts * figure.value) / (index < 2 ? whole : whole - figure.value)
    })
    const isShare = (one: number) =>
      shares.some((share) => [1, 100].some((unit) => Math.abs(one / unit - share) < 0.006))
    if (!unknown.every((one) => one === 1 || isShare(one))) continue
    const rule = 'shows a figure of the performance of steps, and nothing else but its shares'
    return {
      finding: namedInDetails('bottlenecks', section, step.step_id, rule),
      message: `${section} is step ${show(step.step_id)}, whose ${figure.name} is ${show(valueAt(json, figure.pointer))}, less than that of every other step`,
    }
  }
  return undefined
}

/** Returns the step and the only duration of a bottleneck, if it shows nothing else but labels and numbers. A text may name another reason. */
function soleFigure<Step extends SentStep>(json: unknown, section: string, steps: readonly Step[]) {
  const leaves = membersOf(json).filter(
    ({ pointer, value }) => isWithin(pointer, section) && (value === null || typeof value !== 'object'),
  )
  const figures = figuresIn(json).filter(({ pointer, terms }) => isWithin(pointer, section) && isTime(terms))
  const [figure] = figures
  const found = steps.filter(({ step_id }) => leaves.some(({ value }) => value === step_id))
  const [step] = found
  if (!figure || !step || figures.length > 1 || found.length > 1) return undefined
  // Such as the address of the step.
  const ofStep = new Set(
    stepListsIn(json, steps).flatMap(({ items }) =>
      items.filter((one) => one.step === step).flatMap(({ item }) => leavesOf(item).map(({ value }) => value)),
    ),
  )
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
    return {
      finding: namedInDetails('step_performance', shown.place, [...shown.values.values()], rule),
      message: `${shown.place} has the values of ${other.place}, but at other steps`,
    }
  }
  return undefined
}

/**
 * Finds a completion time that adds up the durations of steps that were at work at once: the only listed execution shows the greatest of
 * them as its own duration.
 */
export function summedCompletion(json: unknown, steps: readonly SentStep[]): Contradiction | undefined {
  const section = findAnalytics(json, 'completion-time')?.place
  const lists = [...executionLists(json)]
  if (section === undefined || steps.length < 2) return undefined
  const times = figuresIn(json).filter((one) => isWithin(one.pointer, section))
  for (const { pointer, items } of stepListsIn(json, steps)) {
    const isOnly = lists.some(([list, length]) => length === 1 && isWithin(pointer, list))
    if (!isOnly || items.length < steps.length) continue
    const holder = parentOf(pointer)
    const own = figuresIn(json).filter((figure) => figure.holder === holder && isTime(figure.terms))
    for (const { values, isTime: isDuration } of columnsOf({ pointer, items })) {
      const durations = [...values.values()]
      const [sum, most] = [durations.reduce((all, one) => all + one, 0), Math.max(...durations)]
      const total = own.find(({ value }) => value === most)
      const wrong = times.find(({ value }) => isNear(value, sum, durations))
      const isShown = times.some(({ value }) => isNear(value, most, durations))
      if (!isDuration || !total || !wrong || isShown) continue
      const rule = 'is called the completion time, and adds up the durations of steps that were at work at once'
      return {
        finding: namedInDetails('completion-time', wrong.pointer, valueAt(json, wrong.pointer), rule),
        message: `${wrong.pointer} is ${show(valueAt(json, wrong.pointer))}, the sum of the durations of all steps, but ${total.pointer} is ${show(valueAt(json, total.pointer))}`,
      }
    }
  }
  return undefined
}

/** Returns true if two numbers are the same but for the last digits of these rounded values. */
const isNear = (one: number, other: number, rounded: readonly number[]) =>
  Math.abs(one - other) <= (Math.max(...rounded.map(digitOf)) * (rounded.length + 1)) / 2

/** A figure that each item of a list of steps has. */
interface Column {
  readonly place: string
  readonly isTime: boolean
  readonly values: ReadonlyMap<SentStep, number>
}

function columnsOf({ pointer, items }: StepList<SentStep>): Column[] {
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
