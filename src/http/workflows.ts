import type { Schemas } from '../contract/operations.ts'
import type { Analytics } from '../domain/analytics.ts'
import { bottlenecksOf } from '../domain/bottlenecks.ts'
import { recommendationsFor } from '../domain/recommendations.ts'
import type { ServiceHandlers } from './handlers.ts'
import {
  bottleneckTo,
  definitionFrom,
  executionTo,
  metricsTo,
  performanceTo,
  recommendationTo,
  workflowTo,
} from './mapping.ts'

/** How many of the latest executions the details list. */
const recent = 20

type Advice = Pick<Schemas['WorkflowDetails'], 'optimization_recommendations' | 'bottlenecks'>

/** Predictions take milliseconds, so they are made once for each state of the analytics. */
const advice = new WeakMap<Analytics, { readonly events: number; readonly advice: Advice }>()

function adviceOf(analytics: Analytics): Advice {
  const { events } = analytics
  const known = advice.get(analytics)
  if (known?.events === events) return known.advice
  const fresh: Advice = {
    optimization_recommendations: recommendationsFor(analytics).map(recommendationTo),
    bottlenecks: bottlenecksOf(analytics).map(bottleneckTo),
  }
  advice.set(analytics, { events, advice: fresh })
  return fresh
}

/** Workflows (interface.md sections 4.1 to 4.3). */
export const workflowHandlers: Pick<ServiceHandlers, 'createWorkflow' | 'executeWorkflow' | 'getWorkflow'> = {
  createWorkflow({ body, world }) {
    const workflowId = world.random.id('wf')
    world.handle({ type: 'CreateWorkflow', workflowId, definition: definitionFrom(body) })
    const headers = { Location: `/api/v1/workflows/${workflowId}` }
    return { status: 201, body: workflowTo(world.workflow(workflowId)), headers }
  },

  executeWorkflow({ params, body, world }) {
    const executionId = world.random.id('exe')
    world.handle({
      type: 'StartExecution',
      executionId,
      workflowId: params.workflow_id,
      documentId: body.document_id,
      submitterEmail: body.submitter_email,
      mode: body.execution_mode,
      priority: body.priority,
    })
    return { status: 202, body: executionTo(world.execution(executionId)) }
  },

  getWorkflow({ params, world }) {
    const { workflow_id } = params
    const analytics = world.analytics(workflow_id)
    return {
      status: 200,
      body: {
        ...workflowTo(world.workflow(workflow_id)),
        execution_metrics: metricsTo(analytics.metrics()),
        step_performance: analytics.steps().map(performanceTo),
        ...adviceOf(analytics),
        recent_executions: world.recentExecutions(workflow_id, recent).map(executionTo),
      },
    }
  },
}
