import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Alarms } from '../../src/world/clock.ts'

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
