import { expect, test } from 'vitest'
import { endedYetRunning, partAboveTotal } from '../../../conformance/reading/contradictions/counts.ts'
import { wrongShare } from '../../../conformance/reading/contradictions/rates.ts'
import { fastestBottleneck, shiftedPerformance } from '../../../conformance/reading/contradictions/steps.ts'
import { meanOutside, projectedFromFirst, summedCompletion } from '../../../conformance/reading/contradictions/times.ts'

test.each([
  [{ total: 1, approved: 3 }, '/execution_metrics/approved'],
  [{ total_executions: 1, successful_executions: 3 }, '/execution_metrics/successful_executions'],
  [{ total: 3, approved: 3 }, undefined],
  [{ total: 1, approved_steps: 3 }, undefined],
  [{ total: 1, approvals: { approved: 3 } }, undefined],
])('a part in case %# exceeds the total at $1', (figures, place) => {
  expect(partAboveTotal({ execution_metrics: figures })?.finding.place).toBe(place)
})

const ended = { total: 1, completed: 1, in_progress: 0 }
const approved = { total: 2, approved: 2, rejected: 0 }
const rated = { total: 1, in_progress: 0, success_rate: 0.5, as_of: '10:01' }

test.each<[figures: object, place?: string | undefined, before?: object]>([
  [{ ...ended, success_rate: 0.5 }, 'success_rate'],
  [{ ...ended, success_rate: '50 %' }, 'success_rate'],
  [{ ...ended, success_ratio: { _type: 'Some', value: 0.5 } }, 'success_ratio'],
  [{ ...ended, success_rate: 1 }],
  [{ ...ended, success_rate: 100 }],
  [{ ...ended, success_rate: 0 }],
  [{ ...ended, success_rate: null }],
  // A success and a failure are added to the counts.
  [{ ...ended, success_rate: 0.67 }],
  [{ ...ended, in_progress: 1, success_rate: 0.5 }],
  [{ total: 1, success_rate: 0.5 }],
  [{ ...ended, success_rate: 0.5, as_of: 'then' }],
  [{ ...approved, success_rate: 0.5 }, 'success_rate', { success_rate: 1 }],
  [{ ...approved, success_rate: 1 }, undefined, {}],
  [{ ...approved, success_rate: 0.75 }, undefined, { success_rate: 1 }],
  // The rate was computed before the second execution.
  [{ ...approved, success_rate: 0.5 }, undefined, {}],
  [{ ...approved, rejected: 1, success_rate: 0.5 }, undefined, { success_rate: 1 }],
  [{ total: 2, approved: 2, success_rate: 0.5 }, undefined, { success_rate: 1 }],
  // The total changed with the time, without it, or never.
  [rated, 'success_rate', { total: 0, as_of: '10:00' }],
  [rated, undefined, { total: 0 }],
  [rated, undefined, { as_of: '10:00' }],
])('the success rate of case %# is no share at $1', (figures, name, before) => {
  const total = new Map([['/execution_metrics/total', Number((figures as { total: number }).total)]])
  const earlier = before && [{ execution_metrics: { ...figures, ...before } }]
  const place = name && `/execution_metrics/${name}`
  expect(wrongShare({ execution_metrics: figures }, total, earlier)?.finding.place).toBe(place)
})

const steps = ['legal', 'finance', 'board'].map((name, index) => ({
  step_id: `${name}-review`,
  name: `Review by ${name}`,
  estimated_duration: 2 * (index + 1),
}))
const took = [3.9, 3.8, 7.3]
const parallel = (total_minutes: number, average_minutes: number, executions = 1) => ({
  execution_metrics: { completion_time: { average_minutes } },
  executions: Array.from({ length: executions }, (_, index) => ({
    id: `run-12345${index}`,
    total_minutes,
    steps: steps.map(({ step_id }, place) => ({ step_id, minutes: took[place] })),
  })),
})

test.each([
  ['the sum of the steps', parallel(7.3, 15), '/execution_metrics/completion_time/average_minutes'],
  ['the longest step', parallel(7.3, 7.3), undefined],
  ['another time', parallel(7.3, 14), undefined],
  ['the sum of steps that followed each other', parallel(15, 15), undefined],
  ['that of two executions', parallel(7.3, 15, 2), undefined],
])('a completion time that is %s is judged', (_, json, place) => {
  expect(summedCompletion(json, steps)?.finding.place).toBe(place)
})

const running = (finished: number, ...steps: string[]) => ({
  execution_metrics: { started: 1, finished },
  executions: [{ id: 'run-123456', status: 'RUNNING', steps: steps.map((state) => ({ state })) }],
})

test.each([
  [running(1, 'open', 'waiting'), 1, '/execution_metrics/finished'],
  [running(0, 'open', 'waiting'), 1, 'sound'],
  // An earlier execution may have ended.
  [running(1, 'open', 'waiting'), 2, undefined],
  // The figure may count steps.
  [running(1, 'approved', 'open'), 1, undefined],
])('a count beside running executions in case %# is judged', (details, started, expected) => {
  const found = endedYetRunning(details, started)
  expect(typeof found === 'object' ? found.finding.place : found).toBe(expected)
})

const ofTwo = { min_s: 2.01, max_s: 4.03 }
const around = { min_time_s: 2, max_time_s: 4 }
const quantity = (value: number, unit = 's') => ({ value, unit })
const inUnit = (unit: string) => ({ avg: quantity(9, unit), min: quantity(2), max: quantity(4) })

test.each<[figures: object, place?: string | undefined, count?: number]>([
  [{ mean_s: 2.01, ...ofTwo }, '/mean_s', 2],
  [{ mean_s: 4.03, ...ofTwo }, '/mean_s', 2],
  [{ mean_s: 3.02, ...ofTwo }, undefined, 2],
  // Of three values, two may be the least.
  [{ mean_s: 2.68, ...ofTwo }, undefined, 3],
  [{ mean_s: 2.5, ...ofTwo }, '/mean_s', 3],
  [{ mean_s: 2, min_s: 2, max_s: 2 }, undefined, 2],
  // Of two values, each is a median for some definition.
  [{ median_s: 2.01, ...ofTwo }, undefined, 2],
  [{ AverageMs: '2935', ShortestMs: '2935', LongestMs: '3529' }, '/AverageMs', 2],
  [{ avg_time_s: 9, ...around }, '/avg_time_s'],
  [
    { AverageCompletion: '00:00:00.2', FastestCompletion: '00:00:02', SlowestCompletion: '00:00:04' },
    '/AverageCompletion',
  ],
  [{ completion: { average: 'PT9S', shortest: 'PT2S', longest: 'PT4S' } }, '/completion/average'],
  [{ avg_time_s: 3, ...around }],
  // Rounded.
  [{ avg_time_s: 4.1, ...around }],
  [{ avg_time_ms: 3000, ...around }],
  [{ avg_time_s: 9, max_time_s: 4 }],
  [{ avg_wait_s: 9, ...around }],
  [inUnit('ms')],
  [inUnit('s'), '/avg/value'],
])('the mean of case %# is out of bounds at $1', (figures, place, count) => {
  expect(meanOutside(figures, count)?.finding.place).toBe(place)
})

const durations = [0.954, 0.82, 0.71]
const performance = (values: readonly (number | null)[]) =>
  steps.map(({ step_id }, index) => ({ step_id, avg_duration_s: values[index] }))

const board = { step_id: 'board-review', avg_duration_s: 0.71 }
const legal = { step_id: 'legal-review', avg_duration_s: 0.954 }

test.each<[bottleneck: unknown, isFastest: boolean, values?: (number | null)[]]>([
  [board, true],
  [{ Some: { value: board } }, true],
  [{ ...board, avg_duration_s: { type: 'Some', value: 0.71 } }, true],
  [legal, false],
  // The performance is another one.
  [{ ...board, avg_duration_s: 0.6 }, false],
  // The only step that was worked on.
  [board, false, [null, null, 0.71]],
  // It exceeds its estimate most.
  [{ ...legal, avg_duration_s: 0.9 }, false, [0.9, 0.95, 0.99]],
  [{ ...board, waiting: 3 }, false],
  [{ ...board, share: 28.6 }, true],
  [{ ...board, factor: '0.80', count: '1' }, true],
  [{ ...board, by: 'AVG_DURATION' }, true],
  [{ ...board, by: 'AVG_WAIT' }, false],
  [{ ...board, share: 0.2858 }, true],
  // A share of something else, such as the time that executions wait.
  [{ ...board, share: 61.5 }, false],
  [{ ...board, reason: 'It has too few approvers.' }, false],
  ['board-review', false],
])('the bottleneck of case %# is the fastest step: $1', (bottleneck, isFastest, values = durations) => {
  const json = { step_performance: performance(values), bottleneck }
  expect(fastestBottleneck(json, steps)?.finding.place).toBe(isFastest ? '/bottleneck' : undefined)
})

test.each([
  [[0.82, 0.71, 0.954], durations, '/step_performance/*/avg_duration_s'],
  [durations, durations, undefined],
  [[0.82, 0.71, 0.96], durations, undefined],
  [[2, 3, 1], [1, 2, 3], undefined],
])('case %# has the times of other steps at $2', (shown, took, place) => {
  const json = { step_performance: performance(shown), executions: [{ steps: performance(took) }] }
  expect(shiftedPerformance(json, '/step_performance', steps)?.finding.place).toBe(place)
})

const estimated = (durations: readonly number[], completion: unknown, name: string) => ({
  json: { execution_metrics: { [name]: completion } },
  steps: durations.map((estimated_duration, index) => ({
    ...{ step_id: `s${index}`, name: `Step ${index}`, order: index + 1, estimated_duration },
  })),
})

test.each<[one: [number[], number], other: [number[], number], isFromFirst: boolean, name?: string]>([
  [[[2, 4, 6], 2], [[3, 4, 12], 3], true],
  [[[2, 4, 6], 120], [[3, 4, 12], 180], true],
  [[[2, 4, 6], 12], [[3, 4, 12], 19], false],
  [[[2, 4, 6], 2], [[3, 4, 12], 19], false],
  // A constant.
  [[[2, 4, 6], 2], [[2, 4, 12], 2], false],
  // Workflows of one step.
  [[[2], 2], [[3], 3], false],
  [[[2, 4], 2], [[3, 4], 3], false, 'step_completion_time'],
  [[[2, 4], 2], [[3, 4], 3], false, 'budget'],
])('case %# projects the time of one step: $2', (one, other, isFromFirst, name = 'projected_completion_time') => {
  const found = projectedFromFirst([estimated(...one, name), estimated(...other, name)])
  expect(found?.finding.place).toBe(isFromFirst ? `/execution_metrics/${name}` : undefined)
})
