import { expect, test } from 'vitest'
import { jsonReport, jsonText } from '../../../conformance/report/json.ts'
import { judgeReport, ReportError } from '../../../conformance/report/read-report.ts'
import type { RunResult } from '../../../conformance/report/result.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { runOn } from '../../../conformance/selftest/run-on.ts'
import { forbidden } from '../../support/markup.ts'
import { nonEmpty } from '../../support/non-empty.ts'

const run = await runOn(reference(), { gaps: true })
const reportOf = (result: RunResult) => jsonText(jsonReport(result))
const report = reportOf(run)

/** Returns the report with one member changed by its path, or removed if the value is undefined. */
function changed(path: string, value: unknown): string {
  const json = JSON.parse(report)
  const names = path.split('.')
  const last = names.pop() ?? ''
  const holder = names.reduce((at, name) => at[name], json)
  holder[last] = value
  return JSON.stringify(json)
}

/** Returns why a report cannot be judged. */
function refusal(text: string): string {
  try {
    judgeReport(JSON.parse(text))
  } catch (error) {
    if (error instanceof ReportError) return error.message
    throw error
  }
  throw new Error('The report was judged.')
}

test('checks that had to be verified still have to be', async () => {
  const result = await runOn(reference(), { requireVerified: ['upload.file-name'] })
  expect([result.verdict, judgeReport(jsonReport(result)).result.verdict]).toEqual(['undecided', 'undecided'])
})

test('verdicts that were written into a report by hand change nothing', () => {
  const json = JSON.parse(report)
  json.verdict = 'nonconforming'
  for (const check of json.checks) check.verdict = 'fail'
  const { result, recorded } = judgeReport(json)
  expect([result.verdict, recorded]).toEqual(['conforming', 'nonconforming'])
})

test.each([
  ['cut', { isCut: true }, 'undecided'],
  ['complete', {}, 'nonconforming'],
])('an unreadable body that is %s leaves the run %s', (_, more, verdict) => {
  const json = JSON.parse(report)
  const isAnswer = ({ label }: { label?: { step: string } }) => label?.step === 'request upload 1'
  const answers = nonEmpty<object>(json.exchanges.filter(isAnswer))
  for (const answer of answers) Object.assign(answer, { responseBody: '{"upload', ...more })
  const { result } = judgeReport(json)
  expect(result.verdict).toBe(verdict)
  if (verdict === 'nonconforming') return
  expect(result.checks.filter(({ verdict }) => ['fail', 'harness-error'].includes(verdict))).toEqual([])
  expect(result.checks.find(({ id }) => id === 'upload.answers-session-id')).toMatchObject({
    verdict: 'inconclusive',
    message: expect.stringContaining('its body is too long for the report'),
  })
})

test.each([
  ['a list', '[]', /^It is damaged: the report is not an object\. /],
  ['JSON of another kind', '{"name": "countersign"}', /^It is not a report of countersign conformance\. Pass a/],
  ['a report of version 1', changed('schemaVersion', 1), /^It is a report of version 1, but this .* reads version 2\./],
  [
    'a report of the future',
    changed('schemaVersion', 3),
    /^It is a report of version 3, .* Run the suite again, or use/,
  ],
])('%s is refused, with what to do', (_, text, message) => {
  expect(refusal(text)).toMatch(message)
})

test('a message that quotes a file cannot control a terminal', () => {
  expect(refusal('{"schemaVersion": "\u202e\u009b31m"}')).not.toMatch(forbidden)
})

test.each<[path: string, value: unknown, message: string]>([
  ['target', 'https://approvals.example', 'target is not an object'],
  ['target.url', 'approvals', 'target.url is not a URL'],
  ['exchanges', {}, 'exchanges is not a list'],
  ['notes', undefined, 'notes is not a list'],
  ['runId', 7, 'runId is not a string'],
  ['durationMs', '4 s', 'durationMs is not a number'],
  ['withheld', [{ what: 'a' }], 'withheld[0].why is not a string'],
  ['crashes', [null], 'crashes[0] is not an object'],
  ['exchanges.3', null, 'exchanges[3] is not an object'],
  ['exchanges.3.method', undefined, 'exchanges[3].method is not a string'],
  ['exchanges.3.url', '/api/v1', 'exchanges[3].url is not a URL'],
  ['exchanges.3.status', '200', 'exchanges[3].status is not an integer'],
  ['exchanges.3.durationMs', null, 'exchanges[3].durationMs is not a number'],
  ['exchanges.3.requestBody', {}, 'exchanges[3].requestBody is not a string'],
  ['exchanges.3.requestBytes', { size: 3 }, 'exchanges[3].requestBytes.sha256 is not a string'],
  ['exchanges.3.requestBytes', { size: 3, sha256: '', md5: 3 }, 'exchanges[3].requestBytes.md5 is not a string'],
  ['exchanges.3.responseBody', { id: 1 }, 'exchanges[3].responseBody is not a string'],
  ['exchanges.3.responseHeaders', [], 'exchanges[3].responseHeaders is not an object'],
  ['exchanges.3.responseHeaders.allow', ['GET'], 'exchanges[3].responseHeaders.allow is not a string'],
  ['exchanges.3.failure', 1, 'exchanges[3].failure is not a string'],
  ['exchanges.3.isCut', 'yes', 'exchanges[3].isCut is not a boolean'],
  ['exchanges.3.label.step', 'read everything', 'exchanges[3].label.step is not a step of the suite'],
  ['exchanges.3.label.attempt', 1.5, 'exchanges[3].label.attempt is not an integer'],
  ['settings', undefined, 'settings is not an object'],
  ['settings.selected', ['workflow.nmae'], 'settings.selected is not a list of checks'],
  ['settings.requireVerified', 'all', 'settings.requireVerified is not a list of checks'],
  ['settings.tries', 'three', 'settings.tries is not an integer'],
  ['settings.hasSecondKey', 0, 'settings.hasSecondKey is not a boolean'],
  ['settings.profile', { settleSeconds: -1 }, 'settings.profile cannot be used: settleSeconds is not a number from'],
])('damage to %s is named', (path, value, message) => {
  const refused = refusal(changed(path, value))
  expect(refused).toContain(`It is damaged: ${message}`)
  expect(refused).toMatch(/\. Pass an unchanged report\.json\.$/)
})
