import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readHar } from '../../conformance/session/read-har.ts'
import { run, runHere } from '../support/command.ts'
import { leaksOf } from '../support/leaks.ts'
import { scratch } from '../support/scratch.ts'

const key = 'test_canary_7f6e5d4c3b2a'

test('mock --record writes what it answered, and no key', async () => {
  const folder = scratch()
  const script = `fetch(process.env.COUNTERSIGN_URL + '/api/v1/workflows/wf_1', { headers: { Authorization: '${key}' } })`
  const { code, stderr } = await run(
    ['mock', '--port', '0', '--record', 'a.har', '--', process.execPath, '-e', script],
    {},
    folder,
  )
  expect([code, stderr, readdirSync(folder)]).toEqual([0, '', ['a.har']])
  const text = readFileSync(join(folder, 'a.har'), 'utf8')
  expect(readHar(JSON.parse(text)).exchanges.map(({ name, status }) => [name, status])).toEqual([
    ['getWorkflow 1', 404],
  ])
  expect(leaksOf(text, key.slice(5))).toEqual([])
})

test('an earlier recording stays until the first call', async () => {
  const folder = scratch()
  writeFileSync(join(folder, 'a.har'), 'an earlier session')
  const mock = (...command: string[]) =>
    run(['mock', '--port', '0', '--record', 'a.har', '--', process.execPath, '-e', ...command], {}, folder)
  const idle = await mock('')
  expect([idle.code, readFileSync(join(folder, 'a.har'), 'utf8')]).toEqual([0, 'an earlier session'])
  expect(idle.stdout).toContain('All calls are recorded in a.har.')
  await mock("fetch(process.env.COUNTERSIGN_URL + '/api/v1/workflows/wf_1')")
  expect(readHar(JSON.parse(readFileSync(join(folder, 'a.har'), 'utf8'))).exchanges.length).toBe(1)
})

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
