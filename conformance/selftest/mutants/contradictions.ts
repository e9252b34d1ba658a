/** Details whose figures contradict what the same deployment shows elsewhere: interface.md sections 1 and 4.3. */
import type { Schemas } from '../../../src/contract/operations.ts'
import { decides } from '../decisions.ts'
import { adds, changeAt, changeNamed } from '../json.ts'
import { isPlain, mutantsOf } from '../mutant.ts'
import { showsTimes, stepsInTurn } from '../step-times.ts'
import {
  answersTo,
  changeByPast,
  changeDetails,
  changeExecutions,
  compose,
  type Members,
  type Wrapper,
  withState,
} from '../wrapper.ts'

type Details = Schemas['WorkflowDetails']
type Metrics = Members & { readonly total: number }

/** Changes the figures of executions. */
const changeMetrics = (change: (figures: Metrics) => Members) => changeAt('execution_metrics', change)
const metrics = (change: (figures: Metrics) => Members) => changeDetails(changeMetrics(change))

/** Changes the details of workflows by the latest details of all other workflows. */
const byOthers = (change: (body: Details, others: readonly Details[]) => unknown): Wrapper =>
  changeByPast(['getWorkflow'], (body, past) => {
    const latest = new Map(answersTo('getWorkflow', past).map((one) => [one.workflow_id, one]))
    latest.delete(body.workflow_id)
    return change(body as unknown as Details, [...latest.values()] as unknown as Details[])
  })

const executionsIn = (all: readonly Details[]) => all.flatMap(({ recent_executions }) => recent_executions)

/** Resets the count of a workflow's executions when another workflow is executed. */
const losesCount = byOthers((body, others) =>
  executionsIn(others).length > 0 ? changeMetrics(adds({ total: 0, running: 0 }))(body) : body,
)

/** Lists the executions of all workflows that were read before. */
const mixesExecutions = byOthers((body, others) =>
  changeAt('recent_executions', (own: unknown[]) => (own.length > 0 ? [...own, ...executionsIn(others)] : own))(body),
)

/** Counts for a workflow without executions those of all others. */
const countsOthers = byOthers((body, others) =>
  body.recent_executions.length > 0 ? body : changeMetrics(adds({ total: executionsIn(others).length }))(body),
)

/** Shows for a workflow without executions the performance of another one with the same steps. */
const performanceOfTwin = byOthers((body, others) => {
  const idsOf = ({ steps }: Details) => steps.map(({ step_id }) => step_id).join()
  const twin = others.find((one) => one.recent_executions.length > 0 && idsOf(one) === idsOf(body))
  return twin && body.recent_executions.length === 0 ? { ...body, step_performance: twin.step_performance } : body
})

/** Identifies executions by consecutive numbers. */
const numbersExecutions = withState(() => {
  const ids: unknown[] = []
  return changeExecutions(
    changeNamed('execution_id', (id) => {
      if (!ids.includes(id)) ids.push(id)
      return ids.indexOf(id) + 1
    }),
  )
})

/** Shows a section with the steps of a workflow that was read before. */
const aboutSteps = (section: (steps: Details['steps']) => Members) =>
  byOthers((body, [other]) =>
    other && body.recent_executions.length > 0 ? { ...body, ...section(other.steps) } : body,
  )

/** Shows figures of the first of some steps. */
const slowest = (steps: Details['steps']) => [{ step_id: steps[0]?.step_id, mean_minutes: 7 }]

/** Changes the performance of each step. */
const performance = (change: (step: Members, index: number) => Members) => changeAt('step_performance.*', change)

/** Shows that the last step is the bottleneck, and the fastest. */
const bottleneckIsFastest = (more: Members = {}) =>
  compose(
    changeDetails(performance((step, index) => ({ ...step, mean_minutes: [9.5, 8.25, 7][index] }))),
    changeDetails((body) => ({
      ...body,
      bottlenecks: [{ step_id: body.steps.at(-1)?.step_id, mean_minutes: 7, ...more }],
    })),
  )

/** Shows durations of the steps of executions, and their performance with those of the steps before them. */
const shiftsPerformance = compose(
  changeDetails(performance((step, index) => ({ ...step, average_duration: [3.75, 12.5, 7.25][index] }))),
  changeDetails(
    changeAt('recent_executions.*.steps.*', (step: Members, index) => ({
      ...step,
      duration: [12.5, 7.25, 3.75][index],
    })),
  ),
)

/** Lists executions by their identifiers, and counts all but the latest. */
const countsWithoutLatest = changeDetails(({ recent_executions, ...body }) => {
  const counted = Math.max(0, recent_executions.length - 1)
  return {
    ...body,
    execution_metrics: {
      started: counted,
      open: counted,
      succeeded: 0,
      success_rate: 0,
      mean_completion_minutes: null,
    },
    executions: Object.fromEntries(recent_executions.map(({ execution_id, ...shown }) => [execution_id, shown])),
  }
})

/** Projects the completion from the estimate of the first step. */
const projectsFromFirst = changeDetails((body) => {
  const [first] = body.steps.toSorted((a, b) => a.order - b.order)
  return changeMetrics(adds({ projected_completion_time: first?.estimated_duration }))(body)
})

const minutes = [12.5, 7.25, 3.75]

/** Shows how long the only execution of a workflow and its steps took, and adds up the steps for the completion time. */
const sumsSteps = changeDetails((body) => {
  const [execution, ...others] = body.recent_executions
  if (!execution || others.length > 0) return body
  const sum = minutes.reduce((all, one) => all + one, 0)
  const total_minutes = body.isSequential ? sum : Math.max(...minutes)
  const steps = execution.steps.map((step, index) => ({ ...step, minutes: minutes[index] }))
  const recent_executions = [{ ...execution, total_minutes, steps }]
  return changeMetrics(adds({ completion_time: { mean_minutes: sum } }))({ ...body, recent_executions })
})

export const contradictionMutants = mutantsOf(
  [
    [
      'total-stuck',
      'The details list executions, but their total stays 0.',
      'details.execution-metrics',
      metrics(adds({ total: 0 })),
    ],
    [
      'total-stuck-beside-numbers',
      'The details list executions that have short numbers, but their total stays 0.',
      'details.execution-metrics',
      compose(metrics(adds({ total: 0 })), numbersExecutions),
    ],
    [
      'started-stuck',
      'The details list executions, but the number of started ones is never above 1.',
      'details.execution-metrics',
      metrics(({ total, ...figures }) => ({ ...figures, executions_started: Math.min(1, total) })),
    ],
    [
      'total-lost',
      'The total of executions is 0 again once another workflow was executed.',
      'details.execution-metrics',
      losesCount,
    ],
    [
      'later-executions-counted-twice',
      'The total counts the first execution of a workflow once, and each later one twice.',
      'execution.for-one-document',
      metrics((figures) => ({ ...figures, total: Math.max(0, 2 * figures.total - 1) })),
    ],
    [
      'success-rate-over-one',
      'The success rate of the first execution is 1.7.',
      'analytics.success-rates',
      metrics(adds({ success_rate: 1.7 })),
    ],
    [
      'success-rate-over-hundred',
      'The success rate is 250.',
      'analytics.success-rates',
      metrics(adds({ success_rate: 250 })),
    ],
    [
      'completion-time-negative-with-unit',
      'The mean completion time is a negative text with a unit.',
      'analytics.completion-times',
      metrics(adds({ completion_time: { mean: '-2.5 h' } })),
    ],
    [
      'total-of-latest',
      'The total of executions never exceeds 1.',
      'details.execution-metrics',
      metrics((figures) => ({ ...figures, total: Math.min(1, figures.total) })),
    ],
    [
      'success-rate-always-zero',
      'The success rate is 0, although all executions that have ended were approved.',
      'analytics.success-rates',
      compose(decides('all at once'), metrics(adds({ success_rate: 0 }))),
    ],
    [
      'step-duration-negative',
      'The mean duration of a step is negative.',
      'details.step-performance',
      changeDetails(performance(adds({ average_duration: -2.5 }))),
    ],
    [
      'completion-time-negative',
      'The mean completion time is negative.',
      'analytics.completion-times',
      metrics(adds({ completion_time: { mean: '-1.5', p50: 1, p95: 2 } })),
    ],
    [
      'bottleneck-of-no-step',
      'The bottleneck is a step that no workflow has.',
      'analytics.bottleneck-detection',
      changeDetails(adds({ bottlenecks: [{ step_id: 'shipping-review', reason: 'It is the slowest.' }] })),
    ],
    [
      'performance-lacks-last-step',
      'The step performance lacks the last step.',
      'details.step-performance',
      changeDetails(changeAt('step_performance', (steps: unknown[]) => steps.slice(0, -1))),
    ],
    [
      'performance-of-first-step',
      'The step performance is that of the first step alone.',
      'details.step-performance',
      changeDetails(changeAt('step_performance', (steps: unknown[]) => steps.slice(0, 1))),
    ],
    [
      'successes-above-total',
      'The details count more approved executions than executions.',
      'details.execution-metrics',
      metrics((figures) => ({ ...figures, approved: figures.total + 2 })),
    ],
    [
      'success-rate-of-half',
      'The success rate is 0.5 after one execution, which has ended.',
      'analytics.success-rates',
      compose(decides('all at once'), metrics(adds({ success_rate: 0.5 }))),
    ],
    [
      'completion-time-above-longest',
      'The mean completion time is longer than the longest one.',
      'analytics.completion-times',
      metrics(adds({ completion_time: { mean: 9.5, shortest: 1.25, longest: 3.5 } })),
    ],
    [
      'bottleneck-is-fastest',
      'The bottleneck is the step with the shortest mean duration.',
      'analytics.bottleneck-detection',
      bottleneckIsFastest(),
    ],
    [
      'bottleneck-of-another',
      'The bottleneck is a step of another workflow.',
      'analytics.bottleneck-detection',
      aboutSteps((steps) => ({ bottlenecks: slowest(steps) })),
    ],
    [
      'performance-of-another',
      'The performance has members for the steps of another workflow.',
      'details.step-performance',
      aboutSteps((steps) => ({
        step_performance: Object.fromEntries(steps.map(({ step_id }) => [step_id, { mean_minutes: 7 }])),
      })),
    ],
    [
      'performance-by-step-alone',
      'The performance of a step counts the executions of all workflows that have a step with this identifier.',
      'details.step-performance',
      performanceOfTwin,
    ],
    [
      'recommendation-for-another',
      'The only recommendation is about a step of another workflow.',
      'details.optimization-recommendations',
      aboutSteps((steps) => ({ optimization_recommendations: slowest(steps) })),
    ],
    [
      'completion-time-adds-up-parallel-steps',
      'The completion time is the sum of the durations of steps that were at work at once.',
      'analytics.completion-times',
      sumsSteps,
    ],
    [
      'bottleneck-is-fastest-and-severe',
      'The bottleneck is the step with the shortest mean duration, with a severity.',
      'analytics.bottleneck-detection',
      bottleneckIsFastest({ severity: 'HIGH' }),
    ],
    [
      'bottleneck-is-fastest-with-share',
      'The bottleneck is the step with the shortest mean duration, with its share of all of them.',
      'analytics.bottleneck-detection',
      bottleneckIsFastest({ share: 28.28 }),
    ],
    [
      'bottlenecks-absent-beside-wrapped',
      'The details show no bottlenecks, and the figures of steps are null in objects.',
      'analytics.bottleneck-detection',
      changeDetails(({ bottlenecks, ...body }) =>
        performance(({ step_id }) => ({ step_id, mean_duration: { value: null, unit: 'ms' } }))(body),
      ),
    ],
    [
      'success-rate-halves',
      'The success rate is halved by the second execution of a workflow, although both were approved.',
      'analytics.success-rates',
      changeDetails((body) => {
        const recent_executions = body.recent_executions.map(({ execution_id }) => ({ execution_id }))
        const total = recent_executions.length
        const figures = { total, approved: total, rejected: 0, mean_completion_time: null }
        return {
          ...body,
          execution_metrics: { ...figures, success_rate: total < 1 ? null : 1 / total },
          recent_executions,
        }
      }),
    ],
    [
      'running-counted-as-ended',
      'The count of ended executions counts running ones too.',
      'details.execution-metrics',
      changeDetails((body) => {
        const { length } = body.recent_executions
        const figures = { started: length, finished: length, success_rate: null, completion_time: null }
        return { ...body, execution_metrics: figures }
      }),
    ],
    [
      'performance-of-other-steps',
      'The performance shows for each step the duration of another one.',
      'details.step-performance',
      shiftsPerformance,
    ],
    [
      'counts-without-latest',
      'The details list executions by their identifiers, and no figure counts the latest one.',
      'details.execution-metrics',
      countsWithoutLatest,
    ],
    [
      'executions-counted-by-step',
      'Each execution is counted once for each of its steps.',
      'execution.for-one-document',
      metrics(({ total: started, ...figures }) => ({ ...figures, total_executions: 3 * started, started })),
    ],
    [
      'mean-of-no-executions',
      'The mean completion time changes with each execution, and matches none of their times.',
      'analytics.completion-times',
      compose(
        showsTimes(stepsInTurn),
        metrics((figures) => ({ ...figures, average_completion_minutes: 0.5 * figures.total + 3.25 })),
      ),
    ],
    [
      'mean-longer-than-all-times',
      'The mean completion time is an hour more than the time between the starts and the ends of the executions.',
      'analytics.completion-times',
      compose(
        showsTimes(stepsInTurn),
        metrics((figures) => ({ ...figures, average_completion: figures.total > 0 ? 'PT1H0.5S' : null })),
      ),
    ],
    [
      'projected-from-first-step',
      'The projected completion time is the estimate of the first of several steps.',
      'analytics.completion-times',
      projectsFromFirst,
    ],
    [
      'executions-mixed-in',
      'The details list the executions of other workflows beside their own.',
      'execute-workflow.identifies-created-workflow',
      mixesExecutions,
    ],
    [
      'executions-of-others-counted',
      'The details of a workflow that was not executed count the executions of others.',
      'execute-workflow.identifies-created-workflow',
      countsOthers,
    ],
  ],
  isPlain,
)
