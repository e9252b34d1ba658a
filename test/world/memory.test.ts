import { expect, test } from 'vitest'
import { Clock } from '../../src/world/clock.ts'
import { Memory } from '../../src/world/memory.ts'
import { defaultSettings } from '../../src/world/settings.ts'
import { World } from '../../src/world/world.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { confirmDocument } from '../support/simulation.ts'

const definition = {
  name: 'Supplier contract',
  description: '',
  isSequential: true,
  steps: ['legal', 'finance'].map((stepId, index) => ({
    step_id: stepId,
    name: stepId,
    order: index + 1,
    approvers: [{ email: `${stepId}@example.com`, name: 'Robin' }],
    estimated_duration: 30,
  })),
}

function worldWith(memory: Memory, maxExecutions = 10_000) {
  const clock = new Clock({ speed: 0, start: 0 })
  const settings = { ...defaultSettings, approvers: 'manual' } as const
  const world = new World('memory', { seed: '1', clock, settings, memory, maxExecutions })
  world.handle({ type: 'CreateWorkflow', workflowId: 'wf', definition })
  const documentId = confirmDocument(world)
  const execute = (executionId: string) => {
    const request = { document_id: documentId, priority: 'normal' }
    world.handle({ type: 'StartExecution', executionId, workflowId: 'wf', request })
  }
  return { world, execute }
}

const decideAll = (world: World) => world.setSettings({ ...defaultSettings, approvers: 'instant' })

test('deciding needs no more than was counted when the execution was started', () => {
  const memory = new Memory(Number.POSITIVE_INFINITY)
  const { world, execute } = worldWith(memory)
  for (let index = 0; index < 50; index += 1) execute(`exe_${index}`)
  const started = memory.used
  decideAll(world)
  expect(world.analytics('wf').metrics().approved).toBe(50)
  expect(memory.used).toBeLessThanOrEqual(started)
})

test('evicted executions release their memory, and in the end all do', () => {
  const memory = new Memory(Number.POSITIVE_INFINITY)
  const { world, execute } = worldWith(memory, 20)
  decideAll(world)
  const used: number[] = []
  for (let index = 0; index < 1000; index += 1) {
    execute(`exe_${index}`)
    if (index % 250 === 249) used.push(memory.used)
  }
  const [first = 0] = used
  for (const later of nonEmpty(used)) expect(later / first).toBeLessThan(1.3)
})

test('a closed world releases all its memory', () => {
  const memory = new Memory(Number.POSITIVE_INFINITY)
  const worlds = [worldWith(memory), worldWith(memory)]
  for (const { world, execute } of worlds) {
    execute('exe')
    world.close()
  }
  expect(memory.used).toBe(0)
})
