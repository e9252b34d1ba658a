import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gap, requirement } from '../../../conformance/catalogue/catalogue.ts'
import { progress } from '../../../conformance/report/progress.ts'
import type { RunResult } from '../../../conformance/report/result.ts'
import { checkLine, summary } from '../../../conformance/report/terminal.ts'
import { forbidden } from '../../support/markup.ts'
import { anyRun, checkResult, runResult } from '../../support/run-result.ts'

const failing = checkResult('storage.put-returns-200', { verdict: 'fail', message: 'It answered 204.' })

/** Returns everything that a run prints. */
function printed(result: RunResult, options: { tty: boolean; colour: boolean }, columns?: number): string {
  const writes: string[] = []
  const stream = { write: (text: string) => writes.push(text), ...(columns === undefined ? {} : { columns }) }
  const { onResult, end } = progress(stream, options)
  for (const check of result.checks) onResult(check)
  end(result)
  return writes.join('')
}

test('a passed check is one short line', () => {
  expect(checkLine(checkResult('workflow.name'))).toBe('pass           workflow.name (section 2)')
})

test('a failure shows the observation, the broken fact and its section', () => {
  const { fact } = requirement('storage.put-returns-200')
  expect(checkLine(failing)).toBe(
    `fail           storage.put-returns-200 (section 4.5): It answered 204.\n               Section 4.5 says: ${fact}`,
  )
})

test('a failure that does not bind is a warning', () => {
  expect(checkLine({ ...failing, provenance: 'inherited', section: 'RFC 9110, 11.6.1' })).toMatch(
    /^warn {11}storage\.put-returns-200 \(RFC 9110, 11\.6\.1, inherited\): It answered 204\.\n {15}RFC 9110, 11\.6\.1 says: /,
  )
})

test('failures that do not bind are counted as warnings, apart from the others', () => {
  const warnings = ['http.json-is-declared', 'tenants.are-isolated'] as const
  const result = runResult([
    failing,
    ...warnings.map((id) => checkResult(id, { verdict: 'fail' })),
    checkResult('step.name'),
    checkResult('execution.document-id', { verdict: 'accepted' }),
  ])
  expect(summary(result)).toContain('is nonconforming: 1 fail, 2 warnings, 1 accepted, not shown, 1 verified in 4.2 s.')
})

test('the end shows differences, objects left behind, baseline, reports and verdict', () => {
  const entry = { check: failing.id, owner: 'Ada', reason: 'x', expires: '2030-01-01' }
  const result = runResult([failing, checkResult('step.name')], {
    gaps: [
      { id: 'gap.duration-unit', observed: 'hours', sameAsOurs: false },
      { id: 'gap.step-order', observed: 'both', sameAsOurs: true },
    ],
    leftBehind: ['workflow a', 'workflow b'],
    notes: ['The clock jumped.'],
  })
  const baseline = { expected: [entry], unexpectedPasses: [] }
  expect(summary(result, { baseline, files: ['out/report.json'] }).split('\n')).toEqual([
    '',
    '2 open questions answered, 1 unlike the reference.',
    `  ${gap('gap.duration-unit').question} Here: hours.`,
    '2 things left behind; the report lists them.',
    '1 failure known to the baseline.',
    'Note: The clock jumped.',
    'Report: out/report.json',
    'https://approvals.example is nonconforming: 1 fail, 1 verified in 4.2 s.',
    expect.any(String),
  ])
})

test('without a terminal, every check is a line and none is rewritten', () => {
  const text = printed(runResult([checkResult('step.name'), failing]), { tty: false, colour: false })
  expect(text.split('\n').slice(0, 2)).toEqual([checkLine(checkResult('step.name')), checkLine(failing).split('\n')[0]])
  expect(text).not.toMatch(forbidden)
})

test('on a terminal one line is rewritten, and failures stay above it', () => {
  const result = runResult([checkResult('step.name'), failing])
  const text = printed(result, { tty: true, colour: false })
  expect(text.split('\r\x1b[2K')).toEqual([
    '',
    '1 checked · step.name',
    `${checkLine(failing)}\n2 checked, 1 fail · storage.put-returns-200`,
    `${summary(result)}\n`,
  ])
})

test('the line that is rewritten never wraps', () => {
  const text = printed(runResult([failing]), { tty: true, colour: false }, 20)
  expect(text).toContain('\n1 checked, 1 fail …\r')
  const wide = printed(runResult([failing]), { tty: true, colour: false }, 0)
  expect(wide).toContain('1 checked, 1 fail · storage.put-returns-200')
})

test('colours appear only with the option', () => {
  expect(printed(runResult([failing]), { tty: false, colour: true })).toContain('\x1b[31mfail ')
  expect(printed(runResult([failing]), { tty: true, colour: false })).not.toContain('\x1b[31m')
})

test('texts of servers never control a terminal or add lines', () => {
  fc.assert(
    fc.property(anyRun, (result) => {
      const text = printed(result, { tty: false, colour: false })
      expect(text).not.toMatch(forbidden)
      const failures = result.checks.filter(({ verdict }) => verdict === 'fail').length
      const differing = result.gaps.filter(({ sameAsOurs }) => !sameAsOurs).length
      const left = Number(result.leftBehind.length > 0)
      const found = Object.keys(result.located).length
      const lines = result.checks.length + failures + differing + left + found + result.notes.length + 4
      expect(text.split('\n')).toHaveLength(lines + 1)
    }),
  )
})
