import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { runHere, start } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'

let mock: RunningMock
beforeAll(async () => {
  mock = await startMock({ scenario: 'first-day', approvers: 'manual' })
})
afterAll(() => mock.close())

const withKey = (key: string) => ({ COUNTERSIGN_API_KEY: key })

test('a tenant is exported to a file and imported from it', async () => {
  const folder = scratch()
  const [from, to] = [freshKey(), freshKey()]
  const exported = await runHere(['tenant', 'export', 'tenant.json', '--url', mock.url], withKey(from), folder)
  expect(exported).toMatchObject({ code: 0, stdout: '' })
  expect(exported.stderr).toMatch(/^Exported \d+ events and \d+ objects\.\n$/)
  const text = readFileSync(join(folder, 'tenant.json'), 'utf8')
  expect(text).not.toContain(from)
  const imported = await runHere(['tenant', 'import', 'tenant.json', '--url', mock.url], withKey(to), folder)
  expect(imported).toMatchObject({ code: 0, stdout: '' })
  expect(mock.journal.read(to)).toHaveLength(JSON.parse(text).events.length)
  const again = await runHere(['tenant', 'import', 'tenant.json', '--url', mock.url], withKey(to), folder)
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('events already')])
})

test('without a file, a tenant goes to standard output and comes from standard input', async () => {
  const folder = scratch()
  const exported = await runHere(['tenant', 'export', '--url', mock.url], withKey(freshKey()), folder)
  const { events } = JSON.parse(exported.stdout)
  const key = freshKey()
  const importing = start(['tenant', 'import', '--url', mock.url], withKey(key), folder)
  importing.child.stdin.end(exported.stdout)
  expect(await importing.ended).toMatchObject({ code: 0, stdout: '' })
  expect(mock.journal.read(key)).toHaveLength(events.length)
})

test('a file that is wrong is refused with the place', async () => {
  const folder = scratch()
  const file = await mock.exportTenant(freshKey())
  writeFileSync(join(folder, 'tenant.json'), JSON.stringify({ ...file, version: 2 }))
  const key = freshKey()
  const { code, stderr } = await runHere(['tenant', 'import', 'tenant.json', '--url', mock.url], withKey(key), folder)
  expect([code, stderr]).toEqual([3, expect.stringContaining('/version must be 1')])
})

test.each([
  ['without a key', ['export'], {}, 3, 'COUNTERSIGN_API_KEY'],
  ['with a live key', ['export'], withKey('live_secret'), 3, 'not a test key'],
  ['without the file', ['import', 'none.json'], withKey('test_a'), 3, 'none.json'],
])('a tenant %s ends with an error that never shows the key', async (_, args, env, wanted, why) => {
  const { code, stdout, stderr } = await runHere(['tenant', ...args, '--url', mock.url], env, scratch())
  expect([code, stdout, stderr]).toEqual([wanted, '', expect.stringContaining(why)])
  expect(stderr).not.toContain('live_secret')
})

test('a mock with a token needs it', async () => {
  const guarded = await startMock({ adminToken: 'a-token' })
  try {
    const args = ['tenant', 'export', '--url', guarded.url]
    const refused = await runHere(args, withKey(freshKey()), scratch())
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('X-Admin-Token')])
    expect((await runHere([...args, '--admin-token', 'a-token'], withKey(freshKey()), scratch())).code).toBe(0)
  } finally {
    await guarded.close()
  }
})
