import { expect, test } from 'vitest'
import { safety } from '../../conformance/run/safety.ts'
import { describeConformance } from '../../conformance/run/vitest.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { createMock } from '../../src/index.ts'

describeConformance('the reference as a function', {
  url: 'http://mock.test',
  apiKey: 'test_vitest',
  secondKey: 'test_vitest_2',
  fetch: createMock().fetch,
  time: virtualTime(),
  gaps: false,
})

test.each([
  ['https://approvals.example', 5],
  ['http://10.0.0.8', 5],
  ['http://127.0.0.1:4010', undefined],
  ['http://mock.test', undefined],
])('without a rate, %s gets %s requests a second', (url, perSecond) => {
  expect(safety({ url, apiKey: 'test_a' }).perSecond).toBe(perSecond)
  expect(safety({ url, apiKey: 'test_a', perSecond: 20 }).perSecond).toBe(20)
})

test.each([
  ['test_a', {}, true],
  ['sk_test_a', {}, true],
  ['live_a', {}, false],
  ['live_a', { allowLiveKey: true }, true],
  ['live_a', { profile: { testKeyPattern: '^live_' } }, true],
])('the key %s may be used with %j: %s', (apiKey, more, may) => {
  expect(safety({ url: 'https://approvals.example', apiKey, ...more }).flaw === undefined).toBe(may)
})
