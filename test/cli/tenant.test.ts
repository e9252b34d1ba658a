import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { runWith, start } from '../support/command.ts'
import type { Files } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'

let mock: RunningMock
beforeAll(async () => {
  mock = await startMock({ scenario: 'first-day', approvers: 'manual' })
})
afterAll(() => mock.close())

/** Runs a command on tenants of the mock, or of another one, with a key. */
const tenant = (key: string, args: string[], files: Files = {}, url = mock.url) =>
  runWith(files, ['tenant', ...args, '--url', url], { COUNTERSIGN_API_KEY: key })

test('a tenant is exported to a file and imported from it', async () => {
  const [from, to] = [freshKey(), freshKey()]
  const exported = await tenant(from, ['export', 'tenant.json'])
  expect(exported).toMatchObject({ code: 0, stdout: '' })
  expect(exported.stderr).toMatch(/^Exported \d+ events and \d+ objects\.\n$/)
  const text = exported.read('tenant.json')
  expect(text).not.toContain(from)
  const imported = () => tenant(to, ['import', 'tenant.json'], { 'tenant.json': text })
  expect(await imported()).toMatchObject({ code: 0, stdout: '' })
  expect(mock.journal.read(to)).toHaveLength(JSON.parse(text).events.length)
  expect(await imported()).toMatchObject({ code: 3, stderr: expect.stringContaining('events already') })
})

test('without a file, a tenant goes to standard output and comes from standard input', async () => {
  const { stdout } = await tenant(freshKey(), ['export'])
  const key = freshKey()
  const { child, ended } = start(['tenant', 'import', '--url', mock.url], { COUNTERSIGN_API_KEY: key })
  child.stdin.end(stdout)
  expect(await ended).toMatchObject({ code: 0, stdout: '' })
  expect(mock.journal.read(key)).toHaveLength(JSON.parse(stdout).events.length)
})

test('a file that is wrong is refused with the place', async () => {
  const file = { ...(await mock.exportTenant(freshKey())), version: 2 }
  const { code, stderr } = await tenant(freshKey(), ['import', 'tenant.json'], { 'tenant.json': file })
  expect([code, stderr]).toEqual([3, expect.stringContaining('/version must be 1')])
})

test('a live key is refused, and not shown', async () => {
  const { code, stdout, stderr } = await tenant('live_secret', ['export'])
  expect([code, stdout, stderr]).toEqual([3, '', expect.stringContaining('not a test key')])
  expect(stderr).not.toContain('live_secret')
})

test('a mock with a token needs it', async () => {
  const guarded = await startMock({ adminToken: 'a-token' })
  onTestFinished(guarded.close)
  const { code, stderr } = await tenant(freshKey(), ['export'], {}, guarded.url)
  expect([code, stderr]).toEqual([3, expect.stringContaining('X-Admin-Token')])
  expect((await tenant(freshKey(), ['export', '--admin-token', 'a-token'], {}, guarded.url)).code).toBe(0)
})
