/** Finds figures of details that contradict other parts of the same answer, or an earlier answer about the same workflow. */
import { isObject } from '../../src/contract/json.ts'
import { figureOf, findAnalytics, impossibleFigure, isPlainlyNamed } from './analytics.ts'
import {
  countOnlyOutcomes,
  executionCounters,
  executionFigures,
  executionTotals,
  figuresOfExecutions,
} from './counters.ts'
import type { Finding } from './finding.ts'
import { isWithin, type Located, lastName, membersOf, normalizeName, valueAt } from './locate.ts'
import { leavesOf, stepListsIn } from './places.ts'
import { executionLists, isStale, mayBeNewer } from './progress.ts'
import { hasRole, isNamed, isWrapping, mentionsRole, termsOf } from './vocabulary.ts'

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

/** Returns the pointers to lists of executions. Those of a tenant or a team list others too. */
const ownLists = (json: unknown) =>
  [...executionLists(json).keys()].filter((pointer) => !mentionsRole(pointer.split('/').flatMap(termsOf), 'other'))

/** Returns the pointers to lists of executions that show one of these identifiers. */
const listsShowing = (json: unknown, ids: readonly string[]) =>
  ownLists(json).filter((list) => leavesOf(valueAt(json, list)).some(({ value }) => ids.includes(String(value))))

/**
 * Finds a total of executions that is smaller than a list of them. `own` are the places of what the details show of an execution of
 * the workflow, and `others` of another one, which must not be in the list.
 */
export function fewerThanListed(
  before: unknown,
  json: unknown,
  own: readonly Located[],
  others: readonly Located[] = [],
): Contradiction | undefined {
  const holds = (list: string, some: readonly Located[]) => some.some(({ pointer }) => pointer.startsWith(`${list}/`))
  const list = ownLists(json).find((one) => holds(one, own))
  if (list === undefined || isStale(before, json) || holds(list, others)) return undefined
  if (countOnlyOutcomes(executionFigures(json), executionCounters(json))) return undefined
  const listed = executionLists(json).get(list) ?? 0
  const rule = 'is called a count of executions, and stands in details that list them'
  return (
    wrongTotal(json, rule, (value) => (value < listed ? `${list} lists ${listed}` : undefined)) ??
    uncounted(json, list, listed)
  )
}

/**
 * Finds counts of executions whose sum is less than the length of a list of running executions. Such executions have no results yet,
 * so only these counts can include them.
 */
function uncounted(json: unknown, list: string, listed: number): Contradiction | undefined {
  const counters = [...executionCounters(json)]
  const [first] = counters
  const isTime = (pointer: string) =>
    mentionsRole(termsOf(lastName(pointer)), 'duration', 'average', 'rate', 'estimate')
  const counted = [...executionFigures(json)].filter(([pointer]) => !isTime(pointer))
  const total = counted.reduce((sum, [, count]) => sum + Math.max(count, 0), 0)
  if (!first || total >= listed || !areRunning(json, list)) return undefined
  const [place, value] = first
  const rule = 'counts executions by its name, beside a list of some that are at work'
  const finding: Finding = { ...inDetails, what: 'executions-started', value, place, rule, strength: 'named' }
  const all = counters.map(([pointer, count]) => `${pointer} is ${count}`).join(' and ')
  return { finding, message: `${all}, but ${list} lists ${listed} at work` }
}

/** Returns true if each execution of a list says that it is running. */
const areRunning = (json: unknown, list: string) =>
  Object.values(valueAt(json, list) ?? {}).every((item) =>
    Object.values(isObject(item) ? item : {}).some(
      (value) => typeof value === 'string' && termsOf(value).every((term) => hasRole(term, 'atWork')),
    ),
  )

/** Returns the first list of executions that are all running, with its length. */
export function runningList(json: unknown): readonly [pointer: string, length: number] | undefined {
  const lengths = executionLists(json)
  const found = ownLists(json).find((list) => (lengths.get(list) ?? 0) > 0 && areRunning(json, list))
  return found === undefined ? undefined : [found, lengths.get(found) ?? 0]
}

/** Finds a total of executions that is smaller than in an earlier answer about the same workflow. */
export function lostCount(earlier: unknown, later: unknown): Contradiction | undefined {
  const before = executionTotals(earlier)
  return wrongTotal(later, 'is called a count of executions, and was larger before', (value, place) => {
    const old = before.get(place) ?? 0
    return value < old ? `was ${old} before` : undefined
  })
}

/** Returns true if no total of executions has grown between two answers, although one had counted some before. */
export function totalsStand(before: unknown, json: unknown): boolean {
  const [earlier, later] = [executionTotals(before), executionTotals(json)]
  return (
    [...earlier.values()].some((count) => count > 0) &&
    [...later].every(([place, count]) => count <= (earlier.get(place) ?? 0))
  )
}

/**
 * Finds a total that has not grown although another execution of the workflow was accepted. `begun` are the details right after the
 * first execution: a total that had not counted it yet may count only executions that have ended.
 */
export function stuckCount(begun: unknown, before: unknown, json: unknown): Contradiction | undefined {
  const [first, earlier] = [executionTotals(begun), executionTotals(before)]
  if (isStale(before, json) || countOnlyOutcomes(executionFigures(json), executionCounters(json))) return undefined
  // An execution may wait for the end of another one, and count only then.
  const [old, figures] = [executionFigures(before), executionFigures(json)]
  const saysQueued = (pointer: string) => mentionsRole(termsOf(lastName(pointer)), 'open', 'task')
  if ([...figures].some(([pointer, value]) => saysQueued(pointer) && value > (old.get(pointer) ?? 0))) return undefined
  return wrongTotal(json, 'is called a count of executions, and has counted the first at once', (value, place) =>
    value > 0 && value === first.get(place) && value === earlier.get(place)
      ? 'another execution was accepted since then'
      : undefined,
  )
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
  const value = figureOf(fact, valueAt(json, place))
  const beside = [...counts.keys()].find((counter) => place.startsWith(`${sectionOf(counter)}/`))
  const executions = Math.max(...counts.values(), 0)
  // Some deployments add a success and a failure to the counts, so that few executions do not decide: (1 + 0) / (1 + 2).
  const isTooSmall = beside !== undefined && value !== undefined && value > 1 && value < 100 / (executions + 2)
  const isOut =
    value !== undefined &&
    ((value < 0 && valueAt(json, place) !== -1) || (fact === 'success-rate' && (value > 100 || isTooSmall)))
  if (!isOut) return undefined
  const isNamed = beside !== undefined && isPlainlyNamed(place.slice(sectionOf(beside).length), fact)
  const own = { ...inDetails, what: fact, value, place }
  const rule = isNamed ? 'is called nothing else, beside a proven count of executions' : 'its name alone'
  const why = isTooSmall ? `no rate of ${executions} executions is` : 'which is impossible'
  return {
    finding: { ...own, rule, strength: isNamed ? 'named' : 'likely' },
    message: `${place} is ${value}, ${why}`,
  }
}

/**
 * Finds a success rate of 0 beside counts of executions that have ended, of which not all were denied. A rate of 1 beside denied ones is
 * none: a success may be any execution that has ended without an error.
 */
export function rateOfNone(
  json: unknown,
  counts: ReadonlyMap<string, number>,
  earlier: readonly unknown[] = [],
): Contradiction | undefined {
  const place = findAnalytics(json, 'success-rate')?.place
  const section =
    place === undefined ? undefined : [...counts.keys()].map(sectionOf).find((one) => place.startsWith(`${one}/`))
  if (place === undefined || section === undefined || figureOf('success-rate', valueAt(json, place)) !== 0)
    return undefined
  if (!isPlainlyNamed(place.slice(section.length), 'success-rate')) return undefined
  const outcomes = [...figuresOfExecutions(json)].filter(
    ([pointer]) => pointer.startsWith(`${section}/`) && isOutcome(lastName(pointer)),
  )
  const isDenied = (pointer: string) => mentionsRole(termsOf(pointer), 'denied')
  const denied = outcomes.filter(([pointer]) => isDenied(pointer))
  const total = denied.reduce((sum, [, count]) => sum + count, 0)
  // A count of all that have ended contains those that were denied.
  const ended = outcomes.find(([pointer, count]) => count > total && !isDenied(pointer))
  if (!ended || denied.length === 0) return undefined
  if (mayBeNewer(earlier, json, ended[0])) return undefined
  const rule = 'is called nothing else, beside counts of the same executions'
  return {
    finding: { ...inDetails, what: 'success-rate', value: 0, place, rule, strength: 'named' },
    message: `${place} is 0, but ${ended[0]} is ${ended[1]}, and ${denied.map(([pointer, count]) => `${pointer} is ${count}`).join(' and ')}`,
  }
}

/** Returns true if a name says only how executions have ended. */
export const isOutcome = (name: string) =>
  mentionsRole(termsOf(name), 'ended') &&
  termsOf(name).every((term) => hasRole(term, 'ended', 'execution', 'count', 'linking'))

/** Finds a negative duration in the performance of a step. Overruns and changes may be negative, and -1 a placeholder. */
export function negativeDuration(
  json: unknown,
  section: string,
  steps: readonly SentStep[],
): Contradiction | undefined {
  const lists = stepListsIn(json, steps).filter(({ pointer }) => isWithin(pointer, section))
  for (const { pointer, items } of lists) {
    for (const { step, item } of items) {
      const found = leavesOf(item).find(
        ({ pointer: member, value }) =>
          isDuration(member) && value !== -1 && (figureOf('completion-time', value) ?? 0) < 0,
      )
      if (!found) continue
      const rule = 'is called a duration, beside a step that was sent'
      const own = { ...inDetails, what: 'step_performance', value: found.value, place: `${pointer}/*${found.pointer}` }
      return {
        finding: { ...own, rule, strength: 'named' },
        message: `${own.place} of ${show(step.step_id)} is ${show(found.value)}, which is impossible`,
      }
    }
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

/** Returns the pointer to the outermost object around a figure that is not an envelope; the figure itself may be in the envelope. */
export function sectionOf(pointer: string): string {
  const names = pointer.split('/')
  const first = names.findIndex((name, depth) => depth > 0 && !isWrapping(name))
  return names.slice(0, Math.min(first + 1, names.length - 1)).join('/')
}

/** Finds a list of the performance of steps that lacks some that the details show, although none has been worked on. */
export function lackingSteps(json: unknown, section: string, steps: readonly SentStep[]): Contradiction | undefined {
  const all = stepListsIn(json, steps)
  const lists = all.filter(({ pointer }) => isWithin(pointer, section))
  const first = lists[0] ?? listOfOne(json, section, steps)
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

/** Returns the list in a section whose only item identifies one of several steps, if the section mentions no other step. */
function listOfOne(json: unknown, section: string, steps: readonly SentStep[]) {
  const named = leavesOf(valueAt(json, section)).flatMap(({ pointer, value }) => {
    const step = steps.find(({ step_id }) => step_id === value)
    return step ? [{ pointer, step }] : []
  })
  const [only] = named
  const [, list] = only?.pointer.match(/^(.*)\/0\/[^/]+$/) ?? []
  if (!only || list === undefined || named.length > 1 || steps.length < 2) return undefined
  const items = valueAt(json, section + list)
  return Array.isArray(items) && items.length === 1 ? { pointer: section + list, items: [only] } : undefined
}

/** Finds a bottleneck in a step that was not sent, under a name that shows only steps that were sent everywhere else. */
export function bottleneckElsewhere(json: unknown, steps: readonly SentStep[]): Contradiction | undefined {
  const section = findAnalytics(json, 'bottlenecks')?.place
  if (section === undefined) return undefined
  const sent: readonly unknown[] = steps.map(({ step_id }) => step_id)
  const members = membersOf(json).filter(({ value }) => typeof value === 'string' && !meansNone(value))
  const found = members.find(({ pointer, name, value }) => {
    if (!isWithin(pointer, section) || sent.includes(value)) return false
    const outside = members.filter((one) => !isWithin(one.pointer, section))
    // A deployment may show identifiers of its own beside those that were sent.
    if (outside.some((one) => one.value === value)) return false
    const others = outside.filter((one) => normalizeName(one.name) === normalizeName(name))
    return new Set(others.map((one) => one.value)).size > 1 && others.every((one) => sent.includes(one.value))
  })
  if (!found) return undefined
  const { pointer: place, value, name } = found
  const rule = `${name} shows identifiers of the sent steps everywhere else`
  const finding: Finding = { ...inDetails, what: 'bottlenecks', value, place, rule, strength: 'proven' }
  return { finding, message: `${place} is ${show(value)}, which no step has` }
}

/** Returns true if a text stands for null: an empty one, a dash, `none`. */
const meansNone = (text: string) => !/[\p{L}\p{N}]/u.test(text) || isNamed(text, 'empty')

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
