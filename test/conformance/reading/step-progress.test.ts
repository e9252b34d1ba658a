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

test('steps that wait for the first wait in turn, until a second one starts beside it', () => {
  const waiting = ['work', 'wait', 'wait']
  expect(waitingInTurn({ ...sound, parallel: after(waiting) }, place)).toEqual(['"work"', '"wait"', '"wait"'])
  expect(waitingInTurn({ ...sound, parallel: after(waiting, ['work', 'work', 'wait']) }, place)).toBeUndefined()
})

test('a mark of the first step that no execution changes shows no progress', () => {
  const mark = { before: shown(true, false, false), ...after([true, false, false]) }
  const histories = { sequential: mark, parallel: mark, shuffled: mark }
  const [found] = waitingPlaces(histories)
  expect(found && waitingInTurn(histories, found)).toBeUndefined()
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
  expect(overtaken?.overtaken).toEqual(['"RUNNING"', '"DONE"', '"RUNNING"'])
  expect(allAtWork(states(['PENDING', 'PENDING', 'PENDING']))).toEqual([])
})
