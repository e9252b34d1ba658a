import { expect, test } from 'vitest'
import {
  allAtWork,
  approvedLists,
  atWorkTogether,
  endedEarly,
  followsOrder,
  isSideBySide,
  mayBegin,
  onlyForFirst,
  outOfOrder,
  type StepHistories,
  shownStates,
  skippedLast,
  stepsAtPlaces,
  waitingBeside,
  waitingInTurn,
  waitingPlaces,
} from '../../../conformance/reading/step-progress.ts'

const steps = [
  { step_id: 'b', name: 'Second', order: 2 },
  { step_id: 'c', name: 'Third', order: 3 },
  { step_id: 'a', name: 'First', order: 1 },
]

/** What an answer shows of the steps, given their values by order. */
const shown = (...values: readonly unknown[]) =>
  stepsAtPlaces({ list: steps.map(({ step_id, order }) => ({ step_id, it: values[order - 1] })) }, steps)
const after = (...moments: readonly (readonly unknown[])[]) => ({ after: moments.map((values) => shown(...values)) })
const place = { place: '/list/*/it', waiting: '"wait"' }

const sound: StepHistories = {
  sequential: after(['work', 'wait', 'wait']),
  parallel: after(['work', 'work', 'work']),
  shuffled: after(['work', 'wait', 'wait']),
}

test('the place that tells a waiting step is found under any name', () => {
  expect(waitingPlaces(sound)).toContainEqual(place)
  expect([isSideBySide(sound, place), followsOrder(sound, place)]).toEqual([true, true])
  expect([outOfOrder(sound, place), waitingInTurn(sound, place)]).toEqual([undefined, undefined])
})

test('a later step at work before the first is out of order', () => {
  const shuffled = after(['wait', 'work', 'wait'])
  expect(outOfOrder({ ...sound, shuffled }, place)).toEqual({ values: ['"wait"', '"work"', '"wait"'], of: 'shuffled' })
})

test('an execution may begin until it shows work where another one does', () => {
  const since = (...moments: readonly (readonly unknown[])[]) => ({ before: shown(), ...after(...moments) })
  const [working, waiting] = [since(['work', 'wait', 'wait']), since(['wait', 'wait', 'wait'])]
  expect(mayBegin({ sequential: working, shuffled: working })).toBe(false)
  expect(mayBegin({ sequential: working, shuffled: since() })).toBe(true)
  expect(mayBegin({ sequential: working, shuffled: waiting })).toBe(true)
  expect(mayBegin({ sequential: waiting, shuffled: since() })).toBe(false)
})

test('steps that work one after the other never are out of order', () => {
  const shuffled = after(['done', 'work', 'wait'], ['done', 'done', 'work'], ['done', 'done', 'done'])
  expect(outOfOrder({ ...sound, shuffled }, place)).toBeUndefined()
})

test('steps wait in turn if the second gets the state that the first one has left', () => {
  const waiting = ['work', 'wait', 'wait']
  const inTurn = after(waiting, ['done', 'wait', 'wait'], ['done', 'work', 'wait'])
  const start = ['"work"', '"wait"', '"wait"']
  const handedOn = ['"done"', '"work"', '"wait"']
  expect(waitingInTurn({ ...sound, parallel: inTurn }, place)).toEqual({ start, handedOn })
  expect(waitingInTurn({ ...sound, parallel: after(waiting) }, place)).toEqual({ start })
  expect(waitingInTurn({ ...sound, parallel: after(waiting, ['work', 'work', 'wait']) }, place)).toBeUndefined()
})

test.each([
  ['that stays', [['first', 'later', 'later']]],
  [
    'that moves to the second step',
    [
      [true, false, false],
      [false, true, false],
    ],
  ],
  [
    'with a rank',
    [
      [1, 2, 2],
      [3, 1, 2],
    ],
  ],
  [
    'with a share',
    [
      ['100 %', '0 %', '0 %'],
      ['30 %', '100 %', '0 %'],
    ],
  ],
  [
    'with words',
    [
      ['slowest', 'normal', 'normal'],
      ['normal', 'slowest', 'normal'],
    ],
  ],
])('a mark of the first step %s is no state', (_, moments) => {
  const mark = after(...moments)
  const histories = { sequential: mark, parallel: mark, shuffled: mark }
  const [found] = waitingPlaces(histories)
  expect(found && waitingInTurn(histories, found)?.handedOn).toBeUndefined()
})

test('a mark in the performance of steps is no state', () => {
  const performance = steps.map(({ step_id, order }) => ({ step_id, speed: order === 1 ? 'slow' : 'fast' }))
  const shows = (json: unknown) => [...stepsAtPlaces(json, steps).keys()].some((one) => one.endsWith('speed'))
  expect([shows({ step_performance: performance }), shows({ steps: performance })]).toEqual([false, true])
})

/** The history of an execution whose steps show these states, by their order. */
const states = (...moments: readonly (readonly string[])[]) => ({
  after: moments.map((values) =>
    stepsAtPlaces({ list: steps.map(({ step_id, order }) => ({ step_id, state: values[order - 1] })) }, steps),
  ),
})

test('a step that ends before an earlier one at work has overtaken it', () => {
  const begun = ['RUNNING', 'RUNNING', 'RUNNING']
  const [inTurn] = allAtWork(states(begun, ['DONE', 'RUNNING', 'RUNNING']))
  const [overtaken] = allAtWork(states(begun, ['RUNNING', 'DONE', 'RUNNING']))
  expect(inTurn?.overtaken).toBeUndefined()
  expect(overtaken?.overtaken?.values).toEqual(['"RUNNING"', '"DONE"', '"RUNNING"'])
  expect(allAtWork(states(['PENDING', 'PENDING', 'PENDING']))).toEqual([])
})

test('a later step that ends while an earlier one is as at first did not wait', () => {
  const ends = (...moments: readonly (readonly string[])[]) => endedEarly(states(...moments))
  const begun = ['pending', 'pending', 'pending']
  expect(ends(begun, ['pending', 'approved', 'pending'])?.values).toEqual(['"pending"', '"approved"', '"pending"'])
  expect(ends(['active', 'waiting', 'waiting'], ['approved', 'waiting', 'approved'])).toBeDefined()
  expect(ends(begun, ['approved', 'approved', 'pending'])).toBeUndefined()
  // A step may be assigned or skipped in any order.
  expect(ends(begun, ['pending', 'assigned', 'pending'])).toBeUndefined()
  expect(ends(begun, ['pending', 'skipped', 'pending'])).toBeUndefined()
})

const approved = ['/list/*']

test('a last step that waits after the approval of its execution was skipped', () => {
  const skips = (...moments: readonly (readonly unknown[])[]) =>
    skippedLast({ sequential: { ...after(['work', 'wait', 'wait'], ...moments), approved } }, place)?.values
  expect(skips(['done', 'done', 'wait'])).toEqual(['"done"', '"done"', '"wait"'])
  expect(skips(['done', 'done', 'done'])).toBeUndefined()
  expect(skips(['done', 'no', 'wait'])).toBeUndefined()
  expect(skips(['done', 'work', 'wait'])).toBeUndefined()
  const { sequential } = sound
  expect(
    skippedLast({ sequential: { after: [...sequential.after, shown('done', 'done', 'wait')] } }, place),
  ).toBeUndefined()
})

test.each([
  [{ status: 'APPROVED' }, 1],
  [{ RunState: 'finished' }, 1],
  [{ status: 'running' }, 0],
  [{ status: 'completed', outcome: 'rejected' }, 0],
  [{ result: 'approved' }, 0],
])('approved lists of steps in %j: %i', (execution, count) => {
  const list = { items: steps.map(({ step_id }) => ({ step_id, status: 'done' })) }
  expect(approvedLists({ executions: [{ ...execution, steps: list }] }, steps)).toHaveLength(count)
})

test('two steps that begin at work in all sequential workflows are at work together', () => {
  const pair = ['work', 'work', 'wait']
  const inPairs = after(pair, ['done', 'done', 'work'])
  const together = { sequential: inPairs, shuffled: after(pair), parallel: after(['work', 'work', 'work']) }
  expect(atWorkTogether(together)?.values).toEqual(['"work"', '"work"', '"wait"'])
  expect(atWorkTogether(sound)).toBeUndefined()
  expect(atWorkTogether({ ...together, parallel: after(pair) })).toBeUndefined()
  expect(atWorkTogether({ ...together, shuffled: after(['work', 'wait', 'wait']) })).toBeUndefined()
  expect(atWorkTogether({ ...together, sequential: after(pair) })).toBeUndefined()
})

test('a value that only the first step of any workflow ever has is found', () => {
  const first = ['Ada', null, null]
  const own = { place: '/list/*/it', waiting: 'nothing' }
  const always = { sequential: after(first), parallel: after(first, first), shuffled: after(first) }
  expect(onlyForFirst(always, own)).toEqual(['"Ada"', 'nothing', 'nothing'])
  expect(onlyForFirst({ ...always, parallel: after(first, ['Ada', 'Bo', null]) }, own)).toBeUndefined()
  expect(onlyForFirst({ ...always, parallel: after(first) }, own)).toBeUndefined()
})

test('steps of another workflow that have all ended do not prove that none waited', () => {
  const parallel = after(['done', 'done', 'done'])
  expect(isSideBySide({ ...sound, parallel }, place)).toBe(false)
})

test('steps that start at the same time do not wait for each other', () => {
  const times = ['2026-03-01T09:00:00.001Z', '2026-03-01T09:00:00.002Z', '2026-03-01T09:00:00.002Z']
  expect(waitingPlaces({ sequential: after(times) }).map((one) => one.place)).not.toContain(place.place)
})

test('states that prove nothing are shown with their place', () => {
  const of = (...values: readonly string[]) => ({
    after: [stepsAtPlaces({ list: steps.map(({ step_id, order }) => ({ step_id, state: values[order - 1] })) }, steps)],
  })
  const open = ['"open"', '"open"', '"open"']
  const found = shownStates({ sequential: of('open', 'open', 'open'), parallel: of('open', 'open', 'open') })
  expect(found).toEqual({ place: '/list/*/state', sequential: open, parallel: open })
  expect(shownStates(sound)).toBeUndefined()
})

test('a third step that waits until one of two has ended waits for it', () => {
  const begins = (...moments: readonly (readonly string[])[]) => {
    const inTurn = states(['running', 'waiting', 'waiting'])
    const histories = { sequential: inTurn, shuffled: inTurn, parallel: states(...moments) }
    const [found] = waitingPlaces(histories)
    return found && waitingBeside(histories, found)
  }
  const two = ['running', 'running', 'waiting']
  expect(begins(two, two, ['approved', 'running', 'running'])?.handedOn).toBeDefined()
  expect(begins(two, two)).toMatchObject({ start: ['"running"', '"running"', '"waiting"'] })
  expect(begins(two, two, ['running', 'running', 'running'])).toBeUndefined()
  // A step may begin a little later than the others.
  expect(begins(two, ['approved', 'running', 'running'])).toBeUndefined()
  expect(begins(['running', 'running', 'running'])).toBeUndefined()
})
