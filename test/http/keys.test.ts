import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { runHere } from '../support/command.ts'
import { clientOf } from '../support/service.ts'

test('with keys, the mock refuses all others like keys that are no test keys', async () => {
  const mock = createMock({ keys: ['test_acme', 'test_globex'] })
  const read = async (Authorization: string) => {
    const { status, json } = await clientOf(mock, Authorization).details('none')
    return [status, json.code]
  }
  expect(await read('test_acme')).toEqual([404, 'workflow-not-found'])
  expect(await read('test_globex')).toEqual([404, 'workflow-not-found'])
  expect(await read('test_initech')).toEqual([401, 'not-a-test-key'])
})

test('a mock does not start with a key that it would refuse, and never shows it', async () => {
  expect(() => createMock({ keys: ['test_a', 'sk_live_1'] })).toThrow(/^One of the keys is not a test key\. Use /)
  const { code, stderr } = await runHere(['mock', '--keys', 'test_a,sk_live_1'])
  expect([code, stderr]).toEqual([3, expect.stringContaining('Use keys such as test_demo')])
  expect(stderr).not.toContain('sk_live_1')
})
