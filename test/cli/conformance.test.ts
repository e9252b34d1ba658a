import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hostile } from '../../conformance/selftest/hostile.ts'
import { createMock } from '../../src/index.ts'
import { startMock } from '../../src/node/start-mock.ts'
import { runHere } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'
import { serve } from '../support/serve.ts'

test('an unreachable address is one clear line and exit code 4', async () => {
  const { url, close } = await startMock({ port: 0 })
  await close()
  const { code, stdout, stderr } = await runHere(
    ['conformance', '--url', url],
    { COUNTERSIGN_API_KEY: 'test_a' },
    scratch(),
  )
  expect([code, stdout]).toEqual([4, ''])
  expect(stderr).toBe(`${url} cannot be reached (ECONNREFUSED). Check the address, and that the deployment runs.\n`)
})

test.each([
  [
    'headers over 16 KiB',
    200,
    { 'X-Large': 'x'.repeat(20_000) },
    /more than 16 KiB of headers\. Shorten them, or set /,
  ],
  [
    '429 to everything',
    429,
    { 'Retry-After': '0' },
    /asks to wait 0 s; send fewer requests per second\)\. Set a lower --rate-limit/,
  ],
])('a deployment that answers %s is one line with what to do', async (_, status, headers, message) => {
  const { url, close } = await serve(async () => new Response('{}', { status, headers }))
  onTestFinished(close)
  const { code, stderr } = await runHere(['conformance', '--url', url], { COUNTERSIGN_API_KEY: 'test_a' }, scratch())
  expect([code, stderr]).toEqual([4, expect.stringMatching(message)])
})

test('a redirect is told with its target', async () => {
  const headers = { Location: 'https://login.example/sso' }
  const { url, close } = await serve(async () => new Response(null, { status: 307, headers }))
  onTestFinished(close)
  const { stdout } = await runHere(['conformance', '--url', url], { COUNTERSIGN_API_KEY: 'test_a' }, scratch())
  expect(stdout).toContain('POST /api/v1/workflows answered 307 with Location: https://login.example/sso')
})

test('on GitHub, an error that ends the command is an annotation too', async () => {
  const env = { COUNTERSIGN_API_KEY: 'test_a', GITHUB_ACTIONS: 'true' }
  const { code, stdout, stderr } = await runHere(['conformance', '--url', 'https://a.test', '--only', 'none'], env)
  expect(code).toBe(3)
  expect(stderr).toBe("There is no check 'none'. Use ids that --dry-run lists.\n")
  expect(stdout).toBe(`::error title=countersign::${stderr}`)
})

test('two equal keys are bad configuration, since the second is of another tenant', async () => {
  const env = { COUNTERSIGN_API_KEY: 'test_a', COUNTERSIGN_API_KEY_2: 'test_a' }
  const { code, stderr } = await runHere(['conformance', '--url', 'https://a.test'], env)
  expect([code, stderr]).toEqual([
    3,
    'COUNTERSIGN_API_KEY_2 has the same key as COUNTERSIGN_API_KEY. Use a key of another tenant.\n',
  ])
})

test("a deployment on this machine cannot lead the suite to a cloud's metadata", async () => {
  const internal = hostile.find(({ id }) => id === 'internal-upload-url')
  const { url, close } = await serve(internal?.create() ?? createMock().fetch)
  const args = ['conformance', '--url', url, '--settle', '0s', '--only', 'storage.put-to-upload-url']
  const { code, stdout } = await runHere(args, { COUNTERSIGN_API_KEY: 'test_a' }, scratch())
  close()
  expect(code).toBe(2)
  expect(stdout).toContain('169.254.169.254 is a link-local address, but the service is at a loopback one')
})

test('a server that answers everything with an empty object is never green', async () => {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code } = await runHere(
    ['conformance', '--url', url, '--settle', '0s'],
    { COUNTERSIGN_API_KEY: 'test_a' },
    scratch(),
  )
  server.close()
  expect(code).not.toBe(0)
})

test.each([
  ['no key', {}, /No API key is set for http:\/\/127\.0\.0\.1:9\. Set it in COUNTERSIGN_API_KEY/],
  ['a key with a line break', { COUNTERSIGN_API_KEY: 'test_secret\n' }, /has a space, a line break/],
])('%s is bad configuration', async (_, env, message) => {
  const { code, stderr } = await runHere(['conformance', '--url', 'http://127.0.0.1:9'], env as Record<string, string>)
  expect([code, stderr]).toEqual([3, expect.stringMatching(message)])
  expect(stderr).not.toContain('secret')
})

test('a kind of report that does not exist is bad usage', async () => {
  const { code, stderr } = await runHere(['conformance', '--report', 'json,pdf'], {}, scratch())
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining("There is no report 'pdf'. Use one or more of json,junit,html,ctrf,har."),
  ])
})

test('a baseline that is not there is bad configuration', async () => {
  const { code, stderr } = await runHere(['conformance', '--baseline', 'missing.json'], {}, scratch())
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^The baseline missing\.json does not exist\. .*--baseline\.\n$/),
  ])
})

test('a folder that cannot be written is noticed before anything is sent', async () => {
  const folder = scratch()
  writeFileSync(join(folder, 'taken'), '')
  let asked = 0
  const { url, close } = await serve(async () => {
    asked += 1
    return new Response()
  })
  const args = ['conformance', '--url', url, '--report-dir', 'taken']
  const { code, stdout, stderr } = await runHere(args, { COUNTERSIGN_API_KEY: 'test_a' }, folder)
  close()
  expect([code, stdout, asked]).toEqual([4, '', 0])
  expect(stderr).toMatch(/^The report cannot be written: .*\. Choose another folder\.\n$/)
})
