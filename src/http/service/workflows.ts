import type { Schemas } from '../../contract/operations.ts'
import { written } from '../../contract/written.ts'
import { bottlenecksOf } from '../../domain/analytics/bottlenecks.ts'
import type { Execution } from '../../domain/approval/execution.ts'
import { asDocumented, type Delays, type DeploymentWays } from '../../wire/deployment.ts'
import { publicPathOf, WrittenJson } from '../../wire/exchange.ts'
import type { HandlerAnswer, ServiceHandlers } from '../../wire/handlers.ts'
import type { Work } from '../../world/slices.ts'
import type { World } from '../../world/world.ts'
import type { Identifiers } from './identifiers.ts'
import { LatestDetails } from './latest-details.ts'

/** The number of latest executions in the details. */
const recent = 20

/** The only state of a workflow (gap.workflow-states). */
const status = 'active'

/** Details that are read again before the next event. */
const latest = new LatestDetails(2 * 1024 * 1024)

/** Returns the details of a workflow as JSON, without work if they were written since its last event. */
export function detailsOf(
  world: World,
  workflowId: string,
  delays = asDocumented.delays,
): WrittenJson | Work<WrittenJson> {
  const state = world.workflow(workflowId)
  if (state.changedAt > shownUntil(world, Math.max(delays.executions, delays.figures)))
    return writeDetails(world, workflowId, delays)
  return latest.find(state, state.events) ?? writeDetails(world, workflowId)
}

/** Returns the time up to which events are shown. The clock of another mock with the same events may be ahead of this one. */
const shownUntil = ({ clock }: World, delay?: number) => (delay ? clock.now() - delay : Number.POSITIVE_INFINITY)

function* writeDetails(world: World, workflowId: string, delays?: Delays): Work<WrittenJson> {
  const listed = yield* world.viewAt(workflowId, shownUntil(world, delays?.executions))
  const { analytics, advice } = (yield* world.viewAt(workflowId, shownUntil(world, delays?.figures))).state
  const recommendations = yield* advice.recommend()
  const executions: Schemas['Execution'][] = []
  for (const execution of listed.recentExecutions(recent)) {
    executions.push(writtenExecution(execution))
    yield
  }
  const body = written('WorkflowDetails', analytics.workflow, {
    status,
    executionMetrics: analytics.metrics(),
    stepPerformance: analytics.steps(),
    optimizationRecommendations: recommendations,
    bottlenecks: bottlenecksOf(analytics),
  })
  yield
  const details = new WrittenJson(JSON.stringify({ ...body, recent_executions: executions }))
  if (!delays) latest.keep(world.workflow(workflowId), analytics.events, details)
  return details
}

/** Writes an execution as the contract has it. */
export function writtenExecution(execution: Execution): Schemas['Execution'] {
  const steps = execution.stages
    .flat()
    .map((step) => written('ExecutionStep', step.step, step, step.route && { routing: step.route }))
  return { ...written('Execution', execution.request, execution), steps }
}

/** Returns the steps of an execution as they were sent. */
export const definedSteps = ({ stages }: Execution) => stages.flat().map(({ step }) => step)

/** Creates the handlers for workflows (interface.md sections 4.1 to 4.3). */
export function workflowHandlers(
  identifiers: Identifiers,
  { accepts, delays }: DeploymentWays,
): Pick<ServiceHandlers, 'createWorkflow' | 'executeWorkflow' | 'getWorkflow'> {
  return {
    createWorkflow({ body, world, context }) {
      const workflowId = identifiers.workflow(world)
      world.handle({ type: 'CreateWorkflow', workflowId, definition: body })
      const headers = {
        Location: `${publicPathOf(context.request)}/api/v1/workflows/${encodeURIComponent(workflowId)}`,
      }
      // Answered from the request: the state of the workflow would make its analytics.
      return {
        status: 201,
        body: written('Workflow', body, { workflowId, status, createdAt: world.workflow(workflowId).created.at }),
        headers,
      }
    },

    *executeWorkflow({ params, body, world, context }) {
      const executionId = identifiers.execution(world)
      yield* world.perform({
        type: 'StartExecution',
        executionId,
        workflowId: params.workflow_id,
        request: body,
        isDocumentKnown: accepts('document-not-confirmed'),
      })
      const execution = world.execution(executionId)
      context.steps = definedSteps(execution)
      return { status: 202, body: writtenExecution(execution) }
    },

    getWorkflow({ params, world }) {
      const details = detailsOf(world, params.workflow_id, delays)
      return details instanceof WrittenJson ? { status: 200, body: details } : answerWith(details)
    },
  }
}

function* answerWith(work: Work<WrittenJson>): Work<HandlerAnswer<'getWorkflow'>> {
  return { status: 200, body: yield* work }
}
