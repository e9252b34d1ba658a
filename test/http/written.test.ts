import { expect, test } from 'vitest'
import { service, workflow } from '../support/service.ts'

const details = (id: string) => `/api/v1/workflows/${id}`

test('reading a workflow gives exactly what creating it answered', async () => {
  const { call } = service()
  const sent = { unknown: { deep: [1] }, ...workflow(), name: 'Vertrag \u20ac \ud83d\udd8b', description: 'a\n"b"\\' }
  const created = (await call('POST', '/api/v1/workflows', sent)).json
  expect(created).toMatchObject({ name: sent.name, description: sent.description, isSequential: true })
  expect(created).not.toHaveProperty('unknown')
  for (const _ of ['read from its text', 'kept as it was read']) {
    expect((await call('GET', details(created.workflow_id))).json).toMatchObject(created)
  }
})

test('a text that names a member twice means the same whenever it is read', async () => {
  const { call } = service()
  const text = JSON.stringify(workflow()).replace('{', '{"name":"first","__proto":1,')
  const created = (await call('POST', '/api/v1/workflows', text)).json
  expect(created.name).toBe(workflow().name)
  expect((await call('GET', details(created.workflow_id))).json.name).toBe(created.name)
})

test('the journal shows a workflow as plain data, read or unread', async () => {
  const { mock, key, call, created } = service()
  const { workflow_id } = await created()
  const entry = { ...workflow(), isSequential: true, workflow_id, type: 'WorkflowCreated' }
  expect(mock.journal.read(key)).toMatchObject([entry])
  await call('GET', details(workflow_id))
  expect(mock.journal.read(key)).toMatchObject([entry])
  expect(structuredClone(mock.journal.read(key))).toMatchObject([entry])
})

test('executions share the steps of their workflow', async () => {
  const { call, confirmed, created, world } = service()
  const { workflow_id } = await created()
  const { document_id } = await confirmed()
  const start = async () => {
    const body = { document_id, submitter_email: 'sam@example.com' }
    const { json } = await call('POST', `${details(workflow_id)}/execute`, body)
    return world.execution(json.execution_id).stages[0]?.[0]?.step
  }
  expect(await start()).toBe(await start())
})
