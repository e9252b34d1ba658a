import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readHar } from '../../conformance/session/read-har.ts'
import { createMock } from '../../src/index.ts'
import { mustFail, run, runHere, runWith } from '../support/command.ts'
import { leaksOf } from '../support/leaks.ts'
import { scratch } from '../support/scratch.ts'
import { addressOf } from '../support/serve.ts'

const key = 'test_canary_7f6e5d4c3b2a'

test('conformance --report har writes a session that replays', async () => {
  const url = await addressOf(createMock({ approvers: 'manual' }).fetch)
  const env = { COUNTERSIGN_API_KEY: key, COUNTERSIGN_API_KEY_2: 'test_second_0a1b2c3d4e5f' }
  const args = ['conformance', '--url', url, '--settle', '0s', '--report', 'har', '--report-dir', 'out']
  const { code, read, folder } = await runWith({}, args, env)
  expect(code).toBe(0)
  const text = read('out/session.har')
  expect(readHar(JSON.parse(text), { needsBodies: false }).exchanges.length).toBeGreaterThan(80)
  expect([...leaksOf(text, key.slice(5)), ...leaksOf(text, '0a1b2c3d4e5f')]).toEqual([])
  const again = await runHere(['replay', 'out/session.har', '--url', url, '--settle', '0'], env, folder)
  expect(again.code).toBe(0)
  expect(again.stdout.split('\n').filter((line) => !/^(same |Note)/.test(line))).toEqual([
    expect.stringMatching(/: same \(\d+ same\) in /),
    '',
  ])
})

test('mock --record writes its calls without keys, and replaces an earlier file', async () => {
  const folder = scratch()
  const recorded = () => readFileSync(join(folder, 'a.har'), 'utf8')
  writeFileSync(join(folder, 'a.har'), 'an earlier session')
  const mock = (script: string) =>
    run(['mock', '--port', '0', '--record', 'a.har', '--', process.execPath, '-e', script], {}, folder)
  const { stdout, ...idle } = await mock('')
  expect([idle, recorded()]).toEqual([{ code: 0, stderr: '' }, 'an earlier session'])
  expect(stdout).toContain('All calls are recorded in a.har.')
  await mock(`fetch(process.env.COUNTERSIGN_URL + '/api/v1/workflows/wf_1', { headers: { Authorization: '${key}' } })`)
  expect(readHar(JSON.parse(recorded())).exchanges).toMatchObject([{ name: 'getWorkflow 1', status: 404 }])
  expect(leaksOf(recorded(), key.slice(5))).toEqual([])
})

test('a recording that cannot be written stops the mock at its start', async () => {
  const running = run(['mock', '--port', '0', '--record', 'missing/a.har'], {}, scratch())
  await mustFail(running, 4, /^The session cannot be written: .*\. Choose another file with --record\.\n$/)
})
