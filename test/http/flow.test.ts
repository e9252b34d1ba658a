import { expect, test } from 'vitest'
import { execution, origin, service, start, workflow } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

test('the documented flow runs from a workflow to its details', async () => {
  const { call, put, pdf, confirm, mock, key } = service()
  const created = await call('POST', '/api/v1/workflows', workflow())
  expect(created.status).toBe(201)
  expect(created.headers.get('Location')).toBe(`/api/v1/workflows/${created.json.workflow_id}`)

  const request = { file_name: 'contract.pdf', content_type: 'application/pdf', file_size: pdf.byteLength }
  const upload = await call('POST', '/api/v1/upload/', request)
  expect(upload.status).toBe(200)
  expect(upload.json.key).toMatch(/^tenants\/.*\/contract\.pdf$/)

  const stored = await put(upload.json.upload_url, pdf, { 'Content-Type': 'application/pdf' })
  expect([stored.status, stored.text]).toEqual([200, ''])
  expect(storedBytes(mock.tenants.ofKey(key), upload.json.key)).toEqual(pdf)

  const confirmed = await confirm(upload.json)
  expect(confirmed.status).toBe(200)
  expect(confirmed.json).toMatchObject({ file_name: 'contract.pdf', file_size: 256 })

  const path = `/api/v1/workflows/${created.json.workflow_id}`
  const executed = await call('POST', `${path}/execute`, execution(confirmed.json.document_id))
  expect(executed.status).toBe(202)
  expect(executed.json.steps.map((step: { status: string }) => step.status)).toEqual(['assigned', 'waiting'])

  const details = await call('GET', path)
  expect(details.status).toBe(200)
  expect(details.json.execution_metrics).toMatchObject({ total: 1, running: 1 })
  expect(details.json.recent_executions).toEqual([executed.json])
})

test('details are computed from what approvers decided', async () => {
  const { executed, call, world, mock, key } = service()
  const { execution_id: executionId, workflow_id } = await executed()
  const { clock } = mock.tenants.ofKey(key)
  const decide = (stepId: string, email: string) =>
    world.handle({ type: 'DecideStep', executionId, stepId, email, decision: 'approved' })
  clock.advance(90 * 60_000)
  decide('legal', 'lena@example.com')
  clock.advance(30 * 60_000)
  decide('finance', 'ines@example.com')

  const { json } = await call('GET', `/api/v1/workflows/${workflow_id}`)
  expect(json.execution_metrics).toMatchObject({ total: 1, running: 0, approved: 1, success_rate: 1 })
  expect(json.execution_metrics.completion_time.mean_minutes).toBe(120)
  expect(json.step_performance.map((step: { critical_path_share: number }) => step.critical_path_share)).toEqual([
    0.75, 0.25,
  ])
  expect(json.recent_executions[0]).toMatchObject({
    status: 'approved',
    completed_at: new Date(start + 7_200_000).toISOString(),
  })
})

test('isSequential is true by default, and false if it is sent as false', async () => {
  const { created } = service()
  expect((await created()).isSequential).toBe(true)
  expect((await created({ isSequential: false })).isSequential).toBe(false)
})

test('all steps of a workflow that is not sequential are assigned at once', async () => {
  const { executed } = service()
  const { steps } = await executed({ isSequential: false })
  expect(steps.map((step: { status: string }) => step.status)).toEqual(['assigned', 'assigned'])
})

test('two keys never see each other', async () => {
  const { created, call } = service()
  const { workflow_id } = await created()
  const other = await call('GET', `/api/v1/workflows/${workflow_id}`, undefined, {
    Authorization: 'test_somebody_else',
  })
  expect(other.status).toBe(404)
})

test('the same seed and calls give the same journal', async () => {
  const journals = await Promise.all(
    [1, 2].map(async () => {
      const { call, mock, put, pdf, confirmation } = service({ seed: 'same', approvers: 'auto' })
      const headers = { Authorization: 'test_same' }
      const { json: created } = await call('POST', '/api/v1/workflows', workflow(), headers)
      const request = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 256 }
      const { json: upload } = await call('POST', '/api/v1/upload/', request, headers)
      await put(upload.upload_url, pdf, upload.headers)
      const { json: document } = await call('POST', '/api/v1/upload/confirm', confirmation(upload, 'a.pdf'), headers)
      await call('POST', `/api/v1/workflows/${created.workflow_id}/execute`, execution(document.document_id), headers)
      const world = mock.tenants.ofKey('test_same')
      world.clock.advance(7 * 24 * 3_600_000)
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
