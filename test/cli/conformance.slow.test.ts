import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startMock } from '../../src/node/start-mock.ts'
import { run, runHere } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'

test('the built-in reference conforms, and the report says so', async () => {
  const folder = scratch()
  const { code, stderr } = await run(['conformance'], {}, folder)
  expect([code, stderr]).toEqual([0, ''])
  const report = JSON.parse(readFileSync(join(folder, 'conformance-report/report.json'), 'utf8'))
  expect(report).toMatchObject({ schemaVersion: 2, verdict: 'conforming', counts: { fail: 0 } })
  expect(report.checks.length).toBe(report.counts.pass + report.counts.accepted)
  expect(report.counts.pass).toBeGreaterThan(60)
  expect(Object.keys(report.checks[0]).slice(0, 7)).toEqual([
    'id',
    'requirement',
    'section',
    'provenance',
    'level',
    'verdict',
    'message',
  ])
  expect(Object.keys(report.gaps[0])).toEqual(['id', 'observed', 'sameAsOurs'])
  expect(report.leftBehind).toContainEqual(expect.stringMatching(/^workflow conformance-/))
})

test('a deployment conforms, and no output contains its key', async () => {
  const server = await startMock({ port: 0 })
  const folder = scratch()
  const key = `${freshKey()}_canary`
  const args = ['conformance', '--url', `${server.url}/`, '--report', 'json,junit,html']
  const { code, stdout } = await runHere(args, { COUNTERSIGN_API_KEY: key }, folder)
  await server.close()
  expect(code).toBe(0)
  const reports = ['report.json', 'junit.xml', 'report.html'].map((file) => {
    return readFileSync(join(folder, 'conformance-report', file), 'utf8')
  })
  for (const text of [stdout, ...reports]) {
    expect(text).not.toContain(key)
    expect(text).not.toMatch(/X-Amz-Signature=[0-9a-f]/)
  }
})

test('the chosen reports are written, and a summary is appended for GitHub', async () => {
  const folder = scratch()
  const summary = join(folder, 'summary.md')
  writeFileSync(summary, 'before\n')
  const chosen = ['--only', 'workflow.name', '--report', 'html, junit', '--report-dir', 'out']
  const { code, stdout } = await runHere(['conformance', ...chosen], { GITHUB_STEP_SUMMARY: summary }, folder)
  expect(code).toBe(2)
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(['junit.xml', 'report.css', 'report.html'])
  expect(stdout).toContain(`Report: ${join('out', 'junit.xml')}\nReport: ${join('out', 'report.html')}\n`)
  expect(stdout).not.toContain('\x1b')
  expect(readFileSync(summary, 'utf8')).toMatch(/^before\n## undecided: /)
})

/** Writes a baseline with one entry for a check that passes. Returns the arguments and the folder of a run that uses it. */
function withBaseline(entry: object): Parameters<typeof run> {
  const folder = scratch()
  const entries = [{ check: 'workflow.name', owner: 'Ada', reason: 'ticket 7', expires: '9999-12-31', ...entry }]
  writeFileSync(join(folder, 'known.json'), JSON.stringify({ entries }))
  return [['conformance', '--only', 'workflow.name', '--baseline', 'known.json'], {}, folder]
}

test('a known failure that passes makes the run fail, and says what to remove', async () => {
  const { code, stdout } = await runHere(...withBaseline({}))
  expect(code).toBe(1)
  expect(stdout).toContain('workflow.name passes, although the baseline lists it as a known failure. Remove its entry.')
})

test('an entry for no check is bad configuration, before anything is sent', async () => {
  const { code, stdout, stderr } = await runHere(...withBaseline({ check: 'workflow.nmae' }))
  const message = /'check' of entry 1 is 'workflow\.nmae', which is not a check/
  expect([code, stdout, stderr]).toEqual([3, '', expect.stringMatching(message)])
})

test('an expired entry counts as a failure, and the run continues', async () => {
  const { code, stdout } = await runHere(...withBaseline({ expires: '2020-01-01' }))
  expect(code).toBe(1)
  expect(stdout).toContain("The baseline's entry for workflow.name expired on 2020-01-01 (owner: Ada)")
  expect(stdout).toContain('1 entry of the baseline expired')
})

test('a run whose report cannot be written has no verdict', async () => {
  const folder = scratch()
  mkdirSync(join(folder, 'conformance-report/report.json'), { recursive: true })
  const { code, stderr } = await runHere(['conformance', '--only', 'workflow.name'], {}, folder)
  expect([code, stderr]).toEqual([4, expect.stringMatching(/^The report cannot be written: .*folder\.\n$/)])
})
