import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { run, start } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'

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
  const { child, printed, ended } = start(['mock', '--port', '0', '--json', '--scenario', 'stuck-approval'])
  const { url } = JSON.parse(await printed('\n'))
  const headers = { Authorization: 'test_scenario' }
  const { events } = await (await fetch(`${url}/__admin/journal`, { headers })).json()
  expect(events.map(({ type }: { type: string }) => type)).toContain('StepDecided')
  child.kill('SIGTERM')
  await ended
})

test('on other hosts than loopback the admin API needs a token', async () => {
  const admin = async (args: string[], headers = {}) => {
    const { child, printed, ended } = start(['mock', '--port', '0', '--json', ...args])
    const { url } = JSON.parse(await printed('\n'))
    const { status } = await fetch(`${url}/__admin/health`, { headers })
    child.kill('SIGTERM')
    await ended
    return status
  }
  expect(await admin([])).toBe(200)
  expect(await admin(['--no-admin'])).toBe(404)
  expect(await admin(['--host', '0.0.0.0'])).toBe(404)
  expect(await admin(['--host', '0.0.0.0', '--admin-token', 'sesame'])).toBe(403)
  expect(await admin(['--host', '0.0.0.0', '--admin-token', 'sesame'], { 'X-Admin-Token': 'sesame' })).toBe(200)
})
