import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verdicts } from '../../../conformance/judging/verdict.ts'
import { jsonReport, jsonText } from '../../../conformance/report/json.ts'
import { forbidden } from '../../support/markup.ts'
import { anyRun, checkResult, exchange, runResult } from '../../support/run-result.ts'

const schema = JSON.parse(
  readFileSync(new URL('../../../conformance/report/report.schema.json', import.meta.url), 'utf8'),
)
const ajv = new Ajv2020({ allErrors: true })
addFormats.default(ajv)
const validate = ajv.compile(schema)

function flawsOf(value: unknown): unknown {
  return validate(value) ? [] : validate.errors
}

test('the members come in the order that the schema lists', () => {
  const report = jsonReport(runResult([checkResult('workflow.name')]))
  expect(Object.keys(report)).toEqual(schema.required)
  expect(Object.keys(report.checks[0] ?? {})).toEqual(schema.$defs.check.required)
})

test('every verdict is counted, including those that did not occur', () => {
  const checks = [checkResult('workflow.name'), checkResult('step.name', { verdict: 'fail' })]
  const { counts } = jsonReport(runResult(checks))
  expect(counts).toEqual({ ...Object.fromEntries(verdicts.map((each) => [each, 0])), pass: 1, fail: 1 })
})

test('the schema knows the verdicts of the code', () => {
  expect(schema.$defs.verdict.enum).toEqual([...verdicts])
  expect(schema.properties.counts.required).toEqual([...verdicts])
})

test('a full report and an empty one are valid', () => {
  const check = checkResult('workflow.name', { verdict: 'blocked', blockedBy: 'step.name', exchanges: [0] })
  const { status, ...unanswered } = exchange({ failure: 'ECONNRESET' })
  const full = runResult([check], {
    exchanges: [unanswered],
    gaps: [{ id: 'gap.step-order', observed: 'both', sameAsOurs: true }],
    notes: ['a note'],
  })
  const entry = { check: 'workflow.name', owner: 'Ada', reason: 'x', expires: '2030-01-01' } as const
  expect(flawsOf(jsonReport(full, { expected: [entry], unexpectedPasses: [], expired: [] }))).toEqual([])
  expect(flawsOf(jsonReport(runResult()))).toEqual([])
})

test('extreme values are valid', () => {
  const most = Number.MAX_SAFE_INTEGER
  const long = 'x'.repeat(1_000_000)
  const result = runResult([checkResult('workflow.name', { message: long, durationMs: 0.1 })], {
    durationMs: most,
    requests: { sent: most, answeringMs: most, waitingMs: 0 },
    exchanges: [exchange({ responseBody: `${long}\ud800`, responseHeaders: JSON.parse('{"__proto__": "x"}') })],
  })
  expect(flawsOf(JSON.parse(jsonText(jsonReport(result))))).toEqual([])
})

const finding = { what: 'x', value: 1, place: '/x', rule: 'y', strength: 'named', rejected: [] } as const
const found = checkResult('step.name', { verdict: 'fail', ground: { name: 'named', finding } })
const report = jsonReport(runResult([found]))

test.each([
  ['a verdict that does not exist', { verdict: 'green' }],
  ['no message of a check', { checks: [{ ...report.checks[0], message: undefined }] }],
  ['an unknown ground', { checks: [{ ...report.checks[0], ground: { name: 'hearsay' } }] }],
])('a report with %s is not valid', (_, damage) => {
  expect(flawsOf(report)).toEqual([])
  expect(flawsOf({ ...report, ...damage })).not.toEqual([])
})

test('a report quotes hostile servers unchanged, is valid, and is safe to show', () => {
  fc.assert(
    fc.property(anyRun, (result) => {
      const text = jsonText(jsonReport(result))
      expect(text).not.toMatch(forbidden)
      expect(text).not.toContain('<')
      const report = JSON.parse(text)
      expect(flawsOf(report)).toEqual([])
      expect(report.checks.map(({ message }: { message: string }) => message)).toEqual(
        result.checks.map(({ message }) => message),
      )
      expect(report.exchanges).toEqual(JSON.parse(JSON.stringify(result.exchanges)))
    }),
  )
})
