/** The order in which the steps of an execution are worked on: interface.md section 2. */

import type { Evidence } from '../evidence/evidence.ts'
import { executedDetails } from '../evidence/executions.ts'
import { findingAt } from '../evidence/show.ts'
import {
  isParallel,
  isSequential,
  lastRows,
  nothing,
  type Phases,
  type ProgressRow,
  phasesIn,
  type StepShown,
  something,
} from '../model/phases.ts'
import { type ShownTimes, timesIn } from '../model/step-times.ts'
import { type Trail, trailsIn } from '../model/trails.ts'
import { accepted, type Checks, fail, type Observation, pass } from './check.ts'

export const orderChecks: Checks = {
  'execution.steps-in-order'(evidence) {
    executedDetails(evidence, 1)
    const phases = phasesIn(evidence)
    const own = phases.rows.filter(({ run }) => isSequential(run))
    const { inTurn, early } = timesIn(phases)
    const broken =
      outOfOrder(phases, own) ??
      atOnce(phases, own) ??
      leftOut(phases, own) ??
      (early && brokenTimes(early, tooEarly)) ??
      outOfTrail(trailsIn(evidence))
    if (broken) return broken
    if (inTurn)
      return pass(`Each step begins after the end of the one before it, as ${inTurn.start} and ${inTurn.end} show.`)
    if (phases.waiting.size > 0)
      return pass(`The step with the lowest order is the first at work, as ${phases.places[0]} shows.`)
    const [trail, ...others] = trailsIn(evidence)
    return trail && [trail, ...others].every(({ wrong }) => wrong.length === 0)
      ? pass(`${trail.place} shows progress of each step only after that of the steps before it.`)
      : unproven(phases)
  },
  'execution.steps-side-by-side'(evidence) {
    executedDetails(evidence, 1)
    const phases = phasesIn(evidence)
    const own = phases.rows.filter(({ run }) => isParallel(run))
    const { together, relayed } = timesIn(phases)
    const broken = waitsBeside(phases, own) ?? oneAfterOther(phases, own) ?? (relayed && brokenTimes(relayed, oneByOne))
    if (broken) return broken
    if (together) return pass(`The steps are at work at the same time, as ${together.start} and ${together.end} show.`)
    const areTogether = own.some((row) => areAtWork(phases, row))
    return phases.waiting.size > 0 && areTogether
      ? pass(`No step waits, as ${phases.places[0]} shows.`)
      : unproven(phases)
  },
}

const tooEarly = 'so a later step of a sequential workflow did not wait for the end of an earlier one'
const oneByOne = 'although isSequential was sent as false, so each step waited for the one before it'

const unproven = ({ rows, places }: Phases) =>
  accepted(
    rows.length > 0 && places.length > 0
      ? `The executions were accepted. ${places[0]} does not prove which of their steps wait.`
      : 'The executions were accepted, but no answer shows which of their steps wait.',
  )

/** Shows a place of the steps in which they differ, the most telling first. */
function shownOf({ places }: Phases, { steps, place }: ProgressRow) {
  const wordsAt = (one: string) => steps.map(({ words }) => words.get(one) ?? nothing)
  const telling = [...places].sort((a, b) => new Set(wordsAt(b)).size - new Set(wordsAt(a)).size)
  const [name = ''] = telling.filter((one) => !wordsAt(one).includes(something)).concat(telling)
  return {
    place: `${place}${name.slice(name.indexOf('/'))}`,
    values: steps.map(({ shown }) => shown.get(name) ?? nothing).join(', '),
  }
}

/** Fails with the place of a row that shows steps out of their order. */
function broken(phases: Phases, row: ProgressRow, what: string): Observation {
  const { place, values } = shownOf(phases, row)
  const rule = 'follows isSequential, or is left by each step in time'
  const finding = findingAt('execution.step-state', row.answer, place, values, rule)
  const sent = row.steps.map(({ step }) => ({ step_id: step.step_id, order: step.order }))
  return fail(`By order, ${place} shows ${values}, ${what}.`, finding, { exchange: row.exchange, sent, shown: values })
}

/** Fails if a later step is further than an earlier one. */
function outOfOrder(phases: Phases, rows: readonly ProgressRow[]): Observation | undefined {
  const row = rows.find(({ steps }) =>
    steps.some((step, index) => steps.slice(0, index).some((before) => phases.isFurther(before, step))),
  )
  return row && broken(phases, row, 'so a later step of a sequential workflow did not wait for an earlier one')
}

/** Fails if several steps are at work. One answer may be composed of what was true at two moments, so two must show it. */
function atOnce(phases: Phases, rows: readonly ProgressRow[]): Observation | undefined {
  const several = rows.filter((row) => areAtWork(phases, row))
  return several[1] && broken(phases, several[1], 'so several steps of a sequential workflow are at work at once')
}

/** Fails if two answers show progress of a later step, and none of an earlier one. A single answer may lag. */
function outOfTrail(trails: readonly Trail[]): Observation | undefined {
  const [, second] = trails.flatMap(({ run, place, wrong }) => wrong.map((read) => ({ run, place, ...read })))
  if (!second) return undefined
  const { run, exchange, place, named } = second
  const shown = named.join(', ')
  const rule = 'shows progress of more steps while the execution goes on'
  const finding = findingAt('execution.step-state', 'details', place, shown, rule)
  return fail(`${place} shows progress of ${shown} only, so a later step did not wait for an earlier one.`, finding, {
    exchange,
    sent: run.workflow.made.sent.steps.map(({ step_id, order }) => ({ step_id, order })),
    shown,
  })
}

/** Returns true if several steps are at work. */
const areAtWork = ({ active, phaseOf }: Phases, { steps }: ProgressRow) =>
  steps.filter((step) => active.has(phaseOf(step))).length > 1

/** Fails if an execution is over, and a step of it has never been worked on although all before it came to the same end. */
function leftOut(phases: Phases, rows: readonly ProgressRow[]): Observation | undefined {
  const found = rows.filter((one) => phases.isOver(one) && isLeftOut(phases, one.steps))
  // A single one may have ended otherwise.
  const isAgain = new Set(found.map(({ run }) => run)).size > 1
  const row = found.find(({ steps }) => isAgain || steps.some((step) => phases.waiting.has(phases.phaseOf(step))))
  return row && broken(phases, row, 'but the execution is over, so not all of its steps were worked on')
}

function isLeftOut({ phaseOf, waiting, active, events }: Phases, steps: readonly StepShown[]): boolean | undefined {
  const isIdle = (step: StepShown) =>
    waiting.has(phaseOf(step)) ||
    (events.length > 0 && events.every((place) => (step.words.get(place) ?? nothing) === nothing))
  const worked = steps.filter((step) => !isIdle(step))
  const [first] = worked
  const ends = new Set(worked.map(({ words }) => [...words.values()].join('\n')))
  return worked.length < steps.length && worked.length > 1 && ends.size === 1 && first && !active.has(phaseOf(first))
}

/** Fails if steps wait for earlier ones until the end of the run although `isSequential` is false. */
function waitsBeside(phases: Phases, rows: readonly ProgressRow[]): Observation | undefined {
  const { waiting, phaseOf, isFurther, mayBeOver } = phases
  // A value that is empty for one step and set for the other may be a decision, which tells nothing of their order.
  const isTold = (step: StepShown, other: StepShown) =>
    [...step.words].some(
      ([place, word]) => ![word, nothing, undefined].includes(other.words.get(place)) && word !== nothing,
    )
  const waits = ({ steps }: ProgressRow) =>
    steps.some(
      (step, at) =>
        waiting.has(phaseOf(step)) && steps.slice(0, at).some((other) => isFurther(step, other) && isTold(step, other)),
    )
  const [earlier, last] = rows.filter(({ answer }) => answer === 'details').slice(-2)
  if (!earlier || !last || [earlier, last].some((row) => mayBeOver(row) || !waits(row))) return undefined
  return broken(phases, last, 'although isSequential was sent as false, so later steps wait for earlier ones')
}

/** Fails if steps wait in two answers, in one of them for others that have ended, and no answer shows two of them at work. */
function oneAfterOther(phases: Phases, rows: readonly ProgressRow[]): Observation | undefined {
  const { waiting, active, phaseOf, mayBeOver } = phases
  const isEnded = (phase: string) => !waiting.has(phase) && !active.has(phase)
  const waits = rows.filter(
    (row) => row.answer === 'details' && !mayBeOver(row) && row.steps.some((step) => waiting.has(phaseOf(step))),
  )
  const late = waits.findLast(({ steps }) => steps.some((step) => isEnded(phaseOf(step))))
  const isAlways = waits.length > 1 && active.size > 0 && !rows.some((row) => areAtWork(phases, row))
  return late && isAlways
    ? broken(phases, late, 'although isSequential was sent as false, so later steps wait for earlier ones')
    : undefined
}

function brokenTimes({ row, start, end, values }: ShownTimes, what: string): Observation {
  const place = `${row.place}${start.slice(start.indexOf('/'))}`
  const rule = 'is filled in while the execution goes on'
  const finding = findingAt('execution.step-times', row.answer, place, values, rule)
  return fail(`By order, ${start} and ${end} show ${values}, ${what}.`, finding, {
    exchange: row.exchange,
    sent: undefined,
    shown: values,
  })
}

/** Fails if the steps of a workflow that was sent without `isSequential` begin like those of a parallel one. */
export function togetherByDefault(evidence: Evidence): Observation | undefined {
  const phases = phasesIn(evidence)
  const several = phases.rows.filter((row) => areAtWork(phases, row))
  if (several.some(({ run }) => isSequential(run))) return undefined
  const row = several.find(({ run }) => run.workflow.made.sent.isSequential === undefined)
  return row && phases.waiting.size > 0
    ? broken(phases, row, 'as if isSequential, which was omitted, were false')
    : undefined
}

/** Fails if all steps of an execution still wait at the end. It may wait for the end of another execution of its workflow. */
export function neverBegun(evidence: Evidence): Observation | undefined {
  const phases = phasesIn(evidence)
  const { rows, places, isOver } = phases
  const last = lastRows(rows)
  const first = lastRows(rows.toReversed()).filter(({ run }) => isSequential(run) || isParallel(run))
  for (const place of places) {
    const wordsOf = ({ steps }: ProgressRow) => steps.map(({ words }) => words.get(place))
    // What a step has come to from another word is no word of what waits.
    const isReached = (word: string | undefined) =>
      rows.some((row) =>
        wordsOf(row).some(
          (one, at) => one === word && first.some((before) => before.run === row.run && wordsOf(before)[at] !== word),
        ),
      )
    const begun = first.filter(({ run }) => isSequential(run)).map((row) => lateWord(wordsOf(row)))
    const late = new Set(begun.filter((word) => !isReached(word)))
    const isIdle = (row: ProgressRow) =>
      wordsOf(row).every((word) => word !== undefined && word !== nothing && late.has(word))
    const isBlocked = ({ run }: ProgressRow) =>
      last.some((other) => other.run !== run && other.run.workflow === run.workflow && !isOver(other) && !isIdle(other))
    const idle = last.find((row) => row.answer === 'details' && isIdle(row) && !isBlocked(row))
    if (idle) return broken(phases, idle, 'so the execution has not begun')
  }
  return undefined
}

/** Returns the word that all steps but the first share. */
function lateWord([first, second, ...others]: readonly (string | undefined)[]): string | undefined {
  return first !== second && others.length > 0 && others.every((one) => one === second) ? second : undefined
}
