import { expect, test } from 'vitest'
import { clientOf, origin, service, start } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

test('the documented flow runs from a workflow to its details', async () => {
  const { create, post, store, pdf, confirm, execute, details, mock, key } = service()
  const created = await create()
  const { workflow_id } = created.json
  expect([created.status, created.headers.get('Location')]).toEqual([201, `/api/v1/workflows/${workflow_id}`])

  const file = { file_name: 'contract.pdf', content_type: 'application/pdf', file_size: pdf.byteLength }
  const upload = await post('/api/v1/upload/', file)
  expect([upload.status, upload.json.key]).toEqual([200, expect.stringMatching(/^tenants\/.*\/contract\.pdf$/)])

  const stored = await store(upload.json)
  expect([stored.status, stored.text]).toEqual([200, ''])
  expect(storedBytes(mock.tenants.ofKey(key), upload.json.key)).toEqual(pdf)

  const confirmed = await confirm(upload.json)
  expect(confirmed).toMatchObject({ status: 200, json: { file_name: 'contract.pdf', file_size: 256 } })

  const executed = await execute(workflow_id, confirmed.json.document_id)
  const steps = [{ status: 'assigned' }, { status: 'waiting' }]
  expect(executed).toMatchObject({ status: 202, json: { steps } })

  const { status, json } = await details(workflow_id)
  expect([status, json.recent_executions]).toEqual([200, [executed.json]])
  expect(json.execution_metrics).toMatchObject({ total: 1, running: 1 })
})

test('details are computed from what approvers decided', async () => {
  const { executed, details, world, decide } = service()
  const { execution_id, workflow_id } = await executed()
  for (const [minutes, stepId] of [
    [90, 'legal'],
    [30, 'finance'],
  ] as const) {
    world.clock.advance(minutes * 60_000)
    decide(execution_id, stepId)
  }
  expect((await details(workflow_id)).json).toMatchObject({
    execution_metrics: { total: 1, running: 0, approved: 1, success_rate: 1, completion_time: { mean_minutes: 120 } },
    step_performance: [{ critical_path_share: 0.75 }, { critical_path_share: 0.25 }],
    recent_executions: [{ status: 'approved', completed_at: new Date(start + 7_200_000).toISOString() }],
  })
})

test('all steps of a workflow that is not sequential are assigned at once', async () => {
  const { steps } = await service().executed({ isSequential: false })
  expect(steps).toMatchObject([{ status: 'assigned' }, { status: 'assigned' }])
})

test('two keys never see each other', async () => {
  const { created, details } = service()
  const { workflow_id } = await created()
  expect((await details(workflow_id, { Authorization: 'test_somebody_else' })).status).toBe(404)
})

test('the same seed and calls give the same journal', async () => {
  const journals = await Promise.all(
    [1, 2].map(async () => {
      const { mock } = service({ seed: 'same', approvers: 'auto' })
      await clientOf(mock, 'test_same').executed()
      mock.tenants.ofKey('test_same').clock.advance(7 * 24 * 3_600_000)
      return JSON.stringify(mock.journal.read('test_same'))
    }),
  )
  expect(journals[0]).toBe(journals[1])
  expect(journals[0]).toContain('ExecutionCompleted')
})

test('HEAD answers as GET does, without the body', async () => {
  const { created, call } = service()
  const { workflow_id } = await created()
  const head = await call('HEAD', `/api/v1/workflows/${workflow_id}`)
  expect([head.status, head.text]).toEqual([200, ''])
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
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('http://localhost:5173')
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toMatch(/authorization/i)
    expect(preflight.headers.get('Vary')).toBe('Origin, Access-Control-Request-Headers')
    expect(preflight.headers.get('Access-Control-Allow-Credentials')).toBeNull()
  }
})
