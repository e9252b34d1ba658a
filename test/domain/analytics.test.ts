import fc from 'fast-check'
import { expect, test } from 'vitest'
import { criticalPath } from '../../src/domain/analytics/analytics.ts'
import type { Durations } from '../../src/domain/analytics/durations.ts'
import type { Execution } from '../../src/domain/approval/execution.ts'
import { happen, histories, type Moment } from '../support/histories.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { exactFiguresOf, mean, recount, recountStep } from '../support/recount.ts'
import { cases } from '../support/sample.ts'

const msPerMinute = 60_000
const runs = { numRuns: cases(1000, 50) }

test('after every event, the counts and rates are those of a recount', () => {
  const rateOf = (approved: number, all: number) => (all > 0 ? approved / all : undefined)
  const property = fc.property(histories, (history) => {
    const found: unknown[] = []
    const counted: unknown[] = []
    happen(history, ({ analytics, executions }) => {
      const { completionTime: _, ...metrics } = analytics.metrics()
      const { total, running, approved, rejected, ended } = recount({ executions })
      found.push(metrics)
      counted.push({ total, running, approved, rejected, successRate: rateOf(approved, ended.length) })
      for (const { stepId, assigned, approved, rejected, approvalRate } of analytics.steps()) {
        const step = recountStep({ executions }, stepId)
        found.push([assigned, approved, rejected, approvalRate])
        counted.push([step.assigned, step.approved, step.rejected, rateOf(step.approved, step.decided.length)])
      }
    })
    expect(found).toEqual(counted)
  })
  fc.assert(property, runs)
})

test('the times, arrivals and critical paths of any history are those of a recount', () => {
  let ended = 0
  fc.assert(
    fc.property(histories, (history) => {
      const moment = happen(history, () => {})
      checkTimes(moment)
      for (const execution of recount(moment).ended) {
        ended += 1
        checkCriticalPath(execution)
      }
    }),
    runs,
  )
  expect(ended).toBeGreaterThan(20)
})

/** Checks the times of the workflow and of its steps, the gaps between arrivals, and the shares of the critical path. */
function checkTimes({ analytics, executions }: Moment): void {
  const { completions } = recount({ executions })
  matches(analytics.metrics().completionTime, completions)
  for (const [index, { stepId, waitingTime, workingTime }] of nonEmpty(analytics.steps().entries())) {
    const { decided, assignedAt } = recountStep({ executions }, stepId)
    const waited = decided.map((decision) => decision.waited)
    const worked = decided.map((decision) => decision.worked)
    matches(waitingTime, waited)
    matches(workingTime, worked)
    const step = analytics.step(stepId)
    const times = assignedAt.toSorted((a, b) => a - b)
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    const { gaps: folded } = step.arrivals
    expect(folded.count).toBe(gaps.length)
    if (gaps.length > 0) {
      expect(folded.meanMs).toBeCloseTo(mean(gaps), 3)
      close(folded.meanSquare, mean(gaps.map((gap) => gap ** 2)))
    }
    for (const { email } of nonEmpty(analytics.workflow.steps[index]?.approvers ?? [])) {
      const own = decided.filter((decision) => decision.email === email)
      const { waiting, working } = step.approver(email)
      const sum = (name: 'waited' | 'worked') => own.reduce((total, decision) => total + decision[name], 0)
      expect([working.count, waiting.totalMs, working.totalMs]).toEqual([own.length, sum('waited'), sum('worked')])
    }
  }
  const shares = analytics.steps().map(({ criticalPathShare }) => criticalPathShare)
  if (completions.every((time) => time === 0)) expect(new Set(shares)).toEqual(new Set([undefined]))
  else expect(shares.reduce<number>((sum, share = Number.NaN) => sum + share, 0)).toBeCloseTo(1, 9)
}

/** Checks that the critical path of an ended execution names the step that ended each stage, and adds up to its time. */
function checkCriticalPath(execution: Execution): void {
  const path = criticalPath(execution)
  expect(Math.min(...path.flatMap(({ waitedMs, workedMs }) => [waitedMs, workedMs]))).toBeGreaterThanOrEqual(0)
  const total = path.reduce((sum, { waitedMs, workedMs }) => sum + waitedMs + workedMs, 0)
  expect(total).toBe((execution.completedAt ?? 0) - execution.startedAt)
  const reached = execution.stages.filter((steps) => steps.some(({ decidedAt }) => decidedAt !== undefined))
  expect(path).toHaveLength(reached.length)
  path.forEach(({ stepId }, stage) => {
    const steps = reached[stage] ?? []
    const named = steps.find(({ step }) => step.step_id === stepId)
    if (steps.some(({ status }) => status === 'rejected')) expect(named?.status).toBe('rejected')
    else expect(named?.decidedAt).toBe(Math.max(...steps.map(({ decidedAt = 0 }) => decidedAt)))
  })
}

/** Compares figures: means are exact except for rounding, quantiles are within 1 %. */
function matches(found: Durations | undefined, valuesMs: readonly number[]): void {
  if (valuesMs.length === 0) {
    expect(found).toBeUndefined()
    return
  }
  expect(Math.min(...valuesMs)).toBeGreaterThanOrEqual(0)
  const exact = exactFiguresOf(valuesMs)
  close(found?.meanMinutes, exact.mean / msPerMinute)
  for (const name of ['p50', 'p90', 'p99'] as const) {
    const expected = exact[name] / msPerMinute
    expect(Math.abs((found?.[`${name}Minutes`] ?? Number.NaN) - expected)).toBeLessThanOrEqual(expected * 0.010001)
  }
}

function close(found: number | undefined, expected: number): void {
  expect(Math.abs((found ?? Number.NaN) - expected)).toBeLessThanOrEqual(Math.abs(expected) * 1e-9)
}

test('the first of two steps that end a stage at once is on the critical path', () => {
  const step = (stepId: string) => ({ step: { step_id: stepId }, status: 'approved', takenUpAt: 1, decidedAt: 5 })
  const execution = { startedAt: 0, stages: [[step('legal'), step('board')]] } as unknown as Execution
  expect(criticalPath(execution).map(({ stepId }) => stepId)).toEqual(['legal'])
})
