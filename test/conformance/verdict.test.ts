import { expect, test } from 'vitest'
import { type Judged, runVerdict, type Verdict } from '../../conformance/judging/verdict.ts'

const must = (verdict: Verdict): Judged => ({ verdict, provenance: 'documented', level: 'must' })

test.each([
  [[], 'undecided'],
  [['pass'], 'conforming'],
  [['pass', 'not-applicable'], 'conforming'],
  [['not-applicable'], 'undecided'],
  [['pass', 'fail', 'inconclusive'], 'nonconforming'],
  [['pass', 'inconclusive'], 'undecided'],
  [['pass', 'blocked'], 'undecided'],
  [['pass', 'not-run'], 'undecided'],
  [['fail', 'harness-error'], 'could-not-run'],
] as [Verdict[], string][])('%j of documented musts is %s', (found, expected) => {
  expect(runVerdict(found.map(must))).toBe(expected)
})

test('inherited and assumed failures never make a deployment nonconforming', () => {
  const others = [
    { verdict: 'fail', provenance: 'inherited', level: 'must' },
    { verdict: 'fail', provenance: 'assumed', level: 'must' },
    { verdict: 'fail', provenance: 'documented', level: 'should' },
  ] as const
  expect(runVerdict([must('pass'), ...others])).toBe('conforming')
})
