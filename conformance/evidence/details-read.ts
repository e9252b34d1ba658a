/** All details that a run has read of the workflows that it executes. */

import { isObject } from '../../src/contract/json.ts'
import { valueAt } from '../reading/locate.ts'
import { isShareOfCounts, placeByMeaning, timesOfStepsIn } from '../reading/meanings.ts'
import type { Analytic } from '../reading/parts.ts'
import { numberOf } from '../reading/places.ts'
import { succeeded } from '../wire/exchange.ts'
import { isQuestionStep, type StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Evidence, resultIfSucceeded } from './evidence.ts'
import { executedAgain, executedDetails, executions, type SeenExecution } from './executions.ts'
import { workflowInPath } from './identifiers.ts'
import { counters } from './shown.ts'
import { sideExecution, sideReads } from './side-executions.ts'
import { type MadeWorkflow, workflow } from './workflows.ts'

/** The details of a workflow, in the order in which they were read. */
export interface WorkflowReads {
  readonly made: MadeWorkflow
  readonly reads: readonly Recorded[]
  /** The details after another execution at the end of the run. */
  readonly again: readonly Recorded[]
  /** Returns the number of executions of the workflow that the whole run may have started before some details were read. */
  readonly startedBefore: (read: Recorded) => number
}

/** Returns the workflows that the run executes, with what was read of them: first the two of the flow, then those beside it. */
export function workflowsRead(evidence: Evidence): readonly [WorkflowReads, ...WorkflowReads[]] {
  executedDetails(evidence, 1)
  return evidence.once('workflows read', () => {
    const of = (made: MadeWorkflow, ...steps: readonly StepName[]): WorkflowReads => ({
      made,
      reads: [made.details, ...steps.flatMap((step) => readsOf(evidence, step))],
      again: [],
      startedBefore: (read) => startedBefore(evidence, String(made.id.value), read),
    })
    const first = of(
      workflow(evidence, 1),
      'read workflow 1 executed',
      'settle workflow 1',
      'read workflow 1 afterwards',
      'read workflow 1 at last',
    )
    const second = resultIfSucceeded(() =>
      of(workflow(evidence, 2), 'read workflow 2 beside', 'settle workflow 2', 'read workflow 2 at last'),
    )
    const others = (['shuffled', 'by default'] as const).flatMap(
      (which) => resultIfSucceeded(() => of(sideExecution(evidence, which).made, ...sideReads[which])) ?? [],
    )
    const again = executedAgain(evidence) ? [evidence.accepted('read workflow 1 again')] : []
    return [{ ...first, again }, ...(second ? [second] : []), ...others]
  })
}

function readsOf(evidence: Evidence, step: StepName): Recorded[] {
  return evidence.has(step) ? evidence.all(step).filter(succeeded) : []
}

/**
 * Counts the executions of a workflow that were accepted, or may have been: without an answer, or with a server error. The log has the
 * order of the answers, so a later one may have started before the read, but none of an open question: these come after the flow.
 */
function startedBefore({ requests }: Evidence, id: string, { place }: Recorded): number {
  return requests.filter(
    (one, index) =>
      isExecutionOf(one.request.url, id) &&
      (index < place || !isQuestionStep(one.label?.step)) &&
      (!('status' in one) || succeeded(one) || one.status >= 500),
  ).length
}

/** Returns the place that shows one of the analytics by what it says, whatever it is called. */
export function analyticByMeaning(evidence: Evidence, part: Analytic): string | undefined {
  return evidence.once(`the meaning of ${part}`, () => placeByMeaning(detailsOfEach(evidence), part))
}

/** Returns true if a figure is the share of one count of executions in the sum of two. */
export function followsCounts(evidence: Evidence, place: string): boolean {
  return isShareOfCounts(detailsOfEach(evidence).flat(), place)
}

/** Returns the place where every step of a workflow gets its own time, whatever it is called. */
export function performanceByMeaning(evidence: Evidence): string | undefined {
  return evidence.once('the meaning of step_performance', () => timesOfStepsIn(detailsOfEach(evidence)))
}

/** Returns all details of each workflow, the first workflow first. */
export const detailsOfEach = (evidence: Evidence) =>
  evidence.once('the details of each workflow', () =>
    workflowsRead(evidence).map(({ made, reads, again, startedBefore }) =>
      [...reads, ...again].flatMap((read) =>
        isObject(read.json) ? [{ json: read.json, steps: made.sent.steps, started: startedBefore(read) }] : [],
      ),
    ),
  )

/** Returns the number of executions of a workflow that had been accepted when some details were read. */
export function acceptedBefore({ requests }: Evidence, { id }: MadeWorkflow, { place }: Recorded): number {
  return requests
    .slice(0, place)
    .filter((one) => isExecutionOf(one.request.url, String(id.value)) && 'status' in one && succeeded(one)).length
}

const isExecutionOf = (url: string, id: string) => /\/execute(\?|$)/.test(url) && workflowInPath(url) === id

/** Returns the proven counts of executions in details by place: figures, and lengths of lists. */
export function provenCounts(evidence: Evidence, json: unknown): ReadonlyMap<string, number> {
  const proven = counters(evidence).filter(({ strength }) => strength === 'proven')
  const counts = proven.flatMap(({ place }): [string, number][] => {
    const value = valueAt(json, place)
    const count = Array.isArray(value) ? value.length : numberOf(value)
    return count === undefined ? [] : [[place, count]]
  })
  return new Map(counts)
}

/** Returns the identifiers of the execution of workflow 1 or 2 that are long enough to be no other number. */
export function executionIds(evidence: Evidence, which: SeenExecution['which']): string[] {
  const own = executions(evidence).find((one) => one.which === which)
  return (own?.ids ?? []).map(String).filter((id) => id.length > 5)
}
