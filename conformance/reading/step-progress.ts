/**
 * Reads which steps of an execution wait, and which do not, under any name: a step that waits shows the same value as others
 * that wait. What the value means is proven by workflows that differ in `isSequential` and in the sequence of their steps.
 */
import { isObject } from '../../src/contract/json.ts'
import { membersOf } from './locate.ts'
import { stepListsIn } from './places.ts'
import { hasRole, mentionsRole, type Role, termsOf } from './vocabulary.ts'

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
const nothing = 'nothing'

/** Parts of an answer that rate steps. A mark of one step there, such as the bottleneck, is no state of it. */
const ratings: readonly Role[] = ['measure', 'insight', 'advice', 'bottleneck', 'slow', 'rate', 'average']

/** Returns the values of each member that describes a step, in all lists that show all of the steps, except where they are rated. */
export function stepsAtPlaces(json: unknown, steps: readonly OrderedStep[]): StepsAtPlaces {
  const found = new Map<string, StepValues>()
  const inOrder = [...steps].sort((a, b) => a.order - b.order)
  const add = (place: string, values: readonly unknown[]) => {
    if (found.has(place) || mentionsRole(termsOf(place), ...ratings)) return
    found.set(place, values.map(textOf))
  }
  for (const { pointer, items } of stepListsIn(json, steps)) {
    if (items.length !== steps.length) continue
    const list = starred(pointer)
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
    if (values.some((one) => one !== undefined)) add(`${starred(pointer)}/*`, values)
  }
  return found
}

/** Replaces the positions and identifiers in a pointer, which differ between executions. */
const starred = (pointer: string) =>
  pointer
    .split('/')
    .map((name) => (/^\d+$/.test(name) || (name.length > 5 && /\d/.test(name)) ? '*' : name))
    .join('/')

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return nothing
  if (typeof value !== 'object') return JSON.stringify(value)
  return Object.keys(value).length === 0 ? nothing : 'something'
}

/** What one kind of answer shows of the steps of an execution, before it and in chronological order afterwards. */
export interface StepHistory {
  readonly before?: StepsAtPlaces
  readonly after: readonly StepsAtPlaces[]
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
    return waiting === undefined ? [] : [{ place, waiting }]
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

/** Returns true if no step of a workflow that is not sequential waits at the place, once its execution is shown. */
export function isSideBySide({ parallel }: StepHistories, found: WaitingPlace): boolean {
  const shown = parallel ? startedAt(parallel, found) : []
  return shown.length > 0 && shown.every((values) => !values.includes(found.waiting))
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
const isState = (value: string) => value === nothing || /^"(?!-?[\d.,]+ ?%?"$)/.test(value)

/** Returns true if the steps of a workflow that is not sequential seem to wait for the first one, and none has taken over from it. */
export function mayWaitInTurn(histories: StepHistories): boolean {
  return waitingPlaces(histories).some((found) => {
    const turn = waitingInTurn(histories, found)
    return turn !== undefined && turn.handedOn === undefined
  })
}

/** A place that shows all steps of a sequential workflow at work at once, by its words alone. */
export interface AllAtWork {
  readonly place: string
  /** The values that show a later step begun before the end of an earlier one; undefined if none has. */
  readonly overtaken?: { readonly place: string; readonly values: StepValues }
  /** True if all steps have moved on. */
  readonly isOver: boolean
}

/** Returns the places at which a state says that all steps are at work. */
export function allAtWork({ after }: StepHistory): AllAtWork[] {
  const places = new Set(after.flatMap((shown) => [...shown.keys()]))
  return [...places].flatMap((place): AllAtWork[] => {
    const [start, ...later] = valuesOf({ after }, place)
    const [word = ''] = start ?? []
    if (!start || !isEven(start) || !isStateName(place) || !saysAtWork(word)) return []
    const values = later.find((values) =>
      values.some((value, index) => value !== word && values.slice(0, index).includes(word)),
    )
    const overtaken = values ? { place, values } : overlapBeside(place, after)
    return [{ place, ...(overtaken && { overtaken }), isOver: later.some((values) => !values.includes(word)) }]
  })
}

/** Returns the times beside a state, from each start to its end, if a later step started before an earlier one ended. */
function overlapBeside(place: string, after: readonly StepsAtPlaces[]): AllAtWork['overtaken'] {
  const list = place.slice(0, place.lastIndexOf('/'))
  for (const shown of after) {
    const beside = [...shown].filter(([other]) => other.slice(0, other.lastIndexOf('/')) === list)
    const timesOf = (role: Role) => {
      const found = beside.find(
        ([other, values]) => mentionsRole(lastTermsOf(other), role) && timesIn(values).some((time) => time > 0),
      )
      return found?.[1] ?? []
    }
    const [started, ended] = [timesOf('begun'), timesOf('ended')]
    const [starts, ends] = [timesIn(started), timesIn(ended)]
    if (starts.some((start, index) => ends.slice(0, index).some((end) => start < end))) {
      return { place: list, values: started.map((start, index) => `${start} to ${ended[index]}`) }
    }
  }
  return undefined
}

/** Returns times in ISO 8601 as milliseconds, anything else as `NaN`. */
const timesIn = (values: StepValues) =>
  values.map((value) => (/^"\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value.slice(1, -1)) : Number.NaN))

/** Returns true if the steps of the shuffled workflow seem to be at work at once, and none has overtaken another yet. */
export function isUnderWay({ shuffled }: StepHistories): boolean {
  return shuffled !== undefined && allAtWork(shuffled).some(({ overtaken, isOver }) => !overtaken && !isOver)
}

const lastTermsOf = (place: string) => termsOf(place.slice(place.lastIndexOf('/') + 1))
const isStateName = (place: string) => mentionsRole(lastTermsOf(place).slice(-1), 'state')
const saysAtWork = (text: string) => termsOf(text).some((term) => hasRole(term, 'atWork'))
