import { expect, test } from 'vitest'
import { type Change, describeChanges, judgeVersion } from '../../scripts/compatibility.ts'

test.each([
  ['0.2.3', '0.3.0'],
  ['1.2.3', '2.0.0'],
])('a break of %s is announced by %s', (before, due) => {
  expect(judgeVersion(['A field is gone.'], before, due).accepted).toBe(true)
  expect(judgeVersion(['A field is gone.'], before, before).sentence).toContain(`raise the version to ${due} `)
})

test('a new rule of our own breaks users, and its removal does not', () => {
  const path = '/paths/~1workflows/post/requestBody/steps'
  const change: Change = { path, kind: 'modified', impact: 'patch', property: 'x-unique-by', verdicts: [] }
  expect(describeChanges([{ ...change, revision: { value: 'step_id' } }]).breaks).toEqual([
    "`x-unique-by` of `steps` changed from 'none' to 'step_id'.",
  ])
  expect(describeChanges([{ ...change, base: { value: 'step_id' } }]).breaks).toEqual([])
})
