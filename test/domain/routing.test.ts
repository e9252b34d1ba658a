import fc from 'fast-check'
import { expect, test } from 'vitest'
import { History } from '../../src/domain/routing/history.ts'
import { route } from '../../src/domain/routing/routing.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { ann, ben, cleo, question, stepFor, workOn } from './desk-work.ts'

const both = stepFor([ann, ben])

/** Routes steps one after the other, each decided before the next in the minutes of its approver. Counts the steps of each. */
function share(history: History, minutes: Readonly<Record<string, number>>, times: number, from = 0) {
  const among = Object.keys(minutes)
  const counts = new Map<string, number>()
  let now = from
  for (let index = 0; index < times; index += 1) {
    const { email } = route(question(history, stepFor(among), now)).assignee
    now = workOn(history).repeat({ email, among }, 1, minutes[email] ?? 0, now)
    counts.set(email, (counts.get(email) ?? 0) + 1)
  }
  return { of: (email: string) => counts.get(email) ?? 0, now }
}

type Series = [decisions: number, minutes: number]

/** Returns a history in which Ann and Ben have decided steps, and the time after the last, in minutes. */
function after(ofAnn: Series, ofBen: Series = [0, 0]) {
  const history = new History()
  const work = workOn(history)
  const ends = [work.repeat({ email: ann }, ...ofAnn), work.repeat({ email: ben }, ...ofBen)] as const
  return { history, now: Math.max(...ends), ...work }
}

test.each<[string, Series, Series, open: number, 'normal' | 'high', string]>([
  ['the faster of two idle approvers', [20, 90], [20, 30], 0, 'normal', ben],
  ['the slower one while the faster has a queue', [20, 90], [20, 30], 4, 'normal', ann],
  ['a newcomer beside one who takes the estimate', [50, 60], [0, 0], 0, 'normal', ben],
  ['a newcomer beside one who is a little faster', [50, 50], [0, 0], 0, 'normal', ben],
  ['the shortest finish at high priority', [50, 50], [0, 0], 0, 'high', ann],
])('%s gets the step', (_, ofAnn, ofBen, open, priority, email) => {
  const { history, now, assign } = after(ofAnn, ofBen)
  for (let count = 0; count < open; count += 1) assign({ email: ben }, now)
  expect(route(question(history, both, now, priority)).assignee.email).toBe(email)
})

test('a newcomer gets work in the end, however fast the others are', () => {
  const steps = share(new History(), { [ann]: 6, [ben]: 6, [cleo]: 60 }, 1000)
  expect(steps.of(cleo)).toBeGreaterThan(0)
  expect(steps.of(cleo)).toBeLessThan(100)
})

test('an approver who has slowed down loses work, until he is fast again', () => {
  const history = new History()
  const fast = share(history, { [ann]: 30, [ben]: 60 }, 200)
  const slow = share(history, { [ann]: 240, [ben]: 60 }, 200, fast.now)
  const again = share(history, { [ann]: 15, [ben]: 60 }, 1000, slow.now)
  expect(fast.of(ann)).toBeGreaterThan(150)
  expect(slow.of(ann)).toBeLessThan(50)
  expect(again.of(ann)).toBeGreaterThan(500)
})

test('work that is in hand for far too long keeps more work away', () => {
  const { history, now, assign } = after([20, 30], [20, 60])
  assign({ email: ann }, now)
  const [fresh, soon, late] = [0, 25, 600].map((later) => route(question(history, both, now + later)).candidates[0])
  expect(soon?.expectedMinutes).toBeLessThan(fresh?.expectedMinutes ?? 0)
  expect(late?.expectedMinutes).toBeGreaterThan(fresh?.expectedMinutes ?? 0)
  expect(late?.reason).toContain('one of them in progress for 600 minutes')
})

test('high priority does not wait for work that is less urgent, unless it is in hand', () => {
  const history = new History()
  for (let open = 0; open < 5; open += 1) workOn(history).assign({ email: ann, priority: 'low' }, 0)
  const hours = (['high', 'normal', 'low'] as const).map((priority) => {
    const [candidate] = route(question(history, stepFor([ann]), 0, priority)).candidates
    return Math.round((candidate?.expectedMinutes ?? 0) * 10) / 600
  })
  expect(hours).toEqual([2, 2, 6])
})

test('unknown approvers take turns', () => {
  const history = new History()
  const assigned = [0, 1, 2, 3].map(() => {
    const { email } = route(question(history, both, 0)).assignee
    workOn(history).assign({ email, among: [ann, ben] }, 0)
    return email
  })
  expect(assigned).toEqual([ann, ben, ann, ben])
})

test('every candidate, and the choice, is explained in a sentence', () => {
  const { history, assign, now } = after([8, 42], [1, 60])
  assign({ email: ann }, 400)
  expect(route(question(history, stepFor([ann, ben, cleo]), 400)).candidates.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^8 decisions, recently about 4\d minutes for this step; 1 open\.$/),
    expect.stringMatching(/^1 decision, with the estimate about \d\d minutes for this step; 0 open\.$/),
    'No decisions yet, assuming the estimate of 60 minutes; 0 open.',
  ])
  expect(route(question(after([50, 60]).history, both, now)).reason).toMatch(/the soonest of all|worth a try/)
  expect(route(question(history, stepFor([ann]), 0)).reason).toBe(`${ann} is the only approver of the step.`)
})

test('a step without approvers is refused', () => {
  expect(() => route(question(new History(), stepFor([]), 0))).toThrow("Step 's' has no approvers")
})

const priorities = fc.constantFrom('low' as const, 'normal' as const, 'high' as const)
const emails = [ann, ben, cleo, 'dan@example.com']
const acts = fc.array(
  fc.record({
    email: fc.constantFrom(...emails),
    minutes: fc.integer({ min: 0, max: 10_000 }),
    isOpen: fc.boolean(),
    priority: priorities,
  }),
)
const questions = fc.record({
  history: acts.map((list) => {
    const history = new History()
    const { assign, decide } = workOn(history)
    list.forEach(({ email, minutes, isOpen, priority }, index) => {
      const work = { email, among: emails, priority }
      assign(work, index * 10_000)
      if (!isOpen) decide(work, index * 10_000, index * 10_000 + minutes)
    })
    return { history, now: list.length * 10_000 }
  }),
  approvers: fc.shuffledSubarray(emails, { minLength: 1 }),
  priority: priorities,
})

test('one approver is chosen, always the same, the soonest at high priority', () => {
  fc.assert(
    fc.property(questions, ({ history: { history, now }, approvers, priority }) => {
      const asked = question(history, stepFor(approvers), now, priority)
      const { assignee, reason, candidates } = route(asked)
      expect(candidates.map(({ email }) => email)).toEqual(approvers)
      for (const { email, samples, openAssignments, expectedMinutes, reason } of nonEmpty(candidates)) {
        const { decisions, open } = history.desk(email)
        expect([samples, openAssignments]).toEqual([decisions, open])
        expect(expectedMinutes).toBeGreaterThan(0)
        expect(expectedMinutes).toBeLessThan(Number.POSITIVE_INFINITY)
        expect(reason).toMatch(/^[^.]+\.$/)
      }
      const chosen = candidates.find(({ email }) => email === assignee.email)
      const least = Math.min(...candidates.map(({ expectedMinutes }) => expectedMinutes))
      expect(chosen?.expectedMinutes).toBe(priority === 'high' ? least : chosen?.expectedMinutes)
      expect(approvers).toContain(assignee.email)
      expect(reason).toMatch(/^[^\n]+\.$/)
      expect(route(asked)).toEqual({ assignee, reason, candidates })
    }),
  )
})

test('of many approvers, the soonest are candidates, in the order of the step', () => {
  const history = new History()
  const emails = Array.from({ length: 14 }, (_, index) => `a${index}@example.com`)
  // Every second one is fast.
  for (const [index, email] of emails.entries())
    workOn(history).repeat({ email }, 20, index % 2 === 0 ? 10 + index : 500 + index)
  const { candidates } = route(question(history, stepFor(emails), 20 * 513))
  expect(candidates.map(({ email }) => emails.indexOf(email))).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 10, 12])
})
