/** Finds out how executions went on after their answer: what the details show of one later, without another call. */
import { membersOf, valueAt } from '../reading/locate.ts'
import { readTime } from '../reading/times.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'
import type { TimedExchange } from '../session/calls.ts'
import { type FigureRole, figureRole, unitsOf } from './figures.ts'
import type { Introduced } from './roles.ts'

/** An execution that ended after a while. */
export interface Ending {
  /** The call that started it. */
  readonly exchange: TimedExchange
  /** The times of its decisions that the answers show, in milliseconds since 1970. The last is the time of its end. */
  readonly times: readonly number[]
  /** True if the answers show the time of its end, and not only that it has ended. */
  readonly isTimed: boolean
}

/** The course of the executions of a session. */
interface Progress {
  readonly endings: readonly Ending[]
  /** True if executions were seen to go on by themselves. */
  readonly goesOn: boolean
  /** True if each execution had ended when it was first shown. */
  readonly endsAtOnce: boolean
  /** The reads that show an execution which has gone on and has not ended. */
  readonly between: ReadonlySet<TimedExchange>
}

/** Returns how executions went on. Executions that the details do not list by their identifier are taken to stay open. */
export function progressIn(session: readonly Introduced[]): Progress {
  const endings: Ending[] = []
  const between = new Set<TimedExchange>()
  const first: boolean[] = []
  let goesOn = false
  for (const { call, isSuccess, exchange, workflowId, roles } of session) {
    if (call !== 'executeWorkflow' || !isSuccess) continue
    const { execution } = roles
    const reads = session.flatMap((one) => {
      const isRead = one.call === 'getWorkflow' && one.isSuccess && one.workflowId === workflowId
      const shown = isRead && execution !== undefined ? itemWith(one.exchange.json, execution) : undefined
      return shown === undefined ? [] : [{ exchange: one.exchange, shown }]
    })
    const [start] = reads
    first.push(hasEnded(start?.shown ?? exchange.json))
    if (!start || hasEnded(start.shown)) continue
    for (const { exchange: read, shown } of reads) {
      if (!hasGoneOn(start.shown, shown)) continue
      goesOn = true
      if (!hasEnded(shown)) between.add(read)
    }
    const end = reads.find(({ shown }) => hasEnded(shown) && hasGoneOn(start.shown, shown))
    if (!end) continue
    const before = new Set(timesIn(start.shown))
    const zone = zoneOf(before, exchange.at)
    // A decision counts from when the reads show it: some show it late.
    const seenAt = (ms: number) => {
      const lacking = reads.filter(({ exchange: read, shown }) => {
        return read.at >= ms && read.at < end.exchange.at && !timesIn(shown).includes(ms + zone)
      })
      return Math.max(ms, ...lacking.map(({ exchange: read }) => read.at + 1))
    }
    const times = timesIn(end.shown)
      .filter((ms) => !before.has(ms))
      .map((ms) => ms - zone)
      .filter((ms) => ms >= exchange.at && ms <= end.exchange.at)
      .map(seenAt)
    endings.push({ exchange, times: times.length > 0 ? times : [end.exchange.at], isTimed: times.length > 0 })
  }
  if (endings.length === 0 && !first.some(Boolean)) endings.push(...endingsByFigures(session))
  goesOn ||= endings.length > 0
  const endsAtOnce = (first.length > 0 && first.every(Boolean)) || endsAtOnceByFigures(session)
  return { endings, goesOn, endsAtOnce, between }
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
 * Returns the ends of executions that only figures of the details show: how many of a workflow have ended, and how long they took
 * on average.
 */
function endingsByFigures(session: readonly Introduced[]): Ending[] {
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
    return executions.flatMap((exchange, index): Ending[] => {
      const end = reads.find((read) => valueIn(read, counts.pointer) > index)
      if (!end) return []
      const before = reads.filter(({ at }) => at < end.at).at(-1)?.at ?? exchange.at
      const [mean] = means
        .flatMap(({ name, value }) => unitsOf(name).map((unit) => exchange.at + value * unit))
        .filter((at) => at > before && at <= end.at)
      return [{ exchange, times: [mean === undefined ? end.at : Math.round(mean)], isTimed: mean !== undefined }]
    })
  })
}

const valueIn = ({ json }: TimedExchange, pointer: string) => Number(valueAt(json, pointer) ?? 0)

/** Returns the figures of a role in details, but not those in lists. */
function figuresIn({ json }: TimedExchange, role: FigureRole): { pointer: string; name: string; value: number }[] {
  return membersOf(json).flatMap(({ pointer, name, value }) => {
    const isFigure = typeof value === 'number' && value > 0 && figureRole(name) === role && !/\/\d+(\/|$)/.test(pointer)
    return isFigure ? [{ pointer, name, value }] : []
  })
}

/** Returns how long executions took from their call to their end, in milliseconds; undefined if nothing shows it. */
export function executionMsIn(endings: readonly Ending[]): number | undefined {
  const timed = endings.filter(({ isTimed }) => isTimed)
  const known = (timed.length > 0 ? timed : endings).map(({ exchange, times }) => (times.at(-1) ?? 0) - exchange.at)
  const sorted = known.toSorted((a, b) => a - b)
  // A later end may only have been seen later.
  const ms = timed.length > 0 ? sorted[Math.floor(sorted.length / 2)] : sorted[0]
  return ms === undefined ? undefined : Math.max(100, Math.round(ms / 100) * 100)
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
function hasEnded(shown: unknown): boolean {
  return membersOf(shown).some(({ pointer, name, value }) => {
    if (/\/\d+(\/|$)/.test(pointer)) return false
    if (isWord(value)) return mentionsRole(termsOf(value), 'ended')
    return value !== null && readTime(value) !== undefined && mentionsRole(termsOf(name), 'ended')
  })
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.length < 40 && /^[A-Za-z]+([ _-][A-Za-z]+)*$/.test(value)

/**
 * Returns the object that has an identifier as the value of one of its members. Of several, it is the one with most members in
 * it: the others only refer to it. Of one within another, it is the inner one.
 */
function itemWith(json: unknown, identifier: string): unknown {
  const found = itemsWith(json, identifier).map((item) => ({ item, size: membersOf(item).length }))
  return found.toSorted((a, b) => b.size - a.size)[0]?.item
}

function itemsWith(json: unknown, identifier: string): unknown[] {
  if (json === null || typeof json !== 'object') return []
  const inner = Object.values(json).flatMap((value) => itemsWith(value, identifier))
  if (inner.length > 0) return inner
  return !Array.isArray(json) && Object.values(json).some((value) => String(value) === identifier) ? [json] : []
}

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
