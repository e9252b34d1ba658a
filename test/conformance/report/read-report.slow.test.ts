import { expect, test } from 'vitest'
import { jsonReport } from '../../../conformance/report/json.ts'
import { judgeReport } from '../../../conformance/report/read-report.ts'
import { combine } from '../../../conformance/selftest/combine.ts'
import { judgementOf, runOn } from '../../../conformance/selftest/run-on.ts'

test.each([
  ['the reference', {}, 'conforming'],
  ['a mutant', { mutant: 'never-readable' }, 'nonconforming'],
  ['a mutant under variants', { mutant: 'open-getWorkflow', variant: 'envelope=data' }, 'nonconforming'],
])('the report of %s is judged as the run was', async (_, combination, verdict) => {
  const result = await runOn(combine(combination), { gaps: true })
  const { result: judged, recorded } = judgeReport(jsonReport(result))
  expect([judged.verdict, recorded]).toEqual([verdict, verdict])
  expect(judgementOf(judged)).toEqual(JSON.parse(JSON.stringify(judgementOf(result))))
  const { runId, url, startedAt, durationMs, leftBehind, requests, exchanges } = judged
  expect(result).toMatchObject({ runId, url, startedAt, durationMs, leftBehind, requests })
  expect(exchanges).toHaveLength(result.exchanges.length)
})
