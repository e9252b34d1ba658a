import { expect, test } from 'vitest'
import { run } from '../../conformance/run/runner.ts'
import { mutants } from '../../conformance/selftest/mutants/index.ts'
import { parallelTime } from '../../conformance/selftest/parallel-time.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sampled } from '../support/sample.ts'

/** Mutants on which a run waits, one for each place where it can wait. */
const waited = [
  'never-readable',
  'read-wants-type',
  'confirm-refuses-key',
  'document-unknown',
  'executes-first',
  'starts-nothing',
  'unreadable-after-execution-404',
  'details-are-bare',
  'confirm-refuses-unusual-name',
]

test.each(nonEmpty(sampled(waited)))('three attempts at %s share the time to settle', async (id) => {
  const mutant = mutants.find((one) => one.id === id)
  if (!mutant) throw new Error(`There is no mutant '${id}'.`)
  const { time, fetch } = parallelTime(mutant.create()(reference()))
  const { verdict, exchanges } = await run({ url: 'http://selftest.test', apiKey: 'test_settling', fetch, time })
  expect(verdict).toBe('nonconforming')
  expect(new Set(exchanges.map(({ label }) => label?.attempt))).toEqual(new Set([undefined, 1, 2, 3]))
  expect(time.now()).toBeGreaterThanOrEqual(10_000)
  expect(time.now()).toBeLessThanOrEqual(13_000)
})
