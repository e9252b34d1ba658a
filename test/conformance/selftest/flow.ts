import { expect } from 'vitest'
import type { Choice } from '../../../conformance/selftest/mutant.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { choiceText, variant } from '../../../conformance/selftest/variants/index.ts'
import type { ServerFunction } from '../../../conformance/selftest/wrapper.ts'
import { KnowingClient, member } from './client.ts'

const workflow = {
  name: 'Supplier contract',
  description: 'Legal reads first.',
  steps: [1, 2].map((order) => ({
    step_id: `step-${order}`,
    name: `Step ${order}`,
    order,
    type: 'approval',
    approvers: [{ email: `approver${order}@example.com`, name: `Approver ${order}` }],
    estimated_duration: 30,
  })),
}

/** The names of the sections in each variant of the details. */
const sections: Record<string, readonly [metrics: string, performance: string, recommendations: string]> = {
  'camel-names': ['executionMetrics', 'stepPerformance', 'optimizationRecommendations'],
  'short-names': ['metrics', 'step_metrics', 'recommendations'],
  analytics: ['executions', 'stepPerformance', 'recommendations'],
  'stats-in-steps': ['execution_stats', 'stats', 'optimizations'],
  performance: ['executions', 'steps', 'recommendations'],
  'performance-of-steps': ['execution_metrics', 'performance', 'recommendations'],
  insights: ['statistics', 'step_statistics', 'suggestions'],
}
const ownSections = ['execution_metrics', 'step_performance', 'optimization_recommendations'] as const

/** Runs the documented flow on a server with these variants, and asserts every visible documented fact. */
export async function playFlow(choice: Choice, server: ServerFunction = variant(choice)(reference)): Promise<void> {
  const note = choiceText(choice)
  const client = new KnowingClient(server, choice)

  const created = await client.call('POST', '/workflows', workflow)
  expect(created.ok, `${note}: create`).toBe(true)
  const id = client.workflowId(created)
  expect(['string', 'number'], `${note}: identifier`).toContain(typeof id)
  const other = client.workflowId(await client.call('POST', '/workflows', { ...workflow, name: 'Another' }))
  expect(other, `${note}: two identifiers`).not.toEqual(id)
  const details = await client.read(id)
  expect(details.ok, `${note}: read`).toBe(true)
  const echo = choice.echo ?? ''
  if (!['none', 'no-name'].includes(echo)) expect(details.body[spelled(details.body, 'name')], note).toBe(workflow.name)
  if (!['none', 'no-is-sequential'].includes(echo)) expect(member(details.body, 'isSequential'), note).toBe(true)

  const tooLong = await client.call('POST', '/workflows', { ...workflow, name: 'n'.repeat(101) })
  expect(tooLong.ok, `${note}: a name of 101 characters`).toBe(false)
  const longest = await client.call('POST', '/workflows', { ...workflow, name: 'n'.repeat(100) })
  expect(longest.ok, `${note}: a name of 100 characters`).toBe(true)

  const file_name = 'A Contract.PDF'
  const bytes = new Uint8Array(256).map((_, index) => index)
  const uploadRequest = { file_name, content_type: 'application/pdf', file_size: bytes.byteLength }
  const upload = await client.call('POST', '/upload/', uploadRequest)
  expect(upload.ok, `${note}: upload request`).toBe(true)
  const url = String(exact(upload.body, 'upload_url'))
  const session_id = exact(upload.body, 'session_id')
  expect(session_id, note).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  const path = decodeURIComponent(new URL(url).pathname)
  const shownKey = client.key(upload.body, file_name)
  const key = String(choice['storage-key'] === 'url-only' ? path.slice(path.indexOf('tenants/')) : shownKey)
  expect(key, note).toMatch(/^tenants\/.*A Contract\.PDF$/)
  const stored = await client.put(url, 'application/pdf', bytes)
  expect([stored.status, await stored.text()], `${note}: put`).toEqual([200, ''])
  const confirmation = { session_id, completed_files: [{ key, file_name }] }
  expect((await client.call('POST', '/upload/confirm', confirmation, null)).ok, `${note}: no key`).toBe(false)
  const confirmed = await client.call('POST', '/upload/confirm', confirmation)
  expect(confirmed.ok, `${note}: confirm`).toBe(true)

  const document_id = client.documentId(confirmed.body, upload.body)
  const execution = { document_id, submitter_email: 'sam@example.com', execution_mode: 'standard', priority: 'high' }
  const execute = () => client.call('POST', `/workflows/${id}/execute`, execution)
  const isLate = choice.timing === 'documents-late'
  const tries = isLate ? [await execute(), await execute()] : []
  expect(tries.some(({ ok }) => ok)).toBe(false)
  const executed = await execute()
  expect(executed.ok, `${note}: execute with ${document_id}`).toBe(true)
  const after = await client.read(id, (body) => JSON.stringify(member(body, 'recent_executions')) !== '[]')
  for (const name of sections[choice.details ?? ''] ?? ownSections) {
    expect(member(after.body, name), `${note}: ${name}`).toBeTypeOf('object')
  }
  for (const [method, calledPath, body] of [
    ['GET', `/workflows/${id}`, undefined],
    ['POST', '/workflows', { ...workflow, name: 'Without the key' }],
    ['POST', '/upload/', uploadRequest],
    ['POST', `/workflows/${id}/execute`, execution],
  ] as const) {
    expect((await client.call(method, calledPath, body, null)).ok, `${note}: ${method} ${calledPath} no key`).toBe(
      false,
    )
  }
}

/** The documented names keep their spelling in every variant. */
function exact(json: unknown, name: string): unknown {
  if (json === null || typeof json !== 'object') return undefined
  if (Object.hasOwn(json, name)) return (json as Record<string, unknown>)[name]
  return Object.values(json)
    .map((value) => exact(value, name))
    .find((value) => value !== undefined)
}

function spelled(body: object, name: string): string {
  return Object.keys(body).find((found) => found.toLowerCase() === name) ?? name
}
