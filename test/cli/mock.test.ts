import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seed } from '../../cli/values.ts'
import { version } from '../../src/version.gen.ts'
import { runHere, start } from '../support/command.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'

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

test.each(['', ' ', 'http://localhost'])('the host %j is refused, and nothing listens', async (host) => {
  const { code, stderr } = await runHere(['mock', '--port', '0', '--host', host])
  expect([code, stderr]).toEqual([3, expect.stringContaining('Use a host name or an address, such as 127.0.0.1.')])
})

test('a busy port is one line that names it', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const { code, stdout, stderr } = await runHere(['mock'], { COUNTERSIGN_PORT: String(port) })
  other.close()
  expect(code).not.toBe(0)
  expect(stdout).toBe('')
  expect(stderr).toBe(`Port ${port} is in use. Choose another with --port, or 0 for any free one.\n`)
})

test.each([
  [['mock', '--port', '70000'], /Use a number from 0 to 65535/],
  [['mock', '--scenario', 'nothing'], /'nothing' is invalid. Allowed choices are empty, first-day, busy-quarter/],
  [['mock', '--latency', '9..1'], /Use milliseconds up to/],
  [['mock', '--latency', 'p50=900,p99=80'], /such as 200, 100\.\.800 or p50=80,p99=900/],
  [['mock', '--rate-limit', '0'], /Use requests per second, such as 5\/s/],
  [['mock', '--clock-speed', '-1'], /Use a number from 0/],
  [['mock', '--max-upload-size', 'much'], /Use a number with a unit/],
  [['mock', '--public-base-url', 'ftp://x'], /starts with http/],
  [['mock', '--base-path', 'team'], /a path such as \/team/],
  [['mock', '--upstream-calls', 'getWorkflow'], /need --upstream URL/],
  [['mock', '--colour'], /unknown option '--colour'/],
  [['frobnicate'], /unknown command 'frobnicate'/],
  [['conformance', '--report', 'pdf'], /There is no report 'pdf'/],
])('%j is bad usage', async (args, message) => {
  const { code, stderr } = await runHere(args)
  expect([code, stderr]).toEqual([3, expect.stringMatching(message)])
})

test('a file that is not a journal is refused and not changed', async () => {
  const file = join(scratch(), 'notes.txt')
  writeFileSync(file, 'my notes\n')
  const { code, stderr } = await runHere(['mock', '--port', '0', '--journal', file])
  expect([code, stderr]).toEqual([
    4,
    expect.stringMatching(/^\S+notes\.txt is not a Countersign journal\. Choose another file\.\n$/),
  ])
  expect(readFileSync(file, 'utf8')).toBe('my notes\n')
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

test('the next option is not taken as the value of an option', async () => {
  const { code, stderr } = await runHere(['mock', '--seed', '--port', '0'])
  expect([code, stderr]).toEqual([3, expect.stringContaining("argument '--port' is invalid. Its value is missing.")])
})
