import fc from 'fast-check'
import { expect, test } from 'vitest'
import { junitReport } from '../../../conformance/report/junit.ts'
import type { CheckResult } from '../../../conformance/report/result.ts'
import { elementsOf, forbidden } from '../../support/markup.ts'
import { anyRun, checkResult, exchange, runResult } from '../../support/run-result.ts'

const report = (...checks: CheckResult[]) => junitReport(runResult(checks))
const named = (document: string, name: string) => elementsOf(document).filter((element) => element.name === name)

test('areas become suites, and checks become their cases', () => {
  const document = report(checkResult('workflow.name'), checkResult('step.name'), checkResult('workflow.steps'))
  expect(named(document, 'testsuite').map(({ attributes }) => [attributes.name, attributes.tests])).toEqual([
    ['workflow', '2'],
    ['step', '1'],
  ])
  expect(named(document, 'testcase').map(({ attributes }) => attributes)).toContainEqual({
    name: 'step.name',
    classname: 'countersign.step',
    time: '0.020',
  })
})

test.each([
  ['pass', []],
  ['fail', ['failure']],
  ['harness-error', ['error']],
  ['inconclusive', ['error']],
  ['blocked', ['skipped']],
  ['not-run', ['skipped']],
  ['not-applicable', ['skipped']],
] as const)('a documented must that came to %s has %j', (verdict, expected) => {
  const document = report(checkResult('workflow.name', { verdict, message: 'Why.' }))
  const outcomes = elementsOf(document).filter(({ name }) => /^(failure|error|skipped)$/.test(name))
  const ofCase = outcomes.filter(({ attributes }) => attributes.message === 'Why.')
  expect(ofCase.map(({ name }) => name)).toEqual(expected)
})

test.each(['inherited', 'assumed'] as const)('an %s failure is a warning, not a failure', (provenance) => {
  const document = report(checkResult('workflow.name', { verdict: 'fail', provenance }), checkResult('step.name'))
  expect(named(document, 'failure')).toEqual([])
  expect(document).toContain('<system-out>Warning: As documented.')
})

test('a known failure is skipped and names its owner; a stale entry fails', () => {
  const entry = { owner: 'Ada', reason: 'ticket 7', expires: '2030-01-02' }
  const result = runResult([checkResult('workflow.name', { verdict: 'fail' }), checkResult('step.name')])
  const document = junitReport(result, {
    expected: [{ check: 'workflow.name', ...entry }],
    unexpectedPasses: [{ check: 'step.name', ...entry }],
    expired: [],
  })
  expect(named(document, 'skipped')[0]?.attributes.message).toBe('Known until 2030-01-02 (Ada): ticket 7')
  expect(named(document, 'failure').map(({ attributes }) => attributes.type)).toEqual(['unexpected-pass'])
})

test('a run without any check is red', () => {
  expect(named(report(), 'error').map(({ attributes }) => attributes.type)).toEqual(['undecided'])
})

test('line breaks of a message survive in an attribute', () => {
  const document = report(checkResult('workflow.name', { verdict: 'fail', message: 'one\ntwo\t"three"' }))
  expect(document).toContain('message="one&#10;two&#9;&quot;three&quot;"')
})

test('the report of any run is well-formed, and green only if the run conforms', () => {
  fc.assert(
    fc.property(anyRun, (result) => {
      const document = junitReport(result)
      expect(document).not.toMatch(forbidden)
      expect(document).not.toContain('<script')
      const [tests, failures, errors] = ['testcase', 'failure', 'error'].map(
        (name) => `${named(document, name).length}`,
      )
      expect(named(document, 'testsuites')[0]?.attributes).toMatchObject({ tests, failures, errors })
      expect(`${failures}${errors}` === '00').toBe(result.verdict === 'conforming')
      const skipped = named(document, 'testsuite').reduce((sum, { attributes }) => sum + Number(attributes.skipped), 0)
      expect(skipped).toBe(named(document, 'skipped').length)
    }),
  )
})

test('a failure has its exchanges as output, and a passing check has none', () => {
  const failing = checkResult('workflow.name', { verdict: 'fail', exchanges: [0] })
  const passing = checkResult('step.name', { exchanges: [0] })
  const text = junitReport(runResult([failing, passing], { exchanges: [exchange()] }))
  expect(text.match(/<system-out>/g)).toHaveLength(1)
  expect(text).toContain(
    'Request 0 of report.json: POST https://approvals.example/api/v1/workflows answered 201\nSent: {',
  )
  expect(text).toContain('Answered: {&quot;workflow_id&quot;:&quot;w-1&quot;}</system-out>')
})

test('an expired entry is named beside the failure, and each note occurs once', () => {
  const entry = { check: 'workflow.name', owner: 'Ada', reason: 'ticket 7', expires: '2020-01-02' } as const
  const failing = checkResult('workflow.name', { verdict: 'fail', message: 'It is gone.' })
  const result = runResult([failing, checkResult('step.name')], { notes: ['The clock jumped.'] })
  const document = junitReport(result, { expected: [], unexpectedPasses: [], expired: [entry] })
  expect(named(document, 'failure')[0]?.attributes.message).toMatch(
    /^It is gone\. Its entry of the baseline expired on 2020-01-02 \(owner: Ada\)\./,
  )
  expect(document.match(/The clock jumped\./g)).toHaveLength(1)
})
