/**
 * Reads which steps of an execution wait, and which do not, under any name: a step that waits shows the same value as others
 * that wait. What the value means is proven by workflows that differ in `isSequential` and in the sequence of their steps.
 */
import { isObject } from '../../src/contract/json.ts'
import { lastName, membersOf, oncePerPair, valueAt } from './locate.ts'
import { remember } from './names.ts'
import { leavesOf, stepListsIn } from './places.ts'
import { readTime } from './times.ts'
import { hasRole, isNamed, mentionsRole, type Role, termsOf } from './vocabulary.ts'

interface OrderedStep {
  readonly step_id: string
  readonly name: string
  readonly order: number
}

/** A value of each step at a place, in the order of the steps. */
export type StepValues = readonly string[]

/** What an answer shows of all steps of an execution, by place; `*` is the item of any step. */
export type StepsAtPlaces = ReadonlyMap<string, StepValues>

/** The text for an absent or empty value, such as the approver of a step that waits. */
export const nothing = 'nothing'

/** Parts of an answer that rate steps. A mark of one step there, such as the bottleneck, is no state of it. */
const ratings: readonly Role[] = ['measure', 'insight', 'advice', 'bottleneck', 'slow', 'rate', 'average']

/** Returns the values of each member that describes a step, in all lists that show all of the steps, except where they are rated. */
export function stepsAtPlaces(json: unknown, steps: readonly OrderedStep[]): StepsAtPlaces {
  return json === null || typeof json !== 'object' ? new Map() : readStepsAtPlaces(json, steps)
}

const readStepsAtPlaces = oncePerPair((json, steps: readonly OrderedStep[]): StepsAtPlaces => {
  const found = new Map<string, StepValues>()
  const inOrder = [...steps].sort((a, b) => a.order - b.order)
  const add = (place: string, values: readonly unknown[]) => {
    if (found.has(place) || mentionsRole(termsOf(place), ...ratings)) return
    found.set(place, values.map(textOf))
  }
  for (const { pointer, items } of stepListsIn(json, steps)) {
    if (items.length !== steps.length) continue
    const list = generalPlace(pointer)
    const own = inOrder.map((step) => {
      const item = items.find((one) => one.step === step)?.item
      return new Map([['', item], ...membersOf(item).map((one) => [one.pointer, one.value] as const)])
    })
    for (const member of new Set(own.flatMap((values) => [...values.keys()]))) {
      add(
        `${list}/*${member}`,
        own.map((values) => values.get(member)),
      )
    }
  }
  // Objects that map the identifiers of all steps to plain values.
  for (const { pointer, value } of [{ pointer: '', value: json }, ...membersOf(json)]) {
    if (!isObject(value) || !inOrder.every(({ step_id }) => Object.hasOwn(value, step_id))) continue
    const values = inOrder.map(({ step_id }) => value[step_id])
    if (values.some((one) => one !== undefined)) add(`${generalPlace(pointer)}/*`, values)
  }
  return found
})

/** Replaces the positions and identifiers in a pointer, which differ between executions. */
export const generalPlace = (pointer: string) =>
  pointer
    .split('/')
    .map((name) => (/^\d+$/.test(name) || (name.length > 5 && /\d/.test(name)) ? '*' : name))
    .join('/')

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return nothing
  if (typeof value !== 'object') return JSON.stringify(value)
  return Object.keys(value).length === 0 ? nothing : 'something'
}

/** Returns the places of lists of all steps, in objects whose own state says that they have ended, and in which nothing was denied. */
export function approvedLists(json: unknown, steps: readonly OrderedStep[]): string[] {
  return stepListsIn(json, steps).flatMap(({ pointer, items }) => {
    const names = pointer.split('/')
    const ownerOf = () => valueAt(json, names.slice(0, -1).join('/'))
    // An object with the list alone encloses it, as in JSON that was made from XML.
    while (names.length > 2 && (isNamed(names.at(-1) ?? '', 'envelope') || isOnlyMember(ownerOf()))) names.pop()
    const owner = ownerOf()
    const own = Object.entries(isObject(owner) ? owner : {})
    const hasEnded = own.some(
      ([name, value]) => isStateName(`/${name}`) && typeof value === 'string' && mentionsRole(termsOf(value), 'ended'),
    )
    // The last step itself may be called skipped.
    const last = items.find(({ step }) => steps.every(({ order }) => order <= step.order))
    const inLast = new Set(leavesOf(last?.item).map(({ value }) => value))
    const isDenied = leavesOf(owner).some(
      ({ value }) => typeof value === 'string' && !inLast.has(value) && mentionsRole(termsOf(value), 'denied'),
    )
    return hasEnded && !isDenied && items.length === steps.length ? [`${generalPlace(pointer)}/*`] : []
  })
}

const isOnlyMember = (owner: unknown) => isObject(owner) && Object.keys(owner).length === 1

/** Returns the time that a value of a step is, in milliseconds, or none. */
export const timeOf = remember((text) => {
  const isValue = text.startsWith('"') || /^\d/.test(text)
  return { ms: isValue ? readTime(JSON.parse(text))?.ms : undefined }
})

/** What one kind of answer shows of the steps of an execution, before it and in chronological order afterwards. */
export interface StepHistory {
  readonly before?: StepsAtPlaces
  readonly after: readonly StepsAtPlaces[]
  /** The places of lists of steps whose execution was approved in the latest answer. */
  readonly approved?: readonly string[]
}

/** The histories of three executions of workflows with the same steps. */
export interface StepHistories {
  readonly sequential: StepHistory
  /** With `isSequential` false. */
  readonly parallel?: StepHistory
  /** Sequential, with steps that were sent in another sequence than their orders. */
  readonly shuffled?: StepHistory
  /** Without `isSequential`. */
  readonly byDefault?: StepHistory
  /** A second execution of the first, sequential workflow. */
  readonly again?: StepHistory
}

/** A place that shows which steps wait. */
export interface WaitingPlace {
  readonly place: string
  /** The value of steps that wait. */
  readonly waiting: string
}

/** Returns the places that distinguish one step of a sequential workflow from all others, which show the same value. */
export function waitingPlaces({ sequential }: StepHistories): WaitingPlace[] {
  const places = new Set(sequential.after.flatMap((shown) => [...shown.keys()]))
  return [...places].flatMap((place): WaitingPlace[] => {
    const waiting = commonValue(firstUneven(sequential, place))
    // Steps that start at the same time do not wait.
    return waiting === undefined || timeOf(waiting).ms !== undefined ? [] : [{ place, waiting }]
  })
}

/** Returns the value that all steps but one show. */
function commonValue(values: StepValues | undefined): string | undefined {
  const isAlone = (one: string) => values?.filter((value) => value === one).length === 1
  const others = values?.filter((value) => !isAlone(value)) ?? []
  return others.length > 1 && others.length + 1 === values?.length && isEven(others) ? others[0] : undefined
}

const valuesOf = ({ after }: StepHistory, place: string) =>
  after.flatMap((shown) => [shown.get(place) ?? []].filter(hasAny))
const hasAny = (values: StepValues) => values.length > 0
/** Returns the values from the moment on at which some step does not wait. */
const startedAt = (history: StepHistory, { place, waiting }: WaitingPlace) =>
  valuesOf(history, place).filter((values) => values.some((value) => value !== waiting))
const isEven = (values: StepValues) => new Set(values).size < 2

function firstUneven(history: StepHistory, place: string): StepValues | undefined {
  return valuesOf(history, place).find((values) => !isEven(values))
}

/** Returns true if only the first step differs from the others. */
function marksFirst(values: StepValues | undefined): boolean {
  const [first, ...others] = values ?? []
  return others.length > 1 && isEven(others) && first !== others[0]
}

/**
 * Returns true if no step of a workflow that is not sequential waits at the place, once its execution is shown, and several have the
 * value of the step at work in the sequential one: all of them may have ended.
 */
export function isSideBySide({ sequential, parallel }: StepHistories, found: WaitingPlace): boolean {
  const shown = parallel ? startedAt(parallel, found) : []
  const working = firstUneven(sequential, found.place)?.find((value) => value !== found.waiting)
  const areAtWork = shown.some((values) => values.filter((value) => value === working).length > 1)
  return areAtWork && shown.every((values) => !values.includes(found.waiting))
}

/**
 * Returns the values that show a later step at work while the first one waits, and the execution that shows them. If even steps
 * that were sent in their order begin with a later one, all sequential workflows must, and the others must show all steps at
 * work at first: otherwise the value that looks like waiting may be that of steps that have ended.
 */
export function outOfOrder(
  { sequential, parallel, shuffled }: StepHistories,
  { place, waiting }: WaitingPlace,
): { readonly values: StepValues; readonly of: 'sequential' | 'shuffled' } | undefined {
  const values = shuffled && firstUneven(shuffled, place)
  if (values?.[0] !== waiting) return undefined
  const own = firstUneven(sequential, place) ?? []
  if (own[0] !== waiting) return { values, of: 'shuffled' }
  const [together] = parallel ? startedAt(parallel, { place, waiting }) : []
  const working = own.find((value) => value !== waiting)
  const isAtWork = together?.every((value) => value === working) && commonValue(values) === waiting
  return isAtWork ? { values: own, of: 'sequential' } : undefined
}

/** Returns the values that show all steps of a workflow without `isSequential` in the state in which others begin with one. */
export function togetherByDefault(
  { sequential, byDefault }: StepHistories,
  found: WaitingPlace,
): StepValues | undefined {
  const [working] = firstUneven(sequential, found.place) ?? []
  const [values] = byDefault ? startedAt(byDefault, found) : []
  return working !== found.waiting && values?.every((value) => value === working) ? values : undefined
}

/** Returns true if the place distinguishes the first step by its order also if the steps were sent in another sequence. */
export function followsOrder({ sequential, shuffled }: StepHistories, { place, waiting }: WaitingPlace): boolean {
  const values = shuffled && firstUneven(shuffled, place)
  return values !== undefined && values[0] !== waiting && marksFirst(firstUneven(sequential, place))
}

/**
 * Returns true if some place distinguishes the steps since the execution, other than by values that were sent: if none does, no step
 * is at work. Empty values count, since a step at work has an approver or a time that others lack.
 */
export function showsWork({ before, after }: StepHistory, sent: ReadonlySet<string>): boolean {
  return after.some((shown) =>
    [...shown].some(([place, values]) => {
      const isNew = before?.get(place)?.join() !== values.join()
      return isNew && !isEven(values) && !values.every((value) => sent.has(value))
    }),
  )
}

/** Returns true if one sequential workflow shows a step at work at some place, and the other none at any such place yet. */
export function mayBegin({ sequential, shuffled }: StepHistories): boolean {
  const isNew = ({ before }: StepHistory, place: string, values: StepValues) =>
    !isEven(values) && before?.get(place)?.join() !== values.join()
  const showsAny = (history: StepHistory, some: (place: string) => boolean) =>
    history.after.some((shown) => [...shown].some(([place, values]) => some(place) && isNew(history, place, values)))
  const places = [...(sequential.after.at(-1)?.keys() ?? [])]
  const working = places.filter((place) => showsAny(sequential, (one) => one === place))
  return shuffled !== undefined && working.length > 0 && !showsAny(shuffled, (place) => working.includes(place))
}

/** What a place shows of a workflow that is not sequential if its steps seem to wait for the first one. */
export interface TurnTaking {
  /** The values while the first step is at work. */
  readonly start: StepValues
  /** The values once the second step has the state that the first one has left. */
  readonly handedOn?: StepValues
}

/**
 * Returns what a place shows of a workflow that is not sequential if only its first step is at work at first. Any mark of the first
 * step does that: a rank, a share, a bottleneck. A state moves on: the first step gets a third value, and the second step the value
 * that the first one had. A second step that does not wait while the first one is at work refutes it.
 */
export function waitingInTurn(histories: StepHistories, found: WaitingPlace): TurnTaking | undefined {
  const { waiting } = found
  if (!histories.parallel || !followsOrder(histories, found)) return undefined
  const [start, ...later] = startedAt(histories.parallel, found)
  if (!start || !marksFirst(start) || start[1] !== waiting) return undefined
  const [working = nothing] = start
  const isRefuted = later.some(([first, ...others]) => first === working && others.some((value) => value !== waiting))
  // A mark of the first step that has moved away from it.
  const isMark = later.some(([first]) => first === waiting)
  if (isRefuted || isMark || !isState(waiting) || !isState(working)) return undefined
  const handedOn = later.find(
    ([first = nothing, second, ...others]) =>
      first !== working && isState(first) && second === working && others.every((value) => value === waiting),
  )
  return { start, ...(handedOn && { handedOn }) }
}

/** Returns true for a text that is not a number, and for nothing. Figures and marks rarely are such texts; states are. */
export const isState = (value: string) => value === nothing || /^"(?!-?[\d.,]+ ?%?"$)/.test(value)

/**
 * Returns what a place shows of a workflow that is not sequential if it is empty for all steps but the first in each answer, and that
 * of the first does not change. Of sequential workflows, it shows the same.
 */
export function onlyForFirst(histories: StepHistories, found: WaitingPlace): StepValues | undefined {
  const { start, handedOn } = waitingInTurn(histories, found) ?? {}
  if (!start || handedOn || found.waiting !== nothing || !histories.parallel) return undefined
  const shown = startedAt(histories.parallel, found)
  return shown.length > 1 && shown.every((values) => values.join() === start.join()) ? start : undefined
}

/** States of steps that do not prove which of them wait. */
export interface ShownStates {
  readonly place: string
  readonly sequential: StepValues
  readonly parallel: StepValues
}

/** Returns the first states that are shown of the steps of both workflows, at the place of a state or of another text. */
export function shownStates({ sequential, parallel }: StepHistories): ShownStates | undefined {
  const places = new Set(sequential.after.flatMap((shown) => [...shown.keys()]))
  const found = [...places].flatMap((place) => {
    const [own, other] = [valuesOf(sequential, place).at(0), parallel && valuesOf(parallel, place).at(0)]
    return own && other && isStateName(place) && !own.includes('something')
      ? [{ place, sequential: own, parallel: other }]
      : []
  })
  return found[0]
}

/**
 * Returns what a place shows of a workflow that is not sequential if only some of its steps are at work at first, and a waiting one begins
 * only when one of those has ended. A deployment may start steps a little later than others, so at least two answers must show
 * that they wait, and no step may begin while all of the first ones are still at work. `earlier` is what the answer to executing shows.
 */
export function waitingBeside(
  histories: StepHistories,
  found: WaitingPlace,
  earlier?: StepValues,
): TurnTaking | undefined {
  const { place, waiting } = found
  const { sequential, parallel } = histories
  if (!parallel || !followsOrder(histories, found) || !isState(waiting) || !isStateName(place)) return undefined
  const [working = nothing] = firstUneven(sequential, place) ?? []
  const [start, ...later] = startedAt(parallel, found)
  const atWork = (values: StepValues) => values.filter((value) => value === working).length
  if (!start || !isState(working) || atWork(start) < 2 || !start.includes(waiting)) return undefined
  if (start.some((value) => value !== working && value !== waiting)) return undefined
  const next = later.find((values) => values.join() !== start.join())
  if (!next) return { start }
  if (next === later[0] && earlier?.join() !== start.join()) return undefined
  const hasBegun = next.some((value, step) => value === working && start[step] === waiting)
  const hasTakenOver =
    hasBegun &&
    atWork(next) <= atWork(start) &&
    next.every((value, step) => value !== waiting || start[step] === waiting)
  return hasTakenOver && start.some((value, step) => value === working && next[step] !== working)
    ? { start, handedOn: next }
    : undefined
}

/** Returns true if steps of a workflow that is not sequential seem to wait for others, and none has taken over from them. */
export function mayWaitInTurn(histories: StepHistories): boolean {
  return waitingPlaces(histories).some((found) =>
    [waitingInTurn, waitingBeside].some((look) => {
      const turn = look(histories, found)
      return turn !== undefined && turn.handedOn === undefined
    }),
  )
}

/**
 * Returns the values of an execution of the sequential workflow that was approved while its last steps wait, and all others have the state
 * that the first one has got after its work.
 */
export function skippedLast(
  { sequential, again }: StepHistories,
  { place, waiting }: WaitingPlace,
): { readonly of: 'sequential' | 'again'; readonly values: StepValues } | undefined {
  const start = firstUneven(sequential, place)
  const [working] = start ?? []
  if (!start || !marksFirst(start)) return undefined
  for (const [of, history] of [
    ['sequential', sequential],
    ['again', again],
  ] as const) {
    const values = history && valuesOf(history, place).at(-1)
    if (!values || !(history.approved ?? []).some((list) => place.startsWith(list))) continue
    const [ended = nothing] = values
    const rest = values.slice(values.lastIndexOf(ended) + 1)
    const isDone = ended !== waiting && ended !== working && isState(ended)
    if (isDone && rest.length > 0 && values.every((value) => value === ended || value === waiting))
      return { of, values }
  }
  return undefined
}

/**
 * Returns the values of a sequential workflow that show several later steps at work, once the first one has moved on. Two answers must
 * show the same, since one may be composed of what was true at two moments.
 */
export function laterAtOnce(
  histories: StepHistories,
  { place, waiting }: WaitingPlace,
): { readonly of: 'sequential' | 'shuffled'; readonly values: StepValues } | undefined {
  const working = firstUneven(histories.sequential, place)?.[0] ?? nothing
  if (working === nothing || !isState(working)) return undefined
  for (const of of ['sequential', 'shuffled'] as const) {
    const shown = histories[of] ? valuesOf(histories[of], place) : []
    const several = shown.filter(
      (values) =>
        values[0] !== working && values[0] !== waiting && values.indexOf(working) < values.lastIndexOf(working),
    )
    const values = several.find((one, index) => several.slice(index + 1).some((other) => other.join() === one.join()))
    if (values) return { of, values }
  }
  return undefined
}

/** What a place shows of the steps of an execution. */
export interface ValuesAtPlace {
  readonly place: string
  readonly values: StepValues
}

/** The executions of which an answer may show the steps. */
export const executionKinds = [
  'sequential',
  'parallel',
  'shuffled',
  'byDefault',
  'again',
] as const satisfies readonly (keyof StepHistories)[]

/** Returns true if all steps but the last show something. */
export const lacksLast = (values: StepValues) => values.at(-1) === nothing && !values.slice(0, -1).includes(nothing)

/** Returns one of the places if it is empty for the last step alone in an approved execution whose steps all have the same final state. */
export function emptyForLast(
  histories: StepHistories,
  isMeant: (place: string) => boolean,
): (ValuesAtPlace & { readonly of: keyof StepHistories }) | undefined {
  for (const of of executionKinds) {
    const { after = [], approved = [] } = histories[of] ?? {}
    for (const list of approved) {
      const own = [...(after.at(-1) ?? [])].filter(([place]) => place.startsWith(list))
      const areDone = own.some(([place, values]) => isStateName(place) && isEven(values) && values.every(saysEnded))
      const found = own.find(([place, values]) => isMeant(place) && lacksLast(values))
      if (areDone && found) return { of, place: found[0], values: found[1] }
    }
  }
  return undefined
}

/**
 * Returns a place at which sequential workflows begin with the same value for all steps but the last, and the parallel one with that
 * value for all of its steps. The value is that of steps at work if it is called a state, or if some step has it at first and another one
 * later.
 */
export function atWorkTogether({
  sequential,
  shuffled,
  byDefault,
  parallel,
}: StepHistories): ValuesAtPlace | undefined {
  const places = new Set(sequential.after.flatMap((shown) => [...shown.keys()]))
  for (const place of places) {
    const values = firstUneven(sequential, place)
    // The shuffled workflow may have more steps.
    const begins = [sequential, shuffled, byDefault]
      .flatMap((one) => (one ? [firstUneven(one, place)] : []))
      .filter((one) => one === undefined || one.length === values?.length)
    const [working = nothing] = values ?? []
    const waiting = values?.at(-1) ?? nothing
    const [together = []] = parallel ? valuesOf(parallel, place) : []
    const isAlike = begins.length > 1 && begins.every((one) => one?.join() === values?.join())
    if (!values || !isAlike || !marksLast(values) || together.length === 0) continue
    if (![working, waiting].every(isState) || together.some((value) => value !== working)) continue
    const isLeft = [sequential, shuffled, byDefault, parallel].some(
      (one) => one && hasLeft(one, place, working, waiting),
    )
    if (isLeft || isStateName(place)) return { place, values }
  }
  return undefined
}

/** Returns true if only the last of several steps differs from the others. */
export const marksLast = (values: StepValues) => marksFirst(values.toReversed())

/** Returns true if the value of a step changes from `working` to anything but `waiting`. */
function hasLeft(history: StepHistory, place: string, working: string, waiting: string): boolean {
  const [first, ...later] = valuesOf(history, place)
  return later.some((values) =>
    values.some((value, step) => first?.[step] === working && value !== working && value !== waiting),
  )
}

/** A place that shows all steps of a sequential workflow at work at once, by its words alone. */
export interface AllAtWork {
  readonly place: string
  /** The values that show the end of a later step before that of an earlier one; undefined if none has ended so. */
  readonly overtaken?: ValuesAtPlace
  /** True if all steps have moved on. */
  readonly isOver: boolean
}

/** Returns the places at which a state says that all steps are at work. */
export function allAtWork(history: StepHistory): AllAtWork[] {
  return statesIn(history).flatMap(({ place, shown: [start, ...later] }): AllAtWork[] => {
    const [word = ''] = start ?? []
    if (!start || !isEven(start) || !saysAtWork(word)) return []
    const values = later.find((values) =>
      values.some((value, index) => value !== word && values.slice(0, index).includes(word)),
    )
    const overtaken = values && { overtaken: { place, values } }
    return [{ place, ...overtaken, isOver: later.some((values) => !values.includes(word)) }]
  })
}

/** Returns true if the steps of the shuffled workflow seem to be at work at once, and none has overtaken another yet. */
export function isUnderWay({ shuffled }: StepHistories): boolean {
  return shuffled !== undefined && allAtWork(shuffled).some(({ overtaken, isOver }) => !overtaken && !isOver)
}

/** Returns the places of states, with the values that they show from the execution on. */
function statesIn({ after }: StepHistory): { readonly place: string; readonly shown: readonly StepValues[] }[] {
  const places = new Set(after.flatMap((shown) => [...shown.keys()]))
  return [...places].filter(isStateName).map((place) => ({ place, shown: valuesOf({ after }, place) }))
}

/** Returns the number of steps that have ended, by the state that shows most of them. */
export function endedSteps(history: StepHistory): number {
  const counts = statesIn(history).map(({ shown }) => shown.at(-1)?.filter(saysEnded).length ?? 0)
  return Math.max(0, ...counts)
}

/** Returns the values of a state that says that a step has ended while an earlier one is unchanged. */
export function endedEarly(history: StepHistory): ValuesAtPlace | undefined {
  for (const { place, shown } of statesIn(history)) {
    const [start = [], ...later] = shown
    const isUnchanged = (value: string, index: number) => value === start[index] && !saysEnded(value)
    const values = later.find((values) =>
      values.some(
        (value, index) => saysEnded(value) && value !== start[index] && values.slice(0, index).some(isUnchanged),
      ),
    )
    if (values) return { place, values }
  }
  return undefined
}

/** Returns true if a place is called a state. */
export const isStateName = (place: string) => mentionsRole(termsOf(lastName(place)).slice(-1), 'state')
const saysAtWork = (text: string) => termsOf(text).some((term) => hasRole(term, 'atWork'))
const saysEnded = (text: string) => mentionsRole(termsOf(text), 'ended') && !mentionsRole(termsOf(text), 'denied')
