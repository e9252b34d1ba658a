import { expect, test, vi } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { passOnTo } from '../../src/node/upstream.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { clientOf } from '../support/service.ts'

/** The ways to ask for an answer of 503. */
const spellings: Record<string, { set?: (mock: Mock) => void; headers?: Record<string, string>; query?: string }> = {
  'a next answer': {
    set(mock) {
      for (const call of ['createWorkflow', 'putObject'] as const) mock.next(call, { status: 503 })
    },
  },
  'the header Prefer': { headers: { Prefer: 'code=503' } },
  'the query': { query: '__code=503' },
  'a fault': { set: (mock) => mock.setSettings({ faults: [{ probability: 1, status: 503 }] }) },
}

test.each(nonEmpty(Object.entries(spellings)))(
  '%s replaces the answer to any call, before it is checked',
  async (_, { set, headers, query = '' }) => {
    const fetch = vi.fn(async () => new Response())
    const mock = createMock({
      passOn: passOnTo({ url: 'http://deployment.example', apiKey: 'test_upstream_5e4d', fetch }),
    })
    const { call, key } = clientOf(mock, undefined, 'http://localhost:4010')
    const ask = (method: string, path: string, others: Record<string, string> = {}) => {
      set?.(mock)
      return call(method, `${path}?${query}`, '{}', { ...headers, ...others })
    }
    await mustAnswer(ask('POST', '/api/v1/workflows'), 503, 'injected-fault')
    await mustAnswer(ask('POST', '/api/v1/workflows', { 'X-Countersign-Upstream': '1' }), 503, 'injected-fault')
    const file = `/storage/tenants/${mock.tenants.idOf(key)}/uploads/none/a.pdf`
    await mustAnswer(ask('PUT', file), 503, 'InternalError')
    expect(fetch).not.toHaveBeenCalled()
  },
)
