import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onlyKnown, withOwnLists } from '../../conformance/learning/workflow-list.ts'
import type { TimedExchange } from '../../conformance/session/calls.ts'
import { exchangeOf } from '../support/exchange.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { clientOf } from '../support/service.ts'
import { mockLike } from './lessons.ts'
import { executionPaths, listed, single, started } from './lists.ts'

/** The answer to a request for all workflows. */
function answerWith(json: unknown): TimedExchange {
  const bytes = new TextEncoder().encode(JSON.stringify(json))
  return exchangeOf({ url: 'http://there.test/api/v1/workflows' }, { bytes, json, at: 0 })
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

test.each([1, 2])('a page with others is surrounded as %d without', (count) => {
  const page = (ids: readonly number[], next: string | null) => ({ items: ids.map(item), to: ids.length, next })
  const whole = [page([1001], null), page([1001, 1002], null)].slice(0, count)
  const pages = [...whole, page([1003, 1001, 1002, 1004], '/page/2')].map(answerWith)
  const kept = withOwnLists(pages, new Set(['1001', '1002', '1003'])).map(({ json }) => json)
  expect(kept).toEqual([...whole, page([1003, 1001, 1002], null)])
})

test('a mock without a list in its profile refuses to list workflows', async () => {
  await mustAnswer(clientOf(mockLike({})).get('/api/v1/workflows'), 405)
})

const answers = { listWorkflows: listed, executeWorkflow: started, getExecution: single }
const mock = mockLike({ executionPaths, answers, accepts: ['document-not-confirmed'] })

test('a key is needed to list workflows, and each key lists its own', async () => {
  const [one, other] = [clientOf(mock), clientOf(mock)]
  await one.created()
  await mustAnswer(one.get('/api/v1/workflows', { Authorization: '' }), 401)
  const totals = [one, other].map(async ({ get }) => (await get('/api/v1/workflows')).json.meta.total)
  expect(await Promise.all(totals)).toEqual([1, 0])
})

test('an execution is found by its own key and in its own workflow alone', async () => {
  const { get, created, executed } = clientOf(mock)
  const { run, of } = await executed()
  const { workflow_id } = await created()
  await mustAnswer(get(`/api/v1/runs/${run}`), 200)
  await mustAnswer(get(`/api/v1/workflows/${of}/executions/${run}`), 200)
  await mustAnswer(get(`/api/v1/workflows/${workflow_id}/executions/${run}`), 404)
  await mustAnswer(clientOf(mock).get(`/api/v1/runs/${run}`), 404)
})
