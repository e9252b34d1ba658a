import type { Decider } from '../decider.ts'
import { DomainError } from '../errors.ts'

// What a client has sent is kept as it was sent, with the contract's names and units. These types name only the fields that a rule
// reads; all others of the contract are kept with them.

export interface Approver {
  readonly email: string
  readonly name: string
}

/** An approval step. `estimated_duration` is in minutes (gap.duration-unit). */
export interface Step {
  readonly step_id: string
  readonly name: string
  readonly order: number
  readonly approvers: readonly Approver[]
  readonly estimated_duration: number
}

export interface WorkflowDefinition {
  readonly name: string
  readonly description: string
  readonly isSequential: boolean
  readonly steps: readonly Step[]
}

/** A created workflow (interface.md section 2); its only state is `active` (gap.workflow-states). */
export interface Workflow extends WorkflowDefinition {
  readonly workflowId: string
  readonly createdAt: number
}

export interface CreateWorkflow {
  readonly type: 'CreateWorkflow'
  readonly workflowId: string
  readonly definition: WorkflowDefinition
}

export interface WorkflowCreated {
  readonly type: 'WorkflowCreated'
  readonly workflowId: string
  readonly definition: WorkflowDefinition
}

export const workflowDecider: Decider<Workflow, CreateWorkflow, WorkflowCreated> = {
  decide: ({ workflowId, definition }) => {
    const empty = definition.steps.find(({ approvers }) => approvers.length === 0)
    if (empty) throw new DomainError('no-approvers', `Step '${empty.step_id}' has no approvers. Give it at least one.`)
    return [{ type: 'WorkflowCreated', workflowId, definition }]
  },
  evolve: (_, { workflowId, definition, at }) => ({ ...definition, workflowId, createdAt: at }),
}

/**
 * Groups the steps into stages. Stages run one after the other; the steps of a stage run in parallel. A sequential
 * workflow has one stage for each order (gap.step-order), any other workflow has a single stage.
 */
export function stagesOf({ isSequential, steps }: WorkflowDefinition): readonly (readonly Step[])[] {
  if (!isSequential) return [steps]
  const orders = [...new Set(steps.map((step) => step.order))].sort((a, b) => a - b)
  return orders.map((order) => steps.filter((step) => step.order === order))
}
