/** Finds figures of details that contradict other parts of the same answer, or an earlier answer about the same workflow. */
import { findAnalytics, impossibleFigure, isPlainlyNamed } from './analytics.ts'
import { countOnlyOutcomes, executionCounters, executionFigures, executionTotals } from './counters.ts'
import type { Finding } from './finding.ts'
import { membersOf, normalizeName, valueAt } from './locate.ts'
import { leavesOf, numberOf, stepListsIn } from './places.ts'
import { executionLists, isStale } from './progress.ts'
import { mentionsRole, termsOf } from './vocabulary.ts'

/** A place whose value contradicts another part of an answer. */
export interface Contradiction {
  readonly finding: Finding
  /** What contradicts the value, as a sentence without its full stop. */
  readonly message: string
}

interface SentStep {
  readonly step_id: string
  readonly name: string
}

const inDetails = { answer: 'details', rejected: [] } as const
const show = (value: unknown) => JSON.stringify(value)

/** Returns the pointers to lists of executions that show one of these identifiers. Those of a tenant or a team list others too. */
function listsShowing(json: unknown, ids: readonly string[]): string[] {
  return [...executionLists(json).keys()].filter((pointer) => {
    if (mentionsRole(pointer.split('/').flatMap(termsOf), 'other')) return false
    return leavesOf(valueAt(json, pointer)).some(({ value }) => ids.includes(String(value)))
  })
}

/**
 * Finds a total of executions that is smaller than a list of them. `ids` identify an execution of the workflow, and `others` those of
 * another, which must not be in the list.
 */
export function fewerThanListed(
  before: unknown,
  json: unknown,
  ids: readonly string[],
  others: readonly string[] = [],
): Contradiction | undefined {
  const [list] = listsShowing(json, ids)
  if (list === undefined || isStale(before, json) || listsShowing(json, others).includes(list)) return undefined
  if (countOnlyOutcomes(executionFigures(json), executionCounters(json))) return undefined
  const listed = executionLists(json).get(list) ?? 0
  const rule = 'is called a count of executions, and stands in details that list them'
  return wrongTotal(json, rule, (value) => (value < listed ? `${list} lists ${listed}` : undefined))
}

/** Finds a total of executions that is smaller than in an earlier answer about the same workflow. */
export function lostCount(earlier: unknown, later: unknown): Contradiction | undefined {
  const before = executionTotals(earlier)
  return wrongTotal(later, 'is called a count of executions, and was larger before', (value, place) => {
    const old = before.get(place) ?? 0
    return value < old ? `was ${old} before` : undefined
  })
}

/**
 * Finds a success rate or a completion time that no executions can have. `counts` are the proven counts of executions by place: of
 * few executions, a rate above 1 is a percentage of at least some size.
 */
export function impossible(
  json: unknown,
  fact: 'success-rate' | 'completion-time',
  counts: ReadonlyMap<string, number>,
): Contradiction | undefined {
  const place = impossibleFigure(json, fact) ?? findAnalytics(json, fact)?.place
  if (place === undefined) return undefined
  const value = numberOf(valueAt(json, place))
  const beside = [...counts.keys()].find((counter) => place.startsWith(`${parentOf(counter)}/`))
  const executions = Math.max(...counts.values(), 0)
  // Some deployments add a success and a failure to the counts, so that few executions do not decide: (1 + 0) / (1 + 2).
  const isTooSmall = beside !== undefined && value !== undefined && value > 1 && value < 100 / (executions + 2)
  const isOut = value !== undefined && (value < 0 || (fact === 'success-rate' && (value > 100 || isTooSmall)))
  if (!isOut) return undefined
  const isNamed = beside !== undefined && isPlainlyNamed(place.slice(parentOf(beside).length), fact)
  const own = { ...inDetails, what: fact, value, place }
  const rule = isNamed ? 'is called nothing else, beside a proven count of executions' : 'its name alone'
  const why = isTooSmall ? `no rate of ${executions} executions is` : 'which is impossible'
  return {
    finding: { ...own, rule, strength: isNamed ? 'named' : 'likely' },
    message: `${place} is ${value}, ${why}`,
  }
}

const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'))

/** Finds a list of the performance of steps that lacks some that the details show, although none has been worked on. */
export function lackingSteps(json: unknown, section: string, steps: readonly SentStep[]): Contradiction | undefined {
  const all = stepListsIn(json, steps)
  const lists = all.filter(({ pointer }) => `${pointer}/`.startsWith(`${section}/`))
  const [first] = lists
  // If no other list shows all steps, the workflow itself may lack one.
  if (!all.some(({ pointer, items }) => !pointer.startsWith(section) && items.length === steps.length)) return undefined
  if (!first || lists.some(({ items }) => items.length >= steps.length)) return undefined
  const shown = new Set(first.items.map(({ step }) => step))
  const missing = steps.find((step) => !shown.has(step))
  const rule = 'shows steps that were sent, before any has been worked on'
  const own = { ...inDetails, what: 'step_performance', value: first.items.length, place: `${first.pointer}/*` }
  return (
    missing && {
      finding: { ...own, rule, strength: 'named' },
      message: `${first.pointer} lacks ${show(missing.step_id)}`,
    }
  )
}

/** Finds a bottleneck in a step that was not sent, under a name that shows only steps that were sent everywhere else. */
export function bottleneckElsewhere(json: unknown, steps: readonly SentStep[]): Contradiction | undefined {
  const section = findAnalytics(json, 'bottlenecks')?.place
  if (section === undefined) return undefined
  const isWithin = (pointer: string) => `${pointer}/`.startsWith(`${section}/`)
  const sent: readonly unknown[] = steps.map(({ step_id }) => step_id)
  const members = membersOf(json).filter(({ value }) => typeof value === 'string')
  const found = members.find(({ pointer, name, value }) => {
    if (!isWithin(pointer) || sent.includes(value)) return false
    const others = members.filter((one) => !isWithin(one.pointer) && normalizeName(one.name) === normalizeName(name))
    return new Set(others.map((one) => one.value)).size > 1 && others.every((one) => sent.includes(one.value))
  })
  if (!found) return undefined
  const { pointer: place, value, name } = found
  const rule = `${name} shows identifiers of the sent steps everywhere else`
  const finding: Finding = { ...inDetails, what: 'bottlenecks', value, place, rule, strength: 'proven' }
  return { finding, message: `${place} is ${show(value)}, which no step has` }
}

/** Finds a total of executions that is larger than the number of executions that were ever accepted for the workflow. */
export function moreThanStarted(json: unknown, started: number): Contradiction | undefined {
  return wrongTotal(json, 'is called a count of executions', (value) =>
    value > started ? `${started} executions of this workflow were started` : undefined,
  )
}

/** Returns the first total of executions with an objection to it. */
function wrongTotal(
  json: unknown,
  rule: string,
  objectionTo: (value: number, place: string) => string | undefined,
): Contradiction | undefined {
  for (const [place, value] of executionTotals(json)) {
    const objection = objectionTo(value, place)
    if (objection === undefined) continue
    const finding: Finding = { ...inDetails, what: 'executions-started', value, place, rule, strength: 'named' }
    return { finding, message: `${place} is ${value}, but ${objection}` }
  }
  return undefined
}

/** Finds an execution of another workflow beside that of the details' own, in a list longer than a proven count. */
export function mixedIn(
  json: unknown,
  own: readonly string[],
  others: readonly string[],
  counts: ReadonlyMap<string, number>,
): Contradiction | undefined {
  for (const list of listsShowing(json, own)) {
    const size = executionLists(json).get(list) ?? 0
    const counted = [...counts].find(([place, count]) => place !== list && count < size)
    const other = leavesOf(valueAt(json, list)).find(({ value }) => others.includes(String(value)))
    if (!counted || !other) continue
    const place = list + other.pointer
    const rule = 'is in a list that shows the own execution'
    const finding: Finding = {
      ...inDetails,
      what: 'execution.execution_id',
      value: other.value,
      place,
      rule,
      strength: 'proven',
    }
    return {
      finding,
      message: `${list} shows the execution ${show(other.value)} of another workflow, and ${counted[0]} counts ${counted[1]}`,
    }
  }
  return undefined
}
