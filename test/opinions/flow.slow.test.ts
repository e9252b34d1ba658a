import { expect, test } from 'vitest'
import { reference } from '../../conformance/selftest/reference.ts'
import { changeAnswer, changeStatus, type Wrapper } from '../../conformance/selftest/wrapper.ts'
import { runFlow } from '../../scripts/follow.ts'
import { startNode } from '../support/command.ts'
import { listen } from '../support/listen.ts'
import { freshKey } from '../support/service.ts'

const broken: [what: string, step: string, wrapper: Wrapper][] = [
  ['another status of the contract', 'execute-workflow', changeStatus(['executeWorkflow'], 409)],
  ['no document', 'confirm-upload', changeAnswer('confirmUpload', ({ document_id, ...rest }) => rest)],
]

test.each(broken)('the flow with %s fails at %s', async (_, step, wrapper) => {
  const server = await listen(wrapper(reference()))
  const { passed, printed } = await runFlow(server.url, `${freshKey()}_canary`)
  await server.close()
  expect(passed).toBe(false)
  expect(printed).toContain(`stepId - ${step}`)
  expect(printed).toContain('/contract.txt?***')
  expect(printed).not.toContain('canary')
  expect(printed).not.toContain('X-Amz-Signature')
})

/** Runs the command behind `npm run flow`. */
function flow(env: Record<string, string> = {}) {
  return startNode(['--import', 'tsx', 'scripts/flow.ts'], env).ended
}

test('an independent client follows the documented flow, step by step', async () => {
  const { code, stdout } = await flow()
  expect([code, stdout]).toEqual([0, expect.stringContaining('Steps: 6 passed, 6 total')])
})

test('a deployment without a key is bad usage', async () => {
  const { code, stderr } = await flow({ COUNTERSIGN_URL: 'http://127.0.0.1:9' })
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^No API key for http:\/\/127\.0\.0\.1:9\./)])
})
