/** Finds out how executions went on after their answer: what the details show of one later, without another call. */
import { isObject } from '../../src/contract/json.ts'
import { membersOf, valueAt } from '../reading/locate.ts'
import { isInList } from '../reading/places.ts'
import { readTime } from '../reading/times.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'
import type { TimedExchange } from '../session/calls.ts'
import { type FigureRole, figureRole, unitsOf } from './figures.ts'
import type { Introduced } from './roles.ts'
import {
  executionIn,
  isWord,
  itemsOfSteps,
  marksOf,
  type StepSent,
  saysEnded,
  sentWorkflow,
} from './shown-executions.ts'
import { type StepProgress, type StepRow, stepProgressIn } from './step-progress.ts'

/** A decision of an approver. */
export interface SeenDecision {
  /** When the answers began to show it, in milliseconds since 1970. */
  readonly at: number
  /** The time of the last read that does not show it, if the answers do not show when it was taken. */
  readonly after?: number
  /** Absent if the answers do not show the steps. */
  readonly stepId?: string
  readonly decision: 'approved' | 'rejected'
}

/** What the answers show of an execution that went on by itself. */
export interface Course {
  /** The call that started it. */
  readonly exchange: TimedExchange
  /** Its decisions, the earliest first. */
  readonly decisions: readonly SeenDecision[]
  /** The approver of each step that shows exactly one of its approvers, by step. */
  readonly approvers: ReadonlyMap<string, string>
  /** The steps of its workflow in the order in which they are decided: those of a stage are decided side by side. */
  readonly stages: readonly (readonly string[])[]
  /** True if it has ended. Its last decision is its end. */
  readonly hasEnded: boolean
  /** True if it had ended when it was first shown. */
  readonly isAtOnce: boolean
}

/** The courses of the executions of a session. */
interface Progress {
  readonly courses: readonly Course[]
  /** True if executions were seen to go on by themselves. */
  readonly goesOn: boolean
  /** True if each execution had ended when it was first shown. */
  readonly endsAtOnce: boolean
  /** The reads that show an execution which has gone on and has not ended. */
  readonly moving: ReadonlySet<TimedExchange>
  /** The reads among these that show a state which no decision explains. */
  readonly unclear: ReadonlySet<TimedExchange>
}

/** A read of a workflow, with what it shows of one execution. */
interface Sight {
  readonly exchange: TimedExchange
  readonly shown: unknown
}

/**
 * Returns how executions went on. Executions that the details do not list by their identifier are taken to stay open. `others` are
 * sessions with the same deployment, which help to tell the order of its states.
 */
export function progressIn(session: readonly Introduced[], others: readonly Introduced[] = []): Progress {
  const courses: Course[] = []
  const byStep = new Map(stepProgressIn(session, others).map((one) => [one.started, one]))
  const [moving, unclear] = [new Set<TimedExchange>(), new Set<TimedExchange>()]
  const first: { readonly isOver: boolean; readonly areShown: boolean }[] = []
  let goesOn = false
  for (const { call, isSuccess, exchange, workflowId, roles } of session) {
    if (call !== 'executeWorkflow' || !isSuccess) continue
    const marks = marksOf({ roles, exchange })
    const sights = session.flatMap((one): Sight[] => {
      const isRead = one.call === 'getWorkflow' && one.isSuccess && one.workflowId === workflowId
      const shown = isRead ? executionIn(one.exchange.json, marks) : undefined
      return shown === undefined ? [] : [{ exchange: one.exchange, shown }]
    })
    const start = sights[0] ?? { exchange, shown: exchange.json }
    const progress = byStep.get(exchange)
    const [shownFirst] = progress?.rows ?? []
    const isOver = shownFirst && shownFirst.exchange.at <= start.exchange.at ? shownFirst.isOver : hasEnded(start.shown)
    first.push({ isOver, areShown: shownFirst !== undefined })
    const steps = sentSteps(session, workflowId)
    const own =
      (progress && stepCourse(progress, sights, steps)) ??
      countedCourse(exchange, sights, steps.length) ??
      wholeCourse(exchange, sights, steps)
    if (own.course) courses.push({ ...own.course, stages: sentStages(session, workflowId), isAtOnce: isOver })
    if (isOver) continue
    goesOn ||= own.goesOn
    for (const read of own.moving) moving.add(read)
    for (const read of own.unclear) unclear.add(read)
  }
  const decided = () => courses.some(({ decisions, isAtOnce }) => decisions.length > 0 && !isAtOnce)
  if (!decided() && !first.some(({ isOver }) => isOver)) courses.push(...coursesByFigures(session))
  goesOn ||= decided()
  // Executions whose steps are shown say more than others.
  const shown = first.filter(({ areShown }) => areShown)
  const told = shown.length > 0 ? shown : first
  const endsAtOnce = (told.length > 0 && told.every(({ isOver }) => isOver)) || endsAtOnceByFigures(session)
  return { courses, goesOn, endsAtOnce, moving, unclear }
}

/** The course of one execution, and the reads that show it underway. */
interface OwnProgress extends Pick<Progress, 'goesOn'> {
  readonly course: Omit<Course, 'stages'> | undefined
  readonly moving: readonly TimedExchange[]
  readonly unclear: readonly TimedExchange[]
}

/** Returns the steps that a workflow was created with. A recording may have any, so those that lack something are left out. */
function sentSteps(session: readonly Introduced[], workflowId: string | undefined): readonly StepSent[] {
  const steps = valueAt(sentWorkflow(session, workflowId), '/steps')
  return Array.isArray(steps) ? steps.filter(isWhole) : []
}

/** Returns the stages of a workflow: the orders of its steps one after the other, or all steps side by side. */
function sentStages(session: readonly Introduced[], workflowId: string | undefined): Course['stages'] {
  const steps = sentSteps(session, workflowId)
  const isSequential = valueAt(sentWorkflow(session, workflowId), '/isSequential') !== false
  const placed = steps.map(({ step_id, order }, index) => ({
    step_id,
    order: isSequential ? Number(order ?? index) : 0,
  }))
  const orders = [...new Set(placed.map(({ order }) => order))].toSorted((a, b) => a - b)
  return orders.map((one) => placed.flatMap(({ step_id, order }) => (order === one ? [step_id] : [])))
}

const isWhole = (step: unknown): step is StepSent =>
  isObject(step) &&
  typeof step.step_id === 'string' &&
  typeof step.name === 'string' &&
  Array.isArray(step.approvers) &&
  step.approvers.every(isObject)

/** Returns the course of an execution whose steps the answers show. Returns undefined if they do not tell how it went on. */
function stepCourse(
  { started, rows }: StepProgress,
  sights: readonly Sight[],
  steps: readonly StepSent[],
): OwnProgress | undefined {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return undefined
  const itemOf = (row: StepRow, stepId: string) => row.steps.find((one) => one.stepId === stepId)
  const zone = zoneOf(new Set(timesIn(first.steps)), started.at)
  const decisions = steps.flatMap(({ step_id: stepId }): SeenDecision[] => {
    const index = rows.findIndex((row) => itemOf(row, stepId)?.isDecided)
    const row = rows[index]
    if (!row) return []
    // Reads may show an execution before they show all its steps.
    const read = [...rows, ...sights].map(({ exchange: { at } }) => at).filter((at) => at < row.exchange.at)
    const item = itemOf(row, stepId)?.item
    const shownAt = timesIn(item)
      .map((ms) => ms - zone)
      .filter((ms) => ms >= started.at && ms <= row.exchange.at)
      .at(-1)
    // Some reads show a decision late, and it counts from when they show it.
    const after = Math.max(started.at, ...read)
    const at = Math.max(shownAt ?? row.exchange.at, after + 1)
    const decision = wasDenied(item) ? 'rejected' : 'approved'
    return [{ at, ...(shownAt === undefined && { after }), stepId, decision }]
  })
  const inOrder = decisions.toSorted((a, b) => a.at - b.at)
  if (decisions.length === 0 && (last.isOver || hasGoneOn(first.steps, last.steps))) return undefined
  const moving = rows.filter((row) => !row.isOver && row.steps.some(({ isDecided }) => isDecided))
  // An execution has not begun until a read shows its steps.
  const shownAt = rows.find((row) => row.exchange !== started)?.exchange.at ?? started.at
  const unclear = sights.flatMap(({ exchange: read }) => (read.at < shownAt ? [read] : []))
  const course = {
    exchange: started,
    decisions: last.isOver ? withRejection(inOrder, steps.length) : inOrder,
    approvers: approversIn(new Map(last.steps.map(({ stepId, item }) => [stepId, item])), steps),
    hasEnded: last.isOver,
    isAtOnce: false,
  }
  return { course, goesOn: decisions.length > 0, moving: [...unclear, ...moving.map((row) => row.exchange)], unclear }
}

/** An execution that is over although a step is not decided was rejected by the last decision. */
function withRejection(decisions: readonly SeenDecision[], steps: number): readonly SeenDecision[] {
  if (decisions.length >= steps || decisions.some(({ decision }) => decision === 'rejected')) return decisions
  return decisions.map((one, index) =>
    index === decisions.length - 1 ? { ...one, decision: 'rejected' as const } : one,
  )
}

/** Returns the approver that an answer shows for each step. */
export function approversShown(answer: unknown, steps: readonly StepSent[]): Course['approvers'] {
  return approversIn(itemsOfSteps(answer, steps), steps)
}

/** Returns the approver of each step that shows exactly one of its approvers. Ignores lists, which may have candidates. */
function approversIn(items: ReadonlyMap<string, unknown>, steps: readonly StepSent[]): Course['approvers'] {
  const found = steps.flatMap(({ step_id, approvers }) => {
    const own = membersOf(items.get(step_id)).filter(({ pointer }) => !isInList(pointer))
    const named = approvers.filter(({ email }) => own.some(({ value }) => value === email))
    return named.length === 1 && named[0] ? [[step_id, named[0].email] as const] : []
  })
  return new Map(found)
}

/** Returns the course of an execution whose reads count the steps that were decided; undefined if they do not. */
function countedCourse(exchange: TimedExchange, sights: readonly Sight[], steps: number): OwnProgress | undefined {
  const [first, last] = [sights[0], sights.at(-1)]
  if (!first || !last) return undefined
  const end = sights.find(({ shown }) => hasEnded(shown))
  const isDenied = end !== undefined && wasDenied(end.shown)
  const counter = membersOf(last.shown).find(({ pointer, value }) => {
    const counts = sights.map(({ shown }) => Number(valueAt(shown, pointer)))
    const isOfSteps = value === steps || (Number.isInteger(value) && Number(value) < steps && (!end || isDenied))
    const grows = counts.every((count, index) => count >= (counts[index - 1] ?? 0))
    return !isInList(pointer) && isOfSteps && counts[0] === 0 && Number(value) > 0 && grows
  })
  if (!counter) return undefined
  const countIn = ({ shown }: Sight) => Number(valueAt(shown, counter.pointer))
  const total = countIn(last)
  const decisions = Array.from({ length: total }, (_, index): SeenDecision => {
    const at = sights.findIndex((sight) => countIn(sight) > index)
    const [read, before] = [sights[at], sights[at - 1]]
    const decision = isDenied && index === total - 1 ? 'rejected' : 'approved'
    return { at: read?.exchange.at ?? exchange.at, after: before?.exchange.at ?? exchange.at, decision }
  })
  const moving = sights.filter((sight) => countIn(sight) > 0 && !hasEnded(sight.shown)).map((one) => one.exchange)
  const course = {
    exchange,
    decisions: withEnd(decisions, exchange, end),
    approvers: new Map(),
    hasEnded: end !== undefined,
    isAtOnce: false,
  }
  return { course, goesOn: true, moving, unclear: [] }
}

/** Returns decisions of which the last was made at the time that the end shows, if it shows one. */
function withEnd(decisions: readonly SeenDecision[], start: TimedExchange, end: Sight | undefined): SeenDecision[] {
  const [last, ...others] = decisions.toReversed()
  if (!last || !end) return [...decisions]
  const zone = zoneOf(new Set(timesIn(end.shown)), start.at)
  const shown = timesIn(end.shown).map((ms) => ms - zone)
  const at = shown.filter((ms) => ms > (last.after ?? start.at) && ms <= last.at).at(-1)
  if (at === undefined) return [...decisions]
  const earlier = others.toReversed().map((one) => ({ ...one, at: Math.min(one.at, at) }))
  return [...earlier, { at, decision: last.decision }]
}

/** Returns the course of an execution as a whole: which step each of its decisions belongs to is not known. */
function wholeCourse(exchange: TimedExchange, sights: readonly Sight[], steps: readonly StepSent[]): OwnProgress {
  const [start, ...others] = sights
  const later = others.filter(({ shown }) => hasGoneOn(start?.shown, shown))
  const isEnd = ({ shown }: Sight) => hasEnded(shown) || isDated(start?.shown, shown)
  const moving = later.filter((sight) => !isEnd(sight)).map((one) => one.exchange)
  const goesOn = later.length > 0
  const end = later.find(isEnd)
  if (!start || !end) return { course: undefined, goesOn, moving, unclear: moving }
  const last = sights[sights.indexOf(end) - 1]?.exchange.at
  const before = new Set(timesIn(start.shown))
  const zone = zoneOf(before, exchange.at)
  // A decision counts from when the reads show it: some show it late.
  const seenAt = (ms: number) => {
    const lacking = sights.filter(({ exchange: read, shown }) => {
      return read.at >= ms && read.at < end.exchange.at && !timesIn(shown).includes(ms + zone)
    })
    return Math.max(ms, ...lacking.map(({ exchange: read }) => read.at + 1))
  }
  const times = timesIn(end.shown)
    .filter((ms) => !before.has(ms))
    .map((ms) => ms - zone)
    .filter((ms) => ms >= exchange.at && ms <= end.exchange.at)
    .map(seenAt)
  const areShown = times.length > 0
  const values = new Set(membersOf(end.shown).map(({ value }) => value))
  const isCutShort = !hasEnded(end.shown) && steps.some(({ step_id }) => !values.has(step_id))
  const course = courseOf(exchange, areShown ? times : [end.exchange.at], {
    ...(!areShown && last !== undefined && { after: last }),
    last: wasDenied(end.shown) || isCutShort ? 'rejected' : 'approved',
  })
  return { course, goesOn, moving, unclear: moving }
}

interface Ending {
  /** The time of the last read that does not show the end, if the answers do not show when decisions were made. */
  readonly after?: number
  /** The last decision. All others are approvals. @default 'approved' */
  readonly last?: SeenDecision['decision']
}

/** Returns the course of an execution that has ended. Its decisions were made at `times`. */
function courseOf(
  exchange: TimedExchange,
  times: readonly number[],
  { after, last = 'approved' }: Ending,
): NonNullable<OwnProgress['course']> {
  const decisions = times.map((at, index): SeenDecision => {
    const decision = index === times.length - 1 ? last : 'approved'
    return { at, ...(after !== undefined && { after }), decision }
  })
  return { exchange, decisions, approvers: new Map(), hasEnded: true, isAtOnce: false }
}

/** Returns true if a figure of ended executions was 0 before the first execution of a workflow, and counts it in the next read. */
function endsAtOnceByFigures(session: readonly Introduced[]): boolean {
  const executed = session.filter(({ call, isSuccess }) => call === 'executeWorkflow' && isSuccess)
  const first = [...new Map(executed.toReversed().map((one) => [one.workflowId, one])).values()]
  const isCounted = ({ workflowId, exchange }: Introduced) => {
    const reads = session.filter((one) => one.call === 'getWorkflow' && one.isSuccess && one.workflowId === workflowId)
    const before = reads.findLast((one) => one.exchange.at < exchange.at)?.exchange
    const after = reads.find((one) => one.exchange.at >= exchange.at)?.exchange
    return (
      before !== undefined &&
      after !== undefined &&
      figuresIn(after, 'ended').some(({ pointer }) => valueIn(before, pointer) === 0)
    )
  }
  return first.length > 0 && first.every(isCounted)
}

/**
 * Returns the courses of executions that only figures of the details show: how many of a workflow have ended, and how long they took
 * on average.
 */
function coursesByFigures(session: readonly Introduced[]): Course[] {
  const workflows = [...new Set(session.map(({ workflowId }) => workflowId))]
  return workflows.flatMap((id) => {
    const calls = session.filter(({ workflowId, isSuccess }) => isSuccess && workflowId === id)
    const executions = calls.filter(({ call }) => call === 'executeWorkflow').map(({ exchange }) => exchange)
    const [start] = executions
    const all = calls.filter(({ call }) => call === 'getWorkflow').map(({ exchange }) => exchange)
    const reads = all.filter(({ at }) => start && at >= start.at)
    const [first, last] = [reads[0], reads.at(-1)]
    if (!first || !last) return []
    const counts = figuresIn(last, 'ended').find(
      ({ pointer, value }) => value === executions.length && valueIn(first, pointer) === 0,
    )
    if (!counts) return []
    const means = figuresIn(last, 'mean')
    const stages = sentStages(session, id)
    return executions.flatMap((exchange, index): Course[] => {
      const end = reads.find((read) => valueIn(read, counts.pointer) > index)
      if (!end) return []
      const before = reads.filter(({ at }) => at < end.at).at(-1)?.at ?? exchange.at
      const [mean] = means
        .flatMap(({ name, value }) => unitsOf(name).map((unit) => exchange.at + value * unit))
        .filter((at) => at > before && at <= end.at)
      const course = courseOf(exchange, [Math.round(mean ?? end.at)], mean === undefined ? { after: before } : {})
      return [{ ...course, stages }]
    })
  })
}

const valueIn = ({ json }: TimedExchange, pointer: string) => Number(valueAt(json, pointer) ?? 0)

/** Returns the figures of a role in details, but not those in lists. */
function figuresIn({ json }: TimedExchange, role: FigureRole): { pointer: string; name: string; value: number }[] {
  return membersOf(json).flatMap(({ pointer, name, value }) => {
    const isFigure = typeof value === 'number' && value > 0 && figureRole(name) === role && !isInList(pointer)
    return isFigure ? [{ pointer, name, value }] : []
  })
}

/** Returns true if a later answer shows news: another word, or a value that was missing. Numbers do not count, since they may follow the clock. */
export function hasGoneOn(before: unknown, after: unknown): boolean {
  const known = new Map(membersOf(before).map(({ pointer, value }) => [pointer, value]))
  return membersOf(after).some(({ pointer, value }) => {
    const old = known.get(pointer)
    if (isWord(value) && isWord(old)) return value !== old
    if (old === null) return value !== null
    return old === false && value === true
  })
}

/** Returns true if an execution is shown as ended: by a word, or by the time of its end. Lists in it are those of its steps. */
const hasEnded = (shown: unknown) =>
  saysEnded(shown) ||
  membersOf(shown).some(
    ({ pointer, name, value }) =>
      value !== null && !isInList(pointer) && readTime(value) !== undefined && mentionsRole(termsOf(name), 'ended'),
  )

/** Returns true if an execution shows a time of its own that was null before, later than all other times that it shows, and lacks none. */
function isDated(before: unknown, after: unknown): boolean {
  const latest = timesIn(after).at(-1)
  const own = membersOf(after).filter(({ pointer }) => !isInList(pointer))
  const isNew = ({ pointer, value }: (typeof own)[number]) =>
    valueAt(before, pointer) === null && value !== null && readTime(value)?.ms === latest
  return latest !== undefined && own.some(isNew) && own.every(({ value }) => value !== null)
}

/** Returns true if a step shows that its approver denied it. */
const wasDenied = (shown: unknown) =>
  membersOf(shown).some(
    ({ pointer, value }) => !isInList(pointer) && isWord(value) && mentionsRole(termsOf(value), 'denied'),
  )

/** The steps of time zones, and the most that a time of the start may differ from the clock of this machine, in milliseconds. */
const [zoneStep, nearStart] = [900_000, 2500]

/** Returns how far times that name no zone are ahead of UTC, in milliseconds, from those that are shown of a start. */
function zoneOf(times: ReadonlySet<number>, start: number): number {
  const zones = [...times].map((ms) => ({ ms, zone: Math.round((ms - start) / zoneStep) * zoneStep }))
  const near = zones.filter(({ ms, zone }) => Math.abs(ms - start - zone) <= nearStart)
  return near.some(({ zone }) => zone === 0) ? 0 : (near[0]?.zone ?? 0)
}

/** Returns the different times in a value, the earliest first. */
function timesIn(shown: unknown): number[] {
  const found = membersOf(shown).flatMap(({ value }) => (value === null ? [] : (readTime(value)?.ms ?? [])))
  return [...new Set(found)].toSorted((a, b) => a - b)
}
