import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { seed } from '../../cli/values.ts'
import { version } from '../../src/version.gen.ts'
import { runHere, start } from '../support/command.ts'
import { nonEmpty } from '../support/non-empty.ts'

test('the version is that of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(version).toBe(manifest.version)
})

test('with --json it prints one line when ready, and exits 0 on SIGTERM', async () => {
  const { child, printed, ended } = start(['mock', '--port', '0', '--storage-port', '0', '--json'])
  const ready = JSON.parse(await printed('\n'))
  expect(ready).toEqual({ ready: true, url: expect.any(String), storage_url: expect.any(String), version })
  expect((await fetch(`${ready.url}/api/v1/workflows/x`)).status).toBe(401)
  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, stdout: `${JSON.stringify(ready)}\n`, stderr: '' })
})

test.each([
  ['mock', ['--host', '--admin-token', '--max-upload-size', '--no-cors']],
  ['conformance', ['--allow-live-key', '--rate-limit', '--request-timeout']],
])('the help of %s says which flags remove which protections', async (command, flags) => {
  const { code, stdout } = await runHere([command, '--help'])
  expect(code).toBe(0)
  const [, defaults = ''] = stdout.split('Protections that a flag changes:')
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
  const { code, stdout, stderr } = await runHere(['mock', '--port', '0'], { COUNTERSIGN_ADMIN_TOKEN: token })
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toMatch(/^The admin token (is empty|has a space, .*)\. Set it .*\.\n$/)
  expect(stderr).not.toMatch(/s[eé]s/)
})

test.each([
  ['0', 0],
  ['4294967295', 4294967295],
])('the seed %s is accepted', (text, value) => {
  expect(seed(text)).toBe(value)
})

test.each(['4294967296', '-1', '1e3', ''])('the seed %j is refused', (text) => {
  expect(() => seed(text)).toThrow('Use a number from 0 to 4294967295.')
})
