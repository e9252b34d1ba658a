/** Finds figures of executions by the role of their name, since those of a deployment may lag behind the contract's. */
import type { Form, Json } from '../../src/profile/template.ts'
import { numberOf } from '../reading/places.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'
import { writeAs } from './bind.ts'
import { type AnswerPlace, type AnswerSample, factsOf } from './sample.ts'

/** What a figure measures, of executions or of the decisions of a step. */
export type FigureRole = 'total' | 'open' | 'ended' | 'rate' | 'mean' | 'least' | 'most'

const metrics = '/answer/execution_metrics'

/** The contract's figures by role: for all executions, and for an item of a list. */
const figures: Readonly<Record<FigureRole, readonly [whole: string, item?: string]>> = {
  total: [`${metrics}/total`],
  open: [`${metrics}/running`],
  ended: [`${metrics}/approved`, '0/approved'],
  rate: [`${metrics}/success_rate`, '0/approval_rate'],
  mean: [`${metrics}/completion_time/mean_minutes`, '0/working_time/mean_minutes'],
  least: [`${metrics}/completion_time/min_minutes`, '0/working_time/min_minutes'],
  most: [`${metrics}/completion_time/max_minutes`, '0/working_time/max_minutes'],
}

/**
 * Returns what a figure measures by its name; undefined if the name does not tell. `holder` is the name of the object around the figure, as in
 * `durations: { max: 3 }`.
 */
export function figureRole(name: string, holder = ''): FigureRole | undefined {
  const terms = termsOf(name)
  if (mentionsRole(terms, 'estimate', 'waiting')) return undefined
  if (mentionsRole(terms, 'rate')) return 'rate'
  if (mentionsRole(terms, 'average')) return 'mean'
  if (mentionsRole([...terms, ...termsOf(holder)], 'duration', 'completion')) {
    // At the end of a longer name, `min` stands for minutes.
    const isUnit = terms.length > 1 && terms.at(-1)?.word === 'min'
    if (mentionsRole(isUnit ? terms.slice(0, -1) : terms, 'least')) return 'least'
    if (mentionsRole(terms, 'most')) return 'most'
  }
  // `times completed` is a count, not a duration.
  const isCount = terms.some(({ word }) => word === 'times')
  if (!isCount && mentionsRole(terms, 'duration')) return mentionsRole(terms, 'completion') ? 'mean' : undefined
  if (mentionsRole(terms, 'begun')) return undefined
  if (mentionsRole(terms, 'open')) return 'open'
  if (mentionsRole(terms, 'ended', 'success')) return 'ended'
  return mentionsRole(terms, 'count') ? 'total' : undefined
}

/** Returns the possible units of a duration in milliseconds, the likeliest first; only one if the name has it. */
export function unitsOf(name: string): readonly number[] {
  if (/(ms|milli(second)?s?)$/i.test(name)) return [1]
  return /min(ute)?s?$/i.test(name) ? [60_000] : [1000, 1, 60_000]
}

const formsOfUnits: Readonly<Record<number, Form | undefined>> = { 1: 'millis', 1000: 'minutes', 60000: undefined }

/** Returns the minutes of a duration in ISO 8601 with hours, minutes and seconds, or as .NET writes it: `PT1H30M`, `01:30:00`. */
export function minutesIn(value: unknown): number | undefined {
  const isWritten = typeof value === 'string' && /^(PT\d[^-]*$|\d\d:[0-5]\d:[0-5]\d)/.test(value)
  const seconds = isWritten ? numberOf(value) : undefined
  return seconds === undefined ? undefined : seconds / 60
}

/** Returns the form of texts that are durations. */
export const durationForm = (samples: readonly AnswerSample[]) =>
  String(samples[0]?.value).startsWith('P') ? 'iso-duration' : 'timespan'

/** A figure of the contract, in a form. */
interface Figure {
  readonly pointer: string
  readonly as: Form | undefined
}

const isDuration = (role: FigureRole | undefined) => role === 'mean' || role === 'least' || role === 'most'

const roleAt = ({ name, pointer }: AnswerPlace) => figureRole(name, pointer.split('/').at(-2))

function figuresFor(samples: readonly AnswerSample[], place: AnswerPlace): Figure[] {
  const role = roleAt(place)
  const [whole, item] = role === undefined ? [] : figures[role]
  const isInList = (samples[0]?.items.length ?? 0) > 0
  const pointer = isInList ? item : whole
  // Only answers with details have the metrics.
  if (pointer === undefined || !samples.some((sample) => factsOf(sample).get(pointer) !== undefined)) return []
  if (isDuration(role)) {
    return unitsOf(place.name).map((unit) => ({ pointer, as: formsOfUnits[unit] }))
  }
  const ways = role === 'rate' ? [undefined, 'percent' as const] : [undefined]
  return ways.map((as) => ({ pointer, as }))
}

/** Binds a figure to the contract's figure with the same role by its name alone, and reports that as a guess. */
export function namedFigure(samples: readonly AnswerSample[], place: AnswerPlace): Json | undefined {
  if (!samples.every(({ value }) => value === null || typeof value === 'number')) return undefined
  const all = figuresFor(samples, place)
  const highest = Math.max(...samples.map(({ value }) => Number(value)))
  const figure = highest > 1 ? (all.find(({ as }) => as === 'percent') ?? all[0]) : all[0]
  return figure && guessFigure(samples, figure, place)
}

function guessFigure(samples: readonly AnswerSample[], figure: Figure, place: AnswerPlace): Json {
  place.guess({ pointer: place.pointer, why: 'it follows a figure of the contract by its name alone' })
  return templateOf(samples, figure)
}

function templateOf(samples: readonly AnswerSample[], { pointer, as }: Figure): Json {
  const form = as === undefined ? {} : { as }
  const empty = samples.find((sample) => factAt(sample, { pointer, as }) === null)
  return empty ? { $: pointer, ...form, or: empty.value as Json } : { $: pointer, ...form }
}

function factAt(sample: AnswerSample, { pointer, as }: Pick<Figure, 'pointer' | 'as'>): number | null {
  const value = factsOf(sample).get(pointer)?.value
  if (typeof value !== 'number') return null
  return Number(as === 'iso-duration' ? value : writeAs(value, as))
}
