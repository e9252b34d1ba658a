import { expect, test } from 'vitest'
import { operationsOf } from '../../scripts/contract.ts'
import { contract } from '../support/contract.ts'
import { fakeTimers, mustWait } from '../support/fake-time.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { execution, service, workflow } from '../support/service.ts'

/** Returns a function that makes one of the documented calls in a valid way, with a query and further headers. */
async function asking() {
  const mine = service()
  const { workflow_id } = await mine.created()
  const { document_id } = await mine.confirmed()
  const upload = await mine.stored()
  const path = `/api/v1/workflows/${workflow_id}`
  const calls: Record<string, readonly [method: string, path: string, body?: unknown]> = {
    createWorkflow: ['POST', '/api/v1/workflows', workflow()],
    getWorkflow: ['GET', path],
    executeWorkflow: ['POST', `${path}/execute`, execution(document_id)],
    requestUpload: ['POST', '/api/v1/upload/', { file_name: 'a', content_type: 'a/b', file_size: 1 }],
    confirmUpload: ['POST', '/api/v1/upload/confirm', mine.confirmation(upload)],
  }
  const ask = (id: string, query = '', headers: Record<string, string> = {}) => {
    const upload_url = `${upload.upload_url}&${query}`
    if (id === 'putObject') return mine.store({ ...upload, upload_url }, mine.pdf, headers)
    const [method, path, body] = calls[id] ?? expect.fail(`There is no request for ${id}.`)
    return mine.call(method, `${path}?${query}`, body, headers)
  }
  return { ...mine, upload, ask }
}

const listed = operationsOf(contract).flatMap(({ operationId, definition }) =>
  Object.keys(definition.responses).map((status) => [operationId, status] as const),
)

test.each(nonEmpty(listed))('%s answers with %s when that is preferred, and nothing happens', async (id, status) => {
  const { ask, world } = await asking()
  const before = world.journal.length
  const { headers, text } = await mustAnswer(ask(id, '', { Prefer: `code=${status}` }), Number(status))
  expect(headers.get('Preference-Applied')).toMatch(new RegExp(`^code=${status}`))
  expect(await ask(id, `__code=${status}`)).toMatchObject({ status: Number(status), text })
  expect(world.journal).toHaveLength(before)
})

test('a file is read to its end before the preferred answer', async () => {
  const { upload, pdf, mock } = await asking()
  const { headers, upload_url } = upload
  const sent = new Request(`${upload_url}&__code=403`, { method: 'PUT', headers, body: pdf })
  expect((await mock.fetch(sent)).status).toBe(403)
  expect(sent.bodyUsed).toBe(true)
})

test('an example is chosen by its name, and the header wins over the query', async () => {
  const { ask } = await asking()
  const { json } = await ask('getWorkflow', '__code=404', { Prefer: 'code=200, example=used' })
  expect(json.execution_metrics.total).toBe(12)
})

test.each([
  ['code=418', 'code=404, example=workflow-not-found'],
  ['code=200, example=nothing', ''],
  ['delay=soon', ''],
  ['delay=600000', ''],
])('%s is refused', async (Prefer, detail) => {
  const { json } = await mustAnswer(service().details('wf', { Prefer }), 400, 'invalid-preference')
  expect(json.detail).toContain(detail)
})

test.each([
  ['an upload', 'putObject', 200],
  ['a refused request', 'createWorkflow', 415],
])('a delay postpones the answer to %s, and changes nothing else', async (_, id, status) => {
  const { ask } = await asking()
  fakeTimers()
  const answering = ask(id, '__delay=30000', { 'Content-Type': status === 415 ? 'text/plain' : 'application/pdf' })
  await mustWait(answering, 30_000)
  expect((await answering).status).toBe(status)
})

test('without a key, preferences are ignored', async () => {
  await mustAnswer(service().details('wf', { Authorization: '', Prefer: 'code=200' }), 401, 'missing-key')
})
