import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../../src/node/server.ts'
import { run } from '../support/command.ts'
import { freshKey } from '../support/service.ts'

const scratch = () => mkdtempSync(join(tmpdir(), 'countersign-'))

test('the built-in reference conforms, and the report says so', async () => {
  const folder = scratch()
  const { code, stderr } = await run(['conformance'], {}, folder)
  expect([code, stderr]).toEqual([0, ''])
  const report = JSON.parse(readFileSync(join(folder, 'conformance-report/report.json'), 'utf8'))
  expect(report).toMatchObject({ schemaVersion: 1, verdict: 'conforming', counts: { fail: 0 } })
  expect(report.checks.length).toBe(report.counts.pass)
  expect(Object.keys(report.checks[0])).toEqual([
    'id',
    'requirement',
    'section',
    'provenance',
    'level',
    'verdict',
    'message',
  ])
  expect(Object.keys(report.gaps[0])).toEqual(['id', 'observed', 'sameAsOurs'])
  expect(report.leftBehind).toContainEqual(expect.stringMatching(/^workflow conformance-/))
})

test('a deployment conforms when it does, and its key is nowhere in what is written', async () => {
  const server = await startServer({ port: 0 })
  const folder = scratch()
  const key = `${freshKey()}_canary`
  const { code, stdout } = await run(['conformance', '--url', `${server.url}/`], { COUNTERSIGN_API_KEY: key }, folder)
  await server.close()
  expect(code).toBe(0)
  const report = readFileSync(join(folder, 'conformance-report/report.json'), 'utf8')
  for (const text of [stdout, report]) {
    expect(text).not.toContain(key)
    expect(text).not.toContain('X-Amz-Signature')
  }
})

test('an address where nothing listens is one clear line and exit code 4', async () => {
  const { url, close } = await startServer({ port: 0 })
  await close()
  const { code, stdout, stderr } = await run(
    ['conformance', '--url', url],
    { COUNTERSIGN_API_KEY: 'test_a' },
    scratch(),
  )
  expect([code, stdout]).toEqual([4, ''])
  expect(stderr).toBe(
    `Failed to run: because ${url} cannot be reached (ECONNREFUSED). Check the address, and that the deployment runs.\n`,
  )
})

test('a server that answers everything with an empty object is never green', async () => {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code } = await run(['conformance', '--url', url], { COUNTERSIGN_API_KEY: 'test_a' }, scratch())
  server.close()
  expect(code).not.toBe(0)
})

test.each([
  ['no key', {}, /no key is set for http:\/\/127\.0\.0\.1:9\. Put it into COUNTERSIGN_API_KEY/],
  ['a key with a line break', { COUNTERSIGN_API_KEY: 'test_secret\n' }, /has a space, a line break/],
])('%s is bad configuration', async (_, env, message) => {
  const { code, stderr } = await run(['conformance', '--url', 'http://127.0.0.1:9'], env as Record<string, string>)
  expect([code, stderr]).toEqual([3, expect.stringMatching(message)])
  expect(stderr).not.toContain('secret')
})

test('a report that cannot be written is one clear line and exit code 4', async () => {
  const folder = scratch()
  writeFileSync(join(folder, 'taken'), '')
  const { code, stderr } = await run(['conformance', '--report-dir', 'taken'], {}, folder)
  expect([code, stderr]).toEqual([4, expect.stringMatching(/^Failed to write the report: because .*--report-dir\.\n$/)])
})
