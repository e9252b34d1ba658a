import { expect, test } from 'vitest'
import type { Phases, ProgressRow } from '../../../conformance/model/phases.ts'
import { timesIn } from '../../../conformance/model/step-times.ts'

const at = (minute = '') => new Date(Date.UTC(2026, 2, 1, 9, Number(minute))).toISOString()

/** The last answer about an execution, such as `parallel 0-10 0-25`: the minutes at which its steps start and end. */
function row(text: string): ProgressRow {
  const [mode, ...steps] = text.split(' ')
  const run = { workflow: { made: { sent: { isSequential: mode === 'sequential' } } }, facts: { steps: [] } }
  const shown = steps.map((step) => {
    const [start, end] = step.split('-')
    const times = { '/from': at(start), '/to': at(end) }
    return { shown: new Map(Object.entries(times)), words: new Map() }
  })
  return { run, steps: shown } as unknown as ProgressRow
}

const [inTurn, together] = ['sequential 0-10 10-25 25-30', 'parallel 0-10 0-25 0-30']

test.each([
  ['one after the other, and side by side', [inTurn, together], ['inTurn', 'together']],
  ['a pause between two steps', ['sequential 0-10 12-25'], ['inTurn']],
  ['a step that begins before the one before it ends', ['sequential 0-10 5-25', together], ['early']],
  ['a chain of steps in another order', ['sequential 10-25 0-10 25-40'], ['early']],
  ['a step that may only have been assigned early', ['sequential 0-10 5-25', inTurn], []],
  ['steps side by side that hand over to each other', [inTurn, 'parallel 0-10 10-25'], ['inTurn', 'relayed']],
])('times show %s', (_, rows, expected) => {
  const unmoved = { phaseOf: () => '', isFurther: () => false, mayBeOver: () => true, waiting: new Set() }
  const found = timesIn({ rows: rows.map(row), partial: [], ...unmoved } as unknown as Phases)
  expect(Object.keys(found)).toEqual(expected)
})
