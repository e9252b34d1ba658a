import { expect, test } from 'vitest'
import { operationsOf } from '../../scripts/contract.ts'
import { contract } from '../support/contract.ts'
import { fakeTimers, mustWait } from '../support/fake-time.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { execution, origin, service, workflow } from '../support/service.ts'

interface Sent {
  readonly url: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: BodyInit
}

/** A valid request for each documented call, and a function that sends one with changes. */
async function requests() {
  const mine = service()
  const { workflow_id } = await mine.created()
  const { document_id } = await mine.confirmed()
  const upload = await mine.stored()
  const headers = { Authorization: mine.key, 'Content-Type': 'application/json' }
  const post = (path: string, body: object): Sent => {
    return { url: origin + path, method: 'POST', headers, body: JSON.stringify(body) }
  }
  const getWorkflow: Sent = { url: `${origin}/api/v1/workflows/${workflow_id}`, headers }
  const putObject: Sent = { url: upload.upload_url, method: 'PUT', headers: upload.headers, body: mine.pdf }
  const calls: Record<string, Sent> = {
    createWorkflow: post('/api/v1/workflows', workflow()),
    getWorkflow,
    executeWorkflow: post(`/api/v1/workflows/${workflow_id}/execute`, execution(document_id)),
    requestUpload: post('/api/v1/upload/', { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 1 }),
    confirmUpload: post('/api/v1/upload/confirm', mine.confirmation(upload)),
    putObject,
  }
  const request = ({ url, ...init }: Sent, query = '', more: Record<string, string> = {}) =>
    new Request(`${url}${query && (url.includes('?') ? '&' : '?') + query}`, {
      ...init,
      headers: { ...init.headers, ...more },
    })
  const ask = (sent: Sent, query = '', more: Record<string, string> = {}) => mine.send(request(sent, query, more))
  return { ...mine, calls, getWorkflow, putObject, request, ask }
}

const listed = operationsOf(contract).flatMap(({ operationId, definition }) =>
  Object.keys(definition.responses).map((status) => [operationId, status] as const),
)

test.each(nonEmpty(listed))('%s answers with %s when that is preferred, and nothing happens', async (id, status) => {
  const { calls, ask, world } = await requests()
  const before = world.journal.length
  const call = calls[id] ?? expect.fail(`There is no request for ${id}.`)
  const { headers, text, ...answer } = await ask(call, '', { Prefer: `code=${status}` })
  expect(answer.status).toBe(Number(status))
  expect(headers.get('Preference-Applied')).toMatch(new RegExp(`^code=${status}`))
  expect(await ask(call, `__code=${status}`)).toMatchObject({ status: answer.status, text })
  expect(world.journal).toHaveLength(before)
})

test('a file is read to its end before the preferred answer', async () => {
  const { putObject, request, mock } = await requests()
  const sent = request(putObject, '__code=403')
  expect((await mock.fetch(sent)).status).toBe(403)
  expect(sent.bodyUsed).toBe(true)
})

test('an example is chosen by its name', async () => {
  const { getWorkflow, ask } = await requests()
  expect((await ask(getWorkflow, '', { Prefer: 'example=used' })).json.execution_metrics.total).toBe(12)
})

test.each([
  ['code=418', 'code=404, example=workflow-not-found'],
  ['code=200, example=nothing', ''],
  ['delay=soon', ''],
  ['delay=600000', ''],
])('%s is refused', async (Prefer, detail) => {
  const { getWorkflow, ask } = await requests()
  const { status, json } = await ask(getWorkflow, '', { Prefer })
  expect([status, json.code, json.detail]).toEqual([400, 'invalid-preference', expect.stringContaining(detail)])
})

test('the header wins over the query', async () => {
  const { getWorkflow, ask } = await requests()
  expect((await ask(getWorkflow, '__code=404', { Prefer: 'code=401' })).status).toBe(401)
})

test('a delay postpones the answer, and changes nothing else', async () => {
  const { putObject, ask } = await requests()
  fakeTimers()
  const answering = ask(putObject, '__delay=30000')
  await mustWait(answering, 30_000)
  expect((await answering).status).toBe(200)
})

test('refused requests wait as long as accepted ones', async () => {
  fakeTimers()
  const answering = service().post('/api/v1/workflows', {}, { Prefer: 'delay=30000' })
  await mustWait(answering, 30_000)
  expect((await answering).status).toBe(400)
})

test('without a key, preferences are ignored', async () => {
  const { details } = service()
  expect((await details('wf', { Authorization: '', Prefer: 'code=200' })).json.code).toBe('missing-key')
})
