/**
 * Finds the places where a deployment shows the sent values, under any name: a place is recognized by a value that follows the
 * sent one, not by its name. Most values of a run are unique. The others, such as booleans and orders, are proven by samples
 * in which they differ.
 */
import type { Finding, Strength } from './finding.ts'
import { type Located, membersOf, valueAt } from './locate.ts'
import { fold, isSameName } from './names.ts'
import { isSameLeaf, leavesOf, numberOf, stepListsIn, valuesAt } from './places.ts'
import { endsWithRole, mentionsRole, termsOf } from './vocabulary.ts'

export interface SentStep {
  readonly step_id: string
  readonly name: string
  readonly order: number
  readonly type?: string
  readonly approvers: readonly { readonly email: string; readonly name: string }[]
  readonly estimated_duration: number
}

export interface SentWorkflow {
  readonly name: string
  readonly description: string
  /** Absent if it was omitted. */
  readonly isSequential?: boolean
  readonly steps: readonly SentStep[]
}

/** A sent workflow, and the answers that show it, by kind: `created`, `details`. */
export interface Sample {
  readonly sent: SentWorkflow
  readonly answers: Readonly<Record<string, unknown>>
}

/** A sent workflow, and an answer that shows it. */
interface Seen {
  readonly sent: SentWorkflow
  readonly json: unknown
}

/** Finds each field of the workflow, of its steps and of their approvers in each kind of answer. */
export function echoedWorkflow(samples: readonly Sample[]): Finding[] {
  const kinds = [...new Set(samples.flatMap(({ answers }) => Object.keys(answers)))]
  return kinds.flatMap((answer) => {
    const seen = samples.flatMap(({ sent, answers }) => (answer in answers ? [{ sent, json: answers[answer] }] : []))
    return [...workflowFields(seen), ...stepFields(seen)].map((finding) => ({ ...finding, answer }))
  })
}

/** Whether a place follows the sent value: proven by samples that differ, only in some samples, or not. */
type Proof = 'proven' | 'partly' | 'no'

/** A sent value, and the value at some place. */
interface Pair {
  readonly sent: unknown
  readonly shown: unknown
}

const asBoolean = new Map<string, boolean>([
  ...(['true', '1', 'y', 'yes'] as const).map((text): [string, boolean] => [text, true]),
  ...(['false', '0', 'n', 'no'] as const).map((text): [string, boolean] => [text, false]),
])

/** Converts a value to a boolean, including numbers and letters that some databases use. */
function booleanOf(value: unknown): boolean | undefined {
  return value !== null && typeof value === 'object' ? undefined : asBoolean.get(String(value).toLowerCase())
}

/** Proves a text by two samples that differ and are shown as sent. */
function followsText(pairs: readonly Pair[]): Proof {
  const same = pairs.filter(({ sent, shown }) => isSameLeaf(shown, sent))
  const differing = new Set(same.map(({ sent }) => sent)).size
  return differing > 1 ? 'proven' : differing === 1 ? 'partly' : 'no'
}

/** Proves a boolean if it is shown as sent in every sample, and both true and false were sent. */
function followsBoolean(pairs: readonly Pair[]): Proof {
  if (new Set(pairs.map(({ sent }) => sent)).size < 2) return 'no'
  if (pairs.every(({ sent, shown }) => booleanOf(shown) === sent)) return 'proven'
  return isRendering(pairs) ? 'proven' : 'no'
}

/** Returns whether one word is shown for true and another for false, such as `SEQUENTIAL` and `PARALLEL`, in three samples. */
function isRendering(pairs: readonly Pair[]): boolean {
  const wordsFor = (value: boolean) => new Set(pairs.filter(({ sent }) => sent === value).map(({ shown }) => shown))
  const [forTrue, forFalse] = [wordsFor(true), wordsFor(false)]
  const [word] = forTrue
  return (
    pairs.length > 2 &&
    pairs.every(({ shown }) => typeof shown === 'string' || typeof shown === 'boolean') &&
    forTrue.size === 1 &&
    forFalse.size === 1 &&
    !forFalse.has(word)
  )
}

const workflowRules = { name: followsText, description: followsText, isSequential: followsBoolean } as const
const workflowNames = ['name', 'description', 'isSequential'] as const

/** Finds the fields of the workflow itself, each at one pointer in all answers. */
function workflowFields(seen: readonly Seen[]): Finding[] {
  const inSteps = seen.flatMap(({ sent, json }) => stepListsIn(json, sent.steps).map(({ pointer }) => `${pointer}/`))
  const places = distinctBy(
    seen.flatMap(({ json }) =>
      leavesOf(json).filter(({ pointer }) => !inSteps.some((list) => pointer.startsWith(list))),
    ),
    ({ pointer }) => pointer,
  )
  const candidatesOf = (field: (typeof workflowNames)[number]) =>
    places.map((place): Candidate => {
      const pairs = seen.flatMap(({ sent, json }) => {
        const shown = valueAt(json, place.pointer)
        return shown === undefined || sent[field] === undefined ? [] : [{ sent: sent[field], shown }]
      })
      return { place, isOwn: isSameName(place.name, field), proof: proofOf(workflowRules[field], pairs) }
    })
  const all = workflowNames.map((field) => ({ field, candidates: candidatesOf(field) }))
  const proven = all.flatMap(({ candidates }) => candidates.filter(({ proof }) => proof === 'proven'))
  const isBeside = ({ place }: Candidate) =>
    proven.some((one) => parentOf(one.place.pointer) === parentOf(place.pointer))
  return all.flatMap(({ field, candidates }) => chosen(`workflow.${field}`, candidates, isBeside))
}

const proofOf = <P extends Pair>(rule: (pairs: readonly P[]) => Proof, pairs: readonly P[]): Proof =>
  pairs.length > 0 ? rule(pairs) : 'no'

/** A candidate place of a field. */
interface Candidate {
  readonly place: Located
  /** Whether it has the field's name in the contract. */
  readonly isOwn: boolean
  readonly proof: Proof
}

/** Selects all proven places of a field; if there are none, the likeliest one. */
function chosen(what: string, candidates: readonly Candidate[], isBeside: (one: Candidate) => boolean): Finding[] {
  const proven = candidates.filter(({ proof }) => proof === 'proven')
  const named = candidates.filter((one) => one.isOwn && isBeside(one))
  const likely = candidates.filter(({ isOwn, proof }) => isOwn || proof === 'partly')
  const [found, strength, rule] = (
    [
      [byName(proven), 'proven', 'shows the sent values in samples that differ'],
      [named.slice(0, 1), 'named', "has the contract's name and is beside proven places"],
      [byName(likely).slice(0, 1), 'likely', "has the contract's name, or shows the sent value in some samples"],
    ] satisfies [readonly Candidate[], Strength, string][]
  ).find(([places]) => places.length > 0) ?? [[], 'likely', '']
  const rejected = likely
    .filter((one) => !found.includes(one))
    .map(
      ({ place, isOwn }) =>
        `${place.pointer}: ${isOwn ? 'does not follow the sent value' : 'follows the sent value only in some samples'}`,
    )
  return found.map(({ place }) => ({ what, value: place.value, place: place.pointer, rule, strength, rejected }))
}

/** Sorts candidates, first those with the contract's name. */
const byName = (candidates: readonly Candidate[]) => [...candidates].sort((a, b) => Number(b.isOwn) - Number(a.isOwn))

const stepNames = ['step_id', 'name', 'order', 'type', 'estimated_duration'] as const
const stepRules: Readonly<Record<(typeof stepNames)[number], (pairs: readonly StepPair[]) => Proof>> = {
  step_id: followsText,
  name: followsText,
  order: followsOrder,
  type: followsConstant,
  estimated_duration: followsDuration,
}

/** A pair of a step, with the step's position in the sent list, from 1. */
interface StepPair extends Pair {
  readonly sentAs: number
}

/** Proves an order by steps that were sent out of sequence, which distinguishes orders from positions. */
function followsOrder(pairs: readonly StepPair[]): Proof {
  if (!pairs.every(({ sent, shown }) => numberOf(shown) === sent)) return 'no'
  return pairs.some(({ sent, sentAs }) => sent !== sentAs) ? 'proven' : 'partly'
}

/** Accepts a constant only partly: a value that is the same for every step proves nothing. */
function followsConstant(pairs: readonly Pair[]): Proof {
  return pairs.every(({ sent, shown }) => typeof shown === 'string' && fold(shown) === sent) ? 'partly' : 'no'
}

/** Proves a duration in any unit: all have the same factor, and are not proportional to the positions. */
function followsDuration(pairs: readonly StepPair[]): Proof {
  const factors = pairs.map(({ sent, shown }) => (numberOf(shown) ?? Number.NaN) / Number(sent))
  const isProportional = factors.every((factor) => factor > 0 && Math.abs(factor / (factors[0] ?? 1) - 1) < 0.01)
  const perStep = new Set(pairs.map(({ sent, sentAs }) => Number(sent) / sentAs)).size
  return !isProportional ? 'no' : perStep > 1 ? 'proven' : 'partly'
}

/** Finds the list that shows the steps best, and each field of the steps in it. */
function stepFields(seen: readonly Seen[]): Finding[] {
  const lists = distinctBy(
    seen.flatMap(({ sent, json }) => stepListsIn(json, sent.steps)),
    ({ pointer }) => pointer,
  )
  const read = lists.map((list) => ({ list, found: fieldsIn(list.pointer, seen) }))
  const richness = ({ found }: (typeof read)[number]) => found.filter(({ strength }) => strength === 'proven').length
  const [best, ...rest] = read.toSorted((a, b) => richness(b) - richness(a))
  if (!best) return []
  const { pointer, items } = best.list
  const rejected = rest.map(({ list }) => `${list.pointer}: shows fewer of the sent values`)
  const rule = 'its items show the identifiers or names of the sent steps'
  const place = `${pointer}/*`
  return [{ what: 'workflow.steps', value: items.length, place, rule, strength: 'proven', rejected }, ...best.found]
}

/** Finds the fields of the steps within one list, each at one place in all items. */
function fieldsIn(list: string, seen: readonly Seen[]): Finding[] {
  const rows = seen.flatMap(({ sent, json }) =>
    (stepListsIn(json, sent.steps).find(({ pointer }) => pointer === list)?.items ?? []).map(({ step, item }) => ({
      step,
      item,
      sentAs: sent.steps.indexOf(step) + 1,
    })),
  )
  const places = distinctBy(
    rows.flatMap(({ item }) => leavesOf(item).map((leaf) => ({ ...leaf, pointer: starred(leaf.pointer) }))),
    ({ pointer }) => pointer,
  ).map((place) => ({ ...place, pointer: `${list}/*${place.pointer}` }))
  const shownIn = (item: unknown, { pointer }: Located) => valuesAt(item, pointer.slice(list.length + 2))
  const own = places.filter(({ pointer }) => !pointer.slice(list.length + 2).includes('*'))
  const steps = stepNames.flatMap((field) => {
    const candidates = own.map((place): Candidate => {
      const pairs = rows.flatMap(({ step, item, sentAs }) =>
        shownIn(item, place).map(({ value }) => ({ sent: step[field], shown: value, sentAs })),
      )
      return { place, isOwn: isSameName(place.name, field), proof: proofOf(stepRules[field], pairs) }
    })
    return chosen(`step.${field}`, candidates, () => true)
  })
  const approvers = (['email', 'name'] as const).flatMap((field) => {
    const candidates = places.map((place): Candidate => {
      const pairs = rows.flatMap(({ step, item }) => {
        const sent = new Map(step.approvers.map((approver) => [approver[field].toLowerCase(), approver[field]]))
        return shownIn(item, place).map(({ value }) => ({ sent: sent.get(String(value).toLowerCase()), shown: value }))
      })
      const isTheirs = pairs.filter(({ sent }) => sent !== undefined)
      const proof = new Set(isTheirs.map(({ sent }) => sent)).size > 1 ? 'proven' : 'no'
      return { place, isOwn: false, proof }
    })
    return chosen(`approver.${field}`, candidates, () => false)
  })
  return [...steps, ...approvers]
}

/** A sent step, and the item of an answer that shows it. */
export interface ShownStep {
  readonly step: SentStep
  readonly item: unknown
}

/** Returns the steps that an answer shows in the found list, each with the sent step. */
export function stepsShown(json: unknown, sent: SentWorkflow, findings: readonly Finding[]): readonly ShownStep[] {
  const list = findings.find(({ what }) => what === 'workflow.steps')?.place.slice(0, -2)
  return stepListsIn(json, sent.steps).find(({ pointer }) => pointer === list)?.items ?? []
}

/** Returns the values of a step's item at the place of a finding, such as `step.order`. */
export function shownOf({ item }: ShownStep, { place }: Finding, list: Finding): unknown[] {
  return valuesAt(item, place.slice(list.place.length)).map(({ value }) => value)
}

/**
 * Returns whether a part of an answer is only the definition of the steps: it shows them, and all of its figures were sent. A
 * part with other figures is their performance.
 */
export function isDefinition(value: unknown, steps: readonly SentStep[]): boolean {
  const lists = stepListsIn(value, steps)
  const sent = new Set(membersOf(steps).map((member) => String(member.value)))
  return (
    lists.length > 0 &&
    lists.every(({ items }) =>
      items.every(({ item }) => leavesOf(item).every((leaf) => !isFigure(leaf) || sent.has(String(leaf.value)))),
    )
  )
}

/** Returns whether a member is a figure: a number, or null under such a name; neither an identifier nor an estimate. */
function isFigure({ name, value }: Located): boolean {
  if (mentionsRole(termsOf(name), 'estimate')) return false
  if (value === null) return mentionsRole(termsOf(name), 'rate', 'duration', 'average', 'count')
  return typeof value === 'number' && !endsWithRole(name, 'identifier')
}

const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'))
const starred = (pointer: string) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')

function distinctBy<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()].reverse()
}
