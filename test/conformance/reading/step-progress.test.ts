import { expect, test } from 'vitest'
import {
  allAtWork,
  followsOrder,
  isSideBySide,
  outOfOrder,
  type StepHistories,
  stepsAtPlaces,
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

test('a step that ends before an earlier one at work has overtaken it', () => {
  const states = (...moments: readonly (readonly string[])[]) => ({
    after: moments.map((values) =>
      stepsAtPlaces({ list: steps.map(({ step_id, order }) => ({ step_id, state: values[order - 1] })) }, steps),
    ),
  })
  const begun = ['RUNNING', 'RUNNING', 'RUNNING']
  const [inTurn] = allAtWork(states(begun, ['DONE', 'RUNNING', 'RUNNING']))
  const [overtaken] = allAtWork(states(begun, ['RUNNING', 'DONE', 'RUNNING']))
  expect(inTurn?.overtaken).toBeUndefined()
  expect(overtaken?.overtaken?.values).toEqual(['"RUNNING"', '"DONE"', '"RUNNING"'])
  expect(allAtWork(states(['PENDING', 'PENDING', 'PENDING']))).toEqual([])
})

test('a step that started before the end of an earlier one at work has overtaken it', () => {
  const at = (second: number) => `2026-03-01T09:00:0${second}Z`
  const states = (state: string, times: readonly (readonly [number, number])[]) =>
    stepsAtPlaces(
      {
        list: steps.map(({ step_id, order }) => {
          const [started, ended] = times[order - 1] ?? []
          return { step_id, state, started_at: started && at(started), completed_at: ended && at(ended) }
        }),
      },
      steps,
    )
  const overtakenBy = (...times: (readonly [number, number])[]) =>
    allAtWork({ after: [states('InProgress', []), states('Done', times)] })[0]?.overtaken
  expect(overtakenBy([1, 2], [2, 3], [3, 4])).toBeUndefined()
  expect(overtakenBy([1, 2], [1, 3], [1, 4])?.place).toBe('/list/*')
})
