import fc from 'fast-check'
import { expect, test } from 'vitest'
import { criticalPath } from '../../src/domain/analytics/critical-path.ts'
import type { Durations } from '../../src/domain/analytics/durations.ts'
import type { Execution } from '../../src/domain/approval/execution.ts'
import { happen, histories, type Moment } from '../support/histories.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { exactFiguresOf, mean, recount, recountStep } from '../support/recount.ts'
import { cases } from '../support/sample.ts'

const msPerMinute = 60_000
/** Checks random histories, after each event or only at their end. */
function always(check: (moment: Moment) => void, options: { readonly afterEachEvent: boolean }): void {
  fc.assert(
    fc.property(histories, (history) => {
      if (options.afterEachEvent) happen(history, check)
      else check(happen(history, () => {}))
    }),
    { numRuns: cases(1000, 50) },
  )
}

test('executions by state add up to the total after every event', () => {
  always(
    ({ analytics }) => {
      const { total, running, approved, rejected } = analytics.metrics()
      expect(running + approved + rejected).toBe(total)
    },
    { afterEachEvent: true },
  )
})

test('the success rate is approved over ended executions, and absent before the first', () => {
  always(
    ({ analytics, executions }) => {
      const { approved, ended } = recount({ executions })
      expect(analytics.metrics().successRate).toBe(ended.length > 0 ? approved / ended.length : undefined)
    },
    { afterEachEvent: true },
  )
})

test('each event changes the counts by exactly what happened', () => {
  always(
    ({ analytics, executions }) => {
      const { total, running, approved, rejected } = recount({ executions })
      expect(analytics.metrics()).toMatchObject({ total, running, approved, rejected })
      const counted = analytics.workflow.steps.map(({ step_id: stepId }) => {
        const { assigned, approved, rejected, decided } = recountStep({ executions }, stepId)
        const approvalRate = decided.length > 0 ? approved / decided.length : undefined
        return { stepId, assigned, approved, rejected, approvalRate }
      })
      const folded = analytics.steps().map(({ stepId, assigned, approved, rejected, approvalRate }) => {
        return { stepId, assigned, approved, rejected, approvalRate }
      })
      expect(folded).toEqual(counted)
    },
    { afterEachEvent: true },
  )
})

test('the times of a step are those of its decisions, and none is negative', () => {
  always(
    ({ analytics, executions }) => {
      matches(analytics.metrics().completionTime, recount({ executions }).completions)
      for (const { stepId, waitingTime, workingTime } of analytics.steps()) {
        const { decided } = recountStep({ executions }, stepId)
        matches(
          waitingTime,
          decided.map(({ waited }) => waited),
        )
        matches(
          workingTime,
          decided.map(({ worked }) => worked),
        )
      }
    },
    { afterEachEvent: false },
  )
})

test('waiting and working on the critical path add up to the completion time', () => {
  let ended = 0
  always(
    ({ executions }) => {
      for (const execution of recount({ executions }).ended) {
        ended += 1
        const path = criticalPath(execution)
        expect(Math.min(...path.flatMap(({ waitedMs, workedMs }) => [waitedMs, workedMs]))).toBeGreaterThanOrEqual(0)
        const total = path.reduce((sum, { waitedMs, workedMs }) => sum + waitedMs + workedMs, 0)
        expect(total).toBe((execution.completedAt ?? 0) - execution.startedAt)
      }
    },
    { afterEachEvent: false },
  )
  expect(ended).toBeGreaterThan(20)
})

test('the critical path names the step that ended each stage', () => {
  let ended = 0
  always(
    ({ executions }) => {
      for (const execution of recount({ executions }).ended) {
        ended += 1
        const reached = execution.stages.filter((steps) => steps.some(({ decidedAt }) => decidedAt !== undefined))
        expect(criticalPath(execution)).toHaveLength(reached.length)
        criticalPath(execution).forEach(({ stepId }, stage) => {
          const steps = reached[stage] ?? []
          const named = steps.find(({ step }) => step.step_id === stepId)
          if (steps.some(({ status }) => status === 'rejected')) expect(named?.status).toBe('rejected')
          else expect(named?.decidedAt).toBe(Math.max(...steps.map(({ decidedAt = 0 }) => decidedAt)))
        })
      }
    },
    { afterEachEvent: false },
  )
  expect(ended).toBeGreaterThan(20)
})

test('the shares of the critical path add up to 1', () => {
  always(
    ({ analytics, executions }) => {
      const shares = analytics.steps().map(({ criticalPathShare }) => criticalPathShare)
      if (recount({ executions }).completions.every((time) => time === 0)) {
        expect(shares.every((share) => share === undefined)).toBe(true)
      } else {
        expect(shares.reduce<number>((sum, share = Number.NaN) => sum + share, 0)).toBeCloseTo(1, 9)
      }
    },
    { afterEachEvent: false },
  )
})

test('a recount gives the same approver times and gaps between arrivals', () => {
  always(
    ({ analytics, executions }) => {
      for (const { step_id: stepId, approvers } of nonEmpty(analytics.workflow.steps)) {
        const counted = recountStep({ executions }, stepId)
        const step = analytics.step(stepId)
        const { gaps: foldedGaps } = step.arrivals
        const times = counted.assignedAt.toSorted((a, b) => a - b)
        const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
        expect(foldedGaps.count).toBe(gaps.length)
        if (gaps.length > 0) {
          expect(foldedGaps.meanMs).toBeCloseTo(mean(gaps), 3)
          close(foldedGaps.meanSquare, mean(gaps.map((gap) => gap ** 2)))
        }
        for (const { email } of nonEmpty(approvers)) {
          const own = counted.decided.filter((decision) => decision.email === email)
          const { waiting, working } = step.approver(email)
          expect(working.count).toBe(own.length)
          expect(waiting.totalMs).toBe(own.reduce((sum, { waited }) => sum + waited, 0))
          expect(working.totalMs).toBe(own.reduce((sum, { worked }) => sum + worked, 0))
        }
      }
    },
    { afterEachEvent: false },
  )
})

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
