import { expect, test } from 'vitest'
import { degenerates } from '../../../conformance/selftest/degenerate.ts'
import { nonEmpty } from '../../support/non-empty.ts'

const request = (signal?: AbortSignal) =>
  new Request('http://selftest.test/api/v1/workflows/x', {
    headers: { Authorization: 'test_x' },
    ...(signal && { signal }),
  })

test('the identifiers of degenerate servers are unique', () => {
  expect(new Set(degenerates.map(({ id }) => id)).size).toBe(degenerates.length)
})

test.each(nonEmpty(degenerates.map((server) => [server.id, server] as const)))(
  '%s answers, or fails as a connection does',
  async (_, { create }) => {
    const fetch = create()
    const patience = new AbortController()
    setTimeout(() => patience.abort(), 20)
    try {
      const response = await fetch(request(patience.signal))
      expect(response).toBeInstanceOf(Response)
      await response.body?.cancel()
    } catch (error) {
      expect(['AbortError', 'TypeError']).toContain((error as Error).name)
    }
  },
)
