import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, runHere } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'

test('a recording that cannot be written stops the mock at its start', async () => {
  const { code, stdout, stderr } = await run(['mock', '--port', '0', '--record', 'missing/a.har'], {}, scratch())
  expect([code, stdout]).toEqual([4, ''])
  expect(stderr).toMatch(/^The session cannot be written: .*\. Choose another file with --record\.\n$/)
})

test('without --report har, no session is written', async () => {
  const folder = scratch()
  await runHere(['conformance', '--only', 'workflow.name', '--report-dir', 'out'], {}, folder)
  expect(existsSync(join(folder, 'out/session.har'))).toBe(false)
})
