/** Details of a mock that shows executions late, as a deployment does whose lists and figures follow its events. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { detailsOf } from '../../src/http/service/workflows.ts'
import { doAtOnce, isWork } from '../../src/world/slices.ts'
import { cases } from '../support/sample.ts'
import { service } from '../support/service.ts'

/** A mock with a workflow, and what may be done with it. */
async function lateService(like: object, approvers: 'instant' | 'manual' = 'instant') {
  const mine = service({ approvers, like: { version: 1, ...like } })
  const { workflow_id } = await mine.created()
  const { document_id } = await mine.confirmed()
  const read = async () => (await mine.details(workflow_id)).json
  const execute = async () => (await mine.execute(workflow_id, document_id)).json
  const counts = async () => {
    const { recent_executions, execution_metrics } = await read()
    return [recent_executions.length, execution_metrics.total]
  }
  const live = () => {
    const details = detailsOf(mine.world, workflow_id)
    return JSON.parse(new TextDecoder().decode((isWork(details) ? doAtOnce(details) : details).bytes))
  }
  return { ...mine, read, execute, counts, live }
}

test('lists and figures show an execution after their delays, by the mock clock', async () => {
  const { world, execute, counts } = await lateService({ executionDelayMs: 250, figuresDelayMs: 350 })
  await execute()
  const seen: string[] = []
  for (const ms of [0, 249, 1, 99, 1]) {
    world.clock.advance(ms)
    seen.push((await counts()).join())
  }
  expect(seen).toEqual(['0,0', '0,0', '1,0', '1,0', '1,1'])
})

test('late details are those of a while ago, whatever happens in between', async () => {
  const action = fc.oneof({ weight: 2, arbitrary: fc.nat(8) }, fc.constant('execute' as const), {
    weight: 3,
    arbitrary: fc.constantFrom('approved' as const, 'rejected' as const),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 25 }), fc.constantFrom(50, 150, 300), async (actions, delay) => {
      const { decide, world, read, execute, live } = await lateService({ executionDelayMs: delay }, 'manual')
      const seen = [{ at: 0, details: live() }]
      for (const one of actions) {
        if (one === 'execute') await execute()
        else if (typeof one === 'number') world.clock.advance(one * 50)
        else {
          const open = [...world.executions()].flatMap(({ executionId, stages }) =>
            stages.flat().flatMap(({ status, step }) => (status === 'assigned' ? [[executionId, step.step_id]] : [])),
          )
          const [executionId, stepId] = open[0] ?? []
          if (executionId && stepId) decide(executionId, stepId, one)
        }
        const now = world.clock.now()
        seen.push({ at: now, details: live() })
        expect(await read()).toEqual(seen.findLast(({ at }) => at <= now - delay)?.details)
      }
    }),
    { numRuns: cases(40, 8) },
  )
})

test('details without all events in the journal are those of now', async () => {
  const { world, execute, counts } = await lateService({ executionDelayMs: 250 })
  await execute()
  expect(await counts()).toEqual([0, 0])
  vi.spyOn(world.journal, 'firstSeq', 'get').mockReturnValue(world.journal.length + 1)
  expect(await counts()).toEqual([1, 1])
})
