import { expect, test } from 'vitest'
import { Settling } from '../../conformance/flow/settling.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { Transport } from '../../conformance/wire/transport.ts'
import { exchangeOf } from '../support/exchange.ts'

test.each([
  [0, [0]],
  [0.25, [0, 100, 250]],
  [2, [0, 100, 300, 700, 1500, 2000]],
  [6, [0, 100, 300, 700, 1500, 3100, 5100, 6000]],
])('within %d s, calls are further and further apart, the last at the end', async (seconds, expected) => {
  const time = virtualTime()
  const calls: number[] = []
  const read = async () => {
    calls.push(time.now())
    return exchangeOf({}, { status: 404 })
  }
  await new Settling(new Transport({ time }), seconds).until(read, () => false)
  expect(calls).toEqual(expected)
})

test('a wait sees answers in the form in which they are judged', async () => {
  const seen: unknown[] = []
  const read = async () => exchangeOf({}, { json: { columns: ['id', 'state'], runs: [['r1', 'open']] } })
  await new Settling(new Transport({ time: virtualTime() }), 1).until(read, ({ json }) => seen.push(json) > 0)
  expect(seen).toEqual([[{ id: 'r1', state: 'open' }]])
})
