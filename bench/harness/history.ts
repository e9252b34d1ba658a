import type { WorkflowDefinition } from '../../src/domain/approval/workflow.ts'
import { workflowBody } from './sample-bodies.ts'

/** The sample workflow in the types of the domain. */
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
