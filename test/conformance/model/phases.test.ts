import { expect, test } from 'vitest'
import { cellsIn, something } from '../../../conformance/model/phases.ts'

test('words of steps in a map are none of their execution', () => {
  const steps = { legal: { state: 'closed' }, board: { state: 'locked' } }
  const execution = { state: 'open', decided: { at: null }, log: ['started'], steps }
  expect(Object.fromEntries(cellsIn(execution, '', steps))).toEqual({
    ...{ '/state': 'open', '/decided/at': null },
    ...{ '/log': something, '/steps': something },
  })
})
