import { expect, test } from 'vitest'
import { runHere } from '../support/command.ts'

const upstream = ['mock', '--port', '0', '--upstream', 'https://approvals.example']

test.each([
  ['without a key', [], {}, /^No API key is set for https:\/\/approvals\.example\. Set it in COUNTERSIGN_API_KEY\.$/],
  ['with a live key', [], { COUNTERSIGN_API_KEY: 'sk_live_123456789' }, /no test-mode prefix.*Use a test key\.$/],
  ['on all addresses', ['--host', '0.0.0.0'], { COUNTERSIGN_API_KEY: 'test_a' }, /Leave out --host\.$/],
  ['for an unknown call', ['--upstream-calls', 'putObject'], { COUNTERSIGN_API_KEY: 'test_a' }, /no call 'putObject'/],
])('a mock %s passes nothing on, and does not start', async (_, more, env, message) => {
  const { code, stdout, stderr } = await runHere([...upstream, ...more], env)
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr.trim()).toMatch(message)
})
