import { expect, test } from 'vitest'
import { judgeVariant } from '../../../conformance/selftest/gate.ts'
import { without } from '../../../conformance/selftest/json.ts'
import { subject } from '../../../conformance/selftest/learned.ts'
import type { Choice } from '../../../conformance/selftest/mutant.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documentedOn } from '../../../conformance/selftest/run-on.ts'
import { soundShapes } from '../../../conformance/selftest/shapes.ts'
import { variant } from '../../../conformance/selftest/variants/index.ts'
import { virtualTime } from '../../../conformance/selftest/virtual-time.ts'
import { changeAnswer, compose } from '../../../conformance/selftest/wrapper.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { rotated } from '../../support/sample.ts'

const rows = soundShapes.map(([id, wrapper, undecided = 0]) => [id, wrapper, undecided] as const)

/** Each commit has a quarter of the shapes, the weekly run has all. */
test.each(nonEmpty(rotated(rows)))('no alarm on the shape %s', async (_, wrapper, most) => {
  const { alarms, undecided } = judgeVariant({}, await documentedOn(wrapper(reference())))
  expect(alarms).toEqual([])
  expect(undecided.length, undecided.join()).toBeLessThanOrEqual(most)
})

test.each<[approvers: 'auto' | 'instant', clockSpeed: number, Choice]>([
  ['instant', 1, {}],
  ['auto', 30, {}],
  ['auto', 100, { details: 'analytics' }],
  ['auto', 200, { envelope: 'data' }],
  ['auto', 1000, { 'field-case': 'camel', details: 'by-step' }],
  ['auto', 500, { assignees: 'by-step' }],
])('no alarm while %s approvers decide at speed %i', async (approvers, clockSpeed, choice) => {
  const { fetch, advance } = subject(variant(choice), { approvers })
  const { now, sleep } = virtualTime()
  const time = {
    now,
    async sleep(ms: number) {
      await sleep(ms)
      advance(ms * clockSpeed)
    },
  }
  const results = await documentedOn(fetch, { time, perSecond: 40 })
  const { alarms, undecided } = judgeVariant(choice, results)
  expect({ alarms, undecided }).toEqual({ alarms: [], undecided: [] })
})

test.each([
  ['bottlenecks', 'e'],
  ['recommendations', 'r'],
  ['metrics', 'w'],
])('without %s, details with names without meaning are not green', async (_, name) => {
  const shape = soundShapes.find(([id]) => id === 'analytics-by-meaning')?.[1] ?? expect.unreachable()
  const lacking = changeAnswer('getWorkflow', (details) => without({ ...details }, name))
  const { alarms, undecided } = judgeVariant({}, await documentedOn(compose(shape, lacking)(reference())))
  expect([...alarms, ...undecided]).not.toEqual([])
})
