import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ctrfReport } from '../../../conformance/report/ctrf.ts'
import { anyRun } from '../../support/run-result.ts'
// The schema of CTRF 0.0, from the package `ctrf`.
import schema from './ctrf.schema.json' with { type: 'json' }

const ajv = new Ajv({ strict: false })
formats.default(ajv)
const isValid = ajv.compile(schema)

test('any run is valid CTRF, and has a failed test unless the deployment conforms', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const report = JSON.parse(ctrfReport(run))
      expect(isValid(report), ajv.errorsText(isValid.errors)).toBe(true)
      const { summary, tests } = report.results
      expect(summary.passed + summary.failed + summary.skipped).toBe(tests.length)
      expect(summary.failed > 0).toBe(run.verdict !== 'conforming')
    }),
  )
})
