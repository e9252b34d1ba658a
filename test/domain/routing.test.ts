import fc from 'fast-check'
import { expect, test } from 'vitest'
import { History } from '../../src/domain/routing/history.ts'
import { route } from '../../src/domain/routing/routing.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { ann, ben, cleo, question, stepFor, workOn } from './desk-work.ts'

const both = stepFor([ann, ben])

/** Routes steps one after the other, each decided before the next. Returns the number of steps of each approver. */
function share(
  history: History,
  emails: readonly string[],
  times: number,
  minutesOf: (email: string) => number,
  from = 0,
) {
  const counts = new Map(emails.map((email) => [email, 0]))
  let now = from
  for (let index = 0; index < times; index += 1) {
    const { email } = route(question(history, stepFor(emails), now)).assignee
    const work = { email, among: emails }
    workOn(history).assign(work, now)
    workOn(history).decide(work, now, now + minutesOf(email))
    now += minutesOf(email)
    counts.set(email, (counts.get(email) ?? 0) + 1)
  }
  return { counts, now }
}

/** Returns a history in which Ann and Ben have decided steps, and the time after the last, in minutes. */
function after(ofAnn: [decisions: number, minutes: number], ofBen: [decisions: number, minutes: number] = [0, 0]) {
  const history = new History()
  const ends = [
    workOn(history).repeat({ email: ann }, ...ofAnn),
    workOn(history).repeat({ email: ben }, ...ofBen),
  ] as const
  return { history, now: Math.max(...ends), ...workOn(history) }
}

test('the faster of two idle approvers gets the step', () => {
  const { history, now } = after([20, 90], [20, 30])
  expect(route(question(history, both, now)).assignee.email).toBe(ben)
})

test('a queue sends work to a slower approver', () => {
  const { history, now, assign } = after([20, 90], [20, 30])
  for (let open = 0; open < 4; open += 1) assign({ email: ben }, now)
  expect(route(question(history, both, now)).assignee.email).toBe(ann)
})

test('a newcomer gets work beside an approver who takes the estimate', () => {
  const { history, now } = after([50, 60])
  const { assignee, reason } = route(question(history, both, now))
  expect([assignee.email, reason]).toEqual([ben, expect.stringMatching(/the soonest of all|worth a try/)])
})

test('a newcomer gets work in the end, however fast the others are', () => {
  const history = new History()
  const { counts } = share(history, [ann, ben, cleo], 1000, (email) => (email === cleo ? 60 : 6))
  expect(counts.get(cleo)).toBeGreaterThan(0)
  expect(counts.get(cleo)).toBeLessThan(100)
})

test('an approver who has slowed down loses work', () => {
  const history = new History()
  const before = share(history, [ann, ben], 200, (email) => (email === ann ? 30 : 60))
  const after = share(history, [ann, ben], 200, (email) => (email === ann ? 240 : 60), before.now)
  expect(before.counts.get(ann)).toBeGreaterThan(150)
  expect(after.counts.get(ann)).toBeLessThan(50)
})

test('an approver who has become fast again is noticed', () => {
  const history = new History()
  const before = share(history, [ann, ben], 200, (email) => (email === ann ? 240 : 60))
  const after = share(history, [ann, ben], 1000, (email) => (email === ann ? 15 : 60), before.now)
  expect(after.counts.get(ann)).toBeGreaterThan(500)
})

test('work that is in hand for far too long keeps more work away', () => {
  const { history, now, assign } = after([20, 30], [20, 60])
  assign({ email: ann }, now)
  const [fresh, soon, late] = [0, 25, 600].map((later) => route(question(history, both, now + later)).candidates[0])
  expect(soon?.expectedMinutes).toBeLessThan(fresh?.expectedMinutes ?? 0)
  expect(late?.expectedMinutes).toBeGreaterThan(fresh?.expectedMinutes ?? 0)
  expect(late?.reason).toContain('one of them in progress for 600 minutes')
})

test('high priority takes the shortest finish when normal priority tries a newcomer', () => {
  const { history, now } = after([50, 50])
  expect(route(question(history, both, now, 'normal')).assignee.email).toBe(ben)
  expect(route(question(history, both, now, 'high')).assignee.email).toBe(ann)
})

test('high priority does not wait for work that is less urgent, unless it is in hand', () => {
  const history = new History()
  const { assign } = workOn(history)
  for (let open = 0; open < 5; open += 1) assign({ email: ann, priority: 'low' }, 0)
  for (const [priority, hours] of [
    ['high', 2],
    ['normal', 2],
    ['low', 6],
  ] as const) {
    const [candidate] = route(question(history, stepFor([ann]), 0, priority)).candidates
    expect(candidate?.expectedMinutes).toBeCloseTo(hours * 60)
  }
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

test('every candidate is explained in a sentence', () => {
  const { history, assign } = after([8, 42], [1, 60])
  assign({ email: ann }, 400)
  const step = stepFor([ann, ben, cleo])
  expect(route(question(history, step, 400)).candidates.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^8 decisions, recently about 4\d minutes for this step; 1 open\.$/),
    expect.stringMatching(/^1 decision, with the estimate about \d\d minutes for this step; 0 open\.$/),
    'No decisions yet, assuming the estimate of 60 minutes; 0 open.',
  ])
})

test('the only approver of a step is chosen for that', () => {
  expect(route(question(new History(), stepFor([ann]), 0)).reason).toBe(`${ann} is the only approver of the step.`)
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

test('one approver is chosen, each is explained once, and always the same way', () => {
  fc.assert(
    fc.property(questions, ({ history: { history, now }, approvers, priority }) => {
      const asked = question(history, stepFor(approvers), now, priority)
      const { assignee, reason, candidates } = route(asked)
      expect(approvers).toContain(assignee.email)
      expect(candidates.map(({ email }) => email)).toEqual(approvers)
      for (const candidate of nonEmpty(candidates)) {
        const { decisions, open } = history.desk(candidate.email)
        expect(candidate).toMatchObject({ samples: decisions, openAssignments: open })
        expect(candidate.expectedMinutes).toBeGreaterThan(0)
        expect(candidate.expectedMinutes).toBeLessThan(Number.POSITIVE_INFINITY)
        expect(candidate.reason).toMatch(/^[^.]+\.$/)
      }
      expect(reason).toMatch(/^[^\n]+\.$/)
      expect(route(asked)).toEqual({ assignee, reason, candidates })
    }),
  )
})

test('high priority always takes the shortest expected finish', () => {
  fc.assert(
    fc.property(questions, ({ history: { history, now }, approvers }) => {
      const { assignee, candidates } = route(question(history, stepFor(approvers), now, 'high'))
      const least = Math.min(...candidates.map(({ expectedMinutes }) => expectedMinutes))
      expect(candidates.find(({ email }) => email === assignee.email)?.expectedMinutes).toBe(least)
    }),
  )
})

test('of many approvers, the soonest are candidates, in the order of the step', () => {
  const history = new History()
  const emails = Array.from({ length: 14 }, (_, index) => `a${index}@example.com`)
  // Every second one is fast.
  const minutesOf = (index: number) => (index % 2 === 0 ? 10 + index : 500 + index)
  let now = 0
  for (const [index, email] of emails.entries()) now = workOn(history).repeat({ email }, 20, minutesOf(index))
  const { candidates } = route(question(history, stepFor(emails), now))
  const listed = candidates.map(({ email }) => emails.indexOf(email))
  expect(listed).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 10, 12])
})
