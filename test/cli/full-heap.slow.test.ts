import { expect, test } from 'vitest'
import { bin, ready, startNode } from '../support/command.ts'
import { clientOf, workflow } from '../support/service.ts'

test('more workflows than the heap can hold leave the mock running', async () => {
  const heapMiB = 40
  const { url, stop } = await ready(
    startNode([`--max-old-space-size=${heapMiB}`, bin, 'mock', '--port', '0', '--json']),
  )
  const { post } = clientOf({ url })
  const [step] = workflow().steps
  const steps = Array.from({ length: 100 }, (_, index) => {
    const approvers = Array.from({ length: 20 }, (_, each) => ({ email: `${index}-${each}@a.example`, name: 'Robin' }))
    return { ...step, step_id: `step-${index}`, order: index + 1, approvers }
  })
  const body = JSON.stringify({ name: 'Large', steps })
  // Half as much again as the heap can hold.
  const count = Math.ceil((1.5 * heapMiB * 1024 * 1024) / body.length)
  const statuses = new Map<number, number>()
  const client = async (first: number) => {
    for (let index = first; index < count; index += 8) {
      const { status } = await post('/api/v1/workflows', body)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, first) => client(first)))
  expect([...statuses.keys()].sort()).toEqual([201, 507])
  expect((await post('/__admin/reset', undefined)).status).toBe(204)
  expect((await post('/api/v1/workflows', body)).status).toBe(201)
  expect((await stop()).code).toBe(0)
})
