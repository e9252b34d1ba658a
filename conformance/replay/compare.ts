/** Compares what two services did in the same session. Each may have done it several times, which shows its noise. */

import { callAt } from '../../src/contract/call-at.ts'
import { withheld } from '../../src/contract/http.ts'
import { starred } from '../../src/profile/tolerance.ts'
import type { ReadPlace } from '../../src/reads/reads-file.ts'
import { gap, requirement } from '../catalogue/catalogue.ts'
import { membersOf, parentOf } from '../reading/locate.ts'
import { firstOf } from '../reads/needs-text.ts'
import type { CheckResult, RunResult } from '../report/result.ts'
import { truncate } from '../wire/inert.ts'
import { type NoService, noServiceIn } from '../wire/no-service.ts'
import { type ExchangeRecord, historyOf } from '../wire/record.ts'
import type { CallOutcome } from './outcome.ts'
import type { ReplayedCall, ReplayResult } from './result.ts'
import { calledBy, groupsOf, mergedRows, mostPlaces } from './rows.ts'
import type { ReportRow } from './session-report.ts'
import {
  jsonIn,
  type ShownAnswer,
  sentIn,
  shownDifferences,
  stillPlaces,
  withoutNewParts,
  withoutRunId,
} from './shown-values.ts'

/** The answers of one service in one run of the session. */
export interface SideRun {
  readonly checks: readonly CheckResult[]
  readonly gaps: RunResult['gaps']
  /** All exchanges, to which the checks refer. */
  readonly exchanges: readonly ExchangeRecord[]
  /** The exchange of each call, by its name. */
  readonly calls: ReadonlyMap<string, ComparedCall>
  /** A text that is different in each run, and is left out of comparisons. */
  readonly runId: string
}

interface ComparedCall {
  /** Absent if only the answers of the suite's own steps are known, whose checks say what became of them. */
  readonly outcome?: CallOutcome | 'accepted with another name' | 'unsent'
  readonly record?: ExchangeRecord
}

/** The differences between two sides, and the number of things in which the runs of one side differ. */
export interface Comparison {
  readonly rows: readonly ReportRow[]
  readonly noise: number
  /** The number of things that were compared. */
  readonly compared: number
}

/** A comparison, with the reason why the answers of a side tell nothing about its service, if there is one. */
export interface SideComparison extends Comparison {
  readonly noService: readonly [a: NoService | undefined, b: NoService | undefined]
  /** True if nothing differs but what was proven in the runs of one side, and not in those of the other. */
  readonly mayBeChance: boolean
}

/** Returns a run of the suite for comparing it. */
export function sideOfRun({ checks, gaps, exchanges, runId }: RunResult): SideRun {
  const calls = new Map<string, ComparedCall>()
  for (const record of exchanges) {
    const { step = undefined, attempt = 1, about } = record.label ?? {}
    // Of calls that are repeated until they succeed, the last one counts.
    if (step === undefined || attempt > 1 || record.status === undefined || record.isSentAgain) continue
    calls.set(about === undefined ? step : `${step} (${about})`, { record })
  }
  return { checks, gaps, exchanges, calls, runId }
}

/**
 * Returns one side of a comparison: a replay, or a recording as it is. `isBesideRecording` is true if the other side is a recording,
 * whose names may be taken by now.
 */
export function sideOfReplay(
  { calls }: Pick<ReplayResult, 'calls'>,
  which: 'recorded' | 'now',
  { isBesideRecording = false } = {},
): SideRun {
  const sideOf = ({ was, became, isRenamed, recorded, exchange }: ReplayedCall): ComparedCall => {
    if (which === 'recorded') return { outcome: was, record: recorded }
    // A side that is sent the same names twice shows whether they must be unique.
    const outcome = isRenamed && !isBesideRecording ? 'accepted with another name' : (became ?? 'unsent')
    return { outcome, ...(exchange && { record: exchange }) }
  }
  // Names may be repeated.
  const compared = calls.map((call, index) => [`${call.name} (call ${index + 1})`, sideOf(call)] as const)
  return { checks: [], gaps: [], exchanges: [], calls: new Map(compared), runId: '' }
}

/** Returns the runs of a side so far; runs a live side again until it has at least `count` runs. */
export type RunsOfSide = (count: number) => Promise<readonly SideRun[]>

/** Runs two sides twice each, and again if they differ, since chance may differ in the same way several times. */
export async function compareRuns(
  a: RunsOfSide,
  b: RunsOfSide,
  { reads = [], isInTurn = false }: CompareOptions = {},
): Promise<SideComparison> {
  const compareAfter = async (count: number) => {
    const first = a(count)
    if (isInTurn) await first
    const [one, other] = await Promise.all([first, b(count)])
    return compareSides(one, other, reads)
  }
  let comparison = await compareAfter(2)
  if (comparison.rows.length > 0) comparison = await compareAfter(3)
  return comparison.mayBeChance ? compareAfter(5) : comparison
}

export interface CompareOptions {
  /** What a front end reads. @default nothing is known */
  readonly reads?: readonly ReadPlace[]
  /** True if B runs after A, since both are one deployment. @default false, and they run at the same time */
  readonly isInTurn?: boolean
}

/**
 * Compares two sides: first by meaning, then by the values that they show, then by statuses, headers and shapes. Differences at places
 * that a front end reads come before all others.
 */
export function compareSides(
  a: readonly SideRun[],
  b: readonly SideRun[],
  reads: readonly ReadPlace[] = [],
): SideComparison {
  const sides = [a, b] as const
  const { hasFailed, ...checks } = compareChecks(sides)
  const others = [compareGaps(sides), compareOutcomes(sides), compareShown(sides, reads), compareShapes(sides, reads)]
  const parts = [checks, ...others]
  const rows = mergedRows(parts.flatMap((part) => part.rows))
  return {
    rows: rows.toSorted((one, other) => Number(other.isRead ?? false) - Number(one.isRead ?? false)),
    noise: parts.reduce((sum, { noise }) => sum + noise, 0),
    compared: parts.reduce((sum, { compared }) => sum + compared, 0),
    noService: [noServiceAt(a), noServiceAt(b)],
    mayBeChance: rows.length > 0 && !hasFailed && others.every((part) => part.rows.length === 0),
  }
}

function noServiceAt(runs: readonly SideRun[]): NoService | undefined {
  const exchanges = runs.flatMap((run) => recordsIn(run))
  const { log } = historyOf({ exchanges, withheld: [], crashes: [] })
  return noServiceIn(log)
}

/** Returns all exchanges of a run, or those of its calls. */
function recordsIn({ exchanges, calls }: SideRun): readonly ExchangeRecord[] {
  return exchanges.length > 0 ? exchanges : [...calls.values()].flatMap(({ record }) => record ?? [])
}

/** Two sides, each with its runs. */
type Sides = readonly [a: readonly SideRun[], b: readonly SideRun[]]

/** A name by which the runs of two sides have other values, with the first value of each side. */
interface Different<Value> {
  readonly name: string
  readonly one: Value
  readonly other: Value
}

/** Compares values that runs have by a name. They differ if no run of one side has a value of the other. */
function compareValues<Value>(
  [a, b]: Sides,
  namesIn: (run: SideRun) => Iterable<string>,
  readValue: (run: SideRun, name: string) => Value | undefined,
  keyOf: (value: Value, run: SideRun) => string,
) {
  const found: Different<Value>[] = []
  let [noise, compared] = [0, 0]
  for (const name of new Set(a.flatMap((run) => [...namesIn(run)]))) {
    const [first = [], second = []] = [a, b].map((runs) =>
      runs.flatMap((run) => {
        const value = readValue(run, name)
        return value === undefined ? [] : [{ value, key: keyOf(value, run) }]
      }),
    )
    if (!first[0] || !second[0]) continue
    compared += 1
    const [keys, others] = [new Set(first.map(({ key }) => key)), new Set(second.map(({ key }) => key))]
    if (![...keys].some((key) => others.has(key))) found.push({ name, one: first[0].value, other: second[0].value })
    else if (keys.size > 1 || others.size > 1) noise += 1
  }
  return { found, noise, compared }
}

/** Returns the row of a difference in calls, or in other things. Those at places that a front end reads come before all others. */
function rowOf(
  name: Pick<ReportRow, 'name' | 'calls'>,
  word: 'meaning' | 'value' | 'shape',
  text: string,
  exchanges: ReportRow['exchanges'],
  read: readonly ReadPlace[] = [],
): ReportRow {
  const row = { ...name, outcome: 'different', word, text, exchanges } as const
  if (read.length === 0) return row
  const tests = [...new Set(read.flatMap((one) => one.tests))]
  const places = firstOf([...new Set(read.map(({ place }) => place))], mostPlaces)
  const readers = tests.length > 0 ? ` (${firstOf(tests)})` : ''
  return { ...row, word: 'read', text: `${text} The front end reads ${places}${readers}.`, isRead: true }
}

/** Verdicts that say nothing about the service. */
const silent = ['not-applicable', 'not-run', 'harness-error', 'blocked']

const words: Readonly<Record<string, string>> = {
  pass: 'verified',
  accepted: 'accepted but not shown',
  fail: 'failed',
  inconclusive: 'undecided',
}

function compareChecks(sides: Sides): Comparison & { readonly hasFailed: boolean } {
  const { found, ...counts } = compareValues(
    sides,
    ({ checks }) => checks.map(({ id }) => id),
    ({ checks, exchanges }, id) => {
      const check = checks.find((one) => one.id === id)
      if (!check || silent.includes(check.verdict)) return undefined
      // The exchange that a check compared, or else the last exchange that it used.
      return { check, record: exchanges[check.exchange ?? check.exchanges.at(-1) ?? -1] }
    },
    ({ check }) => check.verdict,
  )
  const rows = found.map(({ name, one, other }) => {
    const say = ({ check: { verdict, message } }: typeof one) =>
      `${words[verdict] ?? verdict}${verdict === 'pass' ? '' : `, ${message.replace(/\.$/, '')}`}.`
    const failing = [one, other].find(({ check }) => check.verdict === 'fail') ?? other
    const step = failing.record?.label?.step
    const text = `${requirement(one.check.id).fact} A: ${say(one)} B: ${say(other)}`
    return rowOf({ name: `${step === undefined ? '' : `${step}: `}${name}` }, 'meaning', text, exchangesOf(one, other))
  })
  const hasFailed = found.some((two) => [two.one, two.other].some(({ check }) => check.verdict === 'fail'))
  return { ...counts, rows, hasFailed }
}

function compareGaps(sides: Sides): Comparison {
  const { found, ...counts } = compareValues(
    sides,
    ({ gaps }) => gaps.map(({ id }) => id),
    ({ gaps }, name) => gaps.find(({ id }) => id === name),
    ({ observed }, { runId }) => withoutNewParts(withoutRunId(observed, runId)),
  )
  // The same change in several answers has one cause; the first question shows what it is.
  const causes = groupsOf(found, ({ one, other }) => changeOf(one.observed, other.observed))
  const rows = causes.flatMap((same) => {
    const names = same.map(({ name }) => name)
    return same.slice(0, 1).map(({ one, other }) => {
      const [a, b] = [truncate(one.observed, 300), truncate(other.observed, 300)]
      return rowOf(calledBy(names, 'question'), 'meaning', `${gap(one.id).question} A: ${a}. B: ${b}.`, [])
    })
  })
  return { ...counts, rows }
}

/** Returns the words in which two texts differ, without those that they begin and end with. */
function changeOf(one: string, other: string): string {
  const [a = [], b = []] = [one, other].map((text) => text.split(/[\s,]+/))
  const shortest = Math.min(a.length, b.length)
  let [begin, end] = [0, 0]
  while (begin < shortest && a[begin] === b[begin]) begin += 1
  while (end < shortest - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return [a, b].map((words) => words.slice(begin, words.length - end).join(' ')).join('\n')
}

/** Returns the names of the calls of a run. */
const callsIn = ({ calls }: SideRun) => calls.keys()

/** Returns what became of a call: what is known of it, or what its status says. Undefined if it was not sent. */
function becameIn({ outcome, record }: ComparedCall = {}): Exclude<ComparedCall['outcome'], 'unsent'> {
  if (outcome !== undefined) return outcome === 'unsent' ? undefined : outcome
  return record && ((record.status ?? 0) >= 400 ? 'refused' : 'accepted')
}

function compareOutcomes(sides: Sides): Comparison {
  const { found, ...counts } = compareValues(
    sides,
    callsIn,
    ({ calls }, name) => {
      const call = calls.get(name)
      const became = becameIn(call)
      return became && { became, ...(call?.record && { record: call.record }) }
    },
    ({ became }) => became,
  )
  const say = ({ became, record }: (typeof found)[number]['one']) => `${became} (${record?.status ?? 'no answer'})`
  const rows = found.map(({ name, one, other }) =>
    rowOf({ name }, 'meaning', `It is ${say(one)} by A, and ${say(other)} by B.`, exchangesOf(one, other)),
  )
  return { ...counts, rows }
}

interface WithRecord {
  readonly record?: ExchangeRecord | undefined
}

function exchangesOf(a: WithRecord, b: WithRecord): ReportRow['exchanges'] {
  const shown = [
    { label: 'A', record: a.record },
    { label: 'B', record: b.record },
  ]
  return shown.flatMap(({ label, record }) => (record ? [{ label, record }] : []))
}

/** Compares the values in the answers, by the rules of `shownDifferences`. */
function compareShown([a, b]: Sides, reads: readonly ReadPlace[]): Comparison {
  const [left, right] = [a.map(shownBy), b.map(shownBy)]
  const names = [...new Set(a.flatMap((run) => [...callsIn(run)]))]
  const calls = names
    .map((name) => [name, left.flatMap((shown) => shown(name)), right.flatMap((shown) => shown(name))] as const)
    .filter(([, one, other]) => one.length === a.length && other.length === b.length)
  const rows = shownDifferences(calls).map(({ call, places, text }) => {
    const [one = {}, other = {}] = [a, b].map((runs) => runs[0]?.calls.get(call))
    const differing = places.map((place) => `${place} (value)`)
    return rowOf({ name: call }, 'value', text, exchangesOf(one, other), readIn(one, differing, reads))
  })
  return { rows, noise: 0, compared: 0 }
}

/** Returns a function that returns what a run shows in the answer to a call, if the call was accepted. */
function shownBy(run: SideRun): (name: string) => ShownAnswer[] {
  const { calls, runId } = run
  const clean = (record: ExchangeRecord): ExchangeRecord => ({
    ...record,
    ...(record.requestBody !== undefined && { requestBody: withoutRunId(record.requestBody, runId) }),
    responseBody: withoutRunId(record.responseBody, runId),
  })
  const sent = sentIn([...calls.values()].flatMap(({ record }) => (record ? [clean(record)] : [])))
  const reads = readsOfExecuted(run)
  return (name) => {
    const call = calls.get(name)
    if (!call?.record || becameIn(call) !== 'accepted') return []
    const group = reads.get(call.record)?.between
    return [{ record: clean(call.record), sent, still: group && stillPlaces(group) }]
  }
}

/** The reads of an executed workflow. What differs between these depends on the time, and on the pace of the approvers. */
interface ReadsOfExecuted {
  /** Those between the same executions. */
  readonly between: ExchangeRecord[]
  /** Those since the first execution. */
  readonly since: ExchangeRecord[]
}

/** Returns the reads of executed workflows, each with the others of the same workflow. */
function readsOfExecuted(run: SideRun): ReadonlyMap<ExchangeRecord, ReadsOfExecuted> {
  /** By the URL of the workflow. */
  const latest = new Map<string, ReadsOfExecuted>()
  const found = new Map<ExchangeRecord, ReadsOfExecuted>()
  for (const record of recordsIn(run)) {
    const { method, url } = record
    const workflow = url.replace(/\/execute$/, '')
    const reads = latest.get(workflow)
    if (method === 'POST' && url !== workflow) latest.set(workflow, { between: [], since: reads?.since ?? [] })
    else if (method === 'GET' && reads) {
      reads.between.push(record)
      reads.since.push(record)
      found.set(record, reads)
    }
  }
  return found
}

/** Headers of caches and gateways, which say nothing about the service. A mock withholds others, or sets them itself. */
const passing = /^(date|server|vary|via|age|etag|retry-after|x-.*|cf-.*|access-control-.*|referrer-policy)$/

/** Compares the statuses, headers and shapes of the answers. A place counts if all runs of one side have it, and none of the other. */
function compareShapes([a, b]: Sides, needed: readonly ReadPlace[]): Comparison {
  const found: PlaceDifference[] = []
  let [noise, compared] = [0, 0]
  const reads = new Map([...a, ...b].flatMap((run) => [...readsOfExecuted(run)]))
  for (const name of new Set(a.flatMap((run) => [...callsIn(run)]))) {
    const sides = [a, b].map((runs) => runs.flatMap(({ calls }) => calls.get(name)?.record ?? []))
    const [one, other] = [a[0]?.calls.get(name), b[0]?.calls.get(name)]
    if (!one || !other || sides[0]?.length !== a.length || sides[1]?.length !== b.length) continue
    // What became of the call was compared before.
    if (becameIn(one) !== becameIn(other)) continue
    compared += 1
    // A place that only some reads since the execution have moves with time: one side may only be faster.
    const shapes = sides.map((records) =>
      records.flatMap((record) => {
        const { since = [record] } = reads.get(record) ?? {}
        return since.filter(({ status }) => status === record.status).map(placesIn)
      }),
    )
    const only = shapes.map((own, side) =>
      [...(own[0] ?? [])].filter(
        (place) => own.every((places) => places.has(place)) && !shapes[1 - side]?.some((places) => places.has(place)),
      ),
    )
    const isNoise = sides.some((records) => new Set(records.map((record) => placesIn(record).size)).size > 1)
    if (only.flat().length === 0) noise += Number(isNoise)
    const read = readIn(one, only.flat(), needed)
    for (const [side, places] of only.entries()) {
      for (const place of withoutParts(places, read))
        found.push({ name, side, place, read, exchanges: exchangesOf(one, other) })
    }
  }
  return { rows: rowsByCause(found), noise, compared }
}

/** A place that the answers to a call have on one side only. */
interface PlaceDifference {
  /** The call. */
  readonly name: string
  /** 0 for A, 1 for B. */
  readonly side: number
  readonly place: string
  /** The places that a front end reads among all that differ in the answers to the call. */
  readonly read: readonly ReadPlace[]
  readonly exchanges: ReportRow['exchanges']
}

const pointerOf = (place: string) => place.replace(/ \(\w+\)$/, '')

/** Removes places within objects and lists that are missing as a whole, unless a front end reads them. */
function withoutParts(places: readonly string[], read: readonly ReadPlace[]): string[] {
  const missing = new Set(places.map(pointerOf))
  return places.filter((place) => {
    const pointer = pointerOf(place)
    return !missing.has(parentOf(pointer)) || read.some((one) => one.place === pointer)
  })
}

/** Returns one row for all places that differ in the same calls, since they probably have one cause. */
function rowsByCause(found: readonly PlaceDifference[]): ReportRow[] {
  const places = groupsOf(found, ({ side, place }) => `${side} ${place}`)
  const causes = groupsOf(places, (same) => same.map(({ name }) => name).join('\n'))
  return causes.flatMap((cause) => {
    const firsts = cause.flatMap((same) => same.slice(0, 1))
    const at = new Set(firsts.map(({ place }) => pointerOf(place)))
    const read = [...new Set(cause.flat().flatMap((one) => one.read))].filter(({ place }) => at.has(place))
    const isRead = (place: string) => read.some((one) => one.place === pointerOf(place))
    const only = ['A', 'B'].flatMap((name, side) => {
      const own = firsts.flatMap((one) => (one.side === side ? [one.place] : []))
      const readFirst = own.toSorted((one, other) => Number(isRead(other)) - Number(isRead(one)))
      return own.length === 0 ? [] : [`Only ${name}: ${firstOf(readFirst, mostPlaces)}.`]
    })
    const names = cause[0]?.map(({ name }) => name) ?? []
    return firsts.slice(0, 1).map(({ exchanges }) => rowOf(calledBy(names), 'shape', only.join(' '), exchanges, read))
  })
}

/** Returns the differing places of an answer that a front end reads; `differing` have their types in parentheses. */
function readIn({ record }: ComparedCall, differing: readonly string[], reads: readonly ReadPlace[]): ReadPlace[] {
  if (!record) return []
  const { method, url, status = 0 } = record
  const operation = callAt(method, url)
  return reads.filter(
    (read) =>
      read.operation === operation &&
      read.status < 400 === status < 400 &&
      differing.some((place) => place.startsWith(`${read.place} (`)),
  )
}

/** Returns the status, the names of headers, and the places of values with their types. */
function placesIn(record: ExchangeRecord): Set<string> {
  const headers = Object.keys(record.responseHeaders).map((name) => name.toLowerCase())
  const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)
  return new Set([
    `status ${record.status}`,
    ...headers.filter((name) => !passing.test(name) && !withheld.has(name)).map((name) => `header ${name}`),
    ...membersOf(jsonIn(record)).map(({ pointer, value }) => `${starred(pointer)} (${typeOf(value)})`),
  ])
}
