import { expect, test } from 'vitest'
import { fewerThanListed, stuckCount } from '../../../conformance/reading/contradictions/counts.ts'
import { impossible, wrongShare } from '../../../conformance/reading/contradictions/rates.ts'
import { bottleneckElsewhere, negativeDuration } from '../../../conformance/reading/contradictions/steps.ts'

const details = (figures: object) => ({ execution_metrics: figures })

/** Details before, shortly after and long after an execution; the last ones stay. */
test.each<[place: string | undefined, ...figures: object[]]>([
  ['total', { total: 1 }],
  [undefined, { total: 1 }, { total: 1 }, { total: 2 }],
  // A total that counts only ended executions.
  [undefined, { total: 0 }, { total: 1 }],
  [undefined, { running: 1 }],
  ['executions_started', { executions_started: 1 }],
  [undefined, { executions_started: 1 }, { executions_started: 1 }, { executions_started: 2 }],
  // States that executions leave.
  [undefined, { started: 1 }],
  [undefined, { running_executions: 1 }],
  [undefined, { total: 1, queued: 0 }, { total: 1, queued: 0 }, { total: 1, queued: 1 }],
])('the total of case %# that is stuck is $0', (place, begun = {}, before = begun, after = before) => {
  const found = stuckCount(details(begun), details(before), details(after))?.finding.place
  expect(found).toBe(place && `/execution_metrics/${place}`)
})

test('a figure that follows the executions under any name may not stand still', () => {
  const of = (eingereicht: number) => ({ vorgaenge: { eingereicht } })
  const stuckIn = (last: number) => stuckCount(of(1), of(1), of(last), ['/vorgaenge/eingereicht'])?.finding.place
  expect([1, 2].map(stuckIn)).toEqual(['/vorgaenge/eingereicht', undefined])
})

test('a total is smaller than the page of a list of executions', () => {
  const json = { ...details({ total: 0 }), recent_executions: { count: 1, results: [{ id: 'exec-12345' }] } }
  const own = [{ pointer: '/recent_executions/results/0', name: '0', value: json.recent_executions.results[0] }]
  const message = '/execution_metrics/total is 0, but /recent_executions/results lists 1'
  expect(fewerThanListed({}, json, own)?.message).toBe(message)
})

const counted = new Map([['/execution_metrics/counts/total', 1]])

test.each([
  [{ rates: { success: 140 } }, 'success_rate', 'named'],
  [{ success_rate: '140 %' }, 'success_rate', 'named'],
  [{ success_rate: -1 }, 'success_rate', undefined],
  [{ success_rate: '66,7 %' }, 'success_rate', undefined],
  [{ completion_time: '-2.5 h' }, 'completion_time', 'named'],
  [{ completion_time: '-PT5S' }, 'completion_time', 'named'],
  [{ completion_time: '2 days' }, 'completion_time', undefined],
] as const)('%j: an impossible %s is %s', (figures, fact, strength) => {
  expect(impossible(details({ counts: { total: 1 }, ...figures }), fact, counted)?.finding.strength).toBe(strength)
})

test.each([
  [{ data: { execution_metrics: { total: 1 }, success_rate: 2 } }, 'named'],
  [{ data: { execution_metrics: { total: 1 } }, tenant: { success_rate: 2 } }, undefined],
])('a rate of 2 beside a section that counts one execution: case %#', (json, strength) => {
  expect(impossible(json, 'success_rate', new Map([['/data/execution_metrics/total', 1]]))?.finding.strength).toBe(
    strength,
  )
})

const total = new Map([['/execution_metrics/total', 2]])

test.each([
  [0, { approved: 1, rejected: 0 }, true],
  ['0 %', { completed: 1, failed: 0 }, true],
  [0, { approved: 1, rejected: 0, as_of: 'then' }, false],
  [0, { completed: 1 }, false],
  [0, { completed: 1, rejected: 1 }, false],
  [0, { approved: 0, rejected: 0 }, false],
  [1, { approved: 0, rejected: 1 }, false],
  [0, { approved_steps: 1, rejected: 0 }, false],
  [0, { rejected: 1, sla: { completed: 4 } }, false],
  [0, { by_status: { approved: 1, rejected: 0 } }, true],
])('a rate of %s beside %j is wrong: %s', (success_rate, counts, isWrong) => {
  const found = wrongShare(details({ success_rate, total: 2, ...counts }), total)
  expect(found?.finding.place).toBe(isWrong ? '/execution_metrics/success_rate' : undefined)
})

const steps = ['legal', 'board'].map((name) => ({ step_id: `${name}-review`, name }))
const timed = (figures: object) => ({ step_performance: steps.map(({ step_id }) => ({ step_id, ...figures })) })

test.each([
  [{ avg_duration: -2.5 }, '/step_performance/*/avg_duration'],
  [{ mean_time: '-3 min' }, '/step_performance/*/mean_time'],
  [{ avg_duration: -1 }, undefined],
  [{ avg_duration: 3 }, undefined],
  [{ overrun_minutes: -2.5 }, undefined],
  [{ change: -2.5 }, undefined],
])('a negative duration in case %# is at $1', (figures, place) => {
  expect(negativeDuration(timed(figures), '/step_performance', steps)?.finding.place).toBe(place)
})

test.each([
  ['board-review', undefined],
  ['tax-review', '/bottleneck/step_id'],
  ['', undefined],
  ['-', undefined],
  ['n/a', undefined],
])('a bottleneck in step "%s" is wrong at %s', (step_id, place) => {
  const json = { steps: steps.map((step) => ({ step_id: step.step_id })), bottleneck: { step_id } }
  expect(bottleneckElsewhere(json, steps)?.finding.place).toBe(place)
})

const run = (status: string) => ({ status, document_id: 'd-1' })
const running = run('RUNNING')
const [one, two] = [{ 'run-071': running }, { 'run-071': running, 'run-171': running }]

test.each([
  [{ started: 0, open: 0 }, one, '/execution_metrics/started'],
  [{ started: 1, open: 0 }, two, '/execution_metrics/started'],
  [{ total: 1 }, two, '/execution_metrics/total'],
  [{ started: 1, open: 0 }, one, undefined],
  // Another figure may count it.
  [{ started: 0, dispatched: 1 }, one, undefined],
  // It may not have started.
  [{ started: 0, open: 0 }, { 'run-071': run('QUEUED') }, undefined],
  [{ started: 0, open: 0 }, { p50: running, p90: running }, undefined],
  [{ started: 0, open: 0 }, { '2026': running }, undefined],
  [{ success_rate: 0 }, one, undefined],
])('the count of case %# is too small at $2', (figures, runs: object, place) => {
  const json = { ...details(figures), runs }
  const own = Object.entries(runs).map(([name, value]) => ({ pointer: `/runs/${name}`, name, value }))
  expect(fewerThanListed(details(figures), json, own)?.finding.place).toBe(place)
})
