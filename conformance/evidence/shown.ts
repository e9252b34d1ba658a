/** Reads the sent values in the answers of a deployment, at places found by value, by name, or by likelihood, in this order. */

import type { LocatorName, ShownName } from '../../src/profile/profile.ts'
import { countersIn, executionLists } from '../reading/counts.ts'
import type { Finding, Strength } from '../reading/finding.ts'
import { type Located, membersOf, parentOf, valueAt } from '../reading/locate.ts'
import { executionFindings, type Reading } from '../reading/movement.ts'
import { isSameLeaf } from '../reading/places.ts'
import { locatedAt } from '../reading/plain.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import { type Evidence, resultIfSucceeded } from './evidence.ts'
import { executedDetails } from './executions.ts'
import type { Compared } from './particulars.ts'
import { findingAt } from './show.ts'
import { workflow } from './workflows.ts'

export const byProfile = 'the profile says so'
const started = 'executions-started'

/** Finds the figures of the details that count executions of a workflow, by their changes and their names. */
export function counters(evidence: Evidence): readonly Finding[] {
  return evidence.once('counters', () => {
    const place = evidence.settings.profile.locators?.[started]
    const found = executionFindings(readingsOf(evidence)).map((one) => ({ ...one, answer: 'details' }))
    if (place === undefined) return found
    const given = findingAt(started, 'details', place, undefined, byProfile, 'named')
    return [given, ...found.filter((one) => one.place !== place)]
  })
}

function readingsOf(evidence: Evidence): Reading[] {
  const reading = (which: 1 | 2, executions: number, read: () => Exchange) => {
    const id = resultIfSucceeded(() => workflow(evidence, which).id.value)
    const answer = resultIfSucceeded(read)
    return id !== undefined && answer && succeeded(answer)
      ? [{ workflow: String(id), executions, details: answer.json }]
      : []
  }
  return [
    ...reading(1, 0, () => workflow(evidence, 1).details),
    ...reading(2, 0, () => workflow(evidence, 2).details),
    ...reading(1, 1, () => executedDetails(evidence, 1).after),
    ...reading(2, 0, () => evidence.last('read workflow 2 beside')),
    ...reading(2, 1, () => evidence.last('settle workflow 2')),
    ...reading(1, 1, () => evidence.last('read workflow 1 afterwards')),
  ]
}

/** Returns the finding of the figure at a place; a likely one if only its name identifies it. */
export function counterAt(evidence: Evidence, place: string): Finding {
  const known = counters(evidence).find((one) => one.place === place)
  return known ?? findingAt(started, 'details', place, undefined, 'is called a count of executions', 'likely')
}

/** Returns the strongest finding of a figure or list that should count executions but does not change, with its value. */
export function still(evidence: Evidence, exchange: Exchange): [Finding, Compared] {
  const counter = stillCounter(evidence)
  return [counter, { exchange, ...(counter.place !== '' && { shown: valueAt(exchange.json, counter.place) }) }]
}

function stillCounter(evidence: Evidence): Finding {
  const { after } = executedDetails(evidence, 1)
  const places = [...countersIn(after.json).map(({ place }) => place), ...executionLists(after.json).keys()]
  const found = places.map((place) => counterAt(evidence, place))
  return found.find(({ strength }) => strength !== 'likely') ?? found[0] ?? counterAt(evidence, '')
}

/** An answer, and the value that was sent to be shown in it. */
export interface Repeated {
  readonly json: unknown
  readonly sent: string
  /** Other values of the same object that the answer may show, such as its identifier. */
  readonly known: readonly unknown[]
}

/** Returns the members that may show something: the one at the profile's locator, or else those with its name. */
export function membersFor(
  { settings }: Evidence,
  what: LocatorName,
  json: unknown,
  named: (json: unknown) => readonly Located[],
): readonly Located[] {
  const pointer = settings.profile.locators?.[what]
  if (pointer === undefined) return named(json)
  const value = locatedAt(json, pointer)
  return value === undefined ? [] : [{ pointer, name: what, value }]
}

/**
 * Returns the finding of a member with the contract's name: proven if it shows the sent values in two samples that differ,
 * named if it is beside or around another known value of the same object, otherwise likely.
 */
export function repeatedFinding(
  { settings }: Evidence,
  what: ShownName,
  answer: string,
  { pointer: place, value }: Located,
  { json, known }: Pick<Repeated, 'json' | 'known'>,
  samples: readonly Repeated[] = [],
): Finding {
  const found = (rule: string, strength: Strength) => findingAt(what, answer, place, value, rule, strength)
  if (settings.profile.locators?.[what] === place) return found(byProfile, 'named')
  // A value sent with another call is a mix-up of the deployment, but proves the place as well.
  const isSent = (shown: unknown) => samples.some(({ sent }) => isSameLeaf(shown, sent))
  const right = samples.filter((sample) => isSameLeaf(valueAt(sample.json, place), sample.sent))
  if (new Set(right.map(({ sent }) => sent)).size > 1 || (right.length > 0 && isSent(value))) {
    return found('shows what was sent in samples that differ', 'proven')
  }
  const texts = new Set(known.filter((one) => one !== undefined && one !== '').map(String))
  const holder = parentOf(place)
  const isBeside = membersOf(valueAt(json, holder)).some(
    (member) => holder + member.pointer !== place && texts.has(String(member.value)),
  )
  return isBeside
    ? found("has the contract's name and stands beside proven places", 'named')
    : found("has the contract's name alone", 'likely')
}
