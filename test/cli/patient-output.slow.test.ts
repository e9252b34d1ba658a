import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PatientOutput } from '../../cli/patient-output.ts'
import { ready, start } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'

/** Opens both ends of a new pipe. */
function pipe() {
  const path = join(scratch(), 'pipe')
  execFileSync('mkfifo', [path])
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants
  const end = openSync(path, O_RDONLY | O_NONBLOCK)
  return { end, output: openSync(path, O_WRONLY | O_NONBLOCK) }
}

/** Reads what is in a pipe. */
function readAll(end: number): string {
  const bytes = Buffer.alloc(1024 * 1024)
  let length = 0
  try {
    for (let size = -1; size !== 0; length += size) size = readSync(end, bytes, length, bytes.length - length, null)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
  }
  return bytes.toString('utf8', 0, length)
}

const unexpected = (error: Error) => {
  throw error
}

test('what a stalled reader has no room for is kept, counted, and written later', () => {
  const { end, output } = pipe()
  const patient = new PatientOutput(output, unexpected)
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index} ${'x'.repeat(1000)}\n`)
  for (const line of lines) patient.write(line)
  expect(patient.writableLength).toBeGreaterThan(0)
  let read = ''
  while (patient.writableLength > 0) {
    read += readAll(end)
    patient.write('')
  }
  expect(read + readAll(end)).toBe(lines.join(''))
  closeSync(end)
  closeSync(output)
})

test('a reader that is gone is noted once, and costs nothing more', () => {
  const { end, output } = pipe()
  const codes: (string | undefined)[] = []
  const patient = new PatientOutput(output, ({ code }) => codes.push(code))
  closeSync(end)
  for (let count = 0; count < 3; count += 1) patient.write('a line\n')
  expect([codes, patient.writableLength]).toEqual([['EPIPE'], 0])
})

test('a mock with unread output goes on answering, and ends when asked to', async () => {
  const { url, child, ended } = await ready(start(['mock', '--port', '0']))
  child.stdout.removeAllListeners('data').pause()
  // A pipe has room for 64 KiB, and the parent reads as much ahead.
  const path = `/api/v1/workflows/${'x'.repeat(190)}`
  const headers = { Authorization: freshKey() }
  for (let count = 0; count < 35; count += 1) {
    await Promise.all(Array.from({ length: 20 }, async () => (await fetch(url + path, { headers })).text()))
  }
  expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
  const hasEnded = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await hasEnded).toEqual([0, null])
  child.stdout.resume()
  await ended
})
