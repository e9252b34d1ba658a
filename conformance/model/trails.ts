/** Places that show the progress of steps one by one: lists that grow while an execution goes on, such as histories, and counts of each step. */
import type { Evidence } from '../evidence/evidence.ts'
import { membersOf, valueAt } from '../reading/locate.ts'
import { isInPart } from '../reading/parts.ts'
import { leavesOf, stepListsIn } from '../reading/places.ts'
import { timeOf } from '../reading/times.ts'
import type { Recorded } from '../wire/record.ts'
import { patternOf, type Thing } from './bind.ts'
import { isSequential } from './phases.ts'
import { type ExecutionRun, runsIn } from './samples.ts'

/**
 * A place that showed progress of more and more steps while the only execution of a sequential workflow went on, or that shows the steps which
 * executions have come to.
 */
export interface Trail {
  readonly run: ExecutionRun
  readonly place: string
  /** The reads that show progress of a step, and none of one with a lower order. */
  readonly wrong: readonly TrailRead[]
  /** True if it has shown some of the steps. */
  readonly isTold: boolean
  /** The steps that it shows in each read. */
  readonly shown: ReadonlyMap<Recorded, readonly Thing[]>
  readonly hasGrown: boolean
}

interface TrailRead {
  readonly exchange: Recorded
  /** The identifiers of the steps whose progress it shows, by their order. */
  readonly named: readonly string[]
}

/** Returns the trails of the sequential workflows. */
export const trailsIn = (evidence: Evidence): readonly Trail[] => evidence.once('trails', () => findTrails(evidence))

function findTrails(evidence: Evidence): Trail[] {
  const runs = runsIn(evidence)
  const all = runs.filter(isSequential).flatMap((run) => {
    const ofWorkflow = runs.filter(({ workflow }) => workflow === run.workflow)
    const next = ofWorkflow[1]?.exchange.place ?? Number.POSITIVE_INFINITY
    const reads = run.workflow.reads.filter(({ place }) => place > run.exchange.place && place < next)
    return run === ofWorkflow[0] ? [...listTrails(run, reads), ...countTrails(run, reads)] : []
  })
  // What does not grow, since an execution was rejected at once, is a trail if others have come to other numbers of their steps.
  const isKnown = ({ run, place }: Trail) => {
    const others = runs.filter((other) => isSequential(other) && other.workflow !== run.workflow)
    const shown = others.flatMap((other) => namedAt(place, other)).filter(({ named }) => named.length > 0)
    return (
      shown.some(({ named, steps }) => named.length < steps.length) &&
      shown.every(({ named, steps }) => passedOver(named, steps).length === 0) &&
      new Set(shown.map(({ named }) => named.length)).size > 1
    )
  }
  // A list that lacks a step which another list shows at the same time does not record progress. It may list incidents.
  const isElsewhere = ({ run, place, shown }: Trail, { exchange }: TrailRead) => {
    const missing = passedOver(shown.get(exchange) ?? [], stepsOf(run))
    const others = all.filter((other) => other.run === run && other.place !== place)
    return others.some((other) => missing.every((step) => other.shown.get(exchange)?.includes(step)))
  }
  return all
    .filter((trail) => trail.isTold && (trail.hasGrown || isKnown(trail)))
    .map((trail) => ({ ...trail, wrong: trail.wrong.filter((read) => !isElsewhere(trail, read)) }))
}

/** Returns the steps whose progress the lists at a place show, in all answers about the workflow of an execution. */
function namedAt(place: string, run: ExecutionRun) {
  const steps = stepsOf(run)
  return run.workflow.reads.flatMap(({ json }) =>
    listsIn(json).flatMap((pointer) => {
      const named = patternOf(pointer) === place ? stepsNamed(valueAt(json, pointer), steps) : undefined
      return named ? [{ named, steps }] : []
    }),
  )
}

/** Returns the steps that are not named although a later one is. */
const passedOver = (named: readonly Thing[], steps: readonly Thing[]) =>
  steps.filter((step) => !named.includes(step) && named.some((one) => isEarlier(step, one)))

const stepsOf = ({ facts }: ExecutionRun) =>
  (facts.steps as readonly Thing[]).toSorted((a, b) => Number(a.order) - Number(b.order))

/** Returns the trails that are lists of what happened. */
function listTrails(run: ExecutionRun, reads: readonly Recorded[]): Trail[] {
  const steps = stepsOf(run)
  const lists = new Set(reads.flatMap(({ json }) => listsIn(json)))
  return [...lists].flatMap((pointer) => {
    const before = valueAt(run.workflow.made.details.json, pointer)
    if (Array.isArray(before) && before.length > 0) return []
    const shown = reads.map(({ json }) => valueAt(json, pointer)).filter(Array.isArray)
    // A list that gets its first item, and no other, may tell of the step that was rejected.
    const hasGrown = new Set(shown.map(({ length }) => length).filter(Boolean)).size > 1
    // An event that is itself a list, `["assigned", {…}]`, does not grow, and there are others of them.
    if (!hasGrown && [...lists].some((other) => other !== pointer && patternOf(other) === patternOf(pointer))) return []
    const named = reads.map(({ json }) =>
      isInPart(json, pointer, ...unordered) ? undefined : stepsNamed(valueAt(json, pointer) ?? [], steps),
    )
    return trailOf({ run, place: patternOf(pointer), hasGrown }, reads, named) ?? []
  })
}

const listsIn = (json: unknown) =>
  membersOf(json).flatMap(({ pointer, value }) => (Array.isArray(value) ? pointer : []))

/** Returns the trails that are counts of a step, such as those of its decisions: 0 or 1 for the only execution. */
function countTrails(run: ExecutionRun, reads: readonly Recorded[]): Trail[] {
  const steps = stepsOf(run)
  const counts = [run.workflow.made.details, ...reads].map(({ json }) => countsOf(json, run))
  const [before, ...later] = counts
  return [...(before?.keys() ?? [])].flatMap((place) => {
    if ([...(before?.get(place)?.values() ?? [])].some((count) => count !== 0)) return []
    const named = later.map((one) => {
      const own = one.get(place)
      const areCounts = own?.size === steps.length && [...own.values()].every((count) => count === 0 || count === 1)
      return areCounts ? steps.filter((step) => own.get(step) === 1) : undefined
    })
    // A step that is never counted was not worked on, or this counts something else, such as rejections.
    return named.at(-1)?.length === steps.length ? (trailOf({ run, place, hasGrown: true }, reads, named) ?? []) : []
  })
}

/** Returns the numbers that lists of all steps show of each, by place. */
function countsOf(json: unknown, run: ExecutionRun): ReadonlyMap<string, ReadonlyMap<Thing, number>> {
  const steps = run.facts.steps as readonly (Thing & { readonly step_id: string; readonly name: string })[]
  const found = new Map<string, Map<Thing, number>>()
  for (const { pointer, items } of stepListsIn(json, steps)) {
    for (const { step, item } of items) {
      for (const leaf of leavesOf(item)) {
        if (typeof leaf.value !== 'number') continue
        const place = `${patternOf(pointer)}/*${patternOf(leaf.pointer)}`
        found.set(place, (found.get(place) ?? new Map()).set(step, leaf.value))
      }
    }
  }
  return found
}

/** Returns the trail of a place, from the steps whose progress each read shows; undefined if a read does not tell it, or a later one shows fewer. */
function trailOf(
  of: Pick<Trail, 'run' | 'place' | 'hasGrown'>,
  reads: readonly Recorded[],
  named: readonly (readonly Thing[] | undefined)[],
): Trail | undefined {
  const steps = stepsOf(of.run)
  let known: readonly Thing[] = []
  let isTold = false
  const wrong: TrailRead[] = []
  const shown = new Map<Recorded, readonly Thing[]>()
  for (const [index, exchange] of reads.entries()) {
    const own = named[index]
    if (!own || known.some((step) => !own.includes(step))) return undefined
    known = own
    shown.set(exchange, own)
    isTold ||= own.length > 0 && own.length < steps.length
    // A step that the deployment has lost makes no progress.
    const isWrong = passedOver(own, steps).some(({ step_id }) =>
      leavesOf(exchange.json).some(({ value }) => value === step_id),
    )
    if (isWrong) wrong.push({ exchange, named: own.map(({ step_id }) => String(step_id)) })
  }
  return { ...of, wrong, isTold, shown }
}

const isEarlier = (one: Thing, other: Thing) => Number(one.order) < Number(other.order)

/** Returns the steps that the items of a list are about, if each item tells what happened to one step, or names none. */
function stepsNamed(list: unknown, steps: readonly Thing[]): readonly Thing[] | undefined {
  if (!Array.isArray(list)) return undefined
  const named = new Set<Thing>()
  for (const item of list) {
    const values = new Set(leavesOf([item]).map(({ value }) => value))
    const about = steps.filter(({ step_id }) => values.has(step_id))
    const [step, other] = about
    if (!step) continue
    const isPerson = ({ email }: { readonly email: string }) => values.has(email)
    const isEvent =
      [...values].some((value) => timeOf(value) !== undefined) ||
      (step.approvers as readonly { readonly email: string }[]).some(isPerson)
    if (other || !isEvent) return undefined
    named.add(step)
  }
  return steps.filter((step) => named.has(step))
}

/** Parts whose lists may grow in any order. */
const unordered = ['bottlenecks', 'optimization_recommendations', 'step_performance'] as const
