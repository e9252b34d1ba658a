import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerFunction } from '../../conformance/selftest/wrapper.ts'
import { createMock } from '../../src/index.ts'
import { recordedHar } from '../conformance/replay/recording.ts'
import { runHere } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'
import { serve } from '../support/serve.ts'
import { freshKey } from '../support/service.ts'

/** Writes a file into a folder of its own. */
function fileWith(text: string): { folder: string; path: string } {
  const folder = scratch()
  const path = join(folder, 'session.har')
  writeFileSync(path, text)
  return { folder, path }
}

/** Serves a mock, and counts its requests, until the current test ends. */
async function deployment(fetch: ServerFunction = createMock().fetch) {
  const seen = { requests: 0 }
  const { url, close } = await serve((request) => {
    seen.requests += 1
    return fetch(request)
  })
  onTestFinished(close)
  return { url, seen }
}

test('it prints each call and the verdict, writes reports, and exits with 0', async () => {
  const { folder, path } = fileWith(await recordedHar())
  const { url } = await deployment()
  const env = { COUNTERSIGN_API_KEY: freshKey() }
  const args = ['replay', path, '--url', url, '--report', 'json,junit,html', '--report-dir', 'out']
  const { code, stdout, stderr } = await runHere(args, env, folder)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^same {7}create workflow 1$/m)
  expect(stdout).toContain(`session of http://mock.test at ${url}: same (13 same)`)
  expect(code).toBe(0)
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(['junit.xml', 'report.css', 'report.html', 'report.json'])
  const report = JSON.parse(readFileSync(join(folder, 'out', 'report.json'), 'utf8'))
  expect(report).toMatchObject({
    schemaVersion: 1,
    verdict: 'same',
    details: { counts: { same: 13, other: 0, unsent: 0 } },
  })
})

test('without a URL, the session is sent to the built-in reference', async () => {
  const { path } = fileWith(await recordedHar())
  const { code, stdout } = await runHere(['replay', path])
  expect([code, stdout]).toEqual([0, expect.stringContaining('at http://reference.invalid: same')])
})

test('another outcome exits with 1, and says which', async () => {
  const { path } = fileWith(await recordedHar())
  const mock = createMock()
  const { url } = await deployment(async (request: Request) =>
    request.method === 'GET' ? Response.json({ error: 'Moved.' }, { status: 410 }) : mock.fetch(request),
  )
  const env = { COUNTERSIGN_API_KEY: freshKey() }
  const { code, stdout } = await runHere(['replay', path, '--url', url, '--settle', '0'], env)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^other {6}read workflow 1: It was accepted \(answered 200\), and is refused \(answered 410/m)
})

test('a live key is refused before anything is sent', async () => {
  const { path } = fileWith(await recordedHar())
  const { url, seen } = await deployment()
  const { code, stderr } = await runHere(['replay', path, '--url', url], { COUNTERSIGN_API_KEY: 'sk_live_123456789' })
  expect([code, seen.requests]).toEqual([3, 0])
  expect(stderr).toContain('The key has no test-mode prefix')
})

test.each([
  ['of another API', () => JSON.stringify({ log: { entries: [] } }), /^The file has no call of this API/],
  ['that is no HAR', () => '{}', /^The file is not HAR/],
  ['that is truncated', async () => (await recordedHar()).slice(0, -400), /^The session .* ends in the middle/],
])('a file %s is an error, and nothing is sent', async (_, text, message) => {
  const { path } = fileWith(await text())
  const { url, seen } = await deployment()
  const { code, stdout, stderr } = await runHere(['replay', path, '--url', url], { COUNTERSIGN_API_KEY: freshKey() })
  expect([code, stdout, seen.requests]).toEqual([3, '', 0])
  expect(stderr).toMatch(message)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test.each(['missing.har', '.'])('the path %s is an error', async (name) => {
  const { code, stderr } = await runHere(['replay', name], {}, scratch())
  expect([code, stderr]).toEqual([3, expect.stringMatching(/Name a (HAR )?file/)])
})

test('where nothing listens it exits with 4', async () => {
  const { path } = fileWith(await recordedHar())
  const { url, close } = await serve(createMock().fetch)
  close()
  const { code, stderr } = await runHere(['replay', path, '--url', url], { COUNTERSIGN_API_KEY: 'test_a' })
  expect([code, stderr]).toEqual([4, expect.stringContaining('cannot be reached (ECONNREFUSED)')])
})

test('calls of a second tenant without a key are one line, which names the variable', async () => {
  const har = JSON.parse(await recordedHar()) as {
    log: { entries: { request: { headers: { name: string; value: string }[] } }[] }
  }
  const [first] = har.log.entries
  // The first call stays with the first tenant.
  for (const { request } of har.log.entries.filter((entry) => entry !== first)) {
    for (const header of request.headers) if (/authorization/i.test(header.name)) header.value = '***key-2***'
  }
  const { path } = fileWith(JSON.stringify(har))
  const { url } = await deployment()
  const { code, stdout } = await runHere(['replay', path, '--url', url], { COUNTERSIGN_API_KEY: freshKey() })
  expect(code).toBe(2)
  expect(stdout.match(/^unsent.*/gm)).toEqual([
    expect.stringMatching(/ and 10 more calls: The recording used a second tenant\. Set COUNTERSIGN_API_KEY_2\.$/),
  ])
})
