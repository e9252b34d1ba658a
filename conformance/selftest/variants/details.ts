/** Variants of the request fields that answers show, and of the places of the details' sections. */
import { isObject } from '../../../src/contract/json.ts'
import type { Json } from '../../../src/profile/template.ts'
import { without } from '../json.ts'
import { changeBodies, inTurn } from '../profile-changes.ts'
import { leftOut, type Templates } from '../templates.ts'
import { type Axis, shapes } from './axis.ts'

const defined = ['name', 'description', 'isSequential', 'steps']
const executed = ['document_id', 'submitter_email', 'execution_mode', 'priority', 'steps']

const hides = (...names: readonly string[]) =>
  changeBodies(['createWorkflow', 'getWorkflow'], (body) => without(body, ...names))

interface List {
  readonly $each: string
  readonly item: Templates
}

/** Returns the template of a list's items; undefined for anything else that a mutant shows in its place. */
function listIn(template: Json | undefined): List | undefined {
  const { present = null } = isObject(template) ? (template as Templates) : {}
  return isObject(present) && '$each' in present ? (present as unknown as List) : undefined
}

const hidesAll = inTurn(
  hides(...defined),
  changeBodies(['getWorkflow'], (body) => {
    const recent = listIn(body.recent_executions)
    return { ...body, ...(recent && { recent_executions: { ...recent, item: without(recent.item, ...executed) } }) }
  }),
  changeBodies(['executeWorkflow'], (body) => without(body, ...executed)),
)

const sections = ['execution_metrics', 'step_performance', 'optimization_recommendations'] as const

/** Changes the three sections of the details. The other members stay. */
function changeSections(change: (metrics: Json, performance: Json, recommendations: Json) => Templates) {
  return changeBodies(['getWorkflow'], (body) => {
    const [metrics = leftOut, performance = leftOut, recommendations = leftOut] = sections.map((name) => body[name])
    return { ...without(body, ...sections), ...change(metrics, performance, recommendations) }
  })
}

/** Gives the three sections other names, and puts them into an object if `inside` names one. */
const sectionsCalled = (names: readonly [string, string, string], inside?: string) =>
  changeSections((...found) => {
    const renamed = Object.fromEntries(found.map((section, index) => [names[index] ?? '', section]))
    return inside === undefined ? renamed : { [inside]: renamed }
  })

/** Moves the performance into the steps. A section that is not a list stays whole, so that a mutant remains visible. */
function stepsWith(performance: Json, name: string): Templates {
  const list = listIn(performance)
  if (!list) return { step_stats: performance }
  const { step_id = leftOut, ...figures } = list.item
  return { steps: { ...list, item: { step_id, [name]: figures } } }
}

function indexByStep(performance: Json): Json {
  const { $each: $entries, item: { step_id: key = leftOut, ...value } = {} } = listIn(performance) ?? {}
  return $entries === undefined ? performance : { $entries, key, value }
}

/** Shows each figure of a step in a member of its own, such as `legal-review.approved`. */
function inNames(performance: Json): Json {
  const { $each: $entries, item: { step_id = leftOut, ...figures } = {} } = listIn(performance) ?? {}
  const named = Object.entries(figures).map(([name, value]) => ({ key: { $text: [step_id, `.${name}`] }, value }))
  const [first, ...also] = named
  return $entries === undefined || !first ? performance : { $entries, ...first, also }
}

function toTexts(recommendations: Json): Json {
  const list = listIn(recommendations)
  if (!list) return recommendations
  return { $if: list.$each, present: { ...list, item: { $: '0/message' } }, absent: ['Nothing to improve yet.'] }
}

/** What the approvers of a workflow decided, by their e-mail addresses. */
const approversByAddress: Json = {
  $entries: '/answer/people',
  key: { $: '0/email' },
  value: {
    display_name: { $: '0/name' },
    decided: { $: '0/decided' },
    approval_rate: { $: '0/approval_rate' },
    avg_minutes: { $: '0/working_time/mean_minutes', or: 0 },
  },
}

/** Shows executions by their identifiers, and the latest advice for a step by the identifier of the step. */
const byIdentifier = changeBodies(['getWorkflow'], (body) => {
  const [runs, advice] = [listIn(body.recent_executions), listIn(body.optimization_recommendations)]
  if (!runs || !advice) return body
  const { execution_id: key = leftOut, ...value } = runs.item
  return {
    ...without(body, 'recent_executions'),
    runs: { $entries: runs.$each, key, value },
    tips: { $entries: advice.$each, where: '/step_id', key: { $: '0/step_id' }, value: { $: '0/message' } },
  }
})

/** Shows the sections of a workflow only after an execution; before it, something else. */
const afterExecution = (absent: Json) =>
  changeBodies(['getWorkflow'], (body) => {
    const found = 'recent_executions' in body ? sections.filter((name) => name in body) : []
    const shown = found.map((name) => [name, { $if: '/answer/recent_executions', present: body[name] ?? null, absent }])
    return { ...body, ...Object.fromEntries(shown) }
  })

/** Replaces the steps of an execution by a view of those that have an assignee. */
const executedAs = (show: (assigned: { $each: string; where: string }, step: Templates) => Templates) =>
  changeBodies(['executeWorkflow'], ({ steps, ...body }) => ({
    ...body,
    ...show({ $each: '/answer/steps', where: '/assignee' }, listIn(steps)?.item ?? {}),
  }))

export const detailsAxes: readonly Axis[] = [
  shapes('assignees', {
    list: executedAs((assigned, { assignee = leftOut }) => ({ current_approvers: { ...assigned, item: assignee } })),
    'by-step': executedAs(({ $each, where }, { step_id: key = leftOut, assignee: value = leftOut }) => ({
      routing: { $entries: $each, where, key, value },
    })),
    'beside-others': executedAs((assigned, { step_id = leftOut, assignee = leftOut }) => ({
      current_user: { email: 'api@example.com' },
      steps: { ...assigned, item: { step_id, assignee, escalates_to: { email: 'boss@example.com' } } },
    })),
    substitutes: executedAs((assigned, { step_id = leftOut, assignee: stands_in_for = leftOut }) => ({
      steps: { ...assigned, item: { step_id, assignee: { email: 'substitute@example.com' }, stands_in_for } },
    })),
    'only-others': executedAs((assigned, { step_id = leftOut }) => ({
      steps: { ...assigned, item: { step_id, updated_by: 'api@example.com' } },
    })),
  }),
  shapes('echo', {
    none: hidesAll,
    'no-name': hides('name'),
    'no-steps': hides('steps'),
    'no-is-sequential': hides('isSequential'),
    'not-when-created': changeBodies(['createWorkflow'], (body) => without(body, ...defined)),
  }),
  shapes('details', {
    'camel-names': sectionsCalled(['executionMetrics', 'stepPerformance', 'optimizationRecommendations']),
    'short-names': sectionsCalled(['metrics', 'step_metrics', 'recommendations']),
    analytics: sectionsCalled(['executions', 'stepPerformance', 'recommendations'], 'analytics'),
    'stats-in-steps': changeSections((metrics, performance, recommendations) => ({
      execution_stats: metrics,
      ...stepsWith(performance, 'stats'),
      optimizations: recommendations,
    })),
    performance: sectionsCalled(['executions', 'steps', 'recommendations'], 'performance'),
    insights: changeSections((statistics, step_statistics, suggestions) => ({
      statistics,
      step_statistics,
      insights: { suggestions },
    })),
    'performance-of-steps': changeSections((metrics, performance, recommendations) => {
      const execution_metrics = isObject(metrics) && '$if' in metrics ? { by_status: metrics } : metrics
      return { analytics: { execution_metrics, performance, recommendations } }
    }),
    'by-step': changeSections((execution_metrics, performance, recommendations) => ({
      execution_metrics,
      step_performance: indexByStep(performance),
      optimization_recommendations: toTexts(recommendations),
    })),
    'steps-in-names': changeSections((execution_metrics, performance, optimization_recommendations) => ({
      execution_metrics,
      step_performance: inNames(performance),
      optimization_recommendations,
    })),
    'approvers-by-address': changeBodies(['getWorkflow'], (body) => ({
      ...body,
      approver_performance: approversByAddress,
    })),
    'by-identifier': byIdentifier,
    'empty-until-executed': afterExecution([]),
    'absent-until-executed': afterExecution(leftOut),
  }),
]
