import { expect, test } from 'vitest'
import { origin, service, start } from '../support/service.ts'

test('the documented flow runs from a workflow to its details', async () => {
  const { created, stored, confirm, execute, details, call } = service()
  const { workflow_id } = await created()
  const upload = await stored()
  expect(upload.key).toMatch(/^tenants\/.*\/contract\.pdf$/)
  const confirmed = await confirm(upload)
  expect(confirmed).toMatchObject({ status: 200, json: { file_name: 'contract.pdf', file_size: 256 } })
  const executed = await execute(workflow_id, confirmed.json.document_id)
  const steps = [{ status: 'assigned' }, { status: 'waiting' }]
  expect(executed).toMatchObject({ status: 202, json: { steps } })
  const { status, json } = await details(workflow_id)
  expect([status, json.recent_executions]).toEqual([200, [executed.json]])
  expect(json.execution_metrics).toMatchObject({ total: 1, running: 1 })
  expect(await call('HEAD', `/api/v1/workflows/${workflow_id}`)).toMatchObject({ status: 200, text: '' })
})

test('details are computed from what approvers decided', async () => {
  const { executed, details, mock, key, decide } = service()
  const { execution_id, workflow_id } = await executed()
  mock.advance('PT90M', key)
  decide(execution_id, 'legal')
  mock.advance('PT30M', key)
  decide(execution_id, 'finance')
  expect((await details(workflow_id)).json).toMatchObject({
    execution_metrics: { total: 1, running: 0, approved: 1, success_rate: 1, completion_time: { mean_minutes: 120 } },
    step_performance: [{ critical_path_share: 0.75 }, { critical_path_share: 0.25 }],
    recent_executions: [{ status: 'approved', completed_at: new Date(start + 7_200_000).toISOString() }],
  })
})

test('a page on another origin may call the service and the storage', async () => {
  const { send, requested } = service()
  const { upload_url } = await requested()
  for (const url of [`${origin}/api/v1/workflows`, upload_url]) {
    const headers = {
      Origin: 'http://localhost:5173',
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'authorization, content-type',
    }
    const preflight = await send(new Request(url, { method: 'OPTIONS', headers }))
    expect([preflight.status, Object.fromEntries(preflight.headers)]).toMatchObject([
      204,
      {
        'access-control-allow-origin': 'http://localhost:5173',
        'access-control-allow-headers': expect.stringMatching(/authorization/i),
        vary: 'Origin, Access-Control-Request-Headers',
      },
    ])
    expect(preflight.headers.has('Access-Control-Allow-Credentials')).toBe(false)
  }
})
