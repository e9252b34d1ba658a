import { expect, test } from 'vitest'
import { Outbox } from '../../src/node/outbox.ts'

/** Returns an outbox whose items are noted when they leave, and what was noted in this turn of the event loop and the next. */
function noted() {
  const outbox = new Outbox()
  const left: unknown[] = []
  const put = (item: unknown, act = () => {}) =>
    outbox.put(
      () => {
        act()
        left.push(item)
      },
      (error) => left.push(error),
    )
  const nextTurn = async () => {
    const before = left.splice(0)
    await new Promise((resolve) => setImmediate(resolve))
    return [before, left.splice(0)]
  }
  return { put, nextTurn }
}

test('items of one turn of the event loop are sent together and in order', async () => {
  const { put, nextTurn } = noted()
  put(1)
  await Promise.resolve()
  put(2)
  expect(await nextTurn()).toEqual([[], [1, 2]])
})

test('an item that is added while others are sent waits for the next turn', async () => {
  const { put, nextTurn } = noted()
  put(1, () => put(2))
  expect(await nextTurn()).toEqual([[], [1]])
  expect(await nextTurn()).toEqual([[], [2]])
})

test('an item that throws does not hold up the others', async () => {
  const { put, nextTurn } = noted()
  put(1, () => {
    throw 'broken'
  })
  put(2)
  expect(await nextTurn()).toEqual([[], ['broken', 2]])
})
