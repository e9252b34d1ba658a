import { expect, test } from 'vitest'
import { Outbox } from '../../src/node/outbox.ts'

const fail = (error: unknown) => {
  throw error
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('items of one turn of the event loop are sent together and in order', async () => {
  const outbox = new Outbox()
  const left: number[] = []
  outbox.put(() => left.push(1), fail)
  await Promise.resolve()
  outbox.put(() => left.push(2), fail)
  expect(left).toEqual([])
  await nextTurn()
  expect(left).toEqual([1, 2])
})

test('an item that is added while others are sent waits for the next turn', async () => {
  const outbox = new Outbox()
  const left: number[] = []
  outbox.put(() => {
    left.push(1)
    outbox.put(() => left.push(2), fail)
  }, fail)
  await nextTurn()
  expect(left).toEqual([1])
  await nextTurn()
  expect(left).toEqual([1, 2])
})

test('an item that throws does not hold up the others', async () => {
  const outbox = new Outbox()
  const left: unknown[] = []
  outbox.put(
    () => fail('broken'),
    (error) => left.push(error),
  )
  outbox.put(() => left.push(2), fail)
  await nextTurn()
  expect(left).toEqual(['broken', 2])
})
