import { expect, test } from 'vitest'
import { countersIn, executionShown } from '../../../conformance/reading/counts.ts'
import { analytics, findPart, mayBePart, unexplained } from '../../../conformance/reading/parts.ts'
import { readYaml } from '../../../scripts/contract.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { frameworks, sentWorkflows } from './samples.ts'

const { components } = readYaml('openapi.yaml')
const examples = ['FreshWorkflowDetails', 'UsedWorkflowDetails'].map((name) => components.examples[name].value)

test.each([
  ['FreshWorkflowDetails', 0],
  ['UsedWorkflowDetails', 1],
])('the example %s of the contract shows all three', (_, index) => {
  expect(analytics.map((part) => findPart(examples[index], part))).toEqual([
    '/bottlenecks',
    '/execution_metrics/success_rate',
    '/execution_metrics/completion_time',
  ])
})

test.each(nonEmpty(analytics))('without %s, nothing in the examples could be it', (part) => {
  for (const { [part]: _, ...details } of nonEmpty(structuredClone(examples))) {
    delete details.execution_metrics[part]
    expect(findPart(details, part)).toBeUndefined()
    expect(unexplained(details, part, { sent: sentWorkflows()[0] ?? {} })).toEqual([])
  }
})

test.each([
  [{ chokepoints: [] }, 'bottlenecks', '/chokepoints'],
  [{ metrics: { successRate: '66,7 %' } }, 'success_rate', '/metrics/successRate'],
  [{ success: true, metrics: { successRate: 0.5 } }, 'success_rate', '/metrics/successRate'],
  [{ Analytics__r: { Success_Rate__c: null } }, 'success_rate', '/Analytics__r/Success_Rate__c'],
  [{ metrics: { avgDurationMs: 0 } }, 'completion_time', '/metrics/avgDurationMs'],
  [{ metrics: { success_rate: 'n/a' } }, 'success_rate', '/metrics/success_rate'],
  [{ metrics: { average_completion_time: '-' } }, 'completion_time', '/metrics/average_completion_time'],
  [{ metrics: { avg_completion: 'PT2.5S' } }, 'completion_time', '/metrics/avg_completion'],
  [{ metrics: { avg_completion: null } }, 'completion_time', '/metrics/avg_completion'],
  [{ execution_metrics: { completion: { average_minutes: 4 } } }, 'completion_time', '/execution_metrics/completion'],
  [{ rates: { success: 0.9 } }, 'success_rate', '/rates/success'],
  [{ analytics: [{ type: 'bottleneck', steps: [] }] }, 'bottlenecks', '/analytics/0'],
  [{ slowest_step: null }, 'bottlenecks', '/slowest_step'],
] as const)('$1 is at $2', (json, part, place) => {
  expect([place, `${place}/average_minutes`]).toContain(findPart(json, part))
})

test.each([
  ['an estimate', 'completion_time', { steps: [{ estimated_duration: 2 }] }],
  ['a point in time', 'completion_time', { execution_metrics: { completed_at: null, total: 2 } }],
  ['a rate of approvals', 'success_rate', { step_performance: [{ approval_rate: 0.9, waiting_time: 3 }] }],
  ['a time of waiting', 'completion_time', { step_performance: [{ waiting_time: 3 }] }],
  ['a pair of counts', 'success_rate', { execution_metrics: { total: 2, approved: 1 } }],
] as const)('%s is not taken for the %s', (_, part, json) => {
  expect(findPart(json, part)).toBeUndefined()
})

test.each([
  [{ metrics: { frobs: 0.5 } }, 'success_rate', '/metrics/frobs'],
  [{ metrics: { frobs: null } }, 'completion_time', '/metrics/frobs'],
  [{ frobs: [] }, 'bottlenecks', '/frobs'],
  [{ metrics: { frob_rate: 0.5 } }, 'success_rate', '/metrics/frob_rate'],
  [{ step_performance: [{ step_id: 'a', avg_minutes: 5 }] }, 'completion_time', '/step_performance/0/avg_minutes'],
  [{ insights: [] }, 'bottlenecks', '/insights'],
] as const)('$2 is unexplained and may be $1', (json, part, place) => {
  expect(findPart(json, part)).toBeUndefined()
  expect(unexplained(json, part)).toEqual([place])
})

test.each([
  ['success_rate', [], false],
  ['success_rate', { of: 'all' }, false],
  ['success_rate', { of: 3, rate: 0.5 }, true],
  ['completion_time', ['Run the steps at once.'], false],
  ['completion_time', { mean: null }, true],
  ['execution_metrics', 3, true],
  ['execution_metrics', 'wf-1', false],
  ['step_performance', 'Legal review', false],
  ['optimization_recommendations', true, false],
  ['bottlenecks', [], true],
] as const)('%s may be %j: %s', (part, value, expected) => {
  expect(mayBePart(part, value)).toBe(expected)
})

test('a place that is known as another fact is not used twice', () => {
  const known = { id: 7, version: 3, total: 4, status: 'active', created_at: 'then' }
  const details = { ...known, insights: [], owner: { frob: 1 } }
  expect(analytics.flatMap((part) => unexplained(details, part, { found: ['/insights'] }))).toEqual([])
})

const [sent] = sentWorkflows()
if (!sent) throw new Error('Nothing was sent.')

test.each(nonEmpty(Object.entries(frameworks)))(
  'in the manner of %s, the definition is not the performance of steps',
  (_, render) => {
    expect(findPart(render(sent, 1), 'step_performance', sent.steps)).toBeUndefined()
  },
)

test('a summary of steps that repeats what was sent is the definition', () => {
  const details = { step_summary: sent.steps, step_figures: sent.steps.map(({ step_id }) => ({ step_id, runs: 0 })) }
  expect(findPart(details, 'step_performance', sent.steps)).toBe('/step_figures')
})

test.each([
  [{ Total_Executions__c: 0 }, 'execution_metrics', '/Total_Executions__c'],
  [{ statistics: { runs: 0 } }, 'execution_metrics', '/statistics'],
  [{ performance_of_the_steps: [] }, 'step_performance', '/performance_of_the_steps'],
  [{ suggestions: [] }, 'optimization_recommendations', '/suggestions'],
] as const)('$1 is found at $2', (json, section, pointer) => {
  expect(findPart(json, section)).toBe(pointer)
})

test('one of the executions in a list is not the metrics of all', () => {
  const one = { ExecutionId: 'x1', Status: 'Completed', DurationSeconds: 3 }
  expect(findPart({ Executions: [one] }, 'execution_metrics')).toBeUndefined()
  expect(findPart({ Metrics: [one] }, 'execution_metrics')).toBe('/Metrics/0')
})

test('executions that do not start show under names in the style of Salesforce', () => {
  const details = { Total_Executions__c: 0, Running_Executions__c: 0, Total_Approvals__c: 0 }
  expect(countersIn(details).map(({ place }) => place)).toEqual(['/Total_Executions__c', '/Running_Executions__c'])
  expect(executionShown(details, details, [])).toBe('no')
  expect(executionShown(details, { ...details, Total_Executions__c: 1 }, [])).toBe('yes')
})
