/** Reads the sent values in the answers of a deployment, at places found by value, by name, or by likelihood, in this order. */

import type { LocatorName, ShownName } from '../../src/profile/profile.ts'
import { echoedWorkflow, type Sample, type ShownSteps, shownSteps, type WorkflowField } from '../reading/by-value.ts'
import { executionCounters } from '../reading/counters.ts'
import type { Finding } from '../reading/finding.ts'
import { type Located, membersOf, valueAt } from '../reading/locate.ts'
import { executionFindings, type Reading } from '../reading/movement.ts'
import { isSameLeaf } from '../reading/places.ts'
import { executionLists } from '../reading/progress.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import { type Evidence, resultIfSucceeded } from './evidence.ts'
import { executedDetails } from './executions.ts'
import type { Compared } from './particulars.ts'
import { type MadeWorkflow, madeWorkflow, workflow } from './workflows.ts'

/** The two answers that show a workflow. */
export type WorkflowAnswer = 'created' | 'details'

/** Returns the places at which the deployment shows the sent workflows, with their steps and approvers. */
export function echoes(evidence: Evidence): readonly Finding[] {
  return evidence.once('echoes', () => {
    const makes = [
      () => workflow(evidence, 1),
      () => workflow(evidence, 2),
      () => madeWorkflow(evidence, 'create shuffled', 'read shuffled'),
    ]
    const samples = makes.flatMap((make): Sample[] => {
      const made = resultIfSucceeded(make)
      if (!made) return []
      const { sent, created, details, id } = made
      return [{ sent, answers: { created: created.json, details: details.json }, id: String(id.value) }]
    })
    return correctByProfile(evidence, echoedWorkflow(samples))
  })
}

const echoLocators = ['workflow.name', 'workflow.description', 'workflow.isSequential', 'workflow.steps'] as const

/** Replaces findings by the locators of the profile. */
function correctByProfile(evidence: Evidence, found: readonly Finding[]): Finding[] {
  const given = echoLocators.flatMap((what) =>
    (['created', 'details'] as const).flatMap((answer) => locatedByProfile(evidence, what, answer) ?? []),
  )
  return [...given, ...found.filter(({ what }) => given.every((one) => one.what !== what))]
}

function locatedByProfile({ settings }: Evidence, what: (typeof echoLocators)[number], answer: WorkflowAnswer) {
  const place = settings.profile.locators?.[what]
  if (place === undefined) return undefined
  const own = { what, answer, value: undefined, place: what === 'workflow.steps' ? `${place}/*` : place }
  return { ...own, ...byProfile }
}

const byProfile = { rule: 'the profile says so', strength: 'named', rejected: [] } as const

/** The value at a found place. */
export interface ShownPlace {
  readonly value: unknown
  readonly exchange: Exchange
  /** JSON Pointer to the value. */
  readonly pointer: string
  readonly finding: Finding
}

/** Compares a sent value with the value at a place. */
export function comparedAt({ exchange, pointer, value: shown }: Omit<ShownPlace, 'finding'>, sent: unknown): Compared {
  return { exchange, pointer, sent, shown }
}

/** Returns the values that one kind of answer shows of something, at each of its places. */
export function shownIn(evidence: Evidence, what: string, answer: WorkflowAnswer, exchange: Exchange): ShownPlace[] {
  return echoes(evidence)
    .filter((finding) => finding.what === what && finding.answer === answer)
    .map((finding) => ({ finding, exchange, pointer: finding.place, value: valueAt(exchange.json, finding.place) }))
    .filter(({ value }) => value !== undefined)
}

/** Returns the values shown of a field of a workflow: in its details, or else in the answer to creating it. */
export function fieldShown(
  evidence: Evidence,
  what: `workflow.${WorkflowField}`,
  { created, details }: Pick<MadeWorkflow, 'created' | 'details'>,
): ShownPlace[] {
  const read = shownIn(evidence, what, 'details', details)
  return read.length > 0 ? read : shownIn(evidence, what, 'created', created)
}

/** Returns the name in the details of a workflow, at a place where the first workflow shows its own. */
export function nameShown(evidence: Evidence, exchange: Exchange): ShownPlace | undefined {
  const { sent, details } = workflow(evidence, 1)
  // Names can be compared only if the identifiers distinguish the workflows.
  workflow(evidence, 2)
  return shownIn(evidence, 'workflow.name', 'details', exchange).find(
    ({ finding, value }) => typeof value === 'string' && isSameLeaf(valueAt(details.json, finding.place), sent.name),
  )
}

/** A list of steps in an answer, with the places of the list and of the fields of its items. */
export interface StepsSeen extends ShownSteps {
  readonly exchange: Exchange
  readonly list: Finding
  /** The findings of the same kind of answer. */
  readonly places: readonly Finding[]
}

/** Returns the lists in which an answer shows the steps of a workflow; empty if there is none. */
export function stepsShown(
  evidence: Evidence,
  answer: WorkflowAnswer,
  exchange: Exchange,
  sent: MadeWorkflow['sent'],
): StepsSeen[] {
  const places = echoes(evidence).filter((finding) => finding.answer === answer)
  return places
    .filter(({ what }) => what === 'workflow.steps')
    .flatMap((list) => {
      const shown = shownSteps(exchange.json, sent, list.place.slice(0, -2))
      return shown ? [{ ...shown, exchange, list, places }] : []
    })
}

/** Finds the figures of the details that count executions of a workflow, by their changes and their names. */
export function counters(evidence: Evidence): readonly Finding[] {
  return evidence.once('counters', () => {
    const place = evidence.settings.profile.locators?.['executions-started']
    const found = executionFindings(readingsOf(evidence)).map((one) => ({ ...one, answer: 'details' }))
    if (place === undefined) return found
    const given = { what: 'executions-started', answer: 'details', value: undefined, place, ...byProfile }
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
  const what = 'executions-started'
  const rule = 'is called a count of executions'
  return (
    counters(evidence).find((one) => one.place === place) ??
    ({ what, answer: 'details', value: undefined, place, rule, strength: 'likely', rejected: [] } as const)
  )
}

/** Returns the strongest finding of a figure or list that should count executions but does not change, with its value. */
export function still(evidence: Evidence, exchange: Exchange): [Finding, Compared] {
  const counter = stillCounter(evidence)
  return [counter, { exchange, ...(counter.place !== '' && { shown: valueAt(exchange.json, counter.place) }) }]
}

function stillCounter(evidence: Evidence): Finding {
  const { after } = executedDetails(evidence, 1)
  const places = [...executionCounters(after.json).keys(), ...executionLists(after.json).keys()]
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
  const value = valueAt(json, pointer)
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
  const own = { what, answer, value, place, rejected: [] }
  if (settings.profile.locators?.[what] === place) return { ...own, ...byProfile }
  // A value sent with another call is a mix-up of the deployment, but proves the place as well.
  const isSent = (shown: unknown) => samples.some(({ sent }) => isSameLeaf(shown, sent))
  const right = samples.filter((sample) => isSameLeaf(valueAt(sample.json, place), sample.sent))
  if (new Set(right.map(({ sent }) => sent)).size > 1 || (right.length > 0 && isSent(value))) {
    return { ...own, strength: 'proven', rule: 'shows what was sent in samples that differ' }
  }
  const texts = new Set(known.filter((one) => one !== undefined && one !== '').map(String))
  const holder = place.slice(0, place.lastIndexOf('/'))
  const isBeside = membersOf(valueAt(json, holder)).some(
    (member) => holder + member.pointer !== place && texts.has(String(member.value)),
  )
  return isBeside
    ? { ...own, strength: 'named', rule: "has the contract's name and stands beside proven places" }
    : { ...own, strength: 'likely', rule: "has the contract's name alone" }
}
