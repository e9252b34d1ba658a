import fc from 'fast-check'
import { expect, test } from 'vitest'
import { History } from '../../src/domain/routing/history.ts'
import { meanRatio } from '../../src/domain/routing/pace.ts'
import { ann, ben, cleo, type Work, workOn } from './desk-work.ts'

const believed = (history: History, email: string) => meanRatio(history.desk(email).pace)

/** Returns the belief about Ann's pace after decisions of steps that are estimated at an hour. */
function beliefAfter(...series: [decisions: number, minutes: number][]): number {
  const history = new History()
  let end = 0
  for (const [decisions, minutes] of series) end = workOn(history).repeat({ email: ann }, decisions, minutes, end)
  return believed(history, ann)
}

test.each<[string, [number, number][], number, number]>([
  ['a new approver is expected to take the estimate', [], 0.995, 1.005],
  ['one decision moves the belief about half of the way from the estimate', [[1, 240]], 1.5, 2.6],
  ['many decisions leave the estimate behind', [[100, 240]], 3.5, 4.5],
  [
    'recent decisions weigh more than old ones',
    [
      [200, 30],
      [25, 120],
    ],
    1.7,
    2.5,
  ],
])('%s', (_, series, least, most) => {
  const belief = beliefAfter(...series)
  expect(belief).toBeGreaterThan(least)
  expect(belief).toBeLessThan(most)
})

test('short and long steps show the same about an approver', () => {
  const history = new History()
  workOn(history).repeat({ email: ann, estimatedMinutes: 10 }, 20, 20)
  workOn(history).repeat({ email: ben, estimatedMinutes: 1000 }, 20, 2000)
  expect(believed(history, ann)).toBeCloseTo(believed(history, ben))
})

test('being passed over makes a belief doubtful, and work in hand does not', () => {
  const history = new History()
  const { assign, repeat } = workOn(history)
  for (const email of [ann, ben]) repeat({ email }, 20, 60)
  assign({ email: ben }, 1200)
  const [known, knownToo] = [ann, ben].map((email) => history.desk(email).pace.doubt)
  for (let at = 0; at < 50; at += 1) assign({ email: cleo, among: [ann, ben, cleo] }, 1200)
  expect(history.desk(ann).pace.doubt).toBeGreaterThan(2 * (known ?? 0))
  expect(history.desk(ben).pace.doubt).toBe(knownToo)
})

test('work given out ends the doubt of a long neglect', () => {
  const history = new History()
  const { doubt } = history.desk(ann).pace
  const { assign, repeat } = workOn(history)
  repeat({ email: ben, among: [ann, ben] }, 1000, 60)
  expect(history.desk(ann).pace.doubt).toBeGreaterThan(doubt)
  assign({ email: ann }, 60_000)
  expect(history.desk(ann).pace.doubt).toBe(doubt)
})

test('the most urgent work is taken up as soon as the last is decided', () => {
  const history = new History()
  const { assign, decide, withdraw } = workOn(history)
  for (const [index, priority] of (['low', 'normal', 'high'] as const).entries())
    assign({ email: ann, priority }, index)
  expect(history.desk(ann).inHand).toEqual({ priority: 'low', since: 0 })
  decide({ email: ann, priority: 'low' }, 0, 30)
  expect(history.desk(ann).inHand).toEqual({ priority: 'high', since: 30 * 60_000 })
  for (const priority of ['high', 'normal'] as const) withdraw({ email: ann, priority }, 40)
  expect(history.desk(ann)).toMatchObject({ open: 0, decisions: 1, inHand: undefined })
})

const works = fc.record({
  email: fc.constantFrom(ann, ben),
  among: fc.constant([ann, ben]),
  estimatedMinutes: fc.integer({ min: 1, max: 1_000_000 }),
  priority: fc.constantFrom('low', 'normal', 'high'),
}) satisfies fc.Arbitrary<Work>

const acts = fc.array(
  fc.record({ work: works, ends: fc.constantFrom('no', 'decided', 'withdrawn'), minutes: fc.nat(5000) }),
)

test('desks count open work exactly, and beliefs stay finite, in any history', () => {
  fc.assert(
    fc.property(acts, fc.infiniteStream(fc.nat()), (list, picks) => {
      const history = new History()
      const { assign, decide, withdraw } = workOn(history)
      const open: Work[] = []
      let now = 0
      for (const { work, ends, minutes } of list) {
        assign(work, now)
        open.push(work)
        now += minutes
        if (ends === 'no') continue
        const [ended] = open.splice((picks.next().value ?? 0) % open.length, 1)
        if (!ended) continue
        if (ends === 'decided') decide(ended, now - minutes, now)
        else withdraw(ended, now)
      }
      for (const email of [ann, ben]) {
        const desk = history.desk(email)
        const mine = open.filter((work) => work.email === email)
        expect(desk.open).toBe(mine.length)
        for (const priority of ['low', 'normal', 'high'] as const) {
          const alike = mine.filter((work) => work.priority === priority)
          const estimatedMinutes = alike.reduce((sum, work) => sum + (work.estimatedMinutes ?? 0), 0)
          expect(desk.openWork[priority]).toEqual({ count: alike.length, estimatedMinutes })
        }
        expect(desk.inHand === undefined).toBe(mine.length === 0)
        expect(Number.isFinite(meanRatio(desk.pace))).toBe(true)
        expect(desk.pace.doubt).toBeGreaterThan(0)
        expect(Math.min(desk.workMs, desk.restMs)).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

test('a desk takes no more memory after 1,000 decisions than after ten', () => {
  const sizeAfter = (decisions: number) => {
    const history = new History()
    workOn(history).repeat({ email: ann }, decisions, 60)
    return JSON.stringify(history.desk(ann)).length
  }
  // Only the number of digits may grow.
  expect(sizeAfter(1000)).toBeLessThan(sizeAfter(10) + 50)
})
