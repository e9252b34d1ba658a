/** Compares what two services did in the same session. Each may have done it several times, which shows its noise. */

import { callAt } from '../../src/contract/call-at.ts'
import { withheld } from '../../src/contract/http.ts'
import { starred } from '../../src/profile/tolerance.ts'
import type { ReadPlace } from '../../src/reads/reads-file.ts'
import { gap, requirement } from '../catalogue/catalogue.ts'
import { membersOf, parentOf } from '../reading/locate.ts'
import { firstOf } from '../reads/needs-text.ts'
import type { CheckResult, RunResult } from '../report/result.ts'
import { parseJson } from '../wire/exchange.ts'
import { truncate } from '../wire/inert.ts'
import { type NoService, noServiceIn } from '../wire/no-service.ts'
import { type ExchangeRecord, historyOf } from '../wire/record.ts'
import type { CallOutcome } from './outcome.ts'
import type { ReplayedCall, ReplayResult } from './result.ts'
import { calledBy, groupsOf, mergedRows, mostPlaces } from './rows.ts'
import type { ReportRow } from './session-report.ts'
import { approversIn, newPart, type ShownAnswer, sentIn, shownDifferences, stillPlaces } from './shown-values.ts'

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

/** Runs two sides twice each, and a third time if they differ, since chance may differ in the same way twice. */
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
  const comparison = await compareAfter(2)
  return comparison.rows.length > 0 ? compareAfter(3) : comparison
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
  const answers = compareAnswers(a, b, reads)
  const parts = [compareChecks(a, b), compareGaps(a, b), compareOutcomes(a, b), compareShown(a, b, reads), answers]
  const rows = mergedRows(parts.flatMap((part) => part.rows))
  return {
    rows: rows.toSorted((one, other) => Number(other.isRead ?? false) - Number(one.isRead ?? false)),
    noise: parts.reduce((sum, { noise }) => sum + noise, 0),
    compared: parts.reduce((sum, { compared }) => sum + compared, 0),
    noService: [noServiceAt(a), noServiceAt(b)],
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

/** Compares values that runs have by a name. They differ if no run of one side has a value of the other. `row` describes it. */
function compareValues<Value>(
  names: Iterable<string>,
  [a, b]: readonly [readonly SideRun[], readonly SideRun[]],
  readValue: (run: SideRun, name: string) => Value | undefined,
  keyOf: (value: Value, run: SideRun) => string,
  row: (name: string, a: Value, b: Value) => ReportRow,
): Comparison {
  const rows: ReportRow[] = []
  let [noise, compared] = [0, 0]
  for (const name of new Set(names)) {
    const sides = [a, b].map((runs) =>
      runs.flatMap((run) => {
        const value = readValue(run, name)
        return value === undefined ? [] : [{ value, key: keyOf(value, run) }]
      }),
    )
    const [first, second] = sides
    if (!first?.[0] || !second?.[0]) continue
    compared += 1
    const keys = new Set(second.map(({ key }) => key))
    if (!first.some(({ key }) => keys.has(key))) rows.push(row(name, first[0].value, second[0].value))
    else if (sides.some((side) => new Set(side.map(({ key }) => key)).size > 1)) noise += 1
  }
  return { rows, noise, compared }
}

/** Verdicts that say nothing about the service. */
const silent = ['not-applicable', 'not-run', 'harness-error', 'blocked']

const words: Readonly<Record<string, string>> = {
  pass: 'verified',
  accepted: 'accepted but not shown',
  fail: 'failed',
  inconclusive: 'undecided',
}

function compareChecks(a: readonly SideRun[], b: readonly SideRun[]): Comparison {
  const checkOf = ({ checks, exchanges }: SideRun, id: string) => {
    const check = checks.find((one) => one.id === id)
    return check && !silent.includes(check.verdict) ? { check, exchanges } : undefined
  }
  const ids = a.flatMap(({ checks }) => checks.map(({ id }) => id))
  return compareValues(
    ids,
    [a, b],
    checkOf,
    ({ check }) => check.verdict,
    (id, one, other) => {
      const say = (name: string, { check }: typeof one) =>
        `${name}: ${words[check.verdict] ?? check.verdict}${check.verdict === 'pass' ? '' : `, ${check.message.replace(/\.$/, '')}`}.`
      const shown = [...comparedExchange('A', one), ...comparedExchange('B', other)]
      const failing = [one, other].find(({ check }) => check.verdict === 'fail') ?? other
      const step = comparedExchange('', failing)[0]?.record.label?.step
      return {
        name: `${step === undefined ? '' : `${step}: `}${id}`,
        outcome: 'different',
        word: 'meaning',
        text: `${requirement(one.check.id).fact} ${say('A', one)} ${say('B', other)}`,
        exchanges: shown,
      }
    },
  )
}

/** Returns the exchange that a check compared. If it compared none, returns the last one that it used. */
function comparedExchange(
  label: string,
  { check, exchanges }: { readonly check: CheckResult; readonly exchanges: readonly ExchangeRecord[] },
): ReportRow['exchanges'] {
  const record = exchanges[check.exchange ?? check.exchanges.at(-1) ?? -1]
  return record ? [{ label, record }] : []
}

function compareGaps(a: readonly SideRun[], b: readonly SideRun[]): Comparison {
  const gapOf = ({ gaps }: SideRun, id: string) => gaps.find((one) => one.id === id)
  const ids = a.flatMap(({ gaps }) => gaps.map(({ id }) => id))
  /** The words in which the answers to each question differ. */
  const changes = new Map<string, string>()
  const { rows, ...counts } = compareValues(
    ids,
    [a, b],
    gapOf,
    ({ observed }, { runId }) => withoutNewParts(observed, runId),
    (id, one, other): ReportRow => {
      changes.set(id, changeOf(one.observed, other.observed))
      return {
        name: id,
        outcome: 'different',
        word: 'meaning',
        text: `${gap(one.id).question} A: ${truncate(one.observed, 300)}. B: ${truncate(other.observed, 300)}.`,
        exchanges: [],
      }
    },
  )
  // The same change in several answers has one cause; the first question shows what it is.
  const causes = groupsOf(rows, ({ name }) => changes.get(name) ?? name)
  return {
    ...counts,
    rows: causes.flatMap((same) => {
      const named = calledBy(
        same.map(({ name }) => name),
        'question',
      )
      return same.slice(0, 1).map((first) => ({ ...first, ...named }))
    }),
  }
}

/** Returns the words in which two texts differ, without those that they begin and end with. */
function changeOf(one: string, other: string): string {
  const [a, b] = [one, other].map((text) => text.split(/[\s,]+/))
  if (!a || !b) return ''
  const shortest = Math.min(a.length, b.length)
  let [begin, end] = [0, 0]
  while (begin < shortest && a[begin] === b[begin]) begin += 1
  while (end < shortest - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return [a, b].map((words) => words.slice(begin, words.length - end).join(' ')).join('\n')
}

/** Removes what is made anew in each run: identifiers, numbers and times. */
function withoutNewParts(text: string, runId: string): string {
  const common = runId === '' ? text : text.replaceAll(runId, newPart)
  return common
    .replaceAll(/https?:\/\/[^/\s"]+/g, '<origin>')
    .replaceAll(/[\w.:+-]+/g, (word) => (/\d/.test(word) && !/^\d{3}$/.test(word) ? newPart : word))
}

function compareOutcomes(a: readonly SideRun[], b: readonly SideRun[]): Comparison {
  const callOf = ({ calls }: SideRun, name: string) => {
    const call = calls.get(name)
    return call?.outcome === undefined || call.outcome === 'unsent' ? undefined : call
  }
  return compareValues(
    namesOf(a),
    [a, b],
    callOf,
    ({ outcome = '' }) => outcome,
    (name, one, other) => {
      const say = ({ outcome, record }: ComparedCall) => `${outcome} (${record?.status ?? 'no answer'})`
      const text = `It is ${say(one)} by A, and ${say(other)} by B.`
      return { name, outcome: 'different', word: 'meaning', text, exchanges: exchangesOf(one, other) }
    },
  )
}

const namesOf = (runs: readonly SideRun[]) => runs.flatMap(({ calls }) => [...calls.keys()])

function exchangesOf(a: ComparedCall, b: ComparedCall): ReportRow['exchanges'] {
  return [
    ...(a.record ? [{ label: 'A', record: a.record }] : []),
    ...(b.record ? [{ label: 'B', record: b.record }] : []),
  ]
}

/** Compares the values in the answers, by the rules of `shownDifferences`. */
function compareShown(a: readonly SideRun[], b: readonly SideRun[], reads: readonly ReadPlace[]): Comparison {
  const known = new Map(
    [...a, ...b].map((run) => {
      const all = [...run.calls.values()].flatMap((call) => recordsOf(call, run.runId))
      return [run, { approvers: approversIn(all), sent: sentIn(all), reads: readsOfExecuted(run) }]
    }),
  )
  const records = (runs: readonly SideRun[], name: string): ShownAnswer[] =>
    runs.flatMap((run) => {
      const { record, outcome = 'accepted' } = run.calls.get(name) ?? {}
      const about = known.get(run)
      if (!record || !about || outcome !== 'accepted') return []
      const { approvers, sent, reads } = about
      const group = reads.get(record)
      return [{ record: withoutRunId(record, run.runId), approvers, sent, still: group && stillPlaces(group) }]
    })
  const calls = [...new Set(namesOf(a))].map((name) => [name, records(a, name), records(b, name)] as const)
  const rows = shownDifferences(
    calls.filter(([, one, other]) => one.length === a.length && other.length === b.length),
    (text) => withoutNewParts(text, ''),
  ).map(({ call, places, text }): ReportRow => {
    const [one, other] = [a, b].map((runs) => runs[0]?.calls.get(call))
    if (!one?.record || !other) throw new TypeError('A difference is shown by both sides.')
    const read = readIn(
      one.record,
      places.map((place) => `${place} (value)`),
      reads,
    )
    return {
      ...{
        name: call,
        outcome: 'different',
        word: read.length > 0 ? 'read' : 'value',
        text: `${text}${sayReads(read)}`,
      },
      ...{ exchanges: exchangesOf(one, other), ...(read.length > 0 && { isRead: true }) },
    }
  })
  return { rows, noise: 0, compared: 0 }
}

/**
 * Returns the reads of executed workflows, each with all reads between the same executions. What differs between these depends on the
 * time since then, and on the pace of the approvers.
 */
function readsOfExecuted(run: SideRun): ReadonlyMap<ExchangeRecord, readonly ExchangeRecord[]> {
  /** The reads since the latest execution of each workflow, by its URL. */
  const latest = new Map<string, ExchangeRecord[]>()
  const found = new Map<ExchangeRecord, readonly ExchangeRecord[]>()
  for (const record of recordsIn(run)) {
    const { method, url } = record
    const reads = latest.get(url)
    if (method === 'POST' && url.endsWith('/execute')) latest.set(url.slice(0, -'/execute'.length), [])
    else if (method === 'GET' && reads) {
      reads.push(record)
      found.set(record, reads)
    }
  }
  return found
}

/** Returns the reads of executed workflows, each with all reads of the same workflow since its first execution that were answered alike. */
function readsSinceExecution(run: SideRun): (readonly [ExchangeRecord, readonly ExchangeRecord[]])[] {
  const reads = [...readsOfExecuted(run).keys()]
  return reads.map((read) => [read, reads.filter(({ url, status }) => url === read.url && status === read.status)])
}

const recordsOf = ({ record }: ComparedCall, runId: string) => (record ? [withoutRunId(record, runId)] : [])

/** Returns an exchange with the same texts in each run. */
function withoutRunId(record: ExchangeRecord, runId: string): ExchangeRecord {
  if (runId === '') return record
  const { requestBody, responseBody } = record
  const sent = requestBody === undefined ? {} : { requestBody: requestBody.replaceAll(runId, newPart) }
  return { ...record, ...sent, responseBody: responseBody.replaceAll(runId, newPart) }
}

/** Headers of caches and gateways, which say nothing about the service. A mock withholds others, or sets them itself. */
const passing = /^(date|server|vary|via|age|etag|retry-after|x-.*|cf-.*|access-control-.*|referrer-policy)$/

/** Compares the statuses, headers and shapes of the answers. A place counts if all runs of one side have it, and none of the other. */
function compareAnswers(a: readonly SideRun[], b: readonly SideRun[], needed: readonly ReadPlace[]): Comparison {
  const rows: ReportRow[] = []
  const found: PlaceDifference[] = []
  let [noise, compared] = [0, 0]
  const since = new Map([...a, ...b].flatMap(readsSinceExecution))
  for (const name of new Set(namesOf(a))) {
    const [first, second] = [a, b].map((runs) => runs.flatMap(({ calls }) => calls.get(name) ?? []))
    const [one, other] = [first?.[0], second?.[0]]
    if (!one?.record || !other?.record || first?.length !== a.length || second?.length !== b.length) continue
    // What became of the call was compared before.
    if (one.outcome !== undefined && one.outcome !== other.outcome) continue
    compared += 1
    const refused = [first, second].map(
      (calls = []) => new Set(calls.map(({ record }) => (record?.status ?? 0) >= 400)),
    )
    const [isRefused, isOtherRefused] = refused.map((shown) => (shown.size === 1 ? [...shown][0] : undefined))
    if (isRefused !== undefined && isOtherRefused !== undefined && isRefused !== isOtherRefused) {
      const say = ({ record }: ComparedCall) =>
        `${(record?.status ?? 0) >= 400 ? 'refused' : 'accepted'} (${record?.status})`
      const text = `It is ${say(one)} by A, and ${say(other)} by B.`
      rows.push({ name, outcome: 'different', word: 'meaning', text, exchanges: exchangesOf(one, other) })
      continue
    }
    const [left, right] = [first, second].map((calls) => (calls ?? []).map(({ record }) => placesIn(record)))
    // A place that only some reads since the execution have moves with time: one side may only be faster.
    const sets = [first ?? [], second ?? []].map((calls) =>
      calls.map(({ record }) => ((record && since.get(record)) ?? [record]).map(placesIn)),
    )
    const all = new Set([...(left ?? []), ...(right ?? [])].flatMap((places) => [...places]))
    const only = sets.map((own, side) =>
      [...all].filter(
        (place) =>
          own.flat().every((places) => places.has(place)) &&
          !sets[1 - side]?.flat().some((places) => places.has(place)),
      ),
    )
    if (only.every((places) => places.length === 0)) {
      noise += Number([left ?? [], right ?? []].some((own) => own.some((places) => places.size !== own[0]?.size)))
      continue
    }
    const read = readIn(one.record, only.flat(), needed)
    for (const [side, places] of only.entries()) {
      for (const place of withoutParts(places, read))
        found.push({ name, side, place, read, exchanges: exchangesOf(one, other) })
    }
  }
  return { rows: [...rows, ...rowsByCause(found)], noise, compared }
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
  return places
    .map((place) => ({ place, pointer: pointerOf(place) }))
    .flatMap(({ place, pointer }) => {
      const isPart = missing.has(parentOf(pointer))
      return isPart && !read.some((one) => one.place === pointer) ? [] : [place]
    })
}

/** Returns one row for all places that differ in the same calls, since they probably have one cause. */
function rowsByCause(found: readonly PlaceDifference[]): ReportRow[] {
  const places = groupsOf(found, ({ side, place }) => `${side} ${place}`)
  const causes = groupsOf(places, (same) => same.map(({ name }) => name).join('\n'))
  return causes.map((cause): ReportRow => {
    const [calls = []] = cause
    const [first] = calls
    if (!first) throw new TypeError('A cause has at least one place in one call.')
    const at = new Set(cause.flatMap(([one]) => (one ? [pointerOf(one.place)] : [])))
    const read = [...new Set(cause.flat().flatMap((one) => one.read))].filter(({ place }) => at.has(place))
    const isRead = (place: string) => read.some((one) => one.place === pointerOf(place))
    const only = ['A', 'B'].flatMap((name, side) => {
      const own = cause.flatMap(([one]) => (one?.side === side ? [one.place] : []))
      const readFirst = own.toSorted((one, other) => Number(isRead(other)) - Number(isRead(one)))
      return own.length === 0 ? [] : [`Only ${name}: ${firstOf(readFirst, mostPlaces)}.`]
    })
    return {
      ...calledBy(calls.map(({ name }) => name)),
      outcome: 'different',
      word: read.length > 0 ? 'read' : 'shape',
      text: `${only.join(' ')}${sayReads(read)}`,
      exchanges: first.exchanges,
      ...(read.length > 0 && { isRead: true }),
    }
  })
}

/** Returns the differing places of an answer that a front end reads; `differing` have their types in parentheses. */
function readIn(
  { method, url, status = 0 }: ExchangeRecord,
  differing: readonly string[],
  reads: readonly ReadPlace[],
): ReadPlace[] {
  const operation = callAt(method, url)
  return reads.filter(
    (read) =>
      read.operation === operation &&
      read.status < 400 === status < 400 &&
      differing.some((place) => place.startsWith(`${read.place} (`)),
  )
}

function sayReads(read: readonly ReadPlace[]): string {
  if (read.length === 0) return ''
  const tests = [...new Set(read.flatMap((one) => one.tests))]
  const places = [...new Set(read.map(({ place }) => place))]
  return ` The front end reads ${firstOf(places, mostPlaces)}${tests.length > 0 ? ` (${firstOf(tests)})` : ''}.`
}

/** Returns the status, the names of headers, and the places of values with their types. */
function placesIn(record: ExchangeRecord | undefined): Set<string> {
  if (!record) return new Set()
  const json = parseJson(new TextEncoder().encode(record.responseBody))
  const headers = Object.keys(record.responseHeaders).map((name) => name.toLowerCase())
  const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)
  return new Set([
    `status ${record.status}`,
    ...headers.filter((name) => !passing.test(name) && !withheld.has(name)).map((name) => `header ${name}`),
    ...membersOf(json).map(({ pointer, value }) => `${starred(pointer)} (${typeOf(value)})`),
  ])
}
