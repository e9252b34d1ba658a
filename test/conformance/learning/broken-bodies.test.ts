import { expect, test } from 'vitest'
import { brokenBodies } from '../../../conformance/learning/broken-bodies.ts'
import { createMock } from '../../../src/index.ts'
import { violationName } from '../../../src/profile/tolerance.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { freshKey, workflow } from '../../support/service.ts'

const approvers = [
  { email: 'ann@example.com', name: 'Ann' },
  { email: 'bob@example.com', name: 'Bob' },
]
const steps = [1, 2].map((order) => ({ ...workflow().steps[0], step_id: `s${order}`, order, approvers }))
const sound = { ...workflow(), description: 'a', isSequential: true, steps }
const execution = { document_id: 'd', submitter_email: 'sam@example.com', execution_mode: 'standard', priority: 'high' }
const bodies = brokenBodies({
  createWorkflow: sound,
  executeWorkflow: execution,
  requestUpload: { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 10 },
  confirmUpload: { session_id: crypto.randomUUID(), completed_files: [{ key: 'tenants/a/a.pdf', file_name: 'a.pdf' }] },
  documents: ['d', 'e', 'f'],
})

const poster = (options: Parameters<typeof createMock>[0]) => {
  const mock = createMock({ approvers: 'instant', ...options })
  const headers = { Authorization: freshKey(), 'Content-Type': 'application/json' }
  return async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await mock.fetch(`http://mock.test/api/v1/${path}`, { headers, ...init })
    return { status: answer.status, json: await answer.json() }
  }
}

test('each body breaks its own rule, and leaves the sound one as it was', () => {
  const texts = bodies.map(({ call, body }) => `${call} ${JSON.stringify(body)}`)
  expect(new Set(texts).size).toBe(bodies.length)
  expect(sound.steps).toEqual(steps)
})

test('a mock that accepts a broken workflow executes and shows it', async () => {
  for (const { call, name, body } of nonEmpty(bodies)) {
    if (call !== 'createWorkflow' || Array.isArray(body)) continue
    const { json } = await poster({})('workflows', body)
    const names = (json.errors ?? []).map((error: { pointer: string; rule: string }) => violationName(call, error))
    const post = poster({ like: { version: 1, accepts: ['document-not-confirmed', ...names] } })
    const created = await post('workflows', body)
    if (created.status !== 201) continue
    const id = created.json.workflow_id
    const executed = await post(`workflows/${id}/execute`, execution)
    const read = await post(`workflows/${id}`)
    expect([name, executed.status, read.status]).toEqual([name, 202, 200])
  }
})
