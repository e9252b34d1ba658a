import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'

test('with keys, the mock refuses all others like keys that are no test keys', async () => {
  const mock = createMock({ keys: ['test_acme', 'test_globex'] })
  const read = async (Authorization: string) => {
    const answer = await mock.fetch('http://mock.test/api/v1/workflows/none', { headers: { Authorization } })
    return [answer.status, (await answer.json()).code]
  }
  expect(await read('test_acme')).toEqual([404, 'workflow-not-found'])
  expect(await read('test_globex')).toEqual([404, 'workflow-not-found'])
  expect(await read('test_initech')).toEqual([401, 'not-a-test-key'])
})
