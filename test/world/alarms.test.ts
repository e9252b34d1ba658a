import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Alarms } from '../../src/world/alarms.ts'

const nothing = () => {}

test('alarms run in the order of their times, and then of their addition', () => {
  const step = fc.oneof(fc.record({ add: fc.nat(20) }), fc.record({ remove: fc.nat(30) }), fc.constant('next' as const))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const alarms = new Alarms()
      const made: ReturnType<Alarms['add']>[] = []
      let left: typeof made = []
      for (const one of steps) {
        if (one === 'next') {
          const [next] = left.toSorted((a, b) => a.at - b.at || a.seq - b.seq)
          expect(alarms.next).toBe(next)
          if (alarms.next) alarms.remove(alarms.next)
          left = left.filter((alarm) => alarm !== next)
        } else if ('add' in one) {
          const alarm = alarms.add(one.add, nothing)
          made.push(alarm)
          left.push(alarm)
        } else {
          const alarm = made[one.remove]
          if (alarm) alarms.remove(alarm)
          left = left.filter((other) => other !== alarm)
        }
      }
    }),
  )
})

test('adding and removing among 100,000 alarms moves a few dozen of them', () => {
  const alarms = new Alarms()
  const made = Array.from({ length: 100_000 }, (_, index) => alarms.add((index * 7919) % 100_003, nothing))
  const places = () => made.map(({ index }) => index)
  const before = places()
  alarms.remove(alarms.add(0, nothing))
  const [some] = made
  if (some) alarms.remove(some)
  const moved = places().filter((index, name) => index !== before[name])
  expect(moved.length).toBeLessThan(100)
})
