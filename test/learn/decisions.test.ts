import { expect, test } from 'vitest'
import { Decisions } from '../../src/learn/decisions.ts'
import { service, start } from '../support/service.ts'

test.each([
  ['steps side by side are decided after a rejection', false, ['rejected', 'approved']],
  ['a rejection ends an execution in turn', true, ['rejected', 'skipped']],
])('%s', async (_, isSequential, states) => {
  const { mock, key, executed, details } = service()
  const { workflow_id, execution_id } = await executed({ isSequential })
  const decisions = new Decisions(mock, key)
  const seen = (['rejected', 'approved'] as const).map((decision, index) => {
    return { at: start + 1000 * index, stepId: ['legal', 'finance'][index] ?? '', decision }
  })
  decisions.plan({ decisions: seen, hasEnded: true }, execution_id)
  decisions.takeUntil(start + 9000, () => {})
  const [execution] = (await details(workflow_id)).json.recent_executions
  expect(execution.status).toBe('rejected')
  expect(execution.steps.map(({ status }: { status: string }) => status)).toEqual(states)
})
