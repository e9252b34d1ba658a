import fc from 'fast-check'
import { expect, test } from 'vitest'
import { junitReport } from '../../../conformance/report/junit.ts'
import type { CheckResult } from '../../../conformance/report/result.ts'
import { elementsOf, forbidden } from '../../support/markup.ts'
import { anyRun, checkResult, failed, runResult } from '../../support/run-result.ts'

const report = (...checks: CheckResult[]) => junitReport(runResult(checks))
const named = (document: string, name: string) => elementsOf(document).filter((element) => element.name === name)

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

test('a run without any check is red', () => {
  expect(named(report(), 'error').map(({ attributes }) => attributes.type)).toEqual(['undecided'])
})

test('line breaks of a message survive in an attribute', () => {
  const document = report(failed('workflow.name', 'one\ntwo\t"three"'))
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
