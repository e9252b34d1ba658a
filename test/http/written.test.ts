import { expect, test } from 'vitest'
import { service, workflow } from '../support/service.ts'

test('reading a workflow gives exactly what creating it answered', async () => {
  const { created, details } = service()
  const sent = { unknown: { deep: [1] }, name: 'Vertrag \u20ac \ud83d\udd8b', description: 'a\n"b"\\' }
  const answer = await created(sent)
  expect(answer).toMatchObject({ name: sent.name, description: sent.description, isSequential: true })
  expect(answer).not.toHaveProperty('unknown')
  for (const _ of ['read from its text', 'kept as it was read'])
    expect((await details(answer.workflow_id)).json).toMatchObject(answer)
})

test('a text that names a member twice means the same whenever it is read', async () => {
  const { post, details } = service()
  const text = JSON.stringify(workflow()).replace('{', '{"name":"first","__proto":1,')
  const { workflow_id, name } = (await post('/api/v1/workflows', text)).json
  expect([name, (await details(workflow_id)).json.name]).toEqual([workflow().name, name])
})

test('the journal shows a workflow as plain data, read or unread', async () => {
  const { mock, key, details, created } = service()
  const { workflow_id } = await created()
  const entry = { ...workflow(), isSequential: true, workflow_id, type: 'WorkflowCreated' }
  expect(mock.journal.read(key)).toMatchObject([entry])
  await details(workflow_id)
  expect(mock.journal.read(key)).toMatchObject([entry])
  expect(structuredClone(mock.journal.read(key))).toMatchObject([entry])
})

test('executions share the steps of their workflow', async () => {
  const { execute, confirmed, created, world } = service()
  const { workflow_id } = await created()
  const { document_id } = await confirmed()
  const start = async () => {
    const { execution_id } = (await execute(workflow_id, document_id)).json
    return world.execution(execution_id).stages[0]?.[0]?.step
  }
  expect(await start()).toBe(await start())
})
