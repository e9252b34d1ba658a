/** Finds places in an answer: leaves, lists of steps, and pointers in which `*` is any item. */
import { type Located, membersOf, oncePerAnswer, oncePerPair, valueAt } from './locate.ts'
import { timeUnits } from './times.ts'

/** Returns all values that are neither lists nor objects. */
export const leavesOf = oncePerAnswer((json): readonly Located[] =>
  membersOf(json).filter(({ value }) => value === null || typeof value !== 'object'),
)

/** Returns true for what is absent, or shows nothing. */
export const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** Returns true if a pointer leads into a list; an answer that is a list itself is none. */
export const isInList = (pointer: string) => /.\/\d+(\/|$)/.test(pointer)

/** Parses a number or a text that is one: `3`, `"3"`; `PT2H` and `02:00:00` in seconds. Some libraries write negative durations as `PT-2H`. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.length > 40) return undefined
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  const iso = value.match(/^P(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?\d+(?:\.\d+)?)S)?)?$/)
  const parts = iso?.slice(1) ?? value.match(/^(?:(\d+)[. ])?(\d{1,2}):(\d\d):(\d\d(?:\.\d+)?)$/)?.slice(1)
  if (!parts?.some((part) => part !== undefined)) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}

/** Returns a percentage without its sign, with a decimal point: `66,7 %` and `%66,7` become `66.7`. */
const withoutPercent = (text: string) => text.replace(/^%\s?|\s?%$/, '').replace(/^(-?\d+),(\d+)$/, '$1.$2')

/** The seconds of short units. In a text, unlike at the end of a name, `m` is sure to be minutes. */
const seconds: ReadonlyMap<string, number> = new Map([
  ...[...timeUnits].map(([unit, ms]) => [unit, ms / 1000] as const),
  ...Object.entries({ m: 60, h: 3600, d: 86_400 }),
])

/** Returns the seconds of a duration with units, such as `129ms`, `2 min` and `1m2.5s`. */
export function secondsIn(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^(\d{1,15}(\.\d+)? ?[a-z]{1,12} ?){1,5}$/.test(value)) return undefined
  const parts = value.trim().split(/(?<=[a-z]) ?(?=\d)/)
  const counts = parts.map(
    (part) => Number.parseFloat(part) * (seconds.get(part.replace(/^[\d. ]+/, '')) ?? Number.NaN),
  )
  const sum = counts.reduce((total, one) => total + one, 0)
  return Number.isNaN(sum) ? undefined : sum
}

/** Parses a rate such as `140 %` and `2/3`, or a duration such as `-1.5 h` and `-PT5S`: in seconds, if its units are known. */
export function figureOf(kind: 'success_rate' | 'completion_time', value: unknown): number | undefined {
  const [, part, whole] = (typeof value === 'string' && value.match(/^(\d{1,9}) ?[/of]{1,2} ?(\d{1,9})$/)) || []
  if (kind === 'success_rate' && part && Number(whole) > 0) return Number(part) / Number(whole)
  const number = numberOf(typeof value === 'string' ? withoutPercent(value) : value)
  if (number !== undefined || kind === 'success_rate' || typeof value !== 'string' || value.length > 40) return number
  const positive = value.startsWith('-') ? figureOf(kind, value.slice(1)) : undefined
  if (positive !== undefined) return -positive
  const pointed = value.replace(/^(\d+),(\d+ ?\p{L})/u, '$1.$2')
  const withUnit = pointed.match(/^(\d+(?:\.\d+)?) ?\p{L}{1,8}$/u)?.[1]
  return secondsIn(pointed) ?? (withUnit === undefined ? undefined : Number(withUnit))
}

interface Identified {
  readonly step_id: string
  readonly name: string
}

/** A list, or an object with a member for each step, whose items identify their steps. */
export interface StepList<Step> {
  readonly pointer: string
  readonly items: readonly { readonly step: Step; readonly item: unknown }[]
}

const stepLists = oncePerPair<readonly Identified[], readonly StepList<Identified>[]>(readStepLists)

/** Returns all lists that show at least two of the sent steps, or the only one; the outermost first. */
export function stepListsIn<Step extends Identified>(json: unknown, steps: readonly Step[]): readonly StepList<Step>[] {
  if (json === null || typeof json !== 'object') return []
  return stepLists(json, steps) as readonly StepList<Step>[]
}

function readStepLists<Step extends Identified>(json: object, steps: readonly Step[]): StepList<Step>[] {
  const tables = [byField(steps, 'step_id'), byField(steps, 'name')]
  const lists = new Map<string, StepList<Step>>()
  for (const table of tables) {
    for (const [pointer, items] of groupsIn(json, table)) {
      const distinct = new Set(items.values()).size
      if (distinct !== items.size || distinct < Math.min(2, steps.length)) continue
      const found = [...items].map(([key, step]) => ({ step, item: valueAt(json, `${pointer}/${key}`) }))
      // A step whose identifier is not shown may be told by its name.
      const known = lists.get(pointer)?.items ?? []
      const more = found.filter(({ step, item }) => !known.some((one) => one.step === step || one.item === item))
      lists.set(pointer, { pointer, items: [...known, ...more] })
    }
  }
  return [...lists.values()].sort((a, b) => depthOf(a.pointer) - depthOf(b.pointer))
}

const depthOf = (pointer: string) => pointer.split('/').length

function byField<Step extends Identified>(steps: readonly Step[], field: 'step_id' | 'name'): Map<string, Step> {
  return new Map(steps.map((step) => [step[field], step]))
}

/**
 * Groups items by list: lists whose items identify a step at the same place in each, or objects whose member names do. Maps
 * the index or name of an item to its step. If a list has several such places, the place that identifies the most items is used.
 */
function groupsIn<Step>(json: unknown, table: ReadonlyMap<string, Step>): Map<string, Map<string, Step>> {
  const groups = new Map<string, Map<string, Map<string, Step>>>()
  const add = (list: string, place: string, key: string, step: Step) => {
    const places = groups.get(list) ?? new Map<string, Map<string, Step>>()
    groups.set(list, places.set(place, (places.get(place) ?? new Map<string, Step>()).set(key, step)))
  }
  for (const { pointer, value, name } of membersOf(json)) {
    const named = table.get(name)
    if (named && value !== null && typeof value === 'object' && pointer.endsWith(`/${name}`)) {
      add(pointer.slice(0, -name.length - 1), '', name, named)
    }
    const step = typeof value === 'string' ? table.get(value) : undefined
    if (!step) continue
    for (const { index, groups: parts } of pointer.matchAll(/\/(?<item>\d+)(?=\/)/g)) {
      const key = parts?.item ?? ''
      add(pointer.slice(0, index), pointer.slice(index + key.length + 1), key, step)
    }
  }
  const largest = (places: ReadonlyMap<string, Map<string, Step>>) =>
    [...places.values()].reduce((best, one) => (new Set(one.values()).size > new Set(best.values()).size ? one : best))
  return new Map([...groups].map(([list, places]) => [list, largest(places)]))
}
