import { queryObjects } from 'node:v8'
import { expect, test } from 'vitest'
import { Analytics } from '../../src/domain/analytics/analytics.ts'
import { service } from '../support/service.ts'

test('a reset releases all workflows, even in the job that read them', async () => {
  const before = countAnalytics()
  const { mock, created, details, execute, executed } = service()
  const { document_id } = await executed()
  for (let times = 0; times < 20; times += 1) {
    const { workflow_id } = await created()
    expect((await details(workflow_id)).status).toBe(200)
    expect((await execute(workflow_id, document_id)).status).toBe(202)
    expect((await details(workflow_id)).status).toBe(200)
  }
  mock.reset()
  expect(countAnalytics()).toBeLessThanOrEqual(before)
})

/** Counts the analytics in this process, after a garbage collection. Those of other tests are among them. */
const countAnalytics = () => queryObjects(Analytics, { format: 'count' })
