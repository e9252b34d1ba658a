/** Lists that grow while the steps of an execution go on, such as histories: they name a step from when it is at work, or has ended. */
import type { Evidence } from '../evidence/evidence.ts'
import { isWithin, membersOf, valueAt } from '../reading/locate.ts'
import { findPart } from '../reading/parts.ts'
import { leavesOf } from '../reading/places.ts'
import { timeOf } from '../reading/times.ts'
import type { Recorded } from '../wire/record.ts'
import { patternOf, type Thing } from './bind.ts'
import { isSequential } from './phases.ts'
import { type ExecutionRun, runsIn } from './samples.ts'

/** A list that grew while the only execution of a sequential workflow went on. */
export interface Trail {
  readonly run: ExecutionRun
  readonly place: string
  /** The first read that names only some steps, or names a step before one with a lower order. */
  readonly exchange: Recorded
  /** The identifiers of the steps that this read names, by their order. */
  readonly named: readonly string[]
  /** True if it names no step before one with a lower order. */
  readonly isInOrder: boolean
}

/** Returns the trails of the sequential workflows. */
export function trailsIn(evidence: Evidence): Trail[] {
  const runs = runsIn(evidence)
  return runs.filter(isSequential).flatMap((run) => {
    const ofWorkflow = runs.filter(({ workflow }) => workflow === run.workflow)
    const next = ofWorkflow[1]?.exchange.place ?? Number.POSITIVE_INFINITY
    const reads = run.workflow.reads.filter(({ place }) => place > run.exchange.place && place < next)
    const lists = new Set(reads.flatMap(({ json }) => listsIn(json)))
    return run === ofWorkflow[0] ? [...lists].flatMap((list) => trailAt(list, run, reads) ?? []) : []
  })
}

const listsIn = (json: unknown) =>
  membersOf(json).flatMap(({ pointer, value }) => (Array.isArray(value) ? pointer : []))

/** Returns the trail at a pointer; undefined if the list there does not grow by what happens to steps. */
function trailAt(pointer: string, run: ExecutionRun, reads: readonly Recorded[]): Trail | undefined {
  const steps = (run.facts.steps as readonly Thing[]).toSorted((a, b) => Number(a.order) - Number(b.order))
  const before = valueAt(run.workflow.made.details.json, pointer)
  if (Array.isArray(before) && before.length > 0) return undefined
  let known: readonly Thing[] = []
  let told: Omit<Trail, 'run' | 'place'> | undefined
  for (const exchange of reads) {
    const named = stepsNamed(valueAt(exchange.json, pointer) ?? [], steps)
    if (!named || known.some((step) => !named.includes(step)) || isAnalytic(exchange.json, pointer)) return undefined
    known = named
    const isInOrder = !steps.some((step) => !named.includes(step) && named.some((one) => isEarlier(step, one)))
    const tells = named.length > 0 && named.length < steps.length
    if (tells && (!told || (told.isInOrder && !isInOrder)))
      told = { exchange, named: named.map(({ step_id }) => String(step_id)), isInOrder }
  }
  return told && { run, place: patternOf(pointer), ...told }
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

/** Bottlenecks and recommendations may grow in any order. */
const isAnalytic = (json: unknown, pointer: string) =>
  (['bottlenecks', 'optimization_recommendations', 'step_performance'] as const).some((part) => {
    const place = findPart(json, part)
    return place !== undefined && isWithin(pointer, place)
  })
