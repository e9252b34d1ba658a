import { type Decider, never } from '../decider.ts'
import { DomainError, requireFound } from '../errors.ts'
import { mostUrgentFirst, type Priority, type Route } from './route.ts'
import { type Approver, type Step, stagesOf, type Workflow } from './workflow.ts'

export type Decision = 'approved' | 'rejected'

/** The state of a step of an execution (gap.step-states). Times are in milliseconds since 1970. */
export interface ExecutionStep {
  readonly step: Step
  readonly status: 'waiting' | 'assigned' | Decision | 'skipped'
  readonly assignee?: Approver | undefined
  readonly route?: Route | undefined
  readonly assignedAt?: number | undefined
  /** The time at which the assignee started on it: waiting time ends here, and working time begins. */
  readonly takenUpAt?: number
  readonly decidedAt?: number
}

/** What the client asked for, as it was sent (interface.md section 2). */
export interface ExecutionRequest {
  readonly document_id: string
  /** One of `Priority`, or any other text that a deployment accepts. */
  readonly priority: string
}

/** A workflow's execution for one document (gap.execution-states). */
export interface Execution {
  readonly request: ExecutionRequest
  readonly executionId: string
  readonly workflowId: string
  readonly status: 'running' | Decision
  readonly startedAt: number
  readonly completedAt?: number
  /** Stages run one after the other; the steps of a stage run in parallel. */
  readonly stages: readonly (readonly ExecutionStep[])[]
}

export type ExecutionCommand =
  | {
      readonly type: 'StartExecution'
      readonly executionId: string
      readonly workflow: Workflow
      readonly request: ExecutionRequest
    }
  | { readonly type: 'AssignStep'; readonly executionId: string; readonly stepId: string; readonly route: Route }
  | {
      readonly type: 'DecideStep'
      readonly executionId: string
      readonly stepId: string
      readonly email: string
      readonly decision: Decision
      readonly takenUpAt: number
    }

interface StepReference {
  readonly executionId: string
  readonly workflowId: string
  readonly stepId: string
}

export type ExecutionEvent =
  | {
      readonly type: 'ExecutionStarted'
      readonly executionId: string
      readonly workflowId: string
      readonly stages: readonly (readonly Step[])[]
      readonly request: ExecutionRequest
    }
  | ({ readonly type: 'StepAssigned'; readonly route: Route } & StepReference)
  | ({
      readonly type: 'StepDecided'
      readonly email: string
      readonly decision: Decision
      readonly takenUpAt: number
    } & StepReference)
  | ({ readonly type: 'AssignmentWithdrawn'; readonly email: string } & StepReference)
  | {
      readonly type: 'ExecutionCompleted'
      readonly executionId: string
      readonly workflowId: string
      readonly outcome: Decision
    }

export const executionDecider: Decider<Execution, ExecutionCommand, ExecutionEvent> = {
  decide(command, state) {
    switch (command.type) {
      case 'StartExecution': {
        const { executionId, workflow, request } = command
        const { workflowId } = workflow
        return [{ type: 'ExecutionStarted', workflowId, stages: stagesOf(workflow), executionId, request }]
      }
      case 'AssignStep': {
        const { executionId, workflowId } = requireExecution(state, command.executionId)
        return [{ type: 'StepAssigned', executionId, workflowId, stepId: command.stepId, route: command.route }]
      }
      case 'DecideStep':
        return decideStep(command, requireExecution(state, command.executionId))
      default:
        return never(command)
    }
  },

  evolve(state, event) {
    if (event.type === 'ExecutionStarted') {
      const stages = event.stages.map((steps) => steps.map((step): ExecutionStep => ({ step, status: 'waiting' })))
      return running(event, event.at, stages)
    }
    const execution = state ?? requireExecution(state, event.executionId)
    switch (event.type) {
      case 'StepAssigned': {
        const { route, at } = event
        const { assignee } = route
        return withStep(execution, event.stepId, ({ step }) => ({
          step,
          status: 'assigned',
          assignee,
          route,
          assignedAt: at,
        }))
      }
      case 'StepDecided': {
        const { decision, takenUpAt, at } = event
        return withStep(execution, event.stepId, ({ step, assignee, route, assignedAt }) => ({
          step,
          status: decision,
          assignee,
          route,
          assignedAt,
          takenUpAt,
          decidedAt: at,
        }))
      }
      case 'AssignmentWithdrawn':
        return withStep(execution, event.stepId, (step) => ({ ...step, status: 'skipped' }))
      case 'ExecutionCompleted': {
        const stages = execution.stages.map((steps) =>
          steps.some(isWaiting)
            ? steps.map((step) => (isWaiting(step) ? { ...step, status: 'skipped' as const } : step))
            : steps,
        )
        return { ...execution, status: event.outcome, completedAt: event.at, stages }
      }
      default:
        return never(event)
    }
  },
}

/** Returns the priority of an execution. A priority outside the contract counts as `normal`. */
export function priorityOf({ request }: Execution): Priority {
  return mostUrgentFirst.find((priority) => priority === request.priority) ?? 'normal'
}

/** Returns the steps that need an assignment now: the waiting steps of the first stage that is not yet approved. */
export function stepsToAssign({ status, stages }: Execution): readonly ExecutionStep[] {
  if (status !== 'running') return []
  const stage = stages.find((steps) => steps.some((step) => step.status !== 'approved'))
  return stage?.filter((step) => step.status === 'waiting') ?? []
}

/** Returns a step of an execution. Throws a `DomainError` if the execution does not have it. */
export function stepOf({ executionId, stages }: Execution, stepId: string): ExecutionStep {
  // Runs several times for each event, so it builds no list, and the message only on failure.
  for (const steps of stages) for (const step of steps) if (step.step.step_id === stepId) return step
  throw new DomainError(
    'step-not-found',
    `Execution '${executionId}' has no step '${stepId}'. Use the step_id of one of its steps.`,
  )
}

type DecideStep = Extract<ExecutionCommand, { type: 'DecideStep' }>

function decideStep({ stepId, email, decision, takenUpAt }: DecideStep, execution: Execution): ExecutionEvent[] {
  const { executionId, workflowId, stages } = execution
  const { status, assignee } = stepOf(execution, stepId)
  if (status !== 'assigned') {
    throw new DomainError('step-not-assigned', `Step '${stepId}' is ${status}, not assigned. Decide an assigned step.`)
  }
  if (assignee?.email !== email) {
    throw new DomainError(
      'not-the-assignee',
      `Step '${stepId}' is assigned to ${assignee?.email}, not to ${email}. Decide as the assignee.`,
    )
  }
  const decided: ExecutionEvent = { type: 'StepDecided', executionId, workflowId, stepId, email, decision, takenUpAt }
  const others = stages.flat().filter((other) => other.step.step_id !== stepId)
  if (decision === 'approved' && others.some((other) => other.status !== 'approved')) return [decided]
  // A rejected step rejects the whole execution, so all other open assignments are withdrawn.
  const withdrawn = others.flatMap((other): ExecutionEvent[] =>
    other.status === 'assigned' && other.assignee
      ? [
          {
            type: 'AssignmentWithdrawn',
            executionId,
            workflowId,
            stepId: other.step.step_id,
            email: other.assignee.email,
          },
        ]
      : [],
  )
  return [decided, ...withdrawn, { type: 'ExecutionCompleted', executionId, workflowId, outcome: decision }]
}

/** Returns the execution. Throws a `DomainError` if it is undefined. */
export function requireExecution(execution: Execution | undefined, executionId: string): Execution {
  return requireFound(
    execution,
    'execution-not-found',
    `This key has no execution '${executionId}'. Use the execution_id that POST /api/v1/workflows/{workflow_id}/execute returned for this key.`,
  )
}

function isWaiting({ status }: ExecutionStep): boolean {
  return status === 'waiting'
}

/** The execution, which is running, with one step changed; all others stay the same objects. */
function withStep(execution: Execution, stepId: string, change: (step: ExecutionStep) => ExecutionStep): Execution {
  const stages = execution.stages.map((steps) => {
    const index = steps.findIndex(({ step }) => step.step_id === stepId)
    const step = steps[index]
    return step ? steps.with(index, change(step)) : steps
  })
  return running(execution, execution.startedAt, stages)
}

/** Names each member, since V8 takes several times longer to spread an object. */
function running(
  { executionId, workflowId, request }: Pick<Execution, 'executionId' | 'workflowId' | 'request'>,
  startedAt: number,
  stages: Execution['stages'],
): Execution {
  return { executionId, workflowId, request, status: 'running', startedAt, stages }
}
