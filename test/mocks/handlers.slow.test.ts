import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../conformance/run/runner.ts'
import { handlers } from '../../mocks/handlers.ts'
import { freshKey } from '../support/service.ts'

test('the conformance suite passes', async () => {
  const url = 'http://conforming.example'
  const network = setupServer(...handlers({ baseUrl: url, approvers: 'manual' }))
  network.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => network.close())
  const result = await run({ url, apiKey: freshKey(), secondKey: freshKey() })
  expect(result.checks.filter(({ verdict }) => !['pass', 'accepted', 'not-applicable'].includes(verdict))).toEqual([])
  expect(result.checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(60)
})
