import { expect, test } from 'vitest'
import { admin } from '../support/admin.ts'
import { start } from '../support/service.ts'

test('an advance runs what is due, and code and HTTP read the same of it', async () => {
  const { read, steerOwn, executed, details, mock, key } = admin({ approvers: 'auto' })
  const { workflow_id } = await executed()
  const { json } = await steerOwn('POST', '/clock/advance', { duration: 'P30D' })
  expect(json).toEqual({ now: new Date(start + 30 * 86_400_000).toISOString(), speed: 0 })
  expect((await details(workflow_id)).json.execution_metrics.running).toBe(0)
  const { events } = await read('/journal')
  expect(events.length).toBeGreaterThan(6)
  expect(events).toEqual(mock.journal.read(key))
})

test('journal entries have the names and values of the answers', async () => {
  const { executed, created, mock, key, confirmed } = admin()
  const { status, created_at, ...definition } = await created()
  const { status: running, steps, started_at, completed_at, ...execution } = await executed()
  const { session_id, document_id, crc32, key: path, file_name, content_type, file_size } = await confirmed()
  const { step_id, assignee, assigned_at, routing } = steps[0]
  const entries = mock.journal.read(key)
  expect(entries[0]).toMatchObject({ ...definition, type: 'WorkflowCreated', at: created_at })
  const last = (type: string) => entries.findLast((entry) => entry.type === type)
  expect(last('ExecutionStarted')).toMatchObject({ ...execution, at: started_at })
  expect(last('StepAssigned')).toMatchObject({ step_id, assignee, at: assigned_at, routing })
  expect(last('UploadRequested')).toMatchObject({ session_id, key: path, file_name, content_type, file_size })
  expect(last('ObjectStored')).toMatchObject({ session_id, crc32 })
  expect(last('UploadConfirmed')).toMatchObject({ session_id, document_id })
})
