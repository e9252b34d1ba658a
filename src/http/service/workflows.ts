import type { Schemas } from '../../contract/operations.ts'
import { bottlenecksOf } from '../../domain/analytics/bottlenecks.ts'
import type { Work } from '../../world/slices.ts'
import type { World } from '../../world/world.ts'
import { publicPathOf, WrittenJson } from '../wire/exchange.ts'
import type { HandlerAnswer, ServiceHandlers } from '../wire/handlers.ts'
import type { Tolerance } from '../wire/valid-body.ts'
import type { Identifiers } from './identifiers.ts'
import { LatestDetails } from './latest-details.ts'
import {
  bottleneckTo,
  definitionFrom,
  executionTo,
  metricsTo,
  performanceTo,
  priorityFrom,
  recommendationTo,
  stepsOf,
  workflowTo,
} from './mapping.ts'

/** The number of latest executions in the details. */
const recent = 20

/** Details that are read again before the next event. */
const latest = new LatestDetails(2 * 1024 * 1024)

/** The times after which the details show changes, in milliseconds. */
export interface Delays {
  /** Of the list of executions. */
  readonly executions: number
  /** Of everything that follows from executions, such as metrics. */
  readonly figures: number
}

/** Returns the details of a workflow as JSON, without work if they were written since its last event. */
export function detailsOf(world: World, workflowId: string, delays?: Delays): WrittenJson | Work<WrittenJson> {
  const state = world.stateOf(workflowId)
  if (delays && state.changedAt > shownUntil(world, Math.max(delays.executions, delays.figures)))
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
    executions.push(executionTo(execution))
    yield
  }
  const body: Schemas['WorkflowDetails'] = {
    ...workflowTo(analytics.workflow, analytics.workflow),
    execution_metrics: metricsTo(analytics.metrics()),
    step_performance: analytics.steps().map(performanceTo),
    optimization_recommendations: recommendations.map(recommendationTo),
    bottlenecks: bottlenecksOf(analytics).map(bottleneckTo),
    recent_executions: executions,
  }
  yield
  const details = new WrittenJson(JSON.stringify(body))
  if (!delays) latest.keep(world.stateOf(workflowId), analytics.events, details)
  return details
}

/** Creates the handlers for workflows (interface.md sections 4.1 to 4.3). */
export function workflowHandlers(
  identifiers: Identifiers,
  { acceptsAnyDocument = false }: Partial<Tolerance> = {},
  delays?: Delays,
): Pick<ServiceHandlers, 'createWorkflow' | 'executeWorkflow' | 'getWorkflow'> {
  return {
    createWorkflow({ body, world, incoming }) {
      const workflowId = identifiers.workflow(world)
      const definition = definitionFrom(body)
      world.handle({ type: 'CreateWorkflow', workflowId, definition })
      const headers = { Location: `${publicPathOf(incoming)}/api/v1/workflows/${encodeURIComponent(workflowId)}` }
      // Answered from the request: the state of the workflow would make its analytics.
      return {
        status: 201,
        body: workflowTo(definition, { workflowId, createdAt: world.createdAt(workflowId) }),
        headers,
      }
    },

    *executeWorkflow({ params, body, world, incoming }) {
      const executionId = identifiers.execution(world)
      yield* world.perform({
        type: 'StartExecution',
        executionId,
        workflowId: params.workflow_id,
        documentId: body.document_id,
        isDocumentKnown: acceptsAnyDocument,
        submitterEmail: body.submitter_email,
        mode: body.execution_mode,
        ...priorityFrom(body.priority),
      })
      const execution = world.execution(executionId)
      if (incoming.call) {
        incoming.call = { ...incoming.call, steps: stepsOf(execution) }
      }
      return { status: 202, body: executionTo(execution) }
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
