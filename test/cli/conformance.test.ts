import { expect, test } from 'vitest'
import { hostile } from '../../conformance/selftest/hostile.ts'
import { createMock } from '../../src/index.ts'
import { mustFail, mustPrint, runWith } from '../support/command.ts'
import { addressOf } from '../support/serve.ts'

const key = { COUNTERSIGN_API_KEY: 'test_a' }

/** Runs the suite on a server. */
async function conformance(fetch: (request: Request) => Promise<Response>, ...more: string[]) {
  const url = await addressOf(fetch)
  return runWith({}, ['conformance', '--url', url, '--settle', '0s', ...more], key)
}

const answering = (status: number, headers: Record<string, string>) => async () =>
  new Response(status === 307 ? null : '{}', { status, headers })

test.each([
  [
    'headers over 16 KiB',
    answering(200, { 'X-Large': 'x'.repeat(20_000) }),
    /more than 16 KiB of headers\. Shorten them, or set /,
  ],
  [
    '429 to everything',
    answering(429, { 'Retry-After': '0' }),
    /asks to wait 0 s; send fewer requests per second\)\. Set a lower --rate-limit/,
  ],
])('a deployment that answers %s is one line with what to do', async (_, fetch, message) => {
  await mustFail(conformance(fetch), 4, message)
})

test('a redirect is told with its target', async () => {
  const { stdout } = await conformance(answering(307, { Location: 'https://login.example/sso' }))
  expect(stdout).toContain('POST /api/v1/workflows answered 307 with Location: https://login.example/sso')
})

test('a server that answers everything with an empty object is never green', async () => {
  expect((await conformance(answering(200, { 'Content-Type': 'application/json' }))).code).not.toBe(0)
})

test("a deployment on this machine cannot lead the suite to a cloud's metadata", async () => {
  const internal = hostile.find(({ id }) => id === 'internal-upload-url')
  const fetch = internal?.create() ?? createMock().fetch
  const refusal = '169.254.169.254 is a link-local address, but the service is at a loopback one'
  await mustPrint(conformance(fetch, '--only', 'storage.put-to-upload-url'), 2, refusal)
})

test('on GitHub, an error that ends the command is an annotation too', async () => {
  const args = ['conformance', '--url', 'https://a.test', '--only', 'none']
  const { code, stdout, stderr } = await runWith({}, args, { ...key, GITHUB_ACTIONS: 'true' })
  expect([code, stderr]).toEqual([3, "There is no check 'none'. Use ids that --dry-run lists.\n"])
  expect(stdout).toBe(`::error title=countersign::${stderr}`)
})
