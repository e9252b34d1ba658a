import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Course } from '../../../conformance/learning/courses.ts'
import { paceIn } from '../../../conformance/learning/pace.ts'

const start = Date.UTC(2026, 2, 1, 9)

/** A course whose stages are over at these times since its start. Without times, `reads` show what was decided by then. */
function course(
  stages: readonly (readonly string[])[],
  ends: readonly number[],
  reads: readonly number[] = [],
): Course {
  const request = { method: 'POST', url: 'http://there.test', headers: new Headers() }
  const answer = { request, status: 200, headers: new Headers(), bytes: new Uint8Array(), json: {}, durationMs: 0 }
  const decisions = stages.flatMap((stage, index) => {
    const end = ends[index]
    if (end === undefined) return []
    const before = Math.max(0, ...reads.filter((read) => read < end))
    const read = reads.find((one) => one >= end)
    const seen = read === undefined ? { at: start + end } : { at: start + read, after: start + before }
    return stage.map((stepId) => ({ ...seen, stepId, decision: 'approved' as const }))
  })
  const exchange = { ...answer, at: start }
  const hasEnded = decisions.length === stages.flat().length
  return { exchange, stages, decisions, hasEnded, approvers: new Map(), isAtOnce: false }
}

const inTurn = (count: number) => Array.from({ length: count }, (_, index) => [`s${index}`])
const sideBySide = (count: number) => [inTurn(count).flat()]

test('the pace is that of the steps, whatever their number and order', () => {
  const tens = fc.integer({ min: 0, max: 10_000 }).map((ms) => ms * 10)
  const counts = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 })
  fc.assert(
    fc.property(tens, tens, counts, (pickUpMs, stepMs, others) => {
      fc.pre(stepMs > 0)
      // Only different numbers of stages tell the two times apart.
      const courses = [1, 2, ...others].map((count) => {
        return course(
          inTurn(count),
          Array.from({ length: count }, (_, stage) => pickUpMs + (stage + 1) * stepMs),
        )
      })
      expect(paceIn([...courses, course(sideBySide(3), [pickUpMs + stepMs])])).toEqual({ pickUpMs, stepMs })
    }),
  )
})

test('executions that take the same time whatever their steps are picked up late', () => {
  const courses = [course(inTurn(1), [3000]), course(inTurn(4), [3000, 3000, 3000, 3000])]
  expect(paceIn(courses)).toEqual({ pickUpMs: 3000, stepMs: 0 })
})

test('steps are as long as the whole where nothing tells the pick-up from them', () => {
  expect(paceIn([course(inTurn(1), [250]), course(sideBySide(3), [270])])).toEqual({ pickUpMs: 0, stepMs: 270 })
})

test('steps that are decided in executions that stay open have no pace', () => {
  expect(paceIn([course(inTurn(4), [250, 400])])).toBeUndefined()
  expect(paceIn([course(inTurn(4), [120]), course(inTurn(2), [250, 400])])).toEqual({ pickUpMs: 100, stepMs: 150 })
})

test('a decision that only reads show was taken in the middle between two of them', () => {
  expect(paceIn([course(inTurn(1), [700], [100, 500, 1300])])).toEqual({ pickUpMs: 0, stepMs: 900 })
})

test('decisions that one read shows divide the time since the read before', () => {
  expect(paceIn([course(inTurn(3), [700, 800, 900], [100, 500, 1300])])).toEqual({ pickUpMs: 500, stepMs: 200 })
})

test('times that answers show count more than reads', () => {
  const seen = course(inTurn(2), [250, 400], [3000])
  expect(paceIn([seen, seen, course(inTurn(2), [250, 400])])).toEqual({ pickUpMs: 100, stepMs: 150 })
})

test('executions that end within their call have no pace', () => {
  expect(paceIn([{ ...course(inTurn(1), [0]), isAtOnce: true }])).toBeUndefined()
})

test('an execution of known end divides its time among its stages', () => {
  const whole = (stages: Course['stages'], ms: number): Course => {
    return { ...course(stages, []), decisions: [{ at: start + ms, decision: 'approved' }], hasEnded: true }
  }
  expect(paceIn([whole(inTurn(1), 250), whole(inTurn(4), 700)])).toEqual({ pickUpMs: 100, stepMs: 150 })
  expect(paceIn([whole([], 700)])).toEqual({ pickUpMs: 0, stepMs: 700 })
  expect(paceIn([{ ...whole(inTurn(4), 700), hasEnded: false }])).toBeUndefined()
})
