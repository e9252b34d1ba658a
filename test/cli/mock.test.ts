import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { seed } from '../../cli/values.ts'
import { version } from '../../src/version.gen.ts'
import { mustFail, mustPrint, runHere, startedMock } from '../support/command.ts'
import { nonEmpty } from '../support/non-empty.ts'

test('the version is that of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(version).toBe(manifest.version)
})

test('with --json it prints one line when ready, and exits 0 on SIGTERM', async () => {
  const { url, output, stop } = await startedMock(['--storage-port', '0'])
  expect(JSON.parse(output)).toEqual({ ready: true, url, storage_url: expect.any(String), version })
  expect((await fetch(`${url}/api/v1/workflows/x`)).status).toBe(401)
  expect(await stop()).toEqual({ code: 0, stdout: output, stderr: '' })
})

test.each([
  ['mock', ['--host', '--admin-token', '--max-upload-size', '--no-cors']],
  ['conformance', ['--allow-live-key', '--rate-limit', '--request-timeout']],
])('the help of %s says which flags remove which protections', async (command, flags) => {
  const title = 'Protections that a flag changes:'
  const { stdout } = await mustPrint(runHere([command, '--help']), 0, title)
  const [, defaults = ''] = stdout.split(title)
  for (const flag of nonEmpty(flags)) expect(defaults.split('\n\n')[0]).toContain(`(${flag})`)
})

test('no line of any help is longer than 100 columns', async () => {
  const { stdout } = await runHere(['--help'])
  const commands = [...stdout.matchAll(/^ {2}(?!help )([a-z]+) /gm)].map(([, name = '']) => name)
  for (const name of nonEmpty(commands)) {
    const help = (await runHere([name, '--help'])).stdout
    expect(help).toContain(`Usage: countersign ${name}`)
    expect(help.split('\n').filter((line) => line.length > 100)).toEqual([])
  }
})

test.each(['', 'ses ame', 'sésame', 'sesame\n'])('the admin token %j is refused and not repeated', async (token) => {
  const running = runHere(['mock', '--port', '0'], { COUNTERSIGN_ADMIN_TOKEN: token })
  const { stderr } = await mustFail(running, 3, /^The admin token (is empty|has a space, .*)\. Set it .*\.\n$/)
  expect(stderr).not.toMatch(/s[eé]s/)
})

test('a seed is a number of 32 bits', () => {
  expect(['0', '4294967295'].map(seed)).toEqual([0, 4294967295])
  for (const text of ['4294967296', '-1', '1e3', ''])
    expect(() => seed(text), text).toThrow('Use a number from 0 to 4294967295.')
})
