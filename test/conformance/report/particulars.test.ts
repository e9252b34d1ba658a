import { expect, test } from 'vitest'
import { particularsOf } from '../../../conformance/evidence/particulars.ts'
import { githubAnnotations, githubSummary } from '../../../conformance/report/github.ts'
import { htmlReport } from '../../../conformance/report/html.ts'
import { jsonReport } from '../../../conformance/report/json.ts'
import { junitReport } from '../../../conformance/report/junit.ts'
import { checkLine } from '../../../conformance/report/terminal.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { checkResult, exchange, runResult } from '../../support/run-result.ts'

const particulars = {
  call: 'GET /api/v1/workflows/w-1',
  pointer: '/steps/0/order',
  sent: '1',
  shown: '"first"',
  exchange: 1,
} as const
const failing = checkResult('step.order', {
  verdict: 'fail',
  message: 'It differs.',
  exchanges: [0, 1, 2, 3, 4],
  ...particulars,
})
const answers = ['create', 'ask', 'read', 'read again', 'confirm'].map((responseBody) => exchange({ responseBody }))
const result = runResult([failing, checkResult('step.name')], { exchanges: answers })
const line = 'GET /api/v1/workflows/w-1, at /steps/0/order: sent 1; the answer shows "first"'

test('the terminal shows the particulars of a failure below its message', () => {
  expect(checkLine(failing).split('\n').slice(0, 2)).toEqual([
    'fail           step.order (section 2): It differs.',
    `               ${line}`,
  ])
})

test('report.json has the particulars as members of the check', () => {
  expect(jsonReport(result).checks[0]).toMatchObject(particulars)
  expect(jsonReport(result).checks[1]).not.toHaveProperty('call')
})

test('junit.xml has a line for each particular, and the exchange first in the output', () => {
  const text = junitReport(result)
  expect(text).toContain(
    'It differs.\nCall: GET /api/v1/workflows/w-1\nPointer: /steps/0/order\nSent: 1\nShown: &quot;first&quot;\nSection 2 says',
  )
  expect([...text.matchAll(/Answered: (.*?)(?=\n|<)/g)].map(([, body]) => body)).toEqual([
    'ask',
    'read again',
    'confirm',
  ])
})

test('report.html lists the particulars', () => {
  expect(htmlReport(result).replaceAll(/<[^>]*>/g, ' ')).toMatch(
    /Call\s+GET \/api\/v1\/workflows\/w-1\s+Pointer\s+\/steps\/0\/order\s+Sent\s+1\s+Shown\s+&quot;first&quot;/,
  )
})

test('a call that the message names already has no line of its own', () => {
  const { call } = particulars
  expect(
    checkLine(checkResult('step.order', { verdict: 'fail', message: `${call} answered 500.`, call })).split('\n'),
  ).toEqual([expect.stringContaining(call), expect.stringContaining('Section 2 says')])
})

test('the summary and the annotations on GitHub have the particulars', () => {
  const entities = (text: string) =>
    text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
  expect(entities(githubSummary(result))).toContain(`| It differs. ${line} |`)
  expect(githubAnnotations(result)).toContain(`::It differs. ${line}. Section 2 says: `)
})

test('particulars are harmless and have at most 200 characters', () => {
  const request = { method: 'GET', url: `https://approvals.example/${'a'.repeat(300)}`, headers: new Headers() }
  const answered = { request, status: 200, headers: new Headers(), bytes: new Uint8Array(), durationMs: 0 }
  const hostile = '\u202e\u001b[2J'.repeat(100)
  const found = particularsOf(
    { exchange: answered, pointer: `/${hostile}`, sent: hostile, shown: undefined },
    'outcome',
  )
  expect(Object.keys(found)).toEqual(['call', 'pointer', 'sent', 'shown'])
  expect(found.shown).toBe('missing')
  for (const text of nonEmpty(Object.values(found))) {
    expect(text.length).toBeLessThanOrEqual(200)
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  }
})
