import type { WorkflowDefinition } from '../../src/domain/approval/workflow.ts'
import { workflowBody } from './sample-bodies.ts'

/** The sample workflow. */
export const definition: WorkflowDefinition = workflowBody
