import { expect, test } from 'vitest'
import { judgeVariant } from '../../../conformance/selftest/gate.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documentedOn } from '../../../conformance/selftest/run-on.ts'
import { soundShapes } from '../../../conformance/selftest/shapes.ts'
import { nonEmpty } from '../../support/non-empty.ts'

const rows = soundShapes.map(([id, wrapper, undecided = 0]) => [id, wrapper, undecided] as const)

test.each(nonEmpty(rows))('no alarm on the shape %s', async (_, wrapper, most) => {
  const { alarms, undecided } = judgeVariant({}, await documentedOn(wrapper(reference())))
  expect(alarms).toEqual([])
  expect(undecided.length, undecided.join()).toBeLessThanOrEqual(most)
})
