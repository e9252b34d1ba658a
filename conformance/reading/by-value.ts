/**
 * Finds the places where a deployment shows the sent values, under any name: a place is recognized by a value that follows the
 * sent one, not by its name. Most values of a run are unique. The others, such as booleans and orders, are proven by samples
 * in which they differ.
 */
import { starred } from '../../src/profile/tolerance.ts'
import type { Finding, Strength } from './finding.ts'
import { type Located, membersOf, valueAt } from './locate.ts'
import { isSameName } from './names.ts'
import { isSameLeaf, leavesOf, numberOf, type StepList, stepListsIn, valuesAt } from './places.ts'
import { endsWithRole, hasRole, isNamed, mentionsRole, type Role, termsOf } from './vocabulary.ts'

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
  /** The identifier of the workflow, with which it was read back. @default unknown */
  readonly id?: string
}

/** A sent workflow, and an answer that shows it. */
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
    const places = placesOutside(seen)
    const candidates: Candidates = new Map(workflowNames.map((field) => [field, candidatesFor(field, places, seen)]))
    const isBeside = provenNeighbours(candidates, places, seen)
    return [...workflowFields(candidates, isBeside), ...stepFields(seen, isBeside)].map((finding) => ({
      ...finding,
      answer,
    }))
  })
}

/** The strength with which a place follows the sent value: proven by samples that differ, in some samples, or not. */
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

/**
 * Reads a value as `isSequential`: a boolean, or a word such as `SEQUENTIAL` or `concurrent`. A boolean is reversed under a name that
 * means parallel. Undefined for anything else.
 */
export function sequentialOf(name: string, value: unknown): boolean | undefined {
  const truth = booleanOf(value)
  if (truth !== undefined) return mentionsRole(termsOf(name), 'parallel') ? !truth : truth
  const terms = typeof value === 'string' ? termsOf(value) : []
  if (!terms.every((term) => hasRole(term, 'sequential', 'parallel', ...aboutSequence))) return undefined
  const [isSequential, isParallel] = (['sequential', 'parallel'] as const).map((role) => mentionsRole(terms, role))
  return isSequential === isParallel ? undefined : isSequential
}

/** Words that may stand beside those for sequential and parallel in a name. */
const aboutSequence: readonly Role[] = ['workflow', 'step', 'execution', 'mode', 'linking']

/**
 * Returns true if a member is called sequential or parallel by any word, and shows only booleans; or if it
 * is called a mode, or the like, and shows only words for them. A number may count the steps that run in parallel.
 */
function saysSequential(name: string, shown: readonly unknown[]): boolean {
  const terms = termsOf(name)
  const isCalled = mentionsRole(terms, 'sequential', 'parallel')
  return (
    terms.every((term) => hasRole(term, 'sequential', 'parallel', ...aboutSequence)) &&
    (isCalled || mentionsRole(terms, 'mode')) &&
    shown.every((value) => typeof value !== 'number' && sequentialOf(name, value) !== undefined) &&
    (isCalled || shown.every((value) => booleanOf(value) === undefined))
  )
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

/** Checks whether three samples show one word for true and another for false, such as `SEQUENTIAL` and `PARALLEL`. */
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

/** Returns the places of the workflow itself, that is, outside its steps. */
function placesOutside(seen: readonly Seen[]): Located[] {
  const inSteps = seen.flatMap(({ sent, json }) => stepListsIn(json, sent.steps).map(({ pointer }) => `${pointer}/`))
  return distinctBy(
    seen.flatMap(({ json }) =>
      leavesOf(json).filter(({ pointer }) => !inSteps.some((list) => pointer.startsWith(list))),
    ),
    ({ pointer }) => pointer,
  )
}

/** The candidates for each field of the workflow itself. */
type Candidates = ReadonlyMap<WorkflowField, readonly Candidate[]>

/** Returns each place of the workflow itself as a candidate for one of its fields. */
function candidatesFor(field: WorkflowField, places: readonly Located[], seen: readonly Seen[]): Candidate[] {
  return places.map((place): Candidate => {
    const pairs = seen.flatMap(({ sent, json }) => {
      const shown = valueAt(json, place.pointer)
      return shown === undefined || sent[field] === undefined ? [] : [{ sent: sent[field], shown }]
    })
    const isOwn = isSameName(place.name, field) || (field === 'description' && hasMeaning(place.name, 'description'))
    const own = { place, isOwn, proof: proofOf(workflowRules[field], pairs) }
    if (field !== 'isSequential' || own.proof === 'proven') return own
    const read = pairs.map(({ sent, shown }) => ({ sent, shown: sequentialOf(place.name, shown) ?? shown }))
    const isCalled =
      isOwn ||
      saysSequential(
        place.name,
        pairs.map(({ shown }) => shown),
      )
    return { place, isOwn: isCalled, proof: proofOf(followsBoolean, read) }
  })
}

/** Checks whether a pointer is beside a proven place: a field of the workflow, or its identifier. */
type IsBeside = (pointer: string) => boolean

function provenNeighbours(candidates: Candidates, places: readonly Located[], seen: readonly Seen[]): IsBeside {
  const fields = workflowNames.flatMap((field) =>
    (candidates.get(field) ?? []).filter(({ proof }) => proof === 'proven'),
  )
  const identifiers = places.filter(({ pointer }) =>
    seen.every(({ json, id }) => id !== undefined && String(valueAt(json, pointer)) === id),
  )
  const parents = new Set([...fields.map(({ place }) => place), ...identifiers].map(({ pointer }) => parentOf(pointer)))
  return (pointer) => parents.has(parentOf(pointer))
}

/** Finds the fields of the workflow itself, each at one pointer in all answers. */
function workflowFields(candidates: Candidates, isBeside: IsBeside): Finding[] {
  return workflowNames.flatMap((field) => selectPlaces(`workflow.${field}`, candidates.get(field) ?? [], isBeside))
}

const proofOf = <P extends Pair>(rule: (pairs: readonly P[]) => Proof, pairs: readonly P[]): Proof =>
  pairs.length > 0 ? rule(pairs) : 'no'

/** A candidate place of a field. */
interface Candidate {
  readonly place: Located
  /** True if it has the contract's name of the field. */
  readonly isOwn: boolean
  readonly proof: Proof
}

/** Selects all proven places of a field; if there are none, the likeliest one. */
function selectPlaces(what: string, candidates: readonly Candidate[], isBeside: IsBeside): Finding[] {
  const proven = candidates.filter(({ proof }) => proof === 'proven')
  const named = candidates.filter((one) => one.isOwn && isBeside(one.place.pointer))
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
  return pairs.every(({ sent, shown }) => typeof shown === 'string' && shown.toLowerCase() === sent) ? 'partly' : 'no'
}

/** Proves a duration in any unit: all have the same factor, and are not proportional to the positions. */
function followsDuration(pairs: readonly StepPair[]): Proof {
  const factorOf = ({ sent, shown }: StepPair) => (numberOf(shown) ?? Number.NaN) / Number(sent)
  const usual = pairs.filter(({ sent }) => Number(sent) <= longestUsualDuration)
  const factors = (usual.length > 0 ? usual : pairs).map(factorOf)
  const isProportional = factors.every((factor) => factor > 0 && Math.abs(factor / (factors[0] ?? 1) - 1) < 0.01)
  const perStep = new Set(pairs.map(({ sent, sentAs }) => Number(sent) / sentAs)).size
  return !isProportional ? 'no' : perStep > 1 ? 'proven' : 'partly'
}

/** Longer durations are sent to see whether they are changed, so they prove nothing. */
const longestUsualDuration = 12

/** A list that may be the workflow's steps, with the fields found in it. */
interface Steps {
  readonly pointer: string
  readonly size: number
  /** True if it has the contract's name of the list. */
  readonly isOwn: boolean
  readonly strength: Strength
  readonly rule: string
  readonly found: readonly Finding[]
}

/** Finds the list that shows most of the sent steps, and each field of a step in it. */
function stepFields(seen: readonly Seen[], isBeside: IsBeside): Finding[] {
  const pointers = new Set(seen.flatMap(({ sent, json }) => listsIn(json, sent.steps, isBeside)))
  const lists = [...pointers].flatMap((pointer) => rateList(pointer, seen, isBeside) ?? [])
  const richness = ({ found }: Steps) => found.filter(({ strength }) => strength === 'proven').length
  const [best, ...rest] = lists.sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || richness(b) - richness(a))
  if (!best) return []
  const { pointer, size, rule, strength, found } = best
  const rejected = rest.map((list) => `${list.pointer}: shows fewer of the sent values`)
  return [{ what: 'workflow.steps', value: size, place: `${pointer}/*`, rule, strength, rejected }, ...found]
}

/** Parts of an answer whose steps are not the definition of the workflow, or not all of it. */
const otherSections: readonly Role[] = ['measure', 'bottleneck', 'slow', 'execution', 'advice', 'open', 'state']

/** Returns the pointers to lists that show steps of the workflow, or have the name of its steps. */
function listsIn(json: unknown, sent: readonly SentStep[], isBeside: IsBeside): string[] {
  const called = membersOf(json).filter(({ pointer, value }) => isCalledSteps(pointer) && isListOfObjects(value))
  const all = [...stepListsIn(json, sent), ...called].map(({ pointer }) => pointer)
  return all.filter(
    (pointer) => !mentionsRole(withinWorkflow(pointer, isBeside).split('/').flatMap(termsOf), ...otherSections),
  )
}

/** Returns the part of a pointer within the workflow's own object, whatever the names around that object mean. */
function withinWorkflow(pointer: string, isBeside: IsBeside): string {
  const parts = pointer.split('/')
  const own = parts.findLastIndex((_, depth) => depth > 0 && isBeside(parts.slice(0, depth + 1).join('/')))
  return parts.slice(Math.max(own, 0)).join('/')
}

/** Checks the name of a list. Ignores the envelopes that platforms put around items, as in `Steps__r/records`. */
function isCalledSteps(pointer: string): boolean {
  return isCalled(pointer, 'steps')
}

function isCalled(pointer: string, name: string): boolean {
  const names = pointer.split('/')
  const [own = '', around = ''] = [names.at(-1), names.at(-2)]
  return isQualified(isNamed(own, 'envelope') && isQualified(around, name) ? around : own, name)
}

/** Returns true if a name is the contract's, alone or with words that change nothing: `ToSteps`, `approverEmails`. */
function isQualified(shown: string, name: string): boolean {
  if (isSameName(shown, name)) return true
  const terms = termsOf(shown).filter((term) => !hasRole(term, 'linking'))
  const [first, ...rest] = terms.map(({ word }) => word)
  const isOfAddresses = rest.length > 0 && terms.slice(1).every((term) => hasRole(term, 'address'))
  return rest.length === 0 ? first === name : isOfAddresses && `${first}s` === name
}

function isListOfObjects(value: unknown): value is object[] {
  return Array.isArray(value) && value.every((item) => item !== null && typeof item === 'object')
}

/** Rates a list as the workflow's steps. Returns undefined if it neither shows their definition nor has their name. */
function rateList(pointer: string, seen: readonly Seen[], isBeside: IsBeside): Steps | undefined {
  const shown = seen.flatMap(({ sent, json }) => shownSteps(json, sent, pointer) ?? [])
  const [first] = shown
  if (!first) return undefined
  const [isOwn, found] = [isCalledSteps(pointer), fieldsIn(pointer, seen)]
  const base = { pointer, size: first.items.length, isOwn, found }
  const isTold = shown.some(({ pairs }) => pairs.length > 0)
  const defines = found.some(({ what, strength }) => strength === 'proven' && definition.includes(what))
  // Items without identifiers and names belong to something else.
  const isOfOthers = !isTold && shown.some(({ items }) => items.some((item) => !isCalledStep(item)))
  if (isOwn ? isOfOthers : !defines) return undefined
  if (isTold && shown.some(({ sent, pairs }) => pairs.length === sent.steps.length)) {
    return { ...base, strength: 'proven', rule: 'its items show the identifiers or names of the sent steps' }
  }
  const wrapped = isNamed(lastName(pointer), 'envelope') ? parentOf(pointer) : pointer
  if (isOwn && (isTold || isBeside(wrapped))) {
    return { ...base, strength: 'named', rule: "has the contract's name and is beside proven places" }
  }
  const rule = isOwn ? "has the contract's name alone" : 'its items show some of the steps that were sent'
  return { ...base, strength: 'likely', rule }
}

/** Fields that define a step, rather than identify it. */
const definition = ['step.order', 'step.estimated_duration', 'approver.email', 'approver.name']

const isCalledStep = (item: unknown) =>
  Object.keys(item ?? {}).some((name) => ['step_id', 'name', 'order'].some((own) => isSameName(name, own)))

/** Finds the fields of the steps within one list, each at one place in all items. */
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
  const own = places
    .filter(({ pointer }) => !pointer.slice(list.length + 2).includes('*'))
    .map((place) => ({ place, shown: rows.map(({ item }) => shownIn(item, place)) }))
  const fieldAt = (field: (typeof stepNames)[number], isCalled: (name: string) => boolean) => {
    const candidates = own.map(({ place, shown }): Candidate => {
      // Steps that run in parallel have no order that an answer must show.
      const pairs = rows.flatMap(({ step, isSequential, sentAs }, row) =>
        isSequential || field !== 'order'
          ? (shown[row] ?? []).map(({ value }) => ({ sent: step[field], shown: value, sentAs }))
          : [],
      )
      // A word of the contract that some steps show.
      const isShown = field === 'type' && pairs.some((pair) => followsConstant([pair]) !== 'no') && isCalled(place.name)
      const isOwn = isSameName(place.name, field) || isShown
      return { place, isOwn, proof: proofOf(stepRules[field], pairs) }
    })
    return selectPlaces(`step.${field}`, candidates, () => true)
  }
  const others = stepNames.filter((field) => field !== 'type').flatMap((field) => fieldAt(field, () => false))
  const short = others.filter(({ what, place }) => abbreviates(lastName(place), what.slice('step.'.length)))
  const isType = (name: string) => hasMeaning(name, 'kind') || (short.length > 1 && abbreviates(name, 'type'))
  const steps = [...others, ...fieldAt('type', isType)]
  const approvers = findApprovers(list, rows)
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
      const texts = rows.flatMap(({ item }) => shownIn(item, place)).map(({ value }) => value)
      const isText = texts.every((value) => value === null || typeof value === 'string')
      const isAddress = field === 'email' && isText && termsOf(place.name).every((term) => hasRole(term, 'address'))
      return { place, isOwn: isSameName(place.name, field) || isAddress, proof }
    })
    return selectPlaces(`approver.${field}`, candidates, () => true)
  })
  return [...steps, approvers, ...people]
}

/** Returns true if a name has the meaning of a field's name: `workflow_description`, `step_kind`. */
function hasMeaning(name: string, role: 'description' | 'kind'): boolean {
  const terms = termsOf(name)
  return mentionsRole(terms, role) && terms.every((term) => hasRole(term, role, 'workflow', 'step', 'linking'))
}

/** Returns true if a name is a field's name without some of its letters, of up to three letters: `N`, `nm`, `ord`. */
function abbreviates(name: string, field: string): boolean {
  const letters = [...name.toLowerCase()]
  let from = -1
  const isWithin = letters.every((letter) => {
    from = field.indexOf(letter, from + 1)
    return from >= 0
  })
  return letters.length < 4 && letters[0] === field[0] && isWithin
}

/** Finds the list in each step that shows all of its approvers, or has a name of approvers. */
function findApprovers(list: string, rows: readonly ShownStep[]): Finding | undefined {
  const places = distinctBy(
    rows.flatMap(({ item }) =>
      membersOf(item)
        .filter(
          ({ value, pointer }) => Array.isArray(value) || (value === null && isSameName(pointer.slice(1), 'approvers')),
        )
        .map((member) => ({ ...member, pointer: starred(member.pointer) })),
    ),
    ({ pointer }) => pointer,
  ).filter(({ pointer }) => !pointer.includes('*'))
  const showsAll = ({ step, item }: ShownStep, pointer: string) => {
    const texts = new Set(leavesOf(valueAt(item, pointer)).map(({ value }) => String(value).toLowerCase()))
    return (['email', 'name'] as const).some((field) =>
      step.approvers.every((one) => texts.has(one[field].toLowerCase())),
    )
  }
  const showsSome = ({ step, item }: ShownStep, pointer: string) => {
    const items = valueAt(item, pointer)
    return (
      Array.isArray(items) &&
      items.length > 0 &&
      items.every((one) => leavesOf([one]).some(({ value }) => step.approvers.some(({ email }) => value === email)))
    )
  }
  const rated = places.map(({ pointer, value }) => ({
    pointer,
    value,
    isOwn: isCalled(pointer, 'approvers'),
    isProven: new Set(rows.filter((row) => showsAll(row, pointer)).map(({ step }) => step.step_id)).size > 1,
    isPartial: meansApprovers(pointer) && rows.length > 1 && rows.every((row) => showsSome(row, pointer)),
  }))
  const found = rated.find(({ isOwn, isProven }) => isOwn && isProven) ?? rated.find(({ isOwn }) => isOwn)
  const best = found ?? rated.find(({ isProven }) => isProven) ?? rated.find(({ isPartial }) => isPartial)
  if (!best) return undefined
  const [rule, strength] = (
    best.isProven
      ? ['its items show all approvers of steps that differ', 'proven']
      : best.isOwn
        ? ["has the contract's name and stands in the steps that were found", 'named']
        : ['means approvers, and its items show only those of their own steps', 'named']
  ) satisfies [string, Strength]
  return {
    what: 'step.approvers',
    value: best.value,
    place: `${list}/*${best.pointer}/*`,
    rule,
    strength,
    rejected: [],
  }
}

/** Returns true if a name means approvers and nothing else. Those who are assigned may be only some of them. */
function meansApprovers(pointer: string): boolean {
  const terms = termsOf(lastName(pointer))
  const isPlain = terms.every((term) => hasRole(term, 'approver', 'linking'))
  return isPlain && mentionsRole(terms, 'approver') && !mentionsRole(terms, 'assigned')
}

/** A sent step, and the item of an answer that shows it. */
export interface ShownStep {
  readonly step: SentStep
  readonly item: unknown
}

/** A list of steps in an answer. */
export interface ShownSteps {
  readonly sent: SentWorkflow
  readonly items: readonly unknown[]
  /** The items that could be matched with a sent step. */
  readonly pairs: readonly ShownStep[]
}

/**
 * Matches the items of a list with the sent steps: by identifier, by name, or as the only pair left. Returns undefined if
 * there is no such list.
 */
export function shownSteps(json: unknown, sent: SentWorkflow, pointer: string): ShownSteps | undefined {
  const list = valueAt(json, pointer)
  if (list === null || typeof list !== 'object') return undefined
  const told: StepList<SentStep>['items'] =
    stepListsIn(json, sent.steps).find((one) => one.pointer === pointer)?.items ?? []
  const all: unknown[] = Object.values(list)
  const items = isCalledSteps(pointer) ? all : all.filter(isLikeSteps(told))
  const [step, ...steps] = sent.steps.filter((one) => !told.some((pair) => pair.step === one))
  const [item, ...others] = items.filter((one) => !told.some((pair) => pair.item === one))
  const isLeft = told.length > 0 && step && item !== undefined && steps.length + others.length === 0
  return { sent, items, pairs: isLeft ? [...told, { step, item }] : told }
}

/**
 * Returns a function that checks whether an item has the members in which all matched items identify their step. A list with
 * another name may have items of other kinds: the `included` of JSON:API has the executions beside the steps.
 */
function isLikeSteps(told: StepList<SentStep>['items']): (item: unknown) => boolean {
  const [first = [], ...others] = told.map(({ step, item }) =>
    leavesOf(item).flatMap(({ pointer, value }) => (value === step.step_id || value === step.name ? [pointer] : [])),
  )
  const shared = first.filter((pointer) => others.every((pointers) => pointers.includes(pointer)))
  return (item) => shared.every((pointer) => valueAt(item, pointer) !== undefined)
}

/** Returns the values of a step's item at the place of a finding, such as `step.order`. */
export function shownOf(item: unknown, { place }: Finding, list: Finding): Located[] {
  return valuesAt(item, place.slice(list.place.length))
}

/**
 * Checks whether a part of an answer is only the definition of the steps: it shows them, and all of its figures were sent. A
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

/**
 * Checks whether a member is a figure: a number, null with the name of a figure, or a mean as a text such as `PT2.5S`; but no
 * identifier or estimate.
 */
function isFigure({ name, value }: Located): boolean {
  if (mentionsRole(termsOf(name), 'estimate')) return false
  if (value === null) return mentionsRole(termsOf(name), 'rate', 'duration', 'average', 'count')
  if (typeof value === 'string') return mentionsRole(termsOf(name), 'average') && numberOf(value) !== undefined
  return typeof value === 'number' && !endsWithRole(name, 'identifier')
}

const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'))
const lastName = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1)

function distinctBy<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()].reverse()
}
