import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Course } from '../../../conformance/learning/courses.ts'
import { paceIn } from '../../../conformance/learning/pace.ts'
import { exchangeOf } from '../../support/exchange.ts'

const start = Date.UTC(2026, 2, 1, 9)

/** A course whose stages are over at these times since its start. Without times, `reads` show what was decided by then. */
function course(
  stages: readonly (readonly string[])[],
  ends: readonly number[],
  reads: readonly number[] = [],
): Course {
  const decisions = stages.flatMap((stage, index) => {
    const end = ends[index]
    if (end === undefined) return []
    const before = Math.max(0, ...reads.filter((read) => read < end))
    const read = reads.find((one) => one >= end)
    const seen = read === undefined ? { at: start + end } : { at: start + read, after: start + before }
    return stage.map((stepId) => ({ ...seen, stepId, decision: 'approved' as const }))
  })
  return {
    exchange: exchangeOf({}, { at: start, durationMs: 0 }),
    ...{ stages, decisions, approvers: new Map(), isAtOnce: false },
    hasEnded: decisions.length === stages.flat().length,
  }
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
      const courses = [1, 2, ...others].map(inTurn).map((stages) => {
        const ends = stages.map((_, stage) => pickUpMs + (stage + 1) * stepMs)
        return course(stages, ends)
      })
      expect(paceIn([...courses, course(sideBySide(3), [pickUpMs + stepMs])])).toEqual({ pickUpMs, stepMs })
    }),
  )
})

const whole = (stages: Course['stages'], ms: number, hasEnded = true): Course => ({
  ...course(stages, []),
  decisions: [{ at: start + ms, decision: 'approved' }],
  hasEnded,
})
const reads = [100, 500, 1300]
const seen = course(inTurn(2), [250, 400], [3000])

test.each<[courses: string, all: Course[], pickUpMs?: number, stepMs?: number]>([
  [
    'that take the same time whatever their steps',
    [course(inTurn(1), [3000]), course(inTurn(4), Array(4).fill(3000))],
    3000,
    0,
  ],
  ['that do not tell the pick-up from steps', [course(inTurn(1), [250]), course(sideBySide(3), [270])], 0, 270],
  ['that stay open', [course(inTurn(4), [250, 400])]],
  ['of which one stays open', [course(inTurn(4), [120]), course(inTurn(2), [250, 400])], 100, 150],
  ['that only reads show: in the middle between two of them', [course(inTurn(1), [700], reads)], 0, 900],
  ['that one read shows: in parts of the time before it', [course(inTurn(3), [700, 800, 900], reads)], 500, 200],
  ['whose times count more than reads', [seen, seen, course(inTurn(2), [250, 400])], 100, 150],
  ['that end within their call', [{ ...course(inTurn(1), [0]), isAtOnce: true }]],
  ['of known end: in parts for their stages', [whole(inTurn(1), 250), whole(inTurn(4), 700)], 100, 150],
  ['of known end without stages', [whole([], 700)], 0, 700],
  ['of unknown end', [whole(inTurn(4), 700, false)]],
])('the pace of executions %s', (_, all, pickUpMs, stepMs) => {
  expect(paceIn(all)).toEqual(pickUpMs === undefined ? undefined : { pickUpMs, stepMs })
})
