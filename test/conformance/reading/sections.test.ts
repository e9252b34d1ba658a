import { expect, test } from 'vitest'
import { executionCounters } from '../../../conformance/reading/counters.ts'
import { executionShown } from '../../../conformance/reading/progress.ts'
import { findSection } from '../../../conformance/reading/sections.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { frameworks, salesforce, sentWorkflows } from './samples.ts'

const [sent] = sentWorkflows()
if (!sent) throw new Error('Nothing was sent.')
const stepIds = sent.steps.map(({ step_id }) => step_id)

test.each(nonEmpty(Object.entries(frameworks)))(
  'in the manner of %s, the definition is not the performance of steps',
  (_, render) => {
    expect(findSection(render(sent, 1), 'step_performance', stepIds, sent.steps)).toBeUndefined()
  },
)

test('a definition is distinguished from performance without the sent values', () => {
  expect(findSection(salesforce(sent, 1), 'step_performance', stepIds)).toBeUndefined()
})

test('a summary of steps that repeats what was sent is the definition', () => {
  const details = { step_summary: sent.steps, step_figures: sent.steps.map(({ step_id }) => ({ step_id, runs: 0 })) }
  expect(findSection(details, 'step_performance', stepIds, sent.steps)).toBe('/step_figures')
})

test.each([
  [{ Total_Executions__c: 0 }, 'execution_metrics', '/Total_Executions__c'],
  [{ statistics: { runs: 0 } }, 'execution_metrics', '/statistics'],
  [{ performance_of_the_steps: [] }, 'step_performance', '/performance_of_the_steps'],
  [{ suggestions: [] }, 'optimization_recommendations', '/suggestions'],
] as const)('$1 is at $2', (json, section, pointer) => {
  expect(findSection(json, section)).toBe(pointer)
})

test('one of the executions in a list is not the metrics of all', () => {
  const one = { ExecutionId: 'x1', Status: 'Completed', DurationSeconds: 3 }
  expect(findSection({ Executions: [one] }, 'execution_metrics')).toBeUndefined()
  expect(findSection({ Metrics: [one] }, 'execution_metrics')).toBe('/Metrics/0')
})

test('executions that do not start show under names in the style of Salesforce', () => {
  const details = { Total_Executions__c: 0, Running_Executions__c: 0, Total_Approvals__c: 0 }
  expect([...executionCounters(details).keys()]).toEqual(['/Total_Executions__c', '/Running_Executions__c'])
  expect(executionShown(details, details, [])).toBe('no')
  expect(executionShown(details, { ...details, Total_Executions__c: 1 }, [])).toBe('yes')
})
