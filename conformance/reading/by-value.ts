/**
 * Where a deployment shows what it was sent, under any name: a place is found by the value that follows what was sent, not by
 * what it is called. The values of a run are distinctive; the few that are not, such as booleans and orders, are proven by
 * samples in which they differ.
 */
import type { Finding, Strength } from './finding.ts'
import { at, type Located, membersOf } from './locate.ts'
import { fold, isSameName } from './names.ts'
import { isSameLeaf, leavesOf, numberOf, type StepList, stepListsIn, valuesAt } from './places.ts'
import { endsWithRole, isNamed, mention, type Role, termsOf } from './vocabulary.ts'

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
  /** Absent where it was left out. */
  readonly isSequential?: boolean
  readonly steps: readonly SentStep[]
}

/** A workflow that was sent, and the answers that show it, by what was asked: `created`, `details`. */
export interface Sample {
  readonly sent: SentWorkflow
  readonly answers: Readonly<Record<string, unknown>>
  /** What identifies the workflow, by having read it back. @default unknown */
  readonly id?: string
}

/** What was sent, and what an answer shows of it. */
interface Seen {
  readonly sent: SentWorkflow
  readonly json: unknown
  readonly id?: string | undefined
}

/** Finds each field of the workflow, of its steps and of their approvers in each kind of answer. */
export function echoedWorkflow(samples: readonly Sample[]): Finding[] {
  const kinds = [...new Set(samples.flatMap(({ answers }) => Object.keys(answers)))]
  return kinds.flatMap((answer) => {
    const seen = samples.flatMap(({ sent, answers, id }) =>
      answer in answers ? [{ sent, json: answers[answer], id }] : [],
    )
    const isBeside = provenNeighbours(seen)
    return [...workflowFields(seen, isBeside), ...stepFields(seen, isBeside)].map((finding) => ({ ...finding, answer }))
  })
}

/** Whether a place follows what was sent: proven by samples that differ, in some samples only, or not at all. */
type Proof = 'proven' | 'partly' | 'no'

/** A value as it was sent, beside what stands at some place. */
interface Pair {
  readonly sent: unknown
  readonly shown: unknown
}

const asBoolean = new Map<string, boolean>([
  ...(['true', '1', 'y', 'yes'] as const).map((text): [string, boolean] => [text, true]),
  ...(['false', '0', 'n', 'no'] as const).map((text): [string, boolean] => [text, false]),
])

/** A boolean, or what stands for one where a database has none. */
export function booleanOf(value: unknown): boolean | undefined {
  return value !== null && typeof value === 'object' ? undefined : asBoolean.get(String(value).toLowerCase())
}

/** A text that is shown as it was sent, in two samples whose texts differ. */
function followsText(pairs: readonly Pair[]): Proof {
  const same = pairs.filter(({ sent, shown }) => isSameLeaf(shown, sent))
  const differing = new Set(same.map(({ sent }) => sent)).size
  return differing > 1 ? 'proven' : differing === 1 ? 'partly' : 'no'
}

/** A boolean follows where it is shown as sent in every sample, and both true and false were sent. */
function followsBoolean(pairs: readonly Pair[]): Proof {
  if (new Set(pairs.map(({ sent }) => sent)).size < 2) return 'no'
  if (pairs.every(({ sent, shown }) => booleanOf(shown) === sent)) return 'proven'
  return isRendering(pairs) ? 'proven' : 'no'
}

/** One word for true and another for false, such as `SEQUENTIAL` and `PARALLEL`, and one of them seen twice. */
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

const workflowRules = {
  name: followsText,
  description: followsText,
  isSequential: followsBoolean,
} as const

/** Fields of the workflow itself that are found by value. */
export type WorkflowField = keyof typeof workflowRules

const workflowNames = Object.keys(workflowRules) as WorkflowField[]

/** The places of the workflow itself, which is what stands outside of its steps. */
function placesOutside(seen: readonly Seen[]): Located[] {
  const inSteps = seen.flatMap(({ sent, json }) => stepListsIn(json, sent.steps).map(({ pointer }) => `${pointer}/`))
  return distinctBy(
    seen.flatMap(({ json }) =>
      leavesOf(json).filter(({ pointer }) => !inSteps.some((list) => pointer.startsWith(list))),
    ),
    ({ pointer }) => pointer,
  )
}

/** Each place of the workflow itself as a candidate for one of its fields. */
function candidatesFor(field: WorkflowField, seen: readonly Seen[]): Candidate[] {
  return placesOutside(seen).map((place): Candidate => {
    const pairs = seen.flatMap(({ sent, json }) => {
      const shown = at(json, place.pointer)
      return shown === undefined || sent[field] === undefined ? [] : [{ sent: sent[field], shown }]
    })
    return { place, isOwn: isSameName(place.name, field), proof: proofOf(workflowRules[field], pairs) }
  })
}

/** Whether a pointer stands beside something that is proven: a field of the workflow, or the identifier that reads it back. */
type IsBeside = (pointer: string) => boolean

function provenNeighbours(seen: readonly Seen[]): IsBeside {
  const fields = workflowNames.flatMap((field) => candidatesFor(field, seen).filter(({ proof }) => proof === 'proven'))
  const identifiers = placesOutside(seen).filter(({ pointer }) =>
    seen.every(({ json, id }) => id !== undefined && String(at(json, pointer)) === id),
  )
  const parents = new Set([...fields.map(({ place }) => place), ...identifiers].map(({ pointer }) => parentOf(pointer)))
  return (pointer) => parents.has(parentOf(pointer))
}

/** Fields of the workflow itself, at one pointer in all answers. */
function workflowFields(seen: readonly Seen[], isBeside: IsBeside): Finding[] {
  return workflowNames.flatMap((field) => chosen(`workflow.${field}`, candidatesFor(field, seen), isBeside))
}

const proofOf = <P extends Pair>(rule: (pairs: readonly P[]) => Proof, pairs: readonly P[]): Proof =>
  pairs.length > 0 ? rule(pairs) : 'no'

/** A place that might be what is sought. */
interface Candidate {
  readonly place: Located
  /** Whether it has the contract's own name. */
  readonly isOwn: boolean
  readonly proof: Proof
}

/** All proven places of a thing; where there are none, the likeliest one. */
function chosen(what: string, candidates: readonly Candidate[], isBeside: IsBeside): Finding[] {
  const proven = candidates.filter(({ proof }) => proof === 'proven')
  const named = candidates.filter((one) => one.isOwn && isBeside(one.place.pointer))
  const likely = candidates.filter(({ isOwn, proof }) => isOwn || proof === 'partly')
  const [found, strength, rule] = (
    [
      [byName(proven), 'proven', 'shows what was sent in samples that differ'],
      [named.slice(0, 1), 'named', "has the contract's name and stands beside proven places"],
      [byName(likely).slice(0, 1), 'likely', "has the contract's name, or shows what was sent in some samples"],
    ] satisfies [readonly Candidate[], Strength, string][]
  ).find(([places]) => places.length > 0) ?? [[], 'likely', '']
  const rejected = likely
    .filter((one) => !found.includes(one))
    .map(
      ({ place, isOwn }) =>
        `${place.pointer}: ${isOwn ? 'does not follow what was sent' : 'follows it in some samples only'}`,
    )
  return found.map(({ place }) => ({ what, value: place.value, place: place.pointer, rule, strength, rejected }))
}

/** Those with the contract's own name first. */
const byName = (candidates: readonly Candidate[]) => [...candidates].sort((a, b) => Number(b.isOwn) - Number(a.isOwn))

const stepNames = ['step_id', 'name', 'order', 'type', 'estimated_duration'] as const
const stepRules: Readonly<Record<(typeof stepNames)[number], (pairs: readonly StepPair[]) => Proof>> = {
  step_id: followsText,
  name: followsText,
  order: followsOrder,
  type: followsConstant,
  estimated_duration: followsDuration,
}

/** A pair of a step, with the number that the step has in the sequence in which the steps were sent. */
interface StepPair extends Pair {
  readonly sentAs: number
}

/** Orders are small numbers: only where steps were sent out of sequence does a place tell them from positions. */
function followsOrder(pairs: readonly StepPair[]): Proof {
  if (!pairs.every(({ sent, shown }) => numberOf(shown) === sent)) return 'no'
  return pairs.some(({ sent, sentAs }) => sent !== sentAs) ? 'proven' : 'partly'
}

/** What is the same for every step proves nothing. */
function followsConstant(pairs: readonly Pair[]): Proof {
  return pairs.every(({ sent, shown }) => typeof shown === 'string' && fold(shown) === sent) ? 'partly' : 'no'
}

/** The unit of durations is not shown, so all of them may be as many times as large; orders do not grow in proportion. */
function followsDuration(pairs: readonly StepPair[]): Proof {
  const factors = pairs.map(({ sent, shown }) => (numberOf(shown) ?? Number.NaN) / Number(sent))
  const isProportional = factors.every((factor) => factor > 0 && Math.abs(factor / (factors[0] ?? 1) - 1) < 0.01)
  const perStep = new Set(pairs.map(({ sent, sentAs }) => Number(sent) / sentAs)).size
  return !isProportional ? 'no' : perStep > 1 ? 'proven' : 'partly'
}

/** A list that may be that of the workflow's steps, and what is found in it. */
interface Steps {
  readonly pointer: string
  readonly size: number
  /** Whether it has the contract's own name. */
  readonly isOwn: boolean
  readonly strength: Strength
  readonly rule: string
  readonly found: readonly Finding[]
}

/** The steps of a workflow in the list that shows most of what was sent of them, and each field of a step in it. */
function stepFields(seen: readonly Seen[], isBeside: IsBeside): Finding[] {
  const pointers = new Set(seen.flatMap(({ sent, json }) => listsIn(json, sent.steps)))
  const lists = [...pointers].flatMap((pointer) => stepsIn(pointer, seen, isBeside) ?? [])
  const richness = ({ found }: Steps) => found.filter(({ strength }) => strength === 'proven').length
  const [best, ...rest] = lists.sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || richness(b) - richness(a))
  if (!best) return []
  const { pointer, size, rule, strength, found } = best
  const rejected = rest.map((list) => `${list.pointer}: repeats less of what was sent`)
  return [{ what: 'workflow.steps', value: size, place: `${pointer}/*`, rule, strength, rejected }, ...found]
}

/** What has steps that are not the workflow's, or not all of them. */
const notTheirs: readonly Role[] = ['measure', 'bottleneck', 'slow', 'execution', 'advice', 'open', 'state']

/** Pointers to lists that show steps of the workflow, or are called so. */
function listsIn(json: unknown, sent: readonly SentStep[]): string[] {
  const called = membersOf(json).filter(({ pointer, value }) => isCalledSteps(pointer) && isListOfObjects(value))
  const all = [...stepListsIn(json, sent), ...called].map(({ pointer }) => pointer)
  return all.filter((pointer) => !mention(pointer.split('/').flatMap(termsOf), ...notTheirs))
}

/** Behind the names that platforms put around the items of a list, such as `Steps__r/records`. */
function isCalledSteps(pointer: string): boolean {
  return isCalled(pointer, 'steps')
}

function isCalled(pointer: string, name: string): boolean {
  const names = pointer.split('/')
  const [own = '', around = ''] = [names.at(-1), names.at(-2)]
  return isSameName(isNamed(own, 'envelope') && isSameName(around, name) ? around : own, name)
}

function isListOfObjects(value: unknown): value is object[] {
  return Array.isArray(value) && value.every((item) => item !== null && typeof item === 'object')
}

/** What a list is worth as that of the steps; undefined if it shows nothing of their definition and is not called so. */
function stepsIn(pointer: string, seen: readonly Seen[], isBeside: IsBeside): Steps | undefined {
  const shown = seen.flatMap(({ sent, json }) => shownSteps(json, sent, pointer) ?? [])
  const [first] = shown
  if (!first) return undefined
  const [isOwn, found] = [isCalledSteps(pointer), fieldsIn(pointer, seen)]
  const base = { pointer, size: first.items.length, isOwn, found }
  const isTold = shown.some(({ pairs }) => pairs.length > 0)
  const defines = found.some(({ what, strength }) => strength === 'proven' && definition.includes(what))
  // Items that show neither identifiers nor names are of something else.
  const isOfOthers = !isTold && shown.some(({ items }) => items.some((item) => !isCalledStep(item)))
  if (isOwn ? isOfOthers : !defines) return undefined
  if (isTold && shown.some(({ sent, pairs }) => pairs.length === sent.steps.length)) {
    return { ...base, strength: 'proven', rule: 'its items show the identifiers or names of the steps that were sent' }
  }
  const wrapped = isNamed(lastName(pointer), 'envelope') ? parentOf(pointer) : pointer
  if (isOwn && (isTold || isBeside(wrapped))) {
    return { ...base, strength: 'named', rule: "has the contract's name and stands beside proven places" }
  }
  const rule = isOwn ? "has the contract's name alone" : 'its items show some of the steps that were sent'
  return { ...base, strength: 'likely', rule }
}

/** Fields of a step that say more than which step it is. */
const definition = ['step.order', 'step.estimated_duration', 'approver.email', 'approver.name']

const isCalledStep = (item: unknown) =>
  Object.keys(item ?? {}).some((name) => ['step_id', 'name', 'order'].some((own) => isSameName(name, own)))

/** The fields of the steps within one list, each at one place in all items. */
function fieldsIn(list: string, seen: readonly Seen[]): Finding[] {
  const rows = seen.flatMap(({ sent, json }) =>
    (shownSteps(json, sent, list)?.pairs ?? []).map(({ step, item }) => ({
      step,
      item,
      isSequential: sent.isSequential !== false,
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
      // In which order the steps stand that run at the same time is not shown.
      const pairs = rows
        .filter(({ isSequential }) => isSequential || field !== 'order')
        .flatMap(({ step, item, sentAs }) =>
          shownIn(item, place).map(({ value }) => ({ sent: step[field], shown: value, sentAs })),
        )
      return { place, isOwn: isSameName(place.name, field), proof: proofOf(stepRules[field], pairs) }
    })
    return chosen(`step.${field}`, candidates, () => true)
  })
  const approvers = approversIn(list, rows)
  if (!approvers) return steps
  const people = (['email', 'name'] as const).flatMap((field) => {
    const theirs = places.filter(({ pointer }) => pointer.startsWith(approvers.place))
    const candidates = theirs.map((place): Candidate => {
      const pairs = rows.flatMap(({ step, item }) => {
        const sent = new Map(step.approvers.map((approver) => [approver[field].toLowerCase(), approver[field]]))
        return shownIn(item, place).map(({ value }) => ({ sent: sent.get(String(value).toLowerCase()), shown: value }))
      })
      const isTheirs = pairs.filter(({ sent }) => sent !== undefined)
      const proof = new Set(isTheirs.map(({ sent }) => sent)).size > 1 ? 'proven' : 'no'
      return { place, isOwn: isSameName(place.name, field), proof }
    })
    return chosen(`approver.${field}`, candidates, () => true)
  })
  return [...steps, approvers, ...people]
}

/** The list in each step that shows all of its approvers, or is called so. */
function approversIn(list: string, rows: readonly ShownStep[]): Finding | undefined {
  const places = distinctBy(
    rows.flatMap(({ item }) =>
      membersOf(item)
        .filter(({ value, pointer }) => Array.isArray(value) || (value === null && isCalled(pointer, 'approvers')))
        .map((member) => ({ ...member, pointer: starred(member.pointer) })),
    ),
    ({ pointer }) => pointer,
  ).filter(({ pointer }) => !pointer.includes('*'))
  const showsAll = ({ step, item }: ShownStep, pointer: string) => {
    const texts = new Set(leavesOf(at(item, pointer)).map(({ value }) => String(value).toLowerCase()))
    return (['email', 'name'] as const).some((field) =>
      step.approvers.every((one) => texts.has(one[field].toLowerCase())),
    )
  }
  const rated = places.map(({ pointer, value }) => ({
    pointer,
    value,
    isOwn: isCalled(pointer, 'approvers'),
    isProven: new Set(rows.filter((row) => showsAll(row, pointer)).map(({ step }) => step.step_id)).size > 1,
  }))
  const found = rated.find(({ isOwn, isProven }) => isOwn && isProven) ?? rated.find(({ isOwn }) => isOwn)
  const best = found ?? rated.find(({ isProven }) => isProven)
  return (
    best && {
      what: 'step.approvers',
      value: best.value,
      place: `${list}/*${best.pointer}/*`,
      rule: best.isProven
        ? 'its items show all approvers of steps that differ'
        : "has the contract's name and stands in the steps that were found",
      strength: best.isProven ? 'proven' : 'named',
      rejected: [],
    }
  )
}

/** A step that was sent, and the item of an answer that shows it. */
export interface ShownStep {
  readonly step: SentStep
  readonly item: unknown
}

/** A list of steps as an answer shows it. */
export interface ShownSteps {
  readonly sent: SentWorkflow
  readonly items: readonly unknown[]
  /** The items that show which step they are. */
  readonly pairs: readonly ShownStep[]
}

/**
 * The steps that an answer shows in a list, each beside what was sent: told by identifier or name, or as the only one that is
 * left. Undefined if the list is not there.
 */
export function shownSteps(json: unknown, sent: SentWorkflow, pointer: string): ShownSteps | undefined {
  const list = at(json, pointer)
  if (list === null || typeof list !== 'object') return undefined
  const items: unknown[] = Object.values(list)
  const told: StepList<SentStep>['items'] =
    stepListsIn(json, sent.steps).find((one) => one.pointer === pointer)?.items ?? []
  const [step, ...steps] = sent.steps.filter((one) => !told.some((pair) => pair.step === one))
  const [item, ...others] = items.filter((one) => !told.some((pair) => pair.item === one))
  const isLeft = told.length > 0 && step && item !== undefined && steps.length + others.length === 0
  return { sent, items, pairs: isLeft ? [...told, { step, item }] : told }
}

/** What a step's item shows at the place of a finding, such as that of `step.order`. */
export function shownOf(item: unknown, { place }: Finding, list: Finding): unknown[] {
  return valuesAt(item, place.slice(list.place.length)).map(({ value }) => value)
}

/**
 * Whether a part of an answer is the definition of the steps and nothing more: it shows them, and every figure in it was
 * sent. How they perform is something else.
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

/** A number, or null under the name of one that has no value yet; neither an identifier nor an estimate, in whatever unit. */
function isFigure({ name, value }: Located): boolean {
  if (mention(termsOf(name), 'estimate')) return false
  if (value === null) return mention(termsOf(name), 'rate', 'duration', 'average', 'count')
  return typeof value === 'number' && !endsWithRole(name, 'identifier')
}

const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'))
const lastName = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1)
const starred = (pointer: string) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')

function distinctBy<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()].reverse()
}
