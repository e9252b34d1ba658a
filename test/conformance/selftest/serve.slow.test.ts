import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { combine } from '../../../conformance/selftest/combine.ts'
import { UnknownCombination } from '../../../conformance/selftest/mutant.ts'
import { bundled } from '../../support/bundled.ts'

const script = await bundled(new URL('../../../conformance/selftest/serve.ts', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the command. `ready` resolves with its first line, `ended` with its exit. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [script, ...args])
  const output = { stdout: '', stderr: '' }
  let isReady: (line: string) => void = () => {}
  const ready = new Promise<string>((resolve) => {
    isReady = resolve
  })
  child.stdout.on('data', (text) => {
    output.stdout += text
    if (output.stdout.includes('\n')) isReady(output.stdout)
  })
  child.stderr.on('data', (text) => {
    output.stderr += text
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, ...output }))
  })
  return { child, ready, ended }
}

test('a mutant under variants answers over HTTP', async () => {
  const { child, ready, ended } = start('--mutant', 'never-readable', '--variant', 'envelope=data,transfer=gzip')
  const { url, ...rest } = JSON.parse(await ready)
  expect(rest).toEqual({ ready: true, mutant: 'never-readable', variant: 'envelope=data,transfer=gzip' })
  const headers = { Authorization: 'test_serve', 'Content-Type': 'application/json' }
  const upload = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 4 }
  const answer = await fetch(`${url}/api/v1/upload/`, { method: 'POST', headers, body: JSON.stringify(upload) })
  expect(answer.headers.get('Content-Encoding')).toBe('gzip')
  const { data } = await answer.json()
  const stored = await fetch(data.upload_url, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/pdf' },
    body: 'text',
  })
  expect([stored.status, await stored.text()]).toEqual([200, ''])
  child.kill()
  await ended
})

test('a degenerate server breaks connections over HTTP', async () => {
  const { child, ready, ended } = start('--degenerate', 'reset')
  await expect(fetch(JSON.parse(await ready).url)).rejects.toThrow('fetch failed')
  child.kill()
  await ended
})

test('--list prints everything as JSON', async () => {
  const { code, stdout } = await start('--list').ended
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    mutants: expect.arrayContaining([
      expect.objectContaining({ id: 'open-getWorkflow', kills: ['auth.key-is-required'] }),
    ]),
    axes: expect.arrayContaining([expect.objectContaining({ axis: 'envelope' })]),
    degenerates: expect.arrayContaining([expect.objectContaining({ id: 'login-page' })]),
  })
})

test.each([
  ['an unknown mutant', { mutant: 'unknown' }, "Unknown mutant 'unknown'"],
  ['an unknown axis', { variant: 'colour=red' }, "Unknown axis 'colour'"],
  ['an unknown value', { variant: 'envelope=paper' }, "The axis envelope has no value 'paper'"],
  ['a value without an axis', { variant: 'envelope' }, "'envelope' is not a variant"],
  ['an unknown degenerate server', { degenerate: 'unknown' }, "Unknown degenerate server 'unknown'"],
  [
    'variants that hide the key',
    { variant: 'storage-key=url-only,storage-url=opaque' },
    'no answer shows the storage key',
  ],
])('%s is refused in one sentence', (_, combination, sentence) => {
  expect(() => combine(combination)).toThrow(UnknownCombination)
  expect(() => combine(combination)).toThrow(sentence)
})

test.each([
  ['an unknown combination', ['--mutant', 'unknown'], "Unknown mutant 'unknown'"],
  ['an invalid port', ['--port', 'http'], 'Use a number from 0 to 65535'],
])('%s ends with exit code 3 and one sentence', async (_, args, sentence) => {
  const { code, stdout, stderr } = await start(...args).ended
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toContain(sentence)
})
