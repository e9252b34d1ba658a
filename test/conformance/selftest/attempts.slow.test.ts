import { expect, test } from 'vitest'
import { run } from '../../../conformance/run/runner.ts'
import { judgeMutant } from '../../../conformance/selftest/gate.ts'
import { mutants } from '../../../conformance/selftest/mutants/index.ts'
import { parallelTime } from '../../../conformance/selftest/parallel-time.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documentedAmong, documentedOn } from '../../../conformance/selftest/run-on.ts'
import { WholeRequest } from '../../../conformance/selftest/whole.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { sampled } from '../../support/sample.ts'

/** A wrong approver that is always the same is sometimes the one that a sound deployment would choose. */
const showsNotInEach = 'second-step-routed-to-other'

/** If details never stand still, the later attempts read on, too. */
const neverStandsStill = 'step-ids-change-between-reads'

/** The time to settle, which the three attempts share, and that for executions to progress. */
const atMostMs = 13_000

const sound = await documentedOn(reference())
const confirmed = mutants.filter(({ id }) => id !== showsNotInEach)

test.each(nonEmpty(sampled(confirmed, 64).map((mutant) => [mutant.id, mutant] as const)))(
  '%s is confirmed in time',
  async (id, mutant) => {
    const { time, fetch } = parallelTime(mutant.wrapper(reference()))
    const target = { url: 'http://selftest.test', apiKey: 'test_attempts', fetch, Request: WholeRequest }
    const { checks } = await run({ ...target, time, gaps: false })
    const { survives, accused } = judgeMutant(mutant, documentedAmong(checks), sound)
    expect({ survives, accused }, mutant.breaks).toEqual({ survives: [], accused: [] })
    expect(time.now()).toBeLessThanOrEqual(id === neverStandsStill ? atMostMs + 10_000 : atMostMs)
  },
)
