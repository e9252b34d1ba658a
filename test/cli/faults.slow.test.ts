import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { reference } from '../../conformance/selftest/reference.ts'
import { Random } from '../../src/world/random.ts'
import { recordedHar } from '../conformance/replay/recording.ts'
import { bin, startNode } from '../support/command.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { rotated } from '../support/sample.ts'
import { scratch, sharedScratch } from '../support/scratch.ts'
import { serve } from '../support/serve.ts'

const fault = new URL('../support/fault.mjs', import.meta.url).href
const key = { COUNTERSIGN_API_KEY: 'test_faults' }

/** A service that never answers an execution, so that no command ends before its fault. */
const stuck = (request: Request) =>
  request.url.endsWith('/execute') ? new Promise<Response>(() => {}) : sound(request)
const sound = reference()
const { url, close } = await serve(stuck)
afterAll(close)
const session = join(sharedScratch(), 'session.har')
writeFileSync(session, await recordedHar())

const commands: Record<string, string[]> = {
  conformance: ['conformance', '--url', url],
  learn: ['learn', '--url', url],
  replay: ['replay', session, '--url', url],
  compare: ['compare', url, 'reference'],
}

const thrown = ['error', 'text', 'nothing', 'bare'].flatMap((thing) => [`throw of ${thing}`, `rejection of ${thing}`])
const random = new Random('faults')
const names = Object.keys(commands)
const inWorkers = names.flatMap((command) => [...thrown, 'exit'].map((kind) => ({ kind, thread: 'worker', command })))
const inMain = thrown.map((kind, index) => ({ kind, thread: 'main', command: names[index % names.length] ?? '' }))
// A quarter, another one with each commit, and all once a week.
const cases = [
  ...rotated([...inWorkers, ...inMain]),
  { kind: 'full memory', thread: 'worker', command: 'compare' },
].map((one) => ({ ...one, turns: Math.floor(random.draw() * 100) }))

test.each(nonEmpty(cases))(
  '$kind in the $thread thread of $command ends with 4',
  async ({ kind, thread, command, turns }) => {
    const env = { ...key, FAULT: kind, FAULT_IN: thread, FAULT_AFTER: String(turns) }
    const { code, stderr } = await startNode(['--import', fault, bin, ...(commands[command] ?? [])], env, scratch())
      .ended
    expect([code, stderr.split('\n').length]).toEqual([4, 2])
    expect(stderr).toMatch(/^\S.*\. \S.*\.\n$/)
  },
)
