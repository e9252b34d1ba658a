import { expect, test } from 'vitest'
import { meanStageTime, midpoints, type SampledDistribution } from '../../src/domain/advice/workflow-model.ts'
import { departureScv, meanWaitMs, type Station } from '../../src/domain/analytics/queueing.ts'

/** Exponential service times with a mean of one millisecond, and Poisson arrivals. */
const markov = (arrivalRate: number, servers: number): Station => ({
  arrivalRate,
  arrivalScv: 1,
  servers,
  capacity: servers,
  workScv: 1,
})

test.each([
  ['one approver', markov(0.5, 1), 1],
  ['one approver who always takes as long', { ...markov(0.5, 1), workScv: 0 }, 0.5],
  ['two approvers', markov(1, 2), 1 / 3],
  ['three approvers', markov(2, 3), 4 / 9],
  ['one and a half, between one and two', markov(0.75, 1.5), Math.sqrt(0.5 / 3) / 0.75],
  ['as much work as they can do', markov(2, 2), Number.POSITIVE_INFINITY],
  ['more work than they can do', markov(3, 2), Number.POSITIVE_INFINITY],
  ['hardly any work', markov(1e-9, 2), 0],
] as const)('the mean wait is the known one: %s', (_, station, expected) => {
  expect(meanWaitMs(station)).toBeCloseTo(expected, 9)
})

test('departures vary as arrivals do under light load, and as service under heavy', () => {
  const station: Station = { ...markov(0.5, 1), workScv: 0.2 }
  expect(departureScv({ ...station, arrivalRate: 0.001 })).toBeCloseTo(1, 4)
  expect(departureScv({ ...station, arrivalRate: 0.999 })).toBeCloseTo(0.2, 2)
  expect(departureScv(markov(0.7, 2))).toBe(1)
})

const exponential = midpoints.map((share) => -Math.log(1 - share))

test.each<[string, [times: SampledDistribution, approvalRate: number][], number]>([
  ['a step alone', [[midpoints, 0.5]], 1 / 2],
  ['the later of two', Array(2).fill([midpoints, 1]), 2 / 3],
  ['the latest of three', Array(3).fill([midpoints, 1]), 3 / 4],
  ['the first of two that reject', Array(2).fill([midpoints, 0]), 1 / 3],
  ['the later of two that vary much', Array(2).fill([exponential, 1]), 3 / 2],
  [
    'one that rejects beside one that approves',
    [
      [midpoints, 0],
      [midpoints, 1],
    ],
    1 / 2,
  ],
])('the mean time of a stage is known: %s', (_, branches, expected) => {
  expect(meanStageTime(branches.map(([times, approvalRate]) => ({ times, approvalRate })))).toBeCloseTo(expected, 1.7)
})
