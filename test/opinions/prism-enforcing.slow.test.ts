import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunOptions, run } from '../../conformance/run/runner.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { changeAnswer } from '../../conformance/selftest/wrapper.ts'
import { listen } from '../support/listen.ts'
import { startPrism } from '../support/prism.ts'
import { freshKey } from '../support/service.ts'

/** Files bypass Prism, as in `prism-proxy.test.ts`. */
let upstream: Awaited<ReturnType<typeof listen>>
/** Replaces answers if the request or the answer breaks the contract. */
let enforcing: Awaited<ReturnType<typeof startPrism>>

beforeAll(async () => {
  upstream = await listen(reference())
  enforcing = await startPrism('proxy', 'openapi.yaml', upstream.url, '--errors')
})

afterAll(() => Promise.all([enforcing, upstream].map((server) => server.close())))

/** Runs the suite through the proxy. Returns its verdict, and that on the name of a workflow. */
async function verdictsThrough(more: Partial<RunOptions> = {}) {
  const keys = { apiKey: freshKey(), secondKey: freshKey() }
  const options = { url: enforcing.url, ...keys, tries: 1, profile: { settleSeconds: 0 }, ...more }
  const { verdict, checks } = await run(options)
  return [verdict, checks.find(({ id }) => id === 'workflow.name')?.verdict]
}

test('the proxy that enforces the contract fails only what breaks the contract', async () => {
  expect(await verdictsThrough()).toEqual(['conforming', 'pass'])
  const broken = changeAnswer('createWorkflow', ({ status, ...rest }) => rest)(reference())
  expect((await runOn(broken)).verdict).toBe('conforming')
  upstream.become(broken)
  const [, name] = await verdictsThrough({ selects: (id) => id === 'workflow.name' })
  expect(name).toMatch(/^(fail|blocked|inconclusive)$/)
})
