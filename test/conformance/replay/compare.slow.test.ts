import { expect, test } from 'vitest'
import { mutantOf, mutants } from '../../../conformance/selftest/mutants/index.ts'
import { singleChoices } from '../../../conformance/selftest/variants/index.ts'
import { sampled } from '../../support/sample.ts'
import { rowsOf, testFaults, testInstances } from './compare.ts'

testInstances(sampled(singleChoices, 64))
testFaults(sampled(mutants, 96))

test('a fault is named at the call that shows it', async () => {
  const accepting = mutantOf('name-limit-101')
  if (!accepting) throw new TypeError('There is no such mutant.')
  const rows = await rowsOf(accepting)
  expect(rows.map(({ name }) => name)).toContain('create with 101 plain: workflow.name-at-most-100')
})
