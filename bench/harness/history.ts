import type { WorkflowDefinition } from '../../src/domain/approval/workflow.ts'
import { workflowBody } from './sample-bodies.ts'

/** The sample workflow as the domain has it. */
export const definition: WorkflowDefinition = {
  ...workflowBody,
  steps: workflowBody.steps.map(({ step_id, name, order, approvers, estimated_duration }) => ({
    stepId: step_id,
    name,
    order,
    approvers,
    estimatedMinutes: estimated_duration,
  })),
}
