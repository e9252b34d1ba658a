import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Assignment, Waiting } from '../../src/world/waiting.ts'
import { nonEmpty } from '../support/non-empty.ts'

const priorities = ['high', 'normal', 'low'] as const

const assignment = (index: number, priority: Assignment['priority']): Assignment => ({
  executionId: `exe_${index}`,
  stepId: 'step',
  priority,
  estimatedMinutes: 1,
})

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), priority: fc.constantFrom(...priorities) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('put back' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), place: fc.nat(20) }) },
)

test('the next item is the first of the most urgent ones', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const waiting = new Waiting()
      let model: Assignment[] = []
      let inHand: Assignment | undefined
      for (const [index, step] of nonEmpty(steps.entries())) {
        if (step.do === 'add') {
          const added = assignment(index, step.priority)
          waiting.add(added)
          model.push(added)
        } else if (step.do === 'take') {
          const urgent = priorities.find((priority) => model.some((other) => other.priority === priority))
          const expected = model.find(({ priority }) => priority === urgent)
          inHand = waiting.take()
          expect(inHand).toEqual(expected)
          model = model.filter((other) => other !== expected)
        } else if (step.do === 'put back') {
          if (!inHand) continue
          waiting.putBack(inHand)
          model.unshift(inHand)
          inHand = undefined
        } else {
          const gone = model[step.place]
          if (!gone) continue
          waiting.remove(gone, gone.priority)
          model = model.filter((other) => other !== gone)
        }
      }
    }),
    { numRuns: 1000 },
  )
})

test('items removed from a queue free their memory', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const waiting = new Waiting()
  const heapOf = (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const added = assignment(index, 'normal')
      waiting.add(added)
      waiting.remove(added, 'normal')
    }
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = heapOf(10_000)
  expect(heapOf(200_000) - before).toBeLessThan(4 * 1024 * 1024)
})
