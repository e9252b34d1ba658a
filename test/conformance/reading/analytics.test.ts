import { expect, test } from 'vitest'
import { type Fact, findAnalytics, unexplained } from '../../../conformance/reading/analytics.ts'
import { readYaml } from '../../../scripts/contract.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { sentWorkflows } from './samples.ts'

const facts = ['bottlenecks', 'success-rate', 'completion-time'] as const
const { components } = readYaml('openapi.yaml')
const examples = ['FreshWorkflowDetails', 'UsedWorkflowDetails'].map((name) => components.examples[name].value)

test.each([
  ['FreshWorkflowDetails', 0],
  ['UsedWorkflowDetails', 1],
])('the example %s of the contract shows all three', (_, index) => {
  expect(facts.map((fact) => findAnalytics(examples[index], fact)?.place)).toEqual([
    '/bottlenecks',
    '/execution_metrics/success_rate',
    '/execution_metrics/completion_time',
  ])
})

const removed: Readonly<Record<Fact, (details: object) => object>> = {
  bottlenecks: (details) => without(details, 'bottlenecks'),
  'success-rate': (details) => withMetrics(details, 'success_rate'),
  'completion-time': (details) => withMetrics(details, 'completion_time'),
}

function without(json: object, name: string): object {
  return Object.fromEntries(Object.entries(json).filter(([one]) => one !== name))
}

function withMetrics(details: object, name: string): object {
  const { execution_metrics } = details as { execution_metrics: object }
  return { ...details, execution_metrics: without(execution_metrics, name) }
}

test.each(facts)('without %s, nothing in the examples could be it', (fact) => {
  for (const details of nonEmpty(examples.map(removed[fact]))) {
    expect(findAnalytics(details, fact)).toBeUndefined()
    expect(unexplained(details, fact, sentWorkflows()[0]).map(({ place }) => place)).toEqual([])
  }
})

test.each([
  [{ chokepoints: [] }, 'bottlenecks', '/chokepoints'],
  [{ metrics: { successRate: '66,7 %' } }, 'success-rate', '/metrics/successRate'],
  [{ success: true, metrics: { successRate: 0.5 } }, 'success-rate', '/metrics/successRate'],
  [{ Analytics__r: { Success_Rate__c: null } }, 'success-rate', '/Analytics__r/Success_Rate__c'],
  [{ metrics: { avgDurationMs: 0 } }, 'completion-time', '/metrics/avgDurationMs'],
  [{ metrics: { success_rate: 'n/a' } }, 'success-rate', '/metrics/success_rate'],
  [{ metrics: { average_completion_time: '-' } }, 'completion-time', '/metrics/average_completion_time'],
  [{ metrics: { avg_completion: 'PT2.5S' } }, 'completion-time', '/metrics/avg_completion'],
  [{ metrics: { avg_completion: null } }, 'completion-time', '/metrics/avg_completion'],
  [{ execution_metrics: { completion: { average_minutes: 4 } } }, 'completion-time', '/execution_metrics/completion'],
  [{ rates: { success: 0.9 } }, 'success-rate', '/rates/success'],
  [{ analytics: [{ type: 'bottleneck', steps: [] }] }, 'bottlenecks', '/analytics/0/type'],
  [{ slowest_step: null }, 'bottlenecks', '/slowest_step'],
] as const)('$1 is at $2', (json, fact, place) => {
  expect([place, `${place}/average_minutes`]).toContain(findAnalytics(json, fact)?.place)
})

test.each([
  ['an estimate', 'completion-time', { steps: [{ estimated_duration: 2 }] }],
  ['a point in time', 'completion-time', { execution_metrics: { completed_at: null, total: 2 } }],
  ['a rate of approvals', 'success-rate', { step_performance: [{ approval_rate: 0.9, waiting_time: 3 }] }],
  ['a time of waiting', 'completion-time', { step_performance: [{ waiting_time: 3 }] }],
  ['a pair of counts', 'success-rate', { execution_metrics: { total: 2, approved: 1 } }],
] as const)('%s is not taken for the %s', (_, fact, json) => {
  expect(findAnalytics(json, fact)).toBeUndefined()
})

test.each([
  [{ metrics: { frobs: 0.5 } }, 'success-rate', '/metrics/frobs'],
  [{ metrics: { frobs: null } }, 'completion-time', '/metrics/frobs'],
  [{ frobs: [] }, 'bottlenecks', '/frobs'],
  [{ metrics: { frob_rate: 0.5 } }, 'success-rate', '/metrics/frob_rate'],
  [{ step_performance: [{ step_id: 'a', avg_minutes: 5 }] }, 'completion-time', '/step_performance/0/avg_minutes'],
  [{ insights: [] }, 'bottlenecks', '/insights'],
] as const)('$2 is unexplained and may be $1', (json, fact, place) => {
  expect(findAnalytics(json, fact)).toBeUndefined()
  expect(unexplained(json, fact).map((finding) => finding.place)).toEqual([place])
})

test('a place that is known as another fact is not used twice', () => {
  const details = {
    id: 7,
    version: 3,
    total: 4,
    status: 'active',
    created_at: 'then',
    insights: [],
    owner: { frob: 1 },
  }
  for (const fact of facts) {
    expect(unexplained(details, fact, {}, ['/insights']).map(({ place }) => place)).toEqual([])
  }
})
