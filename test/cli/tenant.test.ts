import { expect, test } from 'vitest'
import { mustFail, runWith, start } from '../support/command.ts'
import type { Files } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'
import { sharedMock, started } from '../support/started.ts'

const mock = await sharedMock({ scenario: 'first-day', approvers: 'manual' })

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
  await mustFail(imported(), 3, 'events already')
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
  await mustFail(tenant(freshKey(), ['import', 'tenant.json'], { 'tenant.json': file }), 3, '/version must be 1')
})

test('a live key is refused, and not shown', async () => {
  const { stderr } = await mustFail(tenant('live_secret', ['export']), 3, 'not a test key')
  expect(stderr).not.toContain('live_secret')
})

test('a mock with a token needs it', async () => {
  const { mock: guarded } = await started({ adminToken: 'a-token' })
  const exported = (...more: string[]) => tenant(freshKey(), ['export', ...more], {}, guarded.url)
  await mustFail(exported(), 3, 'X-Admin-Token')
  expect((await exported('--admin-token', 'a-token')).code).toBe(0)
})
