import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plans, takeLesson } from '../../conformance/learning/lesson.ts'
import { followIdentifiers, Places } from '../../conformance/learning/roles.ts'
import { onlyKnown, withOwnLists } from '../../conformance/learning/workflow-list.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import type { TimedExchange } from '../../conformance/session/calls.ts'
import { readHar } from '../../conformance/session/read-har.ts'
import { Target } from '../../conformance/wire/target.ts'
import type { Body } from '../../src/contract/operations.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { learnFrom } from '../../src/learn/learn.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { harOf } from '../../src/session/har.ts'
import { freshKey } from '../support/service.ts'

const listed = {
  status: 200,
  headers: { 'content-type': 'application/json', 'total-count': { $: '/answer/total', as: 'text' } },
  body: {
    workflows: {
      $each: '/answer/workflows',
      reversed: true,
      item: {
        id: { $: '0/workflow_id' },
        title: { $: '0/name' },
        text: { $: '0/description' },
        runs: { $: '0/execution_metrics/total' },
        created: { $: '0/created_at' },
      },
    },
    meta: { page: 1, per_page: 25, total: { $: '/answer/total' } },
  },
}

const like = (more: Partial<Profile>): Profile => ({
  version: 1,
  accepts: ['document-not-confirmed'],
  approvers: 'manual',
  ...more,
})

const targetOf = ({ fetch }: Mock, apiKey: string) =>
  new Target({ url: 'http://there.test', apiKey, fetch, time: virtualTime() })

const person = { email: 'ann@example.com', name: 'Ann' }
const workflowCalled = (name: string): Body<'createWorkflow'> => ({
  name,
  description: '',
  isSequential: true,
  steps: [{ step_id: 'a', name: 'A', order: 1, type: 'approval', approvers: [person], estimated_duration: 5 }],
})

async function lessonOf(mock: Mock, apiKey: string) {
  const target = targetOf(mock, freshKey())
  const created = await target.createWorkflow(workflowCalled('Where is its identifier?'))
  const { workflow_id } = created.json as { workflow_id: string }
  const places = new Places()
  followIdentifiers(
    [created, await target.getWorkflow(workflow_id)].map((one) => ({ ...one, at: 0 })),
    places,
  )
  const plan = { ...plans.learning, prefix: 'learn-4c1d-k3f9a2' }
  return takeLesson(plan, { target: targetOf(mock, apiKey), places, settleMs: 0 })
}

test('the list of workflows is learned: its order, its items and what surrounds them', async () => {
  const apiKey = freshKey()
  const mock = createMock({ cors: false, clockSpeed: 0, like: like({ answers: { listWorkflows: listed } }) })
  const { exchanges } = await lessonOf(mock, apiKey)
  const { profile, lesson } = await learnFrom(exchanges, { apiKey })
  expect(profile.answers?.listWorkflows).toEqual(listed)
  expect(lesson.guesses.filter(({ answer }) => answer === 'listWorkflows')).toEqual([])
})

test('workflows of others are not learned, and their number is not counted', async () => {
  const apiKey = freshKey()
  const mock = createMock({ cors: false, clockSpeed: 0, like: like({ answers: { listWorkflows: listed } }) })
  for (const name of ['Payroll of 2026', 'Secret merger']) {
    await targetOf(mock, apiKey).createWorkflow(workflowCalled(name))
  }
  const { exchanges } = await lessonOf(mock, apiKey)
  const { profile } = await learnFrom(exchanges, { apiKey })
  expect(profile.answers?.listWorkflows).toEqual(listed)
  const seen = exchanges.map(({ bytes }) => new TextDecoder().decode(bytes)).join()
  expect(seen).not.toMatch(/Payroll|merger/)
})

test('a mock without a list in its profile refuses to list workflows', async () => {
  const apiKey = freshKey()
  const ask = new Request('http://there.test/api/v1/workflows', { headers: { Authorization: apiKey } })
  const answer = await createMock({ cors: false, clockSpeed: 0, like: like({}) }).fetch(ask)
  expect(answer.status).toBe(405)
})

test('a key is needed to list workflows, and each key lists its own', async () => {
  const mock = createMock({ cors: false, clockSpeed: 0, like: like({ answers: { listWorkflows: listed } }) })
  const [one, other] = [freshKey(), freshKey()]
  await lessonOf(mock, one)
  const ask = (headers: HeadersInit) => mock.fetch(new Request('http://there.test/api/v1/workflows', { headers }))
  expect((await ask({})).status).toBe(401)
  const total = async (key: string) => (await (await ask({ Authorization: key })).json()).meta.total
  expect(await total(one)).toBeGreaterThan(4)
  expect(await total(other)).toBe(0)
})

test('a list in a session that was recorded elsewhere is learned as well', async () => {
  const apiKey = freshKey()
  const mock = createMock({ cors: false, clockSpeed: 0, like: like({ answers: { listWorkflows: listed } }) })
  const { exchanges } = await lessonOf(mock, apiKey)
  const har = harOf(exchanges, { redact: (text) => text, creator: { name: 'a browser', version: '1' } })
  const session = readHar(har, { keepsLists: true })
  const { profile } = await learnFrom(session.exchanges, { apiKey: session.apiKey })
  expect(profile.answers?.listWorkflows).toMatchObject({ body: listed.body })
  const without = readHar(har)
  expect(without.exchanges.length).toBeLessThan(session.exchanges.length)
})

/** The answer to a request for all workflows. */
function answerWith(json: unknown): TimedExchange {
  const bytes = new TextEncoder().encode(JSON.stringify(json))
  const request = new Request('http://there.test/api/v1/workflows')
  return { request, status: 200, headers: new Headers(), bytes, json, at: 0, durationMs: 0 }
}

const item = (id: number) => ({ id, name: `Workflow ${id}`, steps: [{ order: 1 }] })
const listOf = (ids: readonly number[], envelope: (items: object[]) => unknown) => answerWith(envelope(ids.map(item)))
const envelopes = [
  (items: object[]) => ({ data: items, meta: { total: items.length, per_page: 50 } }),
  (items: object[]) => ({ totalCount: items.length, _embedded: { workflows: items } }),
  (items: object[]) => items,
]

test('workflows of others make no difference to what is kept of a list', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1000, max: 9999 }), { minLength: 1, maxLength: 12 })
  const choices = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 })
  fc.assert(
    fc.property(ids, choices, fc.constantFrom(...envelopes), (all, isOwn, envelope) => {
      const own = all.filter((_, index) => isOwn[index])
      const kept = onlyKnown(listOf(all, envelope), new Set(own.map(String)))
      if (own.length === 0) return kept === undefined
      expect(kept?.exchange.json).toEqual(listOf(own, envelope).json)
      expect(kept?.listed).toEqual(own.map(String))
      return kept?.hasOthers === own.length < all.length
    }),
  )
})

test('what surrounds a page with others is taken from a page without them', () => {
  const page = (ids: readonly number[], next: string | null) =>
    answerWith({ items: ids.map(item), to: ids.length, next })
  const [small, large, crowded] = withOwnLists(
    [page([1001], null), page([1001, 1002], null), page([1003, 1001, 1002, 1004], '/page/2')],
    new Set(['1001', '1002', '1003']),
  )
  expect(small?.json).toEqual({ items: [item(1001)], to: 1, next: null })
  expect(large?.json).toEqual({ items: [item(1001), item(1002)], to: 2, next: null })
  expect(crowded?.json).toEqual({ items: [item(1003), item(1001), item(1002)], to: 3, next: null })
})

const executionPaths = ['/api/v1/runs/{execution_id}', '/api/v1/workflows/{workflow_id}/executions/{execution_id}']
const single = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: { run: { $: '/answer/execution_id' }, document: { $: '/answer/document_id' } },
}
const started = {
  status: 202,
  headers: {
    'content-type': 'application/json',
    location: { $text: [{ $: '/base' }, '/api/v1/runs/', { $: '/answer/execution_id' }] },
  },
  body: { run: { $: '/answer/execution_id' }, of: { $: '/answer/workflow_id' } },
}
const withExecutions = () => like({ executionPaths, answers: { executeWorkflow: started, getExecution: single } })

test('a single execution is learned where the answer says, and where others show it', async () => {
  const apiKey = freshKey()
  const mock = createMock({ cors: false, clockSpeed: 0, like: withExecutions() })
  const { exchanges } = await lessonOf(mock, apiKey)
  const { profile } = await learnFrom(exchanges, { apiKey })
  expect(profile.executionPaths?.toSorted()).toEqual(executionPaths)
  expect(profile.answers?.getExecution).toEqual(single)
})

test('an execution is found by its own key and in its own workflow alone', async () => {
  const mock = createMock({ cors: false, clockSpeed: 0, like: withExecutions() })
  const apiKey = freshKey()
  const target = targetOf(mock, apiKey)
  const ids = await Promise.all(
    ['one', 'other'].map(async (name) => {
      const { json } = await target.createWorkflow(workflowCalled(name))
      return (json as { workflow_id: string }).workflow_id
    }),
  )
  const [id = '', other = ''] = ids
  const body = {
    document_id: 'd',
    submitter_email: 'sam@example.com',
    execution_mode: 'standard',
    priority: 'high',
  } as const
  const { json } = await target.executeWorkflow(id, body)
  const { run } = json as { run: string }
  const read = async (path: string, key = apiKey) =>
    (await mock.fetch(new Request(`http://there.test/api/v1/${path}`, { headers: { Authorization: key } }))).status
  expect(await read(`runs/${run}`)).toBe(200)
  expect(await read(`workflows/${id}/executions/${run}`)).toBe(200)
  expect(await read(`workflows/${other}/executions/${run}`)).toBe(404)
  expect(await read(`runs/${run}`, freshKey())).toBe(404)
})
