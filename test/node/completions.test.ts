import { expect, test } from 'vitest'
import { Completions } from '../../src/node/journal/completions.ts'

test('the completions still to come are counted for each workflow', () => {
  const completions = new Completions()
  for (const workflow of ['a', 'b', 'a']) completions.add('test_1', workflow)
  expect(['a', 'a', 'a', 'b'].map((workflow) => completions.pass('test_1', workflow))).toEqual([1, 0, 0, 0])
})
