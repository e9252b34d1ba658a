import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHere, runWith } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'

test('the built-in reference conforms, and the report says so', async () => {
  const { code, stderr, read } = await runWith({}, ['conformance'])
  expect([code, stderr]).toEqual([0, ''])
  const report = JSON.parse(read('conformance-report/report.json'))
  expect(report).toMatchObject({ schemaVersion: 2, verdict: 'conforming', counts: { fail: 0 } })
  expect(report.checks.length).toBe(report.counts.pass + report.counts.accepted)
  expect(report.counts.pass).toBeGreaterThan(60)
  const members = 'id requirement section provenance level verdict message'
  expect(Object.keys(report.checks[0]).slice(0, 7).join(' ')).toBe(members)
  expect(Object.keys(report.gaps[0])).toEqual(['id', 'observed', 'sameAsOurs'])
  expect(report.leftBehind).toContainEqual(expect.stringMatching(/^workflow conformance-/))
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

const known = { check: 'workflow.name', owner: 'Ada', reason: 'ticket 7', expires: '9999-12-31' }

test.each([
  [
    'a known failure that passes fails the run',
    {},
    1,
    'workflow.name passes, although the baseline lists it as a known failure. Remove its entry.',
  ],
  [
    'an expired entry counts as a failure, and the run continues',
    { expires: '2020-01-01' },
    1,
    /entry for workflow\.name expired on 2020-01-01 \(owner: Ada\)[\s\S]*1 entry of the baseline expired/,
  ],
  [
    'an entry for no check is bad configuration, and nothing is sent',
    { check: 'workflow.nmae' },
    3,
    /'check' of entry 1 is 'workflow\.nmae', which is not a check/,
  ],
])('%s', async (_, entry, wanted, message) => {
  const args = ['conformance', '--only', 'workflow.name', '--baseline', 'known.json']
  const { code, stdout, stderr } = await runWith({ 'known.json': { entries: [{ ...known, ...entry }] } }, args)
  expect(code).toBe(wanted)
  expect(wanted === 3 ? stderr : stdout).toMatch(message)
  if (wanted === 3) expect(stdout).toBe('')
})

test('a run whose report cannot be written has no verdict', async () => {
  const folder = scratch()
  mkdirSync(join(folder, 'conformance-report/report.json'), { recursive: true })
  const { code, stderr } = await runHere(['conformance', '--only', 'workflow.name'], {}, folder)
  expect([code, stderr]).toEqual([4, expect.stringMatching(/^The report cannot be written: .*folder\.\n$/)])
})
