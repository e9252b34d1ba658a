/** A mock that answers like a deployment. `test/conformance/selftest/learned.test.ts` measures how far it does. */
import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { freshKey, workflow } from '../support/service.ts'

const json = { 'content-type': 'application/json' }

/** Sends JSON to a mock. */
const poster = (like: Profile) => {
  const mock = createMock({ like })
  const headers = { Authorization: freshKey(), 'Content-Type': 'application/json' }
  return (path: string, body: object) =>
    mock.fetch(`http://mock.test${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

const linked: Profile = {
  version: 1,
  basePath: '/sap/opu',
  answers: {
    createWorkflow: {
      status: 201,
      headers: { ...json, location: { $text: [{ $: '/base' }, '/workflows/', { $: '/answer/name' }] } },
      body: {},
    },
  },
  refusals: { 'workflow-not-found': { status: 404, headers: json, body: { at: { $: '/base' } } } },
}

test.each(['', '/sap/opu'])('links begin with the address that was called, %s', async (path) => {
  const created = await poster(linked)(`${path}/api/v1/workflows`, { ...workflow(), name: 'a' })
  expect(created.headers.get('Location')).toBe(`http://mock.test${path}/workflows/a`)
  const refused = await poster(linked)(`${path}/api/v1/workflows/none/execute`, {
    document_id: 'd',
    submitter_email: 'sam@example.com',
  })
  expect(await refused.json()).toEqual({ at: `http://mock.test${path}` })
})

test('another path before the API is unknown', async () => {
  expect((await poster(linked)('/sap/api/v1/workflows', workflow())).status).toBe(404)
})

test('a priority that a deployment accepts, and the contract does not, is executed', async () => {
  const post = poster({ version: 1, accepts: ['document-not-confirmed', 'executeWorkflow enum /priority'] })
  const { workflow_id } = await (await post('/api/v1/workflows', workflow())).json()
  const body = { document_id: 'd', submitter_email: 'sam@example.com', priority: 'urgent' }
  const executed = await post(`/api/v1/workflows/${workflow_id}/execute`, body)
  expect([executed.status, (await executed.json()).status]).toEqual([202, 'running'])
})
