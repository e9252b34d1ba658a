import { describeConformance } from '../../conformance/vitest.ts'
import { createMock } from '../../src/index.ts'

describeConformance('the reference as a function', {
  url: 'http://mock.test',
  apiKey: 'test_vitest',
  secondKey: 'test_vitest_2',
  fetch: createMock().fetch,
})
