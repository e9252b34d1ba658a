/** Variants of the request fields that answers show, and of the places of the details' sections. */
import { without } from '../json.ts'
import { changeAnswer, changeAnswers, compose, type Members, type Wrapper } from '../wrapper.ts'
import type { Axis } from './axis.ts'

const workflowCalls = ['createWorkflow', 'getWorkflow'] as const
const defined = ['name', 'description', 'isSequential', 'steps']
const executed = ['document_id', 'submitter_email', 'execution_mode', 'priority', 'steps']

const hides = (...names: readonly string[]) => changeAnswers(workflowCalls, (body) => without(body, ...names))

const hidesAll = () =>
  compose(
    changeAnswers(workflowCalls, (body) => {
      const recent = body.recent_executions as Members[] | undefined
      return {
        ...without(body, ...defined),
        ...(recent && { recent_executions: recent.map((one) => without(one, ...executed)) }),
      }
    }),
    changeAnswers(['executeWorkflow'], (body) => without(body, ...executed)),
  )

interface Sections {
  readonly metrics: unknown
  readonly performance: unknown
  readonly recommendations: unknown
  readonly isFresh: boolean
}

/** Moves the three sections. The other members of the details stay. */
function moveSections(place: (found: Sections, rest: Members) => Members): () => Wrapper {
  return () =>
    changeAnswer('getWorkflow', (body) => {
      const { execution_metrics, step_performance, optimization_recommendations, ...rest } = body as Members
      const isFresh = (rest.recent_executions as unknown[] | undefined)?.length === 0
      const found = {
        metrics: execution_metrics,
        performance: step_performance,
        recommendations: optimization_recommendations,
        isFresh,
      }
      return { ...rest, ...place(found, rest) }
    })
}

/** Moves the performance into the steps. A section that is not a list stays whole, so that a mutant remains visible. */
function stepsWith(performance: unknown, name: string): Members {
  if (!Array.isArray(performance)) return { step_stats: performance }
  return { steps: performance.map(({ step_id, ...figures }) => ({ step_id, [name]: figures })) }
}

function indexByStep(performance: unknown): unknown {
  if (!Array.isArray(performance)) return performance
  return Object.fromEntries(performance.map(({ step_id, ...figures }) => [step_id, figures]))
}

const isMembers = (value: unknown): value is Members => value !== null && typeof value === 'object'

const toTexts = (recommendations: unknown) =>
  Array.isArray(recommendations)
    ? ['Nothing to improve yet.', ...recommendations.map(({ message }) => message)]
    : recommendations

/** Returns the steps of an execution that have an assignee. */
const assignedSteps = (steps: unknown) =>
  (Array.isArray(steps) ? (steps as Members[]) : []).filter(({ assignee }) => assignee !== null)

const executedAs = (change: (body: Members) => Members) => () => changeAnswers(['executeWorkflow'], change)

export const detailsAxes: readonly Axis[] = [
  {
    axis: 'assignees',
    values: {
      list: executedAs(({ steps, ...body }) => ({
        ...body,
        current_approvers: assignedSteps(steps).map(({ assignee }) => assignee),
      })),
      'by-step': executedAs(({ steps, ...body }) => ({
        ...body,
        routing: Object.fromEntries(assignedSteps(steps).map(({ step_id, assignee }) => [String(step_id), assignee])),
      })),
      'beside-others': executedAs(({ steps, ...body }) => ({
        ...body,
        current_user: { email: 'api@example.com' },
        steps: assignedSteps(steps).map(({ step_id, assignee }) => ({
          step_id,
          assignee,
          escalates_to: { email: 'boss@example.com' },
        })),
      })),
      substitutes: executedAs(({ steps, ...body }) => ({
        ...body,
        steps: assignedSteps(steps).map(({ step_id, assignee }) => ({
          step_id,
          assignee: { email: 'substitute@example.com' },
          stands_in_for: assignee,
        })),
      })),
      'only-others': executedAs(({ steps, ...body }) => ({
        ...body,
        steps: assignedSteps(steps).map(({ step_id }) => ({ step_id, updated_by: 'api@example.com' })),
      })),
    },
  },
  {
    axis: 'echo',
    values: {
      none: hidesAll,
      'no-name': () => hides('name'),
      'no-steps': () => hides('steps'),
      'no-is-sequential': () => hides('isSequential'),
      'not-when-created': () => changeAnswers(['createWorkflow'], (body) => without(body, ...defined)),
    },
  },
  {
    axis: 'details',
    values: {
      'camel-names': moveSections(({ metrics, performance, recommendations }) => ({
        executionMetrics: metrics,
        stepPerformance: performance,
        optimizationRecommendations: recommendations,
      })),
      'short-names': moveSections(({ metrics, performance, recommendations }) => ({
        metrics,
        step_metrics: performance,
        recommendations,
      })),
      analytics: moveSections(({ metrics, performance, recommendations }) => ({
        analytics: { executions: metrics, stepPerformance: performance, recommendations },
      })),
      'stats-in-steps': moveSections(({ metrics, performance, recommendations }) => ({
        execution_stats: metrics,
        ...stepsWith(performance, 'stats'),
        optimizations: recommendations,
      })),
      performance: moveSections(({ metrics, performance, recommendations }) => ({
        performance: { executions: metrics, steps: performance, recommendations },
      })),
      insights: moveSections(({ metrics, performance, recommendations }) => ({
        statistics: metrics,
        step_statistics: performance,
        insights: { suggestions: recommendations },
      })),
      'performance-of-steps': moveSections(({ metrics, performance, recommendations }) => ({
        analytics: {
          execution_metrics: isMembers(metrics) ? { by_status: metrics } : metrics,
          performance,
          recommendations,
        },
      })),
      'by-step': moveSections(({ metrics, performance, recommendations }) => ({
        execution_metrics: metrics,
        step_performance: indexByStep(performance),
        optimization_recommendations: toTexts(recommendations),
      })),
      'empty-until-executed': moveSections(({ metrics, performance, recommendations, isFresh }) => ({
        execution_metrics: isFresh ? [] : metrics,
        step_performance: isFresh ? [] : performance,
        optimization_recommendations: isFresh ? [] : recommendations,
      })),
      'absent-until-executed': moveSections(({ metrics, performance, recommendations, isFresh }) =>
        isFresh
          ? {}
          : {
              execution_metrics: metrics,
              step_performance: performance,
              optimization_recommendations: recommendations,
            },
      ),
    },
  },
]
