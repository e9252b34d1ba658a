import { expect, test } from 'vitest'
import { safety } from '../../conformance/run/safety.ts'
import { isPrivate } from '../../conformance/wire/addresses.ts'

test.each([
  ['approvals.example', false],
  ['8.8.8.8', false],
  ['172.15.0.1', false],
  ['10.0.0.8', true],
  ['127.0.0.1', true],
  ['169.254.169.254', true],
  ['[::1]', true],
  ['printer', true],
  ['172.16.0.1', true],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['10.cdn.example.com', false],
  ['192.168.example.com', false],
  ['[2606:4700::1111]', false],
  ['[fd00::1]', true],
  ['[fe80::1]', true],
  ['[::ffff:10.0.0.1]', true],
  ['localhost', true],
  ['nas.local', true],
  ['nas.local.', true],
  ['localhost.', true],
])('%s is private: %s', (host, expected) => {
  expect(isPrivate(host)).toBe(expected)
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
