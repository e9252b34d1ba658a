/** Counts of executions that contradict a list of them, another count, or what was started. */
import { isObject } from '../../../src/contract/json.ts'
import {
  type Count,
  countersIn,
  countIn,
  countOnlyOutcomes,
  countsIn,
  executionLists,
  isStale,
  totalsIn,
} from '../counts.ts'
import { type Located, lastName, parentOf, valueAt } from '../locate.ts'
import { leavesOf } from '../places.ts'
import { hasRole, mentionsRole, termsOf } from '../vocabulary.ts'
import { type Contradiction, contradiction } from './contradiction.ts'

const what = 'executions-started'

/** Returns the pointers to lists of executions. Those of a tenant or a team list others too. */
const ownLists = (json: unknown) =>
  [...executionLists(json).keys()].filter((pointer) => !mentionsRole(pointer.split('/').flatMap(termsOf), 'other'))

/** Returns the first total of executions with an objection to it. */
function wrongTotal(
  json: unknown,
  rule: string,
  objectionTo: (total: Count) => string | undefined,
): Contradiction | undefined {
  for (const total of totalsIn(json)) {
    const objection = objectionTo(total)
    const { place, value } = total
    if (objection !== undefined) {
      return contradiction(what, [place, value], rule, `${place} is ${value}, but ${objection}`)
    }
  }
  return undefined
}

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
  if (list === undefined || isStale(before, json) || holds(list, others) || countOnlyOutcomes(json)) return undefined
  const listed = executionLists(json).get(list) ?? 0
  const rule = 'is called a count of executions, and stands in details that list them'
  return (
    wrongTotal(json, rule, ({ value }) => (value < listed ? `${list} lists ${listed}` : undefined)) ??
    uncounted(json, list, listed)
  )
}

/**
 * Finds counts of executions whose sum is less than the length of a list of running executions. Such executions have no results yet,
 * so only these counts can include them.
 */
function uncounted(json: unknown, list: string, listed: number): Contradiction | undefined {
  const [first] = countersIn(json)
  const isTime = ({ place }: Count) => mentionsRole(termsOf(lastName(place)), 'duration', 'average', 'rate', 'estimate')
  const counted = countsIn(json).filter((one) => !isTime(one))
  const total = counted.reduce((sum, { value }) => sum + Math.max(value, 0), 0)
  if (!first || total >= listed || !areRunning(json, list)) return undefined
  const all = countersIn(json).map(({ place, value }) => `${place} is ${value}`)
  const rule = 'counts executions by its name, beside a list of some that are at work'
  return contradiction(
    what,
    [first.place, first.value],
    rule,
    `${all.join(' and ')}, but ${list} lists ${listed} at work`,
  )
}

/** Returns true if each execution of a list says that it is running. */
const areRunning = (json: unknown, list: string) =>
  Object.values(valueAt(json, list) ?? {}).every((item) =>
    Object.values(isObject(item) ? item : {}).some(
      (value) => typeof value === 'string' && termsOf(value).every((term) => hasRole(term, 'atWork')),
    ),
  )

/** Finds a total of executions that is smaller than in an earlier answer about the same workflow. */
export function lostCount(earlier: unknown, later: unknown): Contradiction | undefined {
  return wrongTotal(later, 'is called a count of executions, and was larger before', (total) => {
    const old = countIn(totalsIn(earlier), total)
    return total.value < old ? `was ${old} before` : undefined
  })
}

/** Returns true if no total of executions has grown between two answers, although one had counted some before. */
export function totalsStand(before: unknown, json: unknown): boolean {
  const earlier = totalsIn(before)
  const hasGrown = (total: Count) => total.value > countIn(earlier, total)
  return earlier.some(({ value }) => value > 0) && !totalsIn(json).some(hasGrown)
}

/**
 * Finds a total that has not grown although another execution of the workflow was accepted. `begun` are the details right after the
 * first execution: a total that had not counted it yet may count only executions that have ended. `counted` are figures that follow the
 * executions under any name.
 */
export function stuckCount(
  begun: unknown,
  before: unknown,
  json: unknown,
  counted: readonly string[] = [],
): Contradiction | undefined {
  const stuck = counted.find((place) => valueAt(before, place) === valueAt(json, place))
  const found = 'another execution was accepted since then'
  if (stuck !== undefined) {
    const rule = 'follows the executions of the workflow'
    return contradiction(what, [stuck, valueAt(json, stuck)], rule, `${stuck} is ${valueAt(json, stuck)}, but ${found}`)
  }
  if (countOnlyOutcomes(json)) return undefined
  // An execution may wait for the end of another one, and count only then.
  const isQueued = ({ place }: Count) => mentionsRole(termsOf(lastName(place)), 'open', 'task')
  if (countsIn(json).some((one) => isQueued(one) && one.value > countIn(countsIn(before), one))) return undefined
  const isSame = (one: Count) => [begun, before].every((read) => countIn(totalsIn(read), one) === one.value)
  return wrongTotal(json, 'is called a count of executions, and has counted the first at once', (total) =>
    total.value > 0 && isSame(total) ? found : undefined,
  )
}

/** Finds a total of executions that is larger than the number of executions that were ever accepted for the workflow. */
export function moreThanStarted(json: unknown, started: number): Contradiction | undefined {
  return wrongTotal(json, 'is called a count of executions', ({ value }) =>
    value > started ? `${started} executions of this workflow were started` : undefined,
  )
}

/** Finds a count of ended executions that is larger than the total beside it. */
export function partAboveTotal(json: unknown): Contradiction | undefined {
  for (const total of totalsIn(json)) {
    const part = countsIn(json).find(
      ({ place, value, kind, isNamedForExecutions }) =>
        value > total.value && parentOf(place) === parentOf(total.place) && isOutcome(kind) && isNamedForExecutions,
    )
    if (!part) continue
    const rule = 'is called a count of executions that have ended, beside their total'
    const message = `${part.place} is ${part.value}, but ${total.place} is ${total.value}`
    return contradiction(what, [part.place, part.value], rule, message)
  }
  return undefined
}

const isOutcome = (kind: Count['kind']) => kind === 'ended' || kind === 'denied'

/**
 * Finds a count of ended executions that counts running ones too: as many have ended as are listed as running, together more than the
 * `started` ones. Returns `'sound'` if running ones are listed that have not ended, and undefined if that is unknown: once a step has
 * ended, the figure may count steps.
 */
export function endedYetRunning(json: unknown, started: number): Contradiction | 'sound' | undefined {
  const lengths = executionLists(json)
  const list = ownLists(json).find((one) => (lengths.get(one) ?? 0) > 0 && areRunning(json, one))
  const saysEnded = (value: unknown) => typeof value === 'string' && mentionsRole(termsOf(value), 'ended')
  if (list === undefined || leavesOf(valueAt(json, list)).some(({ value }) => saysEnded(value))) return undefined
  const length = lengths.get(list) ?? 0
  const isOfSteps = (pointer: string) =>
    mentionsRole(pointer.split('/').flatMap(termsOf), 'step', 'task', 'person', 'other')
  const ended = countsIn(json).find(
    ({ place, value, kind, isOfExecutions }) => value > 0 && kind === 'ended' && isOfExecutions && !isOfSteps(place),
  )
  if (!ended || ended.value < length) return 'sound'
  if (ended.value !== length || ended.value + length <= started) return undefined
  const rule = 'is called a count of executions that have ended, beside a list of running ones'
  const message = `${ended.place} is ${ended.value}, but ${list} shows ${length} running, and no more than ${started} were started`
  return contradiction(what, [ended.place, ended.value], rule, message)
}

/** Finds an execution of another workflow beside that of the details' own, in a list longer than a proven count. */
export function mixedIn(
  json: unknown,
  own: readonly string[],
  others: readonly string[],
  counts: ReadonlyMap<string, number>,
): Contradiction | undefined {
  for (const list of ownLists(json)) {
    const shown = leavesOf(valueAt(json, list))
    const size = executionLists(json).get(list) ?? 0
    const counted = [...counts].find(([place, count]) => place !== list && count < size)
    const other = shown.find(({ value }) => others.includes(String(value)))
    if (!counted || !other || !shown.some(({ value }) => own.includes(String(value)))) continue
    const message = `${list} shows the execution ${JSON.stringify(other.value)} of another workflow, and ${counted[0]} counts ${counted[1]}`
    const rule = 'is in a list that shows the own execution'
    return contradiction('execution.execution_id', [list + other.pointer, other.value], rule, message, 'proven')
  }
  return undefined
}
