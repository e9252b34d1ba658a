import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient, dataOf } from '../../src/client/index.ts'
import { fakeTimers, mustWait } from '../support/fake-time.ts'
import { service } from '../support/service.ts'

type Send = (request: Request) => Promise<Response>

/** Creates a client and an execution that runs until a test decides its steps. Requests pass through `over`. */
async function running(over: (send: Send) => Send = (send) => send) {
  const mine = service()
  const execution = await mine.executed()
  const client = createClient({ baseUrl: 'http://mock.test', apiKey: mine.key, fetch: over(mine.mock.fetch) })
  const decide = (stepId: string, decision: 'approved' | 'rejected') =>
    mine.decide(execution.execution_id, stepId, decision)
  return { client, execution, decide }
}

test('it resolves after the last decision, and reports each state before', async () => {
  const { client, execution, decide } = await running()
  const seen: string[] = []
  const steps = ['legal', 'finance']
  const done = await client.waitForExecution(execution, {
    delayMs: 0,
    onUpdate: ({ status }) => {
      seen.push(status)
      const next = steps.shift()
      if (next) decide(next, 'approved')
    },
  })
  expect(done.status).toBe('approved')
  expect(seen).toEqual(['running', 'running', 'approved'])
})

test('a rejection resolves it too', async () => {
  const { client, execution, decide } = await running()
  decide('legal', 'rejected')
  expect((await client.waitForExecution(execution)).status).toBe('rejected')
})

test('it rejects after the time limit, or when it is aborted', async () => {
  const { client, execution } = await running()
  await expect(client.waitForExecution(execution, { timeoutMs: 0 })).rejects.toMatchObject({ code: 'timed-out' })
  const controller = new AbortController()
  const onUpdate = () => controller.abort()
  const waiting = client.waitForExecution(execution, { onUpdate, signal: controller.signal })
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
})

test('it rejects exactly at the time limit, even without an answer', async () => {
  let isSilent = false
  const { client, execution } = await running((send) => (request) => {
    return isSilent ? new Promise((_, reject) => request.signal.addEventListener('abort', reject)) : send(request)
  })
  fakeTimers()
  for (const silent of [false, true]) {
    isSilent = silent
    const waiting = client.waitForExecution(execution, { timeoutMs: 60_000, delayMs: 1000 })
    await mustWait(waiting, 60_000)
    await expect(waiting).rejects.toMatchObject({ code: 'timed-out' })
  }
})

test('a workflow that is unknown, or does not show the execution, is reported as such', async () => {
  const { client, execution } = await running()
  const unknown = client.waitForExecution({ ...execution, workflow_id: 'wf_unknown' })
  await expect(unknown).rejects.toMatchObject({ code: 'workflow-not-found', status: 404 })
  const other = client.waitForExecution({ ...execution, execution_id: 'exe_unknown' })
  await expect(other).rejects.toMatchObject({ code: 'execution-not-shown' })
})

test('temporary failures of reads do not end it, and permanent ones do', async () => {
  let failing = 3
  const { client, execution, decide } = await running((send) => async (request) => {
    failing -= 1
    return failing >= 0 ? new Response('', { status: 503 }) : send(request)
  })
  decide('legal', 'rejected')
  expect((await client.waitForExecution(execution, { delayMs: 0 })).status).toBe('rejected')
  failing = 1000
  await expect(client.waitForExecution(execution, { delayMs: 0 })).rejects.toMatchObject({ status: 503 })
  expect(1000 - failing).toBe(5)
})

test('a relative base address means the page, wherever there is one', async () => {
  vi.stubGlobal('location', { href: 'http://page.test/app/index.html?x=1' })
  onTestFinished(() => void vi.unstubAllGlobals())
  const fetch = vi.fn(async (_: Request) => Response.json({}))
  const params = { path: { workflow_id: 'wf' } }
  for (const baseUrl of ['', '/']) {
    await dataOf(createClient({ baseUrl, fetch }).GET('/api/v1/workflows/{workflow_id}', { params }))
  }
  const asked = 'http://page.test/api/v1/workflows/wf'
  expect(fetch.mock.calls.map(([{ url }]) => url)).toEqual([asked, asked])
})

test('the data of a call is returned, or its problem is thrown', async () => {
  const { client, execution } = await running()
  const path = (workflow_id: string) => ({ params: { path: { workflow_id } } })
  const details = await dataOf(client.GET('/api/v1/workflows/{workflow_id}', path(execution.workflow_id)))
  expect(details.recent_executions.length).toBe(1)
  const missing = dataOf(client.GET('/api/v1/workflows/{workflow_id}', path('wf_none')))
  await expect(missing).rejects.toMatchObject({ code: 'workflow-not-found' })
})

test.each([
  [
    'a page of something else',
    () => new Response('<html>', { status: 200, headers: { 'Content-Type': 'text/html' } }),
    'unexpected-answer',
  ],
  ['an error page', () => new Response('<html>', { status: 404 }), 'unexpected-answer'],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 'network-error'],
])('%s is no data', async (_, answer, code) => {
  const client = createClient({ baseUrl: 'http://elsewhere.test', fetch: async () => answer() })
  const calling = dataOf(client.GET('/api/v1/workflows/{workflow_id}', { params: { path: { workflow_id: 'wf_a' } } }))
  await expect(calling).rejects.toMatchObject({ name: 'ClientError', code })
})
