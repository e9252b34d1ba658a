import { expect, test } from 'vitest'
import { Attempt } from '../../conformance/run/attempt.ts'
import { steps } from '../../conformance/run/steps.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { variant } from '../../conformance/selftest/variants/index.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { WholeRequest } from '../../conformance/selftest/whole.ts'
import type { StepName } from '../../conformance/wire/label.ts'
import type { Crash } from '../../conformance/wire/record.ts'
import { Target } from '../../conformance/wire/target.ts'
import { nonEmpty } from '../support/non-empty.ts'

/** Takes one step, and those that it needs, on a server on which executions move. Returns the errors of the suite. */
async function crashesOf(step: StepName): Promise<readonly Crash[]> {
  const fetch = variant({ decisions: 'one-by-one' })(reference)
  const keys = { apiKey: 'test_attempt', secondKey: 'test_other_attempt' }
  const target = new Target({ url: 'http://attempt.test', ...keys, fetch, Request: WholeRequest, time: virtualTime() })
  const { log, withheld } = target.transport
  const crashes: Crash[] = []
  const settings = { url: 'http://attempt.test', runId: 'attempt', profile: {}, hasSecondKey: true }
  const attempt = new Attempt({
    isOverInFirst: () => false,
    number: 1,
    target,
    settings,
    history: { log, withheld, crashes },
  })
  await attempt.take([step])
  return crashes
}

// A later attempt takes only the steps that a failed check needs.
test.each(nonEmpty(Object.keys(steps) as StepName[]))('%s reads only steps that it needs', async (step) => {
  expect(await crashesOf(step)).toEqual([])
})
