import { expect, test } from 'vitest'
import { admin } from '../support/admin.ts'

test('journal entries have one form in code and over HTTP', async () => {
  const { read, executed, mock, key } = admin({ approvers: 'auto' })
  await executed()
  mock.advance('P30D')
  const { events } = await read('/journal')
  expect(events.length).toBeGreaterThan(6)
  expect(events).toEqual(mock.journal.read(key))
})

test('journal entries have the names and values of the answers', async () => {
  const { executed, created, mock, key, confirmed } = admin()
  const workflow = await created()
  const execution = await executed()
  const document = await confirmed()
  const entries = mock.journal.read(key)
  const find = (type: string) => entries.filter((entry) => entry.type === type)
  const { status, created_at, ...definition } = workflow
  expect(find('WorkflowCreated')[0]).toMatchObject({ ...definition, at: created_at })
  const { execution_id, workflow_id, document_id, submitter_email, execution_mode, priority, started_at } = execution
  expect(find('ExecutionStarted')[0]).toMatchObject({
    ...{ execution_id, workflow_id, document_id, submitter_email, execution_mode, priority, at: started_at },
  })
  const [step] = execution.steps
  expect(find('StepAssigned')[0]).toMatchObject({
    ...{ step_id: step.step_id, assignee: step.assignee, at: step.assigned_at, routing: step.routing },
  })
  const { session_id, document_id: confirmed_id, crc32, key: path, file_name, content_type, file_size } = document
  const file = { session_id, key: path, file_name, content_type, file_size }
  expect(find('UploadRequested').at(-1)).toMatchObject(file)
  expect(find('ObjectStored').at(-1)).toMatchObject({ session_id, crc32 })
  expect(find('UploadConfirmed').at(-1)).toMatchObject({ session_id, document_id: confirmed_id })
})
