import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gapIds, requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { connect, nextCall } from '../support/mcp.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { clientOf, freshKey } from '../support/service.ts'

const environmentKey = 'test_Zq81kPw0RmT5'
let client: Client
let said: string[]
/** The address of the mock of the connection. */
let url: string
const call = (name: string, args: object = {}) => nextCall(client, name, args)

beforeAll(async () => {
  ;({ client, said } = await connect({ COUNTERSIGN_API_KEY: environmentKey }))
  ;({ url } = (await call('start_mock', { approvers: 'manual' })).json)
})
afterAll(() => client.close())

test('each tool says what it does, and describes what it takes', async () => {
  const { tools } = await client.listTools()
  const names =
    'advance_clock decide explain load_scenario read_journal read_report run_conformance start_mock stop_mock'
  expect(tools.map(({ name }) => name).sort()).toEqual(names.split(' '))
  for (const { description, annotations } of nonEmpty(tools)) {
    expect(description).toMatch(/^[A-Z].*\.$/s)
    expect(annotations).toHaveProperty('readOnlyHint')
  }
})

test('an agent starts a mock, calls it, decides a step and reads what happened', async () => {
  const key = freshKey()
  expect((await call('load_scenario', { scenario: 'first-day', key })).json.events).toBeGreaterThan(3)
  const { workflow_id } = await clientOf({ url }, key).created()
  const latest = async (type: string) => (await call('read_journal', { key, type, limit: 1 })).json.latest
  expect(await latest('WorkflowCreated')).toEqual([expect.objectContaining({ workflow_id })])
  const [{ execution_id, step_id }] = await latest('StepAssigned')
  const decide = () => call('decide', { execution_id, step_id, decision: 'rejected', key })
  expect((await decide()).json).toEqual({ execution_id, status: 'rejected' })
  expect(await decide()).toMatchObject({ isError: true, text: expect.stringMatching(/is rejected, not assigned/) })
})

test('moving the clock tells what happened meanwhile', async () => {
  const key = freshKey()
  await call('load_scenario', { scenario: 'busy-quarter', key })
  const quiet = await call('advance_clock', { duration: 'PT0S', key })
  expect(quiet.json).toEqual({ advanced: 'PT0S', happened: 0, latest: [] })
})

test.each([
  ['explain', { about: 'zebra crossing' }, /^Nothing is known about/],
  ['start_mock', {}, /^A mock is running at \S+\. Use it, or stop it with stop_mock\.$/],
  ['read_report', {}, /run_conformance/],
  ['advance_clock', { duration: 'two hours', key: freshKey() }, /ISO 8601/],
])('%# %s answers an error that says what to do', async (tool, args, message) => {
  expect(await call(tool, args)).toMatchObject({ isError: true, text: expect.stringMatching(message) })
})

test('every requirement and every open question can be explained', async () => {
  const explained = async (about: string | undefined) => (await call('explain', { about })).json
  const requirement = 'workflow.name-at-most-100'
  expect((await explained(requirement)).entries).toMatchObject([{ requirement, provenance: 'documented' }])
  expect((await explained('gap.upload-url-lifetime')).entries[0].choice).toMatch(/15 minutes/)
  const { found, entries } = await explained('upload URL')
  expect(found).toBeGreaterThan(entries.length - 1)
  for (const id of [requirementIds.at(-1), gapIds.at(-1)]) expect((await explained(id)).found).toBe(1)
})

test('no answer contains a key, of the agent or of the environment', async () => {
  const key = 'test_Hj27vYc9QbX4'
  await call('load_scenario', { scenario: 'rejected', key })
  await call('read_journal', { key })
  await call('explain', { about: environmentKey })
  await call('explain', { about: key })
  await call('run_conformance', { url: `https://${environmentKey}@localhost` })
  await call('run_conformance', { url: 'http://127.0.0.1:1', only: [key] })
  const all = said.join('\n')
  expect(all).toContain('***')
  for (const secret of [key, environmentKey]) expect(all).not.toContain(secret.slice(5))
})
