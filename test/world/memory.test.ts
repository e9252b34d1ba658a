import { expect, test } from 'vitest'
import { Clock } from '../../src/world/clock.ts'
import { Memory } from '../../src/world/memory.ts'
import { defaultSettings } from '../../src/world/settings.ts'
import { World } from '../../src/world/world.ts'
import { nonEmpty } from '../support/non-empty.ts'

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

function worldWith(memory: Memory, maxExecutions = 10_000): World {
  const clock = new Clock({ speed: 0, start: 0 })
  const settings = { ...defaultSettings, approvers: 'manual' } as const
  const world = new World('memory', { seed: '1', clock, settings, memory, maxExecutions })
  world.handle({ type: 'CreateWorkflow', workflowId: 'wf', definition })
  const file = { key: 'a/b', request: { file_name: 'b', content_type: 'text/plain', file_size: 0 } }
  world.handle({ type: 'RequestUpload', sessionId: 'session', maxBytes: 0, ...file })
  world.handle({ type: 'StoreObject', sessionId: 'session', sha256: '' })
  world.handle({
    type: 'ConfirmUpload',
    sessionId: 'session',
    documentId: 'doc',
    completedFiles: [{ ...file, ...file.request }],
  })
  return world
}

const execute = (world: World, executionId: string) =>
  world.handle({
    type: 'StartExecution',
    executionId,
    workflowId: 'wf',
    request: { document_id: 'doc', priority: 'normal' },
  })

const decideAll = (world: World) => world.setSettings({ ...defaultSettings, approvers: 'instant' })

test('deciding needs no more than was counted when the execution was started', () => {
  const memory = new Memory(Number.POSITIVE_INFINITY)
  const world = worldWith(memory)
  for (let index = 0; index < 50; index += 1) execute(world, `exe_${index}`)
  const started = memory.used
  decideAll(world)
  expect(world.analytics('wf').metrics().approved).toBe(50)
  expect(memory.used).toBeLessThanOrEqual(started)
})

test('evicted executions release their memory, and in the end all do', () => {
  const memory = new Memory(Number.POSITIVE_INFINITY)
  const world = worldWith(memory, 20)
  decideAll(world)
  const used: number[] = []
  for (let index = 0; index < 2000; index += 1) {
    execute(world, `exe_${index}`)
    if (index % 500 === 499) used.push(memory.used)
  }
  const [first = 0] = used
  for (const later of nonEmpty(used)) expect(later / first).toBeLessThan(1.3)
})

test('a closed world releases all its memory', () => {
  const memory = new Memory(Number.POSITIVE_INFINITY)
  const worlds = [worldWith(memory), worldWith(memory)]
  for (const world of worlds) {
    execute(world, 'exe')
    world.close()
  }
  expect(memory.used).toBe(0)
})
