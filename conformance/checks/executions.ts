/** Executing a workflow: interface.md section 4.2. */
import type { Check } from '../check.ts'
import { mustBeDone } from './shared.ts'

/** What is decided by the execution's being accepted. */
const accepted = [
  'execute-workflow.method-and-path',
  'execute-workflow.identifies-created-workflow',
  'execute-workflow.starts-execution',
  'execution.for-one-document',
  'execution.document-id',
  'execution.submitter-email',
  'execution.mode-standard',
  'execution.priority-high',
  'flow.document-id-refers-to-upload',
] as const

export const executionChecks: readonly Check[] = accepted.map((id) => ({
  id,
  run: async (flow) => mustBeDone((await flow.executeAnswer()).exchange),
}))
