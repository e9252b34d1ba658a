/** Maps the domain's records to the contract's and back. Only names and units change. */
import type { Body, Schemas } from '../../contract/operations.ts'
import type { Recommendation } from '../../domain/advice/recommendations.ts'
import type { ExecutionMetrics, StepPerformance } from '../../domain/analytics/analytics.ts'
import type { Bottleneck } from '../../domain/analytics/bottlenecks.ts'
import type { Durations } from '../../domain/analytics/durations.ts'
import type { Execution, ExecutionStep, ExecutionTerms } from '../../domain/approval/execution.ts'
import type { Priority, Route } from '../../domain/approval/route.ts'
import type { Step, Workflow, WorkflowDefinition } from '../../domain/approval/workflow.ts'
import type { Upload } from '../../domain/uploads/upload.ts'

export function definitionFrom({ name, description, isSequential, steps }: Body<'createWorkflow'>): WorkflowDefinition {
  return {
    name,
    description,
    isSequential,
    steps: steps.map((step) => ({
      stepId: step.step_id,
      name: step.name,
      order: step.order,
      approvers: step.approvers.map(({ email, name }) => ({ email, name })),
      estimatedMinutes: step.estimated_duration,
      ...ownType(step),
    })),
  }
}

/** Returns the type of a step if a deployment accepts more types than the contract. */
function ownType({ type }: { readonly type: string }): { readonly type?: string } {
  return type === 'approval' ? {} : { type }
}

/** Returns the priority of an execution, and what was sent if a deployment accepts more priorities than the contract. */
export function priorityFrom(sent: string): Pick<ExecutionTerms, 'priority' | 'sentPriority'> {
  const known = (['low', 'normal', 'high'] as const).find((priority) => priority === sent)
  return known === undefined ? { priority: 'normal', sentPriority: sent } : { priority: known }
}

export function workflowTo(
  definition: WorkflowDefinition,
  { workflowId, createdAt }: Pick<Workflow, 'workflowId' | 'createdAt'>,
): Schemas['Workflow'] {
  return {
    workflow_id: workflowId,
    name: definition.name,
    description: definition.description,
    isSequential: definition.isSequential,
    steps: definition.steps.map(stepTo),
    status: 'active',
    created_at: timeTo(createdAt),
  }
}

/** Returns the definitions of the steps of an execution. */
export const stepsOf = ({ stages }: Execution) => stages.flat().map(({ step }) => stepTo(step))

export function stepTo(step: Step): Schemas['Step'] {
  return {
    step_id: step.stepId,
    name: step.name,
    order: step.order,
    type: (step.type ?? 'approval') as 'approval',
    approvers: step.approvers.map(({ email, name }) => ({ email, name })),
    estimated_duration: step.estimatedMinutes,
  }
}

export function executionTo(execution: Execution): Schemas['Execution'] {
  return {
    execution_id: execution.executionId,
    workflow_id: execution.workflowId,
    document_id: execution.documentId,
    submitter_email: execution.submitterEmail,
    execution_mode: execution.mode,
    priority: (execution.sentPriority ?? execution.priority) as Priority,
    status: execution.status,
    started_at: timeTo(execution.startedAt),
    completed_at: timeOrNull(execution.completedAt),
    steps: execution.stages.flat().map(executionStepTo),
  }
}

function executionStepTo({
  step,
  status,
  assignee,
  route,
  assignedAt,
  decidedAt,
}: ExecutionStep): Schemas['ExecutionStep'] {
  return {
    step_id: step.stepId,
    name: step.name,
    order: step.order,
    status,
    assignee: assignee ? { email: assignee.email, name: assignee.name } : null,
    assigned_at: timeOrNull(assignedAt),
    decided_at: timeOrNull(decidedAt),
    routing: route ? routingTo(route) : null,
  }
}

export function routingTo({ reason, candidates }: Route): Schemas['Routing'] {
  return {
    reason,
    candidates: candidates.map((candidate) => ({
      email: candidate.email,
      expected_minutes: candidate.expectedMinutes,
      samples: candidate.samples,
      open_assignments: candidate.openAssignments,
      reason: candidate.reason,
    })),
  }
}

export function metricsTo(metrics: ExecutionMetrics): Schemas['ExecutionMetrics'] {
  return {
    total: metrics.total,
    running: metrics.running,
    approved: metrics.approved,
    rejected: metrics.rejected,
    success_rate: metrics.successRate ?? null,
    completion_time: durationsOrNull(metrics.completionTime),
  }
}

export function performanceTo(step: StepPerformance): Schemas['StepPerformance'] {
  return {
    step_id: step.stepId,
    assigned: step.assigned,
    approved: step.approved,
    rejected: step.rejected,
    approval_rate: step.approvalRate ?? null,
    waiting_time: durationsOrNull(step.waitingTime),
    working_time: durationsOrNull(step.workingTime),
    estimated_minutes: step.estimatedMinutes,
    overrun_minutes: step.overrunMinutes ?? null,
    critical_path_share: step.criticalPathShare ?? null,
  }
}

export function bottleneckTo(bottleneck: Bottleneck): Schemas['Bottleneck'] {
  return {
    step_id: bottleneck.stepId,
    critical_path_share: bottleneck.criticalPathShare,
    estimate_ratio: bottleneck.estimateRatio,
    cause: bottleneck.cause,
    message: bottleneck.message,
  }
}

export function recommendationTo(recommendation: Recommendation): Schemas['Recommendation'] {
  return {
    type: recommendation.type,
    step_id: recommendation.stepId,
    approver_email: recommendation.approverEmail ?? null,
    message: recommendation.message,
    predicted_change_minutes: recommendation.predictedChangeMinutes,
  }
}

export function documentTo(upload: Upload): Schemas['Document'] {
  const { documentId = '', crc32, sha256, confirmedAt = 0 } = upload
  return {
    document_id: documentId,
    session_id: upload.sessionId,
    key: upload.key,
    file_name: upload.fileName,
    content_type: upload.contentType,
    file_size: upload.fileSize,
    ...(crc32 !== undefined && { crc32 }),
    ...(sha256 !== undefined && { sha256 }),
    confirmed_at: timeTo(confirmedAt),
  }
}

function durationsOrNull(durations: Durations | undefined): Schemas['Durations'] | null {
  if (!durations) return null
  const { mean, p50, p90, p99 } = durations
  return { mean_minutes: mean, p50_minutes: p50, p90_minutes: p90, p99_minutes: p99 }
}

/** The last formatted time. Formatting is slow, and consecutive calls often have the same time. */
let written = { ms: Number.NaN, text: '' }

/** Formats a time as RFC 3339 in UTC. */
export function timeTo(ms: number): string {
  if (ms !== written.ms) written = { ms, text: new Date(ms).toISOString() }
  return written.text
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : timeTo(ms)
}
