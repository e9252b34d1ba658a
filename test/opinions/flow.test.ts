import { expect, test } from 'vitest'
import { startNode } from '../support/command.ts'

/** Runs the command behind `npm run flow`. */
function flow(env: Record<string, string> = {}) {
  return startNode(['--import', 'tsx', 'scripts/flow.ts'], env).ended
}

test('an independent client follows the documented flow, step by step', async () => {
  const { code, stdout } = await flow()
  expect(stdout).toContain('Steps: 6 passed, 6 total')
  expect(code).toBe(0)
})

test('a deployment without a key is bad usage', async () => {
  const { code, stderr } = await flow({ COUNTERSIGN_URL: 'http://127.0.0.1:9' })
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^No API key for http:\/\/127\.0\.0\.1:9\./)])
})
