import { expect, test } from 'vitest'
import { Outbox } from '../../src/node/outbox.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('items of one turn of the event loop are sent together and in order', async () => {
  const outbox = new Outbox()
  const left: number[] = []
  outbox.put(() => left.push(1))
  await Promise.resolve()
  outbox.put(() => left.push(2))
  expect(left).toEqual([])
  await nextTurn()
  expect(left).toEqual([1, 2])
})

test('an item that is added while others are sent waits for the next turn', async () => {
  const outbox = new Outbox()
  const left: number[] = []
  outbox.put(() => {
    left.push(1)
    outbox.put(() => left.push(2))
  })
  await nextTurn()
  expect(left).toEqual([1])
  await nextTurn()
  expect(left).toEqual([1, 2])
})
