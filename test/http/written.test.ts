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

test('the journal shows a workflow as plain data, read or unread', async () => {
  const { mock, key, details, created } = service()
  const { status, created_at, ...answer } = await created()
  for (const _ of ['unread', 'read']) {
    expect(structuredClone(mock.journal.read(key))).toMatchObject([{ ...answer, type: 'WorkflowCreated' }])
    await details(answer.workflow_id)
  }
})

test('a text that names a member twice means the same whenever it is read', async () => {
  const { post, details } = service()
  const text = JSON.stringify(workflow()).replace('{', '{"name":"first","__proto":1,')
  const { workflow_id, name } = (await post('/api/v1/workflows', text)).json
  expect([name, (await details(workflow_id)).json.name]).toEqual([workflow().name, name])
})

test('executions share the steps of their workflow', async () => {
  const { execute, executed, world } = service()
  const first = await executed()
  const second = (await execute(first.workflow_id, first.document_id)).json
  const [one, other] = [first, second].map(({ execution_id }) => world.execution(execution_id).stages[0]?.[0]?.step)
  expect(one).toBe(other)
})
