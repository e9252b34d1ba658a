import { expect, test } from 'vitest'
import { scenarios } from '../../mocks/scenarios/index.ts'
import { createMock } from '../../src/index.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { freshKey } from '../support/service.ts'

test.each(nonEmpty(Object.values(scenarios)))('scenario $name is imported as it was exported', async (scenario) => {
  const [key, mock, other] = [freshKey(), createMock({ scenario, clockSpeed: 0 }), createMock({ clockSpeed: 0 })]
  const file = await mock.exportTenant(key)
  await other.importTenant(file, key)
  expect(await other.exportTenant(key)).toEqual(file)
})
