import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ctrfReport } from '../../../conformance/report/ctrf.ts'
import type { RunResult } from '../../../conformance/report/result.ts'
import { anyRun, checkResult, exchange, runResult } from '../../support/run-result.ts'
// The schema of CTRF 0.0, from the package `ctrf`.
import schema from './ctrf.schema.json' with { type: 'json' }

const ajv = new Ajv({ strict: false })
formats.default(ajv)
const isValid = ajv.compile(schema)

interface CTRFReport {
  readonly results: {
    readonly summary: Readonly<Record<'passed' | 'failed' | 'skipped', number>>
    readonly tests: readonly { readonly trace?: string }[]
  }
}

const report = (run: RunResult): CTRFReport => JSON.parse(ctrfReport(run))

test('each check is a test in the suite of its area', () => {
  const { tests } = report(runResult([checkResult('workflow.name'), checkResult('step.name')])).results
  expect(tests).toEqual([
    expect.objectContaining({ name: 'workflow.name', status: 'passed', suite: ['countersign', 'workflow'] }),
    expect.objectContaining({ name: 'step.name', status: 'passed', suite: ['countersign', 'step'] }),
  ])
})

test('a failure has its message, the requirement and the exchange', () => {
  const check = checkResult('workflow.name', { verdict: 'fail', message: 'It is cut.', exchanges: [0] })
  const [failed] = report(runResult([check], { exchanges: [exchange()] })).results.tests
  expect(failed).toMatchObject({ status: 'failed', rawStatus: 'fail', message: 'It is cut.' })
  expect(failed?.trace).toContain('Section 2 says: "')
  expect(failed?.trace).toContain('Request 0 of report.json: ')
})

test('any run is valid CTRF, and has a failed test unless the deployment conforms', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      expect(isValid(report(run)), ajv.errorsText(isValid.errors)).toBe(true)
      const { summary, tests } = report(run).results
      expect(summary.passed + summary.failed + summary.skipped).toBe(tests.length)
      expect(summary.failed > 0).toBe(run.verdict !== 'conforming')
    }),
  )
})
