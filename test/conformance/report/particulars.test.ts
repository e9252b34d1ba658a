import { expect, test } from 'vitest'
import { particularsOf } from '../../../conformance/evidence/particulars.ts'
import { checkLine } from '../../../conformance/report/terminal.ts'
import { exchangeOf } from '../../support/exchange.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { failed } from '../../support/run-result.ts'

test('a call that the message names already has no line of its own', () => {
  const call = 'GET /api/v1/workflows/w-1'
  expect(checkLine(failed('step.order', `${call} answered 500.`, { call })).split('\n')).toEqual([
    expect.stringContaining(call),
    expect.stringContaining('Section 2 says'),
  ])
})

test('particulars are harmless and have at most 200 characters', () => {
  const exchange = exchangeOf({ url: `https://approvals.example/${'a'.repeat(300)}` })
  const hostile = '\u202e\u001b[2J'.repeat(100)
  const found = particularsOf({ exchange, pointer: `/${hostile}`, sent: hostile, shown: undefined }, 'outcome')
  expect(Object.keys(found)).toEqual(['call', 'pointer', 'sent', 'shown'])
  expect(found.shown).toBe('missing')
  for (const text of nonEmpty(Object.values(found))) {
    expect(text.length).toBeLessThanOrEqual(200)
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  }
})
