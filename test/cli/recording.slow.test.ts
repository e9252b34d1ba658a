import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readHar } from '../../conformance/session/read-har.ts'
import { createMock } from '../../src/index.ts'
import { runHere } from '../support/command.ts'
import { leaksOf } from '../support/leaks.ts'
import { scratch } from '../support/scratch.ts'
import { serve } from '../support/serve.ts'

const key = 'test_canary_7f6e5d4c3b2a'

test('conformance --report har writes a session that replays', async () => {
  const folder = scratch()
  const { url, close } = await serve(createMock({ approvers: 'manual' }).fetch)
  onTestFinished(close)
  const env = { COUNTERSIGN_API_KEY: key, COUNTERSIGN_API_KEY_2: 'test_second_0a1b2c3d4e5f' }
  const args = ['conformance', '--url', url, '--report', 'har', '--report-dir', 'out']
  expect((await runHere(args, env, folder)).code).toBe(0)
  const text = readFileSync(join(folder, 'out/session.har'), 'utf8')
  expect(readHar(JSON.parse(text), { needsBodies: false }).exchanges.length).toBeGreaterThan(80)
  expect(leaksOf(text, key.slice(5))).toEqual([])
  expect(leaksOf(text, '0a1b2c3d4e5f')).toEqual([])
  const { code, stdout } = await runHere(['replay', 'out/session.har', '--url', url], env, folder)
  expect(stdout.split('\n').filter((line) => !line.startsWith('same ') && !line.startsWith('Note'))).toEqual([
    expect.stringMatching(/: same \(\d+ same\) in /),
    '',
  ])
  expect(code).toBe(0)
})
