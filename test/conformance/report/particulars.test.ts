import { expect, test } from 'vitest'
import { particularsOf } from '../../../conformance/evidence/particulars.ts'
import { githubAnnotations, githubSummary } from '../../../conformance/report/github.ts'
import { htmlReport } from '../../../conformance/report/html.ts'
import { jsonReport } from '../../../conformance/report/json.ts'
import { junitReport } from '../../../conformance/report/junit.ts'
import { checkLine } from '../../../conformance/report/terminal.ts'
import { exchangeOf } from '../../support/exchange.ts'
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
const line = 'GET /api/v1/workflows/w-1, at /steps/0/order: the run sent 1; the answer shows "first"'

const entities = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

test.each<[where: string, text: () => string, shown: string | RegExp]>([
  [
    'the terminal, below the message',
    () => checkLine(failing),
    `fail           step.order (section 2): It differs.\n               ${line}\n`,
  ],
  [
    'junit.xml, a line for each',
    () => junitReport(result),
    'It differs.\nCall: GET /api/v1/workflows/w-1\nPointer: /steps/0/order\nSent by the run: 1\nShown: &quot;first&quot;\nSection 2',
  ],
  [
    'report.html',
    () => htmlReport(result).replaceAll(/<[^>]*>/g, ' '),
    /Call\s+GET \/api\/v1\/workflows\/w-1\s+Pointer\s+\/steps\/0\/order\s+Sent by the run\s+1\s+Shown\s+&quot;first&quot;/,
  ],
  ['the summary on GitHub', () => entities(githubSummary(result)), `| It differs. ${line} |`],
  ['the annotations on GitHub', () => githubAnnotations(result), `::It differs. ${line}. Section 2 says: `],
])('the particulars of a failure are in %s', (_, text, shown) => {
  if (typeof shown === 'string') expect(text()).toContain(shown)
  else expect(text()).toMatch(shown)
})

test('report.json has the particulars as members of the check', () => {
  expect(jsonReport(result).checks[0]).toMatchObject(particulars)
  expect(jsonReport(result).checks[1]).not.toHaveProperty('call')
})

test('junit.xml has the exchange of the particulars first in the output', () => {
  const bodies = [...junitReport(result).matchAll(/Answered: (.*?)(?=\n|<)/g)].map(([, body]) => body)
  expect(bodies).toEqual(['ask', 'read again', 'confirm'])
})

test('a call that the message names already has no line of its own', () => {
  const { call } = particulars
  expect(
    checkLine(checkResult('step.order', { verdict: 'fail', message: `${call} answered 500.`, call })).split('\n'),
  ).toEqual([expect.stringContaining(call), expect.stringContaining('Section 2 says')])
})

test('particulars are harmless and have at most 200 characters', () => {
  const answered = exchangeOf({ url: `https://approvals.example/${'a'.repeat(300)}` })
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
