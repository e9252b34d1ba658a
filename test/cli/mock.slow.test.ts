import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { run, start, startedMock } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'
import { clientOf } from '../support/service.ts'

test.each([[[]], [['--base-path', '/team']]])('the printed commands work with %j', async (flags) => {
  const { child, printed, ended } = start(['mock', '--port', '0', ...flags])
  const output = await printed('/workflows/$WORKFLOW -H "Authorization: $KEY"\n')
  const commands = output.split('\n').filter((line) => line.startsWith('  '))
  const shell = spawnSync('sh', ['-eu'], { input: commands.join('\n'), cwd: scratch(), encoding: 'utf8' })
  expect(shell.stderr).toBe('')
  expect(shell.stdout).toContain('"execution_id":"exe_')
  expect(shell.stdout).toContain('"execution_metrics":{"total":1,"running":1,')
  expect(shell.stdout).toContain('"execution_metrics":{"total":1,"running":0,')
  child.kill('SIGINT')
  expect((await ended).code).toBe(0)
})

/** Starts a mock, reads from its admin API, and ends it. Returns the answer. */
async function asked(path: string, args: string[], headers: Record<string, string> = {}) {
  const { url, stop } = await startedMock(args)
  const answer = await clientOf({ url }).get(`/__admin/${path}`, headers)
  await stop()
  return answer
}

test('with a command it runs it, stops, and exits with its code', async () => {
  const script = "fetch(process.env.COUNTERSIGN_URL + '/x').then(({ status }) => process.exit(status - 400))"
  const { code } = await run(['mock', '--port', '0', '--', process.execPath, '-e', script])
  expect(code).toBe(4)
})

test('a command that does not exist is named', async () => {
  const { code, stderr } = await run(['mock', '--port', '0', '--', 'no-such-command'])
  expect([code, stderr]).toEqual([127, expect.stringMatching(/^The command 'no-such-command' cannot be run: .*\n$/)])
})

test('a world begins with the scenario of --scenario', async () => {
  const { text } = await asked('journal', ['--scenario', 'stuck-approval'], { Authorization: 'test_scenario' })
  expect(text).toContain('"type":"StepDecided"')
})

test.each([
  [200, [], {}],
  [404, ['--no-admin'], {}],
  [404, ['--host', '0.0.0.0'], {}],
  [403, ['--host', '0.0.0.0', '--admin-token', 'sesame'], {}],
  [200, ['--host', '0.0.0.0', '--admin-token', 'sesame'], { 'X-Admin-Token': 'sesame' }],
])('%#: beyond loopback the admin API needs a token, and answers %i', async (status, args, headers) => {
  expect((await asked('health', args, headers)).status).toBe(status)
})
