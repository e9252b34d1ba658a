/**
 * How far the steps of executions are, without reading a word: by values that steps leave in time, by times and people that are filled in,
 * and by what differs with `isSequential`.
 */
import type { Evidence } from '../evidence/evidence.ts'
import { lastName, oncePerAnswer, parentOf, valueAt } from '../reading/locate.ts'
import { isInPart, mentions } from '../reading/parts.ts'
import { isEmpty, leavesOf } from '../reading/places.ts'
import { timeOf } from '../reading/times.ts'
import type { Recorded } from '../wire/record.ts'
import type { Listed, Thing } from './bind.ts'
import { boundIn, type ExecutionRun, runsIn } from './samples.ts'
import { scalarText } from './values.ts'
import { allTexts } from './whose.ts'

/** What one answer shows of a step, by place in its items. */
export interface StepShown {
  readonly step: Thing
  /** The items about the step, each with the name of its list. */
  readonly items: readonly { readonly list: string; readonly item: unknown }[]
  readonly shown: ReadonlyMap<string, unknown>
  /** The same in words that can be compared. What differs between all steps anyway is `something`. */
  readonly words: ReadonlyMap<string, string>
}

/** What one answer shows of an execution: its own members, and its steps by their order. */
export interface ProgressRow {
  readonly run: ExecutionRun
  readonly exchange: Recorded
  readonly answer: 'executed' | 'details'
  /** JSON Pointer to the first list of steps; `*` is any item. */
  readonly place: string
  readonly steps: readonly StepShown[]
  readonly own: ReadonlyMap<string, string>
}

/** The text for an absent or empty value, such as the approver of a step that waits. */
export const nothing = 'nothing'
export const something = 'something'
/** The text for what an answer has no list for. */
const unknown = '?'

/** Rows, and what they have in common. */
export interface Phases {
  readonly rows: readonly ProgressRow[]
  /** The rows that lack some of the steps, such as those that were not reached. */
  readonly partial: readonly ProgressRow[]
  /** Returns true if the second step is further than the first. */
  readonly isFurther: (one: StepShown, other: StepShown) => boolean
  /** Describes how far a step is; the same for steps that are equally far. */
  readonly phaseOf: (step: StepShown) => string
  /** The phases in which steps wait for others. */
  readonly waiting: ReadonlySet<string>
  /** The phases in which steps are worked on. */
  readonly active: ReadonlySet<string>
  /** Returns true if an execution is over: in a state that none leaves, and that others share whose steps are all equally far. */
  readonly isOver: (row: ProgressRow) => boolean
  /** Returns true if an execution has come to a state that it has not left yet. */
  readonly mayBeOver: (row: ProgressRow) => boolean
  /** The places in steps that tell how far they are, the most telling first. */
  readonly places: readonly string[]
  /** The places in steps where times or people are filled in as they move on. */
  readonly events: readonly string[]
}

/** Returns how far the steps of all executions are, in each answer that shows them. */
export function phasesIn(evidence: Evidence): Phases {
  return evidence.once('phases', () => {
    const { whole, partial } = rowsIn(evidence)
    return phasesOf(whole, partial)
  })
}

/** Returns how far the steps of executions are in the answers that show them. */
export function phasesOf(rows: readonly UnreadRow[], partial: readonly UnreadRow[] = []): Phases {
  const inTime = (some: readonly UnreadRow[]) => wordsOf(some).sort((a, b) => a.exchange.place - b.exchange.place)
  return { ...readPhases(inTime(rows)), partial: inTime(partial) }
}

/** Returns the answers that show steps of executions: all of them, or some. */
function rowsIn(evidence: Evidence): Readonly<Record<'whole' | 'partial', UnreadRow[]>> {
  const runs = runsIn(evidence)
  const shown = (['executed', 'details'] as const).flatMap((answer) =>
    boundIn(evidence, answer).listings.flatMap(({ fact, place, seen }) => {
      // A place that never lists two steps, even if they run in parallel, is no list of open steps: it may show the slowest one.
      if (!seen.some(({ found }) => found.length > 1)) return []
      return seen.flatMap((listed): ShownList[] => {
        const run = runOf(fact, listed, runs)
        const tellsSome = listed.found.length > 0 && listed.things.length > 1 && !(run && isOther(run, listed))
        return run && tellsSome
          ? [{ run, answer, place, listed, isOwn: answer === 'executed' || fact !== 'steps' }]
          : []
      })
    }),
  )
  const groups = new Map<string, ShownList[]>()
  for (const one of shown) {
    const key = `${one.listed.sample.exchange.place} ${runs.indexOf(one.run)}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  // The workflow's own steps say how far they are only where nothing else does; a list of open steps only beside one of all steps.
  const hasOwn = shown.some(({ isOwn, answer }) => isOwn && answer === 'details')
  const lists = [...groups.values()].map((all) => all.filter(({ isOwn }) => isOwn || !hasOwn))
  const isWhole = (all: readonly ShownList[]) => all.some(({ listed }) => listed.missing.length === 0)
  const others = lists.filter((all) => all.length > 0 && !isWhole(all))
  return { whole: lists.filter(isWhole).map(rawRow), partial: others.map(rawRow) }
}

/**
 * Returns true for a list of some of the steps that says nothing of their progress: it was the same before the execution, such as the first
 * step of a diagram, or it is a part of the analytics, such as sentences about steps.
 */
function isOther(run: ExecutionRun, { sample, pointer, missing, found }: Listed): boolean {
  if (missing.length === 0) return false
  const { json } = sample.exchange
  const { made } = run.workflow
  if (found.every(({ shown }) => leavesOf(shown).some(({ value }) => mentions(sentTexts(run), value)))) return true
  if (isInPart(json, pointer, 'bottlenecks', 'optimization_recommendations')) return true
  const [before, after] = [made.details.json, json].map((one) => JSON.stringify(valueAt(one, pointer)))
  return before === after
}

/** A list of steps in an answer, with the execution that it is about. */
interface ShownList {
  readonly run: ExecutionRun
  readonly answer: ProgressRow['answer']
  readonly place: string
  readonly listed: Listed
  /** True if the list is within what is about the execution. */
  readonly isOwn: boolean
}

/** Steps of the workflow itself may show how far its only execution is. */
function runOf(fact: string, { sample }: Listed, runs: readonly ExecutionRun[]): ExecutionRun | undefined {
  if (fact !== 'steps' && fact !== 'executions/*/steps') return undefined
  const { executions } = sample.facts
  const [own, other] = Array.isArray(executions) ? executions : [sample.facts]
  return other === undefined ? runs.find(({ facts }) => facts === own) : undefined
}

/** A row whose values are not yet compared. */
export type UnreadRow = Omit<ProgressRow, 'steps' | 'own'> & {
  readonly steps: readonly Omit<StepShown, 'words'>[]
  readonly own: ReadonlyMap<string, unknown>
}

function rawRow(lists: readonly ShownList[]): UnreadRow {
  const [first] = lists as [ShownList]
  const { run, answer, place, listed } = lists.find(({ isOwn }) => isOwn) ?? first
  const steps = [...listed.things].sort((a, b) => Number(a.order) - Number(b.order))
  return {
    ...{ run, answer, place: `${place}/*`, exchange: listed.sample.exchange },
    own: cellsIn(aroundOf(listed), '', valueAt(listed.sample.exchange.json, listed.pointer)),
    steps: steps.map((step) => ({
      step,
      items: lists.map((list) => ({ list: nameOf(list), item: itemOf(step, list) })),
      // Of lists with one name, some may show other steps.
      shown: new Map(lists.flatMap((list) => [...cellsOf(step, list)]).toSorted(absentFirst)),
    })),
  }
}

/** Returns the object that has a list of steps: the one around it, or around the page that it is on. */
function aroundOf({ sample: { exchange, pointer: own }, pointer }: Listed): unknown {
  const [page, holder] = [parentOf(pointer), parentOf(parentOf(pointer))]
  const all = Object.values(valueAt(exchange.json, page) ?? {})
  const isPage = page.length > own.length && all.filter((one) => one !== null && typeof one === 'object').length === 1
  return valueAt(exchange.json, isPage ? holder : page)
}

/** Stands before the places of the workflow's own steps. */
const ofWorkflow = 'workflow '

/** Returns what a list shows of a step, and whether it does at all. */
function cellsOf(step: Thing, list: ShownList): Map<string, unknown> {
  const [name, item] = [nameOf(list), itemOf(step, list)]
  return new Map([[name, item === undefined ? item : something], ...cellsIn(item, name)])
}

const absentFirst = ([, one]: readonly [string, unknown], [, other]: readonly [string, unknown]) =>
  Number(one !== undefined) - Number(other !== undefined)

const nameOf = ({ isOwn, place }: ShownList) => `${isOwn ? '' : ofWorkflow}${lastName(place)}`

/** Returns what a list shows of a step. In a log, that is its latest event. */
function itemOf(step: Thing, { listed: { found, again } }: ShownList): unknown {
  const [first, ...others] = [...found, ...again].flatMap(({ thing, shown }) => (thing === step ? [shown] : []))
  const timeIn = (item: unknown) => Math.max(0, ...leavesOf(item).map(({ value }) => timeOf(value) ?? 0))
  return others.reduce((latest, item) => (timeIn(item) >= timeIn(latest) ? item : latest), first)
}

/** Returns the scalars of an object by place, after a name. Each list counts as one value, and so does the object `parts`. */
export function cellsIn(value: unknown, place: string, parts?: unknown): Map<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return new Map([[`${place}/`, Array.isArray(value) ? (value.length > 0 ? something : undefined) : value]])
  }
  return new Map(
    Object.entries(value).flatMap(([name, one]): (readonly [string, unknown])[] => {
      if (one !== null && one === parts) return [[`${place}/${name}`, something]]
      const cells = [...cellsIn(one, `${place}/${name}`, parts)]
      const isObject = one !== null && typeof one === 'object' && !Array.isArray(one)
      return isObject ? cells : cells.map(([key, cell]) => [key.slice(0, -1), cell])
    }),
  )
}

/** The most values that states have. A place with more shows something of each step. */
const mostWords = 8
const longestWord = 40

/** What a row shows of a thing, which is a step or an execution. */
interface Cell {
  readonly value: unknown
  readonly row: UnreadRow
  readonly thing: object
}

/** Says what steps and executions show in words that can be compared: other texts and numbers are `something`. */
function wordsOf(rows: readonly UnreadRow[]): ProgressRow[] {
  const areWords = (cells: readonly Cell[], isOwn: boolean) => {
    const filled = cells.filter(({ value }) => !isEmpty(value))
    const values = new Set(filled.map(({ value }) => scalarText(value)))
    const isWord = ({ value, row }: (typeof cells)[number]) =>
      (isOwn || typeof value !== 'number') &&
      scalarText(value).length <= longestWord &&
      timeOf(value) === undefined &&
      !sentTexts(row.run).has(scalarText(value))
    // States repeat across many steps; item numbers do not.
    const shownBy = new Map<UnreadRow, string[]>()
    for (const { row, value } of filled) shownBy.set(row, [...(shownBy.get(row) ?? []), scalarText(value)])
    const isNumbering = [...shownBy.values()].some((own) => own.length > 4 && new Set(own).size === own.length)
    // Of figures, each thing has its own.
    const isOfOne = (text: string) =>
      new Set(filled.flatMap(({ value, thing }) => (scalarText(value) === text ? thing : []))).size === 1
    const areNumbers = values.size > 2 && filled.every(({ value }) => typeof value === 'number')
    const areFigures = areNumbers && values.size <= mostWords && [...values].every(isOfOne)
    return values.size <= mostWords && filled.every(isWord) && !isNumbering && !areFigures
  }
  const all = (cellsFor: (row: UnreadRow) => readonly (readonly [object, ReadonlyMap<string, unknown>])[]) => {
    const found = rows.flatMap((row) => cellsFor(row).map(([thing, cells]) => ({ row, thing, cells })))
    const places = new Set(found.flatMap(({ cells }) => [...cells.keys()]))
    return new Set(
      [...places].filter((place) =>
        // Numbers of the workflow's own steps are figures.
        areWords(
          found.map(({ cells, ...of }) => ({ ...of, value: cells.get(place) })),
          !place.startsWith(ofWorkflow),
        ),
      ),
    )
  }
  const stepWords = all(({ steps }) => steps.map(({ step, shown }) => [step, shown]))
  const ownWords = all(({ run, own }) => [[run, own]])
  const wordIn = (value: unknown, isWord: boolean) => {
    if (isEmpty(value)) return nothing
    return isWord ? scalarText(value) : something
  }
  const words = (cells: ReadonlyMap<string, unknown>, known: ReadonlySet<string>) =>
    new Map([...cells].map(([place, value]) => [place, wordIn(value, known.has(place))] as const))
  return rows.map((row) => ({
    ...row,
    own: words(row.own, ownWords),
    steps: row.steps.map((one) => ({ ...one, words: words(one.shown, stepWords) })),
  }))
}

/** Returns what was sent of the steps of a workflow. */
export const sentTexts = ({ facts: { steps } }: ExecutionRun): ReadonlySet<string> => textsOf(steps)

const textsOf = oncePerAnswer((steps): ReadonlySet<string> => new Set(allTexts({ steps }).map(scalarText)))

/** Returns true if a place shows nothing but times and people. */
function areEvents(place: string, rows: readonly ProgressRow[]): boolean {
  const all = rows.flatMap(({ run, steps }) => steps.map(({ shown }) => ({ run, value: shown.get(place) })))
  const filled = all.filter(({ value }) => !isEmpty(value))
  return filled.length > 0 && filled.every(({ run, value }) => isEvent(value, run))
}

/** Returns true for the time of an event, or a person who was asked to approve. */
function isEvent(value: unknown, run: ExecutionRun): boolean {
  const text = scalarText(value)
  return value === something || timeOf(value) !== undefined || (text.includes('@') && sentTexts(run).has(text))
}

export const isSequential = ({ workflow }: ExecutionRun) => workflow.made.sent.isSequential === true
export const isParallel = ({ workflow }: ExecutionRun) => workflow.made.sent.isSequential === false

/** The words that steps have at a place: which of them come later. */
interface Scale {
  readonly place: string
  readonly wordAt: (step: StepShown) => string | undefined
  readonly isLess: (one: string, other: string) => boolean
  /** True if it shows times or people, and no states. */
  readonly areFilledIn: boolean
}

function readPhases(rows: readonly ProgressRow[]): Omit<Phases, 'partial'> {
  const places = [...new Set(rows.flatMap(({ steps }) => steps.flatMap(({ words }) => [...words.keys()])))]
  const isEnd = endsOf(rows)
  const mayBeOver = ({ own }: ProgressRow) => [...own].some(([place, word]) => isEnd(place, word))
  const areAlike = areAllAlike(rows)
  const events = places.filter((place) => place.includes('/') && areEvents(place, rows))
  const areOver = endedIn({ rows, events }).length > 0
  const scales = places.flatMap((place) => scaleOf(place, rows, { mayBeOver, areAlike, areOver }) ?? [])
  const phaseOf = remembered((step: StepShown) => scales.map(({ wordAt }) => wordAt(step) ?? unknown).join('\n'))
  // Few phases stand for thousands of steps.
  const isLess = (one: string, other: string) => {
    const [words, others] = [one.split('\n'), other.split('\n')]
    const isAny = (from: readonly string[], to: readonly string[]) =>
      scales.some((scale, index) => scale.isLess(from[index] ?? unknown, to[index] ?? unknown))
    return one !== other && isAny(words, others) && !isAny(others, words)
  }
  const phases = [...new Set(rows.flatMap(({ steps }) => steps.map(phaseOf)))]
  const further = new Map(phases.map((one) => [one, new Set(phases.filter((other) => isLess(one, other)))] as const))
  const isBefore = (one: string, other: string) => further.get(one)?.has(other) === true
  const sequential = rows.filter(({ run }) => isSequential(run)).map(({ steps }) => steps.map(phaseOf))
  const behind = unique(
    sequential.flatMap((all) => all.filter((phase, index) => all.slice(0, index).some((one) => isBefore(phase, one)))),
  )
  // Work may be behind what has ended, and waits for nothing.
  const waiting = new Set(behind.filter((phase) => !behind.some((other) => isBefore(other, phase))))
  // An answer that shows nothing of the steps shows no move.
  const nowhere = scales.map(() => unknown).join('\n')
  const moves = movesIn(rows, (step) => (phaseOf(step) === nowhere ? undefined : phaseOf(step)))
  const isOfAll = (phase: string, isOne: (run: ExecutionRun) => boolean) =>
    rows.some(({ run, steps }) => isOne(run) && steps.every((step) => phaseOf(step) === phase))
  // If nothing moves, steps in turn that are all equally far may have ended.
  const isOpen = (phase: string) =>
    moves.size > 0 ? moves.has(phase) : isOfAll(phase, isParallel) && !isOfAll(phase, isSequential)
  const isEven = ({ steps }: ProgressRow) => new Set(steps.map(phaseOf)).size === 1
  // A skipped step has no times, but that does not put it before the steps at work.
  const isFirst = (phase: string) =>
    !phases.some((other) => !waiting.has(other) && isOpen(other) && isBefore(other, phase))
  const ahead = unique(
    sequential.flatMap((all) =>
      all.filter((phase, index) => all.slice(index + 1).some((later) => isBefore(later, phase))),
    ),
  )
  const isAtWork = unlessWaiting(scales, waiting)
  const active = new Set(
    ahead.filter((phase) => isAtWork(phase) && !waiting.has(phase) && isFirst(phase) && isOpen(phase)),
  )
  return {
    ...{ rows, phaseOf, waiting, active },
    isFurther: (one, other) => isBefore(phaseOf(one), phaseOf(other)),
    mayBeOver,
    isOver: (row) =>
      [...row.own].some(
        ([place, word]) =>
          isEnd(place, word) &&
          (isOfSeveral(row, word) || rows.some((other) => other.own.get(place) === word && isEven(other))),
      ),
    places: scales.map(({ place }) => place),
    events,
  }
}

/** Returns true if several steps show a word. */
const isOfSeveral = ({ steps }: ProgressRow, word: string) =>
  steps.filter(({ words }) => [...words.values()].includes(word)).length > 1

/**
 * Returns a function that tells whether steps in a phase may be at work. People may be chosen for a step long before it begins, so where
 * states are shown, they tell.
 */
function unlessWaiting(scales: readonly Scale[], waiting: ReadonlySet<string>): (phase: string) => boolean {
  const statesOf = (phase: string) =>
    phase
      .split('\n')
      .filter((_, index) => !scales[index]?.areFilledIn)
      .join('\n')
  const waitingStates = new Set([...waiting].map(statesOf))
  return (phase) => statesOf(phase) === '' || !waitingStates.has(statesOf(phase))
}

/** Returns the rows of executions that are over by their times: steps show when they began and ended, and none has begun and not ended. */
export const endedIn = ({ rows, events }: Pick<Phases, 'rows' | 'events'>) =>
  rows.filter(({ steps }) => {
    const filled = steps
      .map(({ shown }) => events.map((place) => shown.get(place)).filter((value) => !isEmpty(value)))
      .filter(({ length }) => length > 0)
    const areTimes = (values: readonly unknown[]) => values.filter((value) => timeOf(value) !== undefined).length > 1
    return filled.length > 0 && filled.every((values) => values.length === events.length && areTimes(values))
  })

/** Returns the latest row of each execution. */
export const lastRows = (rows: readonly ProgressRow[]) => [...new Map(rows.map((row) => [row.run, row])).values()]

const unique = (all: readonly string[]) => [...new Set(all)]

function remembered<Of extends object>(compute: (of: Of) => string): (of: Of) => string {
  const known = new WeakMap<Of, string>()
  return (of) => {
    const before = known.get(of)
    if (before !== undefined) return before
    const text = compute(of)
    known.set(of, text)
    return text
  }
}

/** For each word, those that follow it in time, at once or later. */
type Moves = ReadonlyMap<string, ReadonlySet<string>>

/** Returns how the texts of things change from one row of an execution to the next. */
function movesIn(
  rows: readonly ProgressRow[],
  textOf: (step: StepShown, row: ProgressRow) => string | undefined,
): Moves {
  const moves = new Map<string, Set<string>>()
  const last = new Map<Thing, Map<ExecutionRun, string>>()
  for (const row of rows) {
    const { run, steps } = row
    for (const shown of steps) {
      const known = last.get(shown.step) ?? new Map<ExecutionRun, string>()
      const [before, after] = [known.get(run), textOf(shown, row)]
      if (after === undefined) continue
      if (before !== undefined && before !== after) moves.set(before, (moves.get(before) ?? new Set()).add(after))
      last.set(shown.step, known.set(run, after))
    }
  }
  return moves
}

/** Returns all words that a word may lead to, by some steps. */
function laterThan(moves: Moves, word: string): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [word]
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const to of moves.get(from) ?? []) {
      if (found.has(to)) continue
      found.add(to)
      open.push(to)
    }
  }
  return found
}

/** Returns true if no execution changes, and all are in one state: none has ended in another way than others. */
function areAllAlike(rows: readonly ProgressRow[]): boolean {
  const seen = new Map<string, string>()
  return rows.every(({ run, own, steps }) => {
    const sent = Object.values(run.facts).map((one) => scalarText(one).toLowerCase())
    const words = [...own].filter(([, word]) => word !== nothing && !sent.includes(word.toLowerCase()))
    const isSame = words.every(([place, word]) => (seen.get(place) ?? word) === word)
    for (const [place, word] of words) seen.set(place, word)
    return isSame && steps.length > 0
  })
}

/** Returns which words at a place come later, or undefined if nothing tells it. */
function scaleOf(
  place: string,
  rows: readonly ProgressRow[],
  {
    mayBeOver,
    areAlike,
    areOver,
  }: Pick<Phases, 'mayBeOver'> & { readonly areAlike: boolean; readonly areOver: boolean },
): Scale | undefined {
  const list = place.split('/')[0] ?? ''
  const wordAt = ({ words }: StepShown) => words.get(place) ?? (words.has(list) ? nothing : undefined)
  const columns = rows.flatMap(({ run, steps }) => {
    const words = steps.flatMap((step) => wordAt(step) ?? [])
    return words.length > 0 ? [{ run, words }] : []
  })
  const words = [...new Set(columns.flatMap((one) => one.words))]
  if (words.length < 2) return undefined
  const areFilledIn = areEvents(place, rows)
  // What is neither a word nor an event, such as a comment, need not come in any order.
  if (words.includes(something) && !areFilledIn) return undefined
  const starts = startsIn(columns)
  const late = new Set(starts.map((words) => words.at(-1)))
  // An execution that is over may set its open steps back.
  const wordMoved = (step: StepShown, row: ProgressRow) => {
    const word = wordAt(step)
    return mayBeOver(row) && late.has(word) ? undefined : word
  }
  const moves = movesIn(rows, wordMoved)
  const later = new Map(words.map((word) => [word, laterThan(moves, word)] as const))
  // What only some steps come to, such as being late, says nothing of their order.
  const isLeftByAll = (word: string) => columns.some((one) => !one.words.includes(word)) || waitsFirst(starts, word)
  // Words that nothing leaves are those of decisions, once executions are over.
  const control = areOver && moves.size === 0 ? undefined : controlAt(columns)
  // Who was asked may also be filled in once, for the steps before a rejection.
  const isFilledInTime = !areFilledIn || areAlike || moves.has(nothing) || waitsFirst(starts, nothing)
  const isBefore = (one: string, other: string) =>
    later.get(one)?.has(other) === true ||
    (isFilledInTime && areFilledIn && one === nothing) ||
    (isFilledInTime && control?.waiting === one && control.working === other)
  const less = new Map(
    words.map((one) => {
      const isLess = (other: string) => one !== other && isBefore(one, other) && !later.get(other)?.has(one)
      return [one, new Set(isLeftByAll(one) ? words.filter(isLess) : [])] as const
    }),
  )
  const isLess = (one: string, other: string) => less.get(one)?.has(other) === true
  const isTold = [...less.values()].some(({ size }) => size > 0)
  return isTold ? { place, wordAt, isLess, areFilledIn } : undefined
}

/** Returns what sequential workflows show first that tells their steps apart. */
function startsIn(columns: readonly Column[]): (readonly string[])[] {
  const starts = new Map<ExecutionRun, readonly string[]>()
  for (const { run, words } of columns) {
    if (isSequential(run) && !starts.has(run) && new Set(words).size > 1) starts.set(run, words)
  }
  return [...starts.values()]
}

/** Returns true if all begin with the first step alone, and the others have a word in common. */
function waitsFirst(starts: readonly (readonly string[])[], word: string): boolean {
  const isFirstAlone = ([first, ...others]: readonly string[]) => first !== word && others.every((one) => one === word)
  return starts.length > 0 && starts.every(isFirstAlone)
}

/** The words of all steps at a place of an answer. */
interface Column {
  readonly run: ExecutionRun
  readonly words: readonly string[]
}

/** Steps side by side begin with one word, and steps in turn with that of the first alone: the others wait. */
function controlAt(columns: readonly Column[]) {
  const together = columns.filter(({ run }) => isParallel(run)).map(({ words }) => words)
  const [working] = together.find((words) => new Set(words).size === 1) ?? []
  for (const { run, words } of columns) {
    const [first, waiting, ...others] = words
    const isFirstAlone = first !== waiting && others.length > 0 && others.every((one) => one === waiting)
    if (!isSequential(run) || !isFirstAlone || first !== working || waiting === undefined) continue
    if (!together.some((shown) => shown.includes(waiting))) return { working, waiting }
  }
  return undefined
}

/** Returns a function that tells whether a word at a place ends executions: they come to it and never leave it, and no step moves after it. */
function endsOf(rows: readonly ProgressRow[]): (place: string, word: string) => boolean {
  const moves = new Map<string, Map<string, Set<string>>>()
  const last = new Map<ExecutionRun, ProgressRow>()
  const goneOn = new Set<string>()
  const shownIn = ({ steps }: ProgressRow) => steps.map(({ words }) => [...words.values()].join('\n')).join('\n')
  for (const row of rows) {
    const before = last.get(row.run)
    const hasMoved = before !== undefined && shownIn(before) !== shownIn(row)
    for (const [place, word] of row.own) {
      const earlier = before?.own.get(place)
      if (hasMoved && earlier === word) goneOn.add(`${place} ${word}`)
      if (earlier === undefined || earlier === word) continue
      const known = moves.get(place) ?? new Map<string, Set<string>>()
      moves.set(place, known.set(earlier, (known.get(earlier) ?? new Set()).add(word)))
    }
    last.set(row.run, row)
  }
  return (place, word) => {
    const known = moves.get(place)
    return (
      word !== nothing &&
      word !== something &&
      !goneOn.has(`${place} ${word}`) &&
      !known?.has(word) &&
      [...(known?.values() ?? [])].some((to) => to.has(word))
    )
  }
}
