import { expect, test } from 'vitest'
import { type LearnedPair, oddIn } from '../../../conformance/learning/learn.ts'

/** A successful execution that was sent at a time and took some milliseconds. */
function execution(at: number, durationMs: number): LearnedPair {
  const exchange = { at, durationMs } as LearnedPair['introduced']['exchange']
  const introduced = { exchange, call: 'executeWorkflow', isSuccess: true, roles: {} } as LearnedPair['introduced']
  return { introduced, isAccepted: true }
}

test('executions that were started side by side are odd, and later ones are not', () => {
  const pairs = [execution(0, 40), execution(10, 40), execution(60, 40), execution(100, 40)]
  const odd = oddIn(pairs)
  expect(pairs.map(({ introduced }) => odd.has(introduced.exchange))).toEqual([true, true, false, false])
})
