import { expect, test } from 'vitest'
import { operationsOf } from '../../scripts/contract.ts'
import { contract } from '../support/contract.ts'
import { fakeTimers, mustWait } from '../support/fake-time.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { execution, origin, service, workflow } from '../support/service.ts'

/** A valid request for each documented call. */
async function requests() {
  const mine = service()
  const { workflow_id } = await mine.created()
  const { document_id } = await mine.confirmed()
  const stored = await mine.stored()
  const json = { Authorization: mine.key, 'Content-Type': 'application/json' }
  const post = (path: string, body: object) => ({
    url: origin + path,
    init: { method: 'POST', headers: json, body: JSON.stringify(body) },
  })
  const file = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 1 }
  const calls: Record<
    string,
    { url: string; init: { method: string; headers: Record<string, string>; body?: BodyInit } }
  > = {
    createWorkflow: post('/api/v1/workflows', workflow()),
    getWorkflow: { url: `${origin}/api/v1/workflows/${workflow_id}`, init: { method: 'GET', headers: json } },
    executeWorkflow: post(`/api/v1/workflows/${workflow_id}/execute`, execution(document_id)),
    requestUpload: post('/api/v1/upload/', file),
    confirmUpload: post('/api/v1/upload/confirm', mine.confirmation(stored)),
    putObject: { url: stored.upload_url, init: { method: 'PUT', headers: stored.headers, body: mine.pdf } },
  }
  return { ...mine, calls }
}

const listed = operationsOf(contract).flatMap(({ operationId, definition }) =>
  Object.keys(definition.responses).map((status) => [operationId, status] as const),
)

test.each(nonEmpty(listed))('%s answers with %s when that is preferred, and nothing happens', async (id, status) => {
  const { calls, send, world } = await requests()
  const before = world.journal.read().length
  const { url, init } = calls[id] ?? { url: '', init: { method: 'GET', headers: {} } }
  const answer = await send(new Request(url, { ...init, headers: { ...init.headers, Prefer: `code=${status}` } }))
  expect(answer.status).toBe(Number(status))
  expect(answer.headers.get('Preference-Applied')).toMatch(new RegExp(`^code=${status}`))
  const twin = await send(new Request(`${url}${url.includes('?') ? '&' : '?'}__code=${status}`, init))
  expect([twin.status, twin.text]).toEqual([answer.status, answer.text])
  expect(world.journal.read()).toHaveLength(before)
})

test('a file is read to its end before the preferred answer', async () => {
  const { calls, mock } = await requests()
  const { url = '', init } = calls.putObject ?? {}
  const request = new Request(`${url}&__code=403`, init)
  expect((await mock.fetch(request)).status).toBe(403)
  expect(request.bodyUsed).toBe(true)
})

test('an example is chosen by its name', async () => {
  const { calls, send } = await requests()
  const { url = '', init } = calls.getWorkflow ?? {}
  const headers = { ...init?.headers, Prefer: 'example=used' }
  expect((await send(new Request(url, { headers }))).json.execution_metrics.total).toBe(12)
})

test.each(['code=418', 'code=200, example=nothing', 'delay=soon', 'delay=600000'])('%s is refused', async (Prefer) => {
  const { calls, send } = await requests()
  const { url = '', init } = calls.getWorkflow ?? {}
  const answer = await send(new Request(url, { headers: { ...init?.headers, Prefer } }))
  expect([answer.status, answer.json.code]).toEqual([400, 'invalid-preference'])
})

test('an unknown status is refused with a list of the existing ones', async () => {
  const { calls, send } = await requests()
  const { url = '', init } = calls.getWorkflow ?? {}
  const { json } = await send(new Request(url, { headers: { ...init?.headers, Prefer: 'code=418' } }))
  expect(json.detail).toContain('code=404, example=workflow-not-found')
})

test('the header wins over the query', async () => {
  const { calls, send } = await requests()
  const { url = '', init } = calls.getWorkflow ?? {}
  const answer = await send(new Request(`${url}?__code=404`, { headers: { ...init?.headers, Prefer: 'code=401' } }))
  expect(answer.status).toBe(401)
})

test('a delay postpones the answer, and changes nothing else', async () => {
  const { calls, send } = await requests()
  const { url = '', init } = calls.putObject ?? {}
  fakeTimers()
  const answering = send(new Request(`${url}&__delay=30000`, init))
  await mustWait(answering, 30_000)
  expect((await answering).status).toBe(200)
})

test('refused requests wait as long as accepted ones', async () => {
  const { call } = service()
  fakeTimers()
  const answering = call('POST', '/api/v1/workflows', {}, { Prefer: 'delay=30000' })
  await mustWait(answering, 30_000)
  expect((await answering).status).toBe(400)
})

test('without a key, preferences are ignored', async () => {
  const { calls, send } = await requests()
  const { url = '' } = calls.getWorkflow ?? {}
  expect((await send(new Request(url, { headers: { Prefer: 'code=200' } }))).json.code).toBe('missing-key')
})
