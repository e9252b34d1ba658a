import { expect, test } from 'vitest'
import { reference } from '../../conformance/selftest/reference.ts'
import { changeAnswer, changeStatus, type Wrapper } from '../../conformance/selftest/wrapper.ts'
import { runFlow } from '../../scripts/follow.ts'
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
