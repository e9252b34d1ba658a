import { queryObjects } from 'node:v8'
import { expect, test } from 'vitest'
import { Analytics } from '../../src/domain/analytics/analytics.ts'
import { service, workflow } from '../support/service.ts'

test('a reset releases all workflows, even in the job that read them', async () => {
  const before = countAnalytics()
  const { mock, call, executed } = service()
  const { document_id } = await executed()
  const body = { document_id, submitter_email: 'sam@example.com' }
  for (let times = 0; times < 20; times += 1) {
    const { json } = await call('POST', '/api/v1/workflows', workflow())
    const details = `/api/v1/workflows/${json.workflow_id}`
    expect((await call('GET', details)).status).toBe(200)
    expect((await call('POST', `${details}/execute`, body)).status).toBe(202)
    expect((await call('GET', details)).status).toBe(200)
  }
  mock.reset()
  expect(countAnalytics()).toBeLessThanOrEqual(before)
})

/** Counts the analytics in this process, after a garbage collection. Those of other tests are among them. */
const countAnalytics = () => queryObjects(Analytics, { format: 'count' })
