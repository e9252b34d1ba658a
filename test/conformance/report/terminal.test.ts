import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alikeChecks } from '../../../conformance/report/alike.ts'
import { particularsLine } from '../../../conformance/report/particulars.ts'
import { progress } from '../../../conformance/report/progress.ts'
import type { RunResult } from '../../../conformance/report/result.ts'
import { checkLine, summary } from '../../../conformance/report/terminal.ts'
import { forbidden } from '../../support/markup.ts'
import { anyRun, checkResult, failed, runResult } from '../../support/run-result.ts'

const failing = failed('storage.put-returns-200', 'It answered 204.')

/** Returns the number of last lines that name the first thing to fix: one if a check of it blocks the most others. */
function causeLines({ checks }: RunResult, causes: ReadonlySet<string | undefined>): number {
  const held = (id: string | undefined) =>
    checks.filter((one) => one.verdict === 'blocked' && one.blockedBy === id).length
  const most = [...causes].sort((a, b) => held(b) - held(a))[0]
  return Number(checks.some(({ id }) => id === most))
}

/** Collects what is written to a terminal. */
function written(columns?: number) {
  const writes: string[] = []
  return {
    writes,
    stream: { write: (text: string) => writes.push(text), ...(columns === undefined ? {} : { columns }) },
  }
}

/** Returns everything that a run prints. */
function print(result: RunResult, options: { tty?: boolean; colour?: boolean } = {}): string {
  const { writes, stream } = written()
  progress(stream, { tty: false, colour: false, ...options }).end(result)
  return writes.join('')
}

const held = ['workflow.name', 'workflow.steps', 'step.name', 'step.order'] as const

test('a passed check is one short line', () => {
  expect(checkLine(checkResult('workflow.name'))).toBe('pass           workflow.name (section 2)')
})

test('passed checks come first, and the worst stands last before the verdict', () => {
  const warning = failed('http.json-is-declared', 'It has none.')
  const accepted = checkResult('workflow.name', { verdict: 'accepted' })
  const result = runResult([failing, warning, checkResult('step.name'), accepted])
  const text = print(result)
  expect(text.match(/^(pass|accepted|warn|fail|\S+ is) /gm)).toEqual([
    ...['pass ', 'accepted ', 'warn ', 'fail '],
    'https://approvals.example is ',
  ])
  expect(text).not.toMatch(forbidden)
})

test('checks that wait for the same are one line, and their cause is the last one', () => {
  const cause = checkResult('auth.raw-key', { verdict: 'inconclusive', message: 'POST /x answered 401.' })
  const waiting = held.map((id) =>
    checkResult(id, { verdict: 'blocked', blockedBy: 'auth.raw-key', message: 'Waits.' }),
  )
  for (const tty of [true, false]) {
    const text = print(runResult([cause, ...waiting]), { tty })
    const lines = text.replaceAll('\r\x1b[2K', '\n').split('\n')
    expect(lines.filter((line) => line.startsWith('blocked'))).toEqual([
      'blocked        4 checks by auth.raw-key (report.json lists them)',
    ])
    expect(lines.at(-2)).toBe('The cause is auth.raw-key, for which 4 checks wait: POST /x answered 401.')
  }
})

test('a stopped run has one line for all checks that it did not reach', () => {
  const unsent = (id: 'step.name' | 'step.order') =>
    checkResult(id, { verdict: 'inconclusive', message: `POST /${id} was not sent: the run was stopped.` })
  const text = print(runResult([unsent('step.name'), unsent('step.order'), failing]))
  expect(text.match(/^inconclusive.*/gm)).toEqual([
    'inconclusive   2 checks: the run was stopped (step.name, step.order)',
  ])
})

test('a run tells the step, the requests and the seconds while it sends', () => {
  let time = 0
  const { writes, stream } = written()
  const terminal = progress(stream, { tty: true, colour: false, now: () => time })
  time = 3400
  terminal.onProgress({ step: 'settle workflow 1', sent: 24 })
  expect(writes.splice(0)).toEqual(['\r\x1b[2K3 s · 24 requests · settle workflow 1'])
  const log = progress(stream, { tty: false, colour: false, now: () => time })
  for (let second = 0; second < 25; second += 1) {
    log.onProgress({ step: 'settle workflow 1', sent: second })
    time += 1000
  }
  expect(writes).toEqual([
    "After 10 s: 10 requests sent, now at the step 'settle workflow 1'.\n",
    "After 20 s: 20 requests sent, now at the step 'settle workflow 1'.\n",
  ])
})

test('on a terminal the summary replaces the line of progress', () => {
  const result = runResult([checkResult('step.name'), failing])
  expect(print(result, { tty: true })).toBe(`\r\x1b[2K${summary(result)}\n`)
})

test.each([
  [20, '\r\x1b[2K0 s · 24 requests …'],
  [0, '\r\x1b[2K0 s · 24 requests · settle workflow 1'],
])('the line that is rewritten never wraps at %d columns', (columns, line) => {
  const { writes, stream } = written(columns)
  progress(stream, { tty: true, colour: false, now: () => 0 }).onProgress({ step: 'settle workflow 1', sent: 24 })
  expect(writes).toEqual([line])
})

test('colours appear only with the option', () => {
  expect(print(runResult([failing]), { colour: true })).toContain('\x1b[31mfail ')
  expect(print(runResult([failing]), { tty: true })).not.toContain('\x1b[31m')
})

test('texts of servers never control a terminal or add lines', () => {
  fc.assert(
    fc.property(anyRun, (result) => {
      const text = print(result)
      expect(text).not.toMatch(forbidden)
      const failures = result.checks.filter(({ verdict }) => verdict === 'fail').length
      const differing = result.gaps.filter(({ sameAsOurs }) => !sameAsOurs).length
      const left = Number(result.leftBehind.length > 0)
      const found = Object.keys(result.located).length
      const reasons = alikeChecks(result.checks)
      const single = result.checks.filter((check) => reasons.every(({ checks }) => !checks.includes(check)))
      const causes = new Set(reasons.flatMap(({ cause }) => cause ?? []))
      const particulars = single.filter((check) => check.verdict !== 'pass' && particularsLine(check))
      const told = single.length + reasons.length + failures + particulars.length
      const isOpen = told > single.filter(({ verdict }) => verdict === 'pass').length
      const lines =
        told + differing + left + found + result.notes.length + 4 + causeLines(result, causes) + Number(isOpen)
      expect(text.split('\n')).toHaveLength(lines + 1)
    }),
  )
})
