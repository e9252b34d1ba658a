import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gapIds, requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { connect, nextCall } from '../support/mcp.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { freshKey, workflow } from '../support/service.ts'

const environmentKey = 'test_Zq81kPw0RmT5'
let client: Client
let said: string[]
beforeAll(async () => {
  ;({ client, said } = await connect({ COUNTERSIGN_API_KEY: environmentKey }))
})
afterAll(() => client.close())

const call = (name: string, args: object = {}) => nextCall(client, name, args)

let url = ''
/** Starts the mock of the connection, unless an earlier test has. */
async function mockUrl(): Promise<string> {
  if (!url) ({ url } = (await call('start_mock', { approvers: 'manual' })).json)
  return url
}

test('each tool says what it does, and describes what it takes', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'advance_clock',
    'decide',
    'explain',
    'load_scenario',
    'read_journal',
    'read_report',
    'run_conformance',
    'start_mock',
    'stop_mock',
  ])
  for (const { description, annotations } of nonEmpty(tools)) {
    expect(description).toMatch(/^[A-Z].*\.$/s)
    expect(annotations).toHaveProperty('readOnlyHint')
  }
})

test('an agent starts a mock, calls it, decides a step and reads what happened', async () => {
  const key = freshKey()
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  const base = await mockUrl()
  expect((await call('load_scenario', { scenario: 'first-day', key })).json.events).toBeGreaterThan(3)
  const created = await fetch(`${base}/api/v1/workflows`, { method: 'POST', headers, body: JSON.stringify(workflow()) })
  expect(created.status).toBe(201)
  const { workflow_id } = await created.json()
  const last = (await call('read_journal', { key, type: 'WorkflowCreated', limit: 1 })).json
  expect(last.latest).toEqual([expect.objectContaining({ workflow_id })])
  const [waiting] = (await call('read_journal', { key, type: 'StepAssigned', limit: 1 })).json.latest
  const { execution_id, step_id } = waiting
  const decided = await call('decide', { execution_id, step_id, decision: 'rejected', key })
  expect(decided.json).toEqual({ execution_id, status: 'rejected' })
  const again = await call('decide', { execution_id, step_id, decision: 'rejected', key })
  expect(again).toMatchObject({ isError: true, text: expect.stringMatching(/is rejected, not assigned/) })
})

test('moving the clock tells what happened meanwhile', async () => {
  const key = freshKey()
  await mockUrl()
  await call('load_scenario', { scenario: 'busy-quarter', key })
  const quiet = await call('advance_clock', { duration: 'PT0S', key })
  expect(quiet.json).toEqual({ advanced: 'PT0S', happened: 0, latest: [] })
  expect(await call('advance_clock', { duration: 'two hours', key })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/ISO 8601/),
  })
})

test('every requirement and every open question can be explained', async () => {
  expect((await call('explain', { about: 'workflow.name-at-most-100' })).json.entries).toEqual([
    expect.objectContaining({ requirement: 'workflow.name-at-most-100', provenance: 'documented' }),
  ])
  expect((await call('explain', { about: 'gap.upload-url-lifetime' })).json.entries[0].choice).toMatch(/15 minutes/)
  const found = (await call('explain', { about: 'upload URL' })).json
  expect(found.found).toBeGreaterThan(found.entries.length - 1)
  for (const id of [requirementIds.at(-1), gapIds.at(-1)]) {
    expect((await call('explain', { about: id })).json.found).toBe(1)
  }
  expect((await call('explain', { about: 'zebra crossing' })).text).toMatch(/^Nothing is known about/)
})

test('the connection has one mock at a time', async () => {
  const base = await mockUrl()
  expect((await call('start_mock')).text).toBe(`A mock is running at ${base}. Use it, or stop it with stop_mock.`)
})

test('without a run there is no report', async () => {
  expect(await call('read_report')).toMatchObject({ isError: true, text: expect.stringContaining('run_conformance') })
})

test('no answer contains a key, of the agent or of the environment', async () => {
  const key = 'test_Hj27vYc9QbX4'
  await mockUrl()
  await call('load_scenario', { scenario: 'rejected', key })
  await call('read_journal', { key })
  await call('explain', { about: environmentKey })
  await call('explain', { about: key })
  await call('run_conformance', { url: `https://${environmentKey}@localhost` })
  await call('run_conformance', { url: 'http://127.0.0.1:1', only: [key] })
  const all = said.join('\n')
  expect(all).toContain('***')
  expect(all).not.toContain(key.slice(5))
  expect(all).not.toContain(environmentKey.slice(5))
})
