import { expect, test } from 'vitest'
import { historyOf } from '../../../conformance/wire/record.ts'
import { exchange } from '../../support/run-result.ts'

test('a cut body is never parsed, even if its beginning is JSON', () => {
  const record = exchange({ status: 200, responseBody: '12', isCut: true })
  const { log } = historyOf({ exchanges: [record], withheld: [], crashes: [] })
  expect(log).toEqual([expect.not.objectContaining({ json: expect.anything() })])
})
