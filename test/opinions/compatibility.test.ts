import { expect, test } from 'vitest'
import { type Change, describeChanges, judgeVersion } from '../../scripts/compatibility.ts'

test.each([
  ['0.2.3', '0.3.0', ['0.2.9'], ['0.4.0', '1.0.0']],
  ['1.2.3', '2.0.0', ['1.3.0'], ['2.0.0-rc.1']],
  ['9.0.0', '10.0.0', ['9.9.9'], []],
])('a break of %s is announced by %s', (before, due, early, late) => {
  const judged = (version: string) => judgeVersion(['A field is gone.'], before, version)
  for (const version of [before, ...early]) expect(judged(version).sentence).toContain(`raise the version to ${due} `)
  expect([due, ...late].filter((version) => !judged(version).accepted)).toEqual([])
  expect(judgeVersion([], before, before).accepted).toBe(true)
})

test('a new rule of our own breaks users, and its removal does not', () => {
  const path = '/paths/~1workflows/post/requestBody/steps'
  const change: Change = { path, kind: 'modified', impact: 'patch', property: 'x-unique-by', verdicts: [] }
  expect(describeChanges([{ ...change, revision: { value: 'step_id' } }]).breaks).toEqual([
    "`x-unique-by` of `steps` changed from 'none' to 'step_id'.",
  ])
  expect(describeChanges([{ ...change, base: { value: 'step_id' } }]).breaks).toEqual([])
})
