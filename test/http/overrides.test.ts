import { expect, test } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { passOnTo } from '../../src/node/upstream.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { clientOf, errorCodeIn, freshKey } from '../support/service.ts'

/** The ways to ask for an answer of 503. */
const spellings: Record<string, { set?: (mock: Mock) => void; headers?: Record<string, string>; query?: string }> = {
  'a next answer': {
    set(mock) {
      mock.next('createWorkflow', { status: 503 })
      mock.next('putObject', { status: 503 })
    },
  },
  'the header Prefer': { headers: { Prefer: 'code=503' } },
  'the query': { query: '__code=503' },
  'a fault': { set: (mock) => mock.setSettings({ faults: [{ probability: 1, status: 503 }] }) },
}

test.each(nonEmpty(Object.entries(spellings)))(
  '%s replaces the answer to any call, before it is checked',
  async (_, spelling) => {
    const { set, headers, query = '' } = spelling
    const sent: string[] = []
    const apiKey = 'test_upstream_5e4d3c2b1a0f'
    const fetch = async ({ url }: Request) => {
      sent.push(url)
      return new Response()
    }
    const passOn = passOnTo({ url: 'http://deployment.example', apiKey, fetch })
    const mock = createMock({ passOn })
    const key = freshKey()
    const ask = async (method: string, path: string, others: Record<string, string> = {}) => {
      set?.(mock)
      const { call } = clientOf(mock, key, 'http://localhost:4010')
      const { status, text } = await call(method, `${path}?${query}`, '{}', { ...headers, ...others })
      return [status, errorCodeIn(text)]
    }
    expect(await ask('POST', '/api/v1/workflows')).toEqual([503, 'injected-fault'])
    expect(await ask('POST', '/api/v1/workflows', { 'X-Countersign-Upstream': '1' })).toEqual([503, 'injected-fault'])
    const file = `/storage/tenants/${mock.tenants.idOf(key)}/uploads/none/a.pdf`
    expect(await ask('PUT', file)).toEqual([503, 'InternalError'])
    expect(sent).toEqual([])
  },
)
