import { expect, test } from 'vitest'
import { Memory } from '../../src/world/memory.ts'
import { defaultSettings } from '../../src/world/settings.ts'
import type { World } from '../../src/world/world.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { workflow } from '../support/service.ts'
import { executionsIn, stillWorld, workflowId } from '../support/simulation.ts'

const endless = () => new Memory(Number.POSITIVE_INFINITY)
const worldWith = (memory: Memory, maxExecutions = 10_000) =>
  executionsIn(stillWorld({ memory, maxExecutions }), { ...workflow(), isSequential: true })
const decideAll = (world: World) => world.setSettings({ ...defaultSettings, approvers: 'instant' })

test('deciding needs no more than was counted when the execution was started', () => {
  const memory = endless()
  const { world, begin } = worldWith(memory)
  for (let index = 0; index < 50; index += 1) begin(`exe_${index}`)
  const started = memory.used
  decideAll(world)
  expect(world.analytics(workflowId).metrics().approved).toBe(50)
  expect(memory.used).toBeLessThanOrEqual(started)
})

test('evicted executions release their memory, and in the end all do', () => {
  const memory = endless()
  const { world, begin } = worldWith(memory, 20)
  decideAll(world)
  const used: number[] = []
  for (let index = 0; index < 1000; index += 1) {
    begin(`exe_${index}`)
    if (index % 250 === 249) used.push(memory.used)
  }
  const [first = 0] = used
  for (const later of nonEmpty(used)) expect(later / first).toBeLessThan(1.3)
})

test('a closed world releases all its memory', () => {
  const memory = endless()
  for (const { world, begin } of [worldWith(memory), worldWith(memory)]) {
    begin('exe')
    world.close()
  }
  expect(memory.used).toBe(0)
})
