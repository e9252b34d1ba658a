import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { reference } from '../../conformance/selftest/reference.ts'
import { changeAnswer } from '../../conformance/selftest/wrapper.ts'
import { run } from '../support/command.ts'
import { listen } from '../support/listen.ts'
import { startPrism } from '../support/prism.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'

/** Files bypass Prism, as in `prism-proxy.test.ts`. */
let upstream: Awaited<ReturnType<typeof listen>>
/** Replaces answers if the request or the answer breaks the contract. */
let enforcing: Awaited<ReturnType<typeof startPrism>>

beforeAll(async () => {
  upstream = await listen(reference())
  enforcing = await startPrism('proxy', 'openapi.yaml', upstream.url, '--errors')
})

beforeEach(() => upstream.become(reference()))

afterAll(() => Promise.all([enforcing, upstream].map((server) => server.close())))

/** Runs the suite against an address; returns its exit code. */
async function conformance(url: string): Promise<number | null> {
  const keys = { COUNTERSIGN_API_KEY: freshKey(), COUNTERSIGN_API_KEY_2: freshKey() }
  const { code } = await run(['conformance', '--url', url, '--settle', '0s'], keys, scratch())
  return code
}

test('the reference conforms through a proxy that enforces the contract', async () => {
  expect(await conformance(enforcing.url)).toBe(0)
})

test('a deployment that only breaks the contract fails only through the proxy', async () => {
  upstream.become(changeAnswer('createWorkflow', ({ status, ...rest }) => rest)(reference()))
  expect(await conformance(upstream.url)).toBe(0)
  expect(await conformance(enforcing.url)).not.toBe(0)
})
