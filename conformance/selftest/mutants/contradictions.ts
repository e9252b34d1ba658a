/** Details whose figures contradict what the same deployment shows elsewhere: interface.md sections 1 and 4.3. */
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { decides } from '../decisions.ts'
import { mapNamed } from '../json.ts'
import { type Choice, type Mutant, mutant } from '../mutant.ts'
import { showsTimes, stepsInTurn } from '../step-times.ts'
import { changeAnswer, changeAnswers, compose, type Members, type Wrapper } from '../wrapper.ts'

type Change = (details: Members) => Members

const metrics =
  (change: Change): Change =>
  (details) => ({ ...details, execution_metrics: change(details.execution_metrics as Members) })

const details = (change: Change) => () => changeAnswer('getWorkflow', (body) => change(body as Members))

/** Changes the details of workflows by a function that also gets the latest details of all workflows. */
const remembering = (change: (body: Members, seen: ReadonlyMap<unknown, Members>) => Members) => (): Wrapper => {
  const seen = new Map<unknown, Members>()
  return changeAnswer('getWorkflow', (body) => {
    const shown = change(body as Members, seen)
    seen.set(body.workflow_id, body as Members)
    return shown
  })
}

const executionsOf = ({ recent_executions }: Members) => (recent_executions ?? []) as Members[]

/** Resets the count of a workflow's executions when another workflow is executed. */
const losesCount = remembering((body, seen) => {
  const isOtherExecuted = [...seen].some(([id, one]) => id !== body.workflow_id && executionsOf(one).length > 0)
  return isOtherExecuted ? metrics((figures) => ({ ...figures, total: 0, running: 0 }))(body) : body
})

/** Lists the executions of all workflows that were read before. */
const mixesExecutions = remembering((body, seen) => {
  const others = [...seen].flatMap(([id, one]) => (id === body.workflow_id ? [] : executionsOf(one)))
  return { ...body, ...(executionsOf(body).length > 0 && { recent_executions: [...executionsOf(body), ...others] }) }
})

/** Counts for a workflow without executions those of all others. */
const countsOthers = remembering((body, seen) => {
  const others = [...seen.values()].flatMap(executionsOf).length
  return executionsOf(body).length > 0 ? body : metrics((figures) => ({ ...figures, total: others }))(body)
})

/** Identifies executions by consecutive numbers. */
function numbersExecutions(): Wrapper {
  const numbers = new Map<unknown, number>()
  const numberOf = (id: unknown) => {
    const number = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, number)
    return number
  }
  return changeAnswers(['executeWorkflow', 'getWorkflow'], (body) => mapNamed(body, 'execution_id', numberOf))
}

const stepsIn = ({ steps }: Members) => (steps ?? []) as Members[]
const lastStepOf = (body: Members) => stepsIn(body).at(-1)?.step_id

/** Shows a section with the steps of a workflow that was read before. */
const aboutSteps = (section: (steps: readonly Members[]) => Members) =>
  remembering((body, seen) => {
    const [other] = [...seen].flatMap(([id, one]) => (id === body.workflow_id ? [] : [one]))
    return other && executionsOf(body).length > 0 ? { ...body, ...section(stepsIn(other)) } : body
  })

/** Shows figures of the first of some steps. */
const slowest = (steps: readonly Members[]) => [{ step_id: steps[0]?.step_id, mean_minutes: 7 }]

/** Sets a figure of the performance of each step. */
const performanceWith =
  (name: string, figures: readonly number[]): Change =>
  (body) => ({
    ...body,
    step_performance: (body.step_performance as Members[]).map((step, index) => ({ ...step, [name]: figures[index] })),
  })

/** Shows durations of the steps of executions, and their performance with those of the steps before them. */
const shiftsPerformance: Change = (body) => ({
  ...performanceWith('average_duration', [3.75, 12.5, 7.25])(body),
  recent_executions: executionsOf(body).map((execution) => ({
    ...execution,
    steps: stepsIn(execution).map((step, index) => ({ ...step, duration: [12.5, 7.25, 3.75][index] })),
  })),
})

/** Lists executions by their identifiers, and counts all but the latest. */
const countsWithoutLatest: Change = ({ recent_executions, ...body }) => {
  const executions = executionsOf({ recent_executions })
  const counted = Math.max(0, executions.length - 1)
  return {
    ...body,
    execution_metrics: {
      started: counted,
      open: counted,
      succeeded: 0,
      success_rate: 0,
      mean_completion_minutes: null,
    },
    executions: Object.fromEntries(executions.map(({ execution_id, ...shown }) => [execution_id, shown])),
  }
}

/** Projects the completion from the estimate of the first step. */
const projectsFromFirst: Change = (body) => {
  const [first] = stepsIn(body).toSorted((a, b) => Number(a.order) - Number(b.order))
  return metrics((figures) => ({ ...figures, projected_completion_time: first?.estimated_duration }))(body)
}

const minutes = [12.5, 7.25, 3.75]

/** Shows how long the only execution of a workflow and its steps took, and adds up the steps for the completion time. */
const sumsSteps: Change = (body) => {
  const [execution] = executionsOf(body)
  const sum = minutes.reduce((all, one) => all + one, 0)
  if (!execution || executionsOf(body).length > 1) return body
  const total_minutes = body.isSequential ? sum : Math.max(...minutes)
  const steps = stepsIn(execution).map((step, index) => ({ ...step, minutes: minutes[index] }))
  const shown = { ...body, recent_executions: [{ ...execution, total_minutes, steps }] }
  return metrics((figures) => ({ ...figures, completion_time: { mean_minutes: sum } }))(shown)
}

const meanOfNone: Change = (figures) => ({ ...figures, average_completion_minutes: 0.5 * Number(figures.total) + 3.25 })

/** Adds a mean completion time of an hour once there are executions, which end within seconds. */
const meanOfAnHour: Change = (figures) => ({
  ...figures,
  average_completion: Number(figures.total) > 0 ? 'PT1H0.5S' : null,
})

const rows: [id: string, breaks: string, kills: RequirementId, create: () => Wrapper][] = [
  [
    'total-stuck',
    'The details list executions, but their total stays 0.',
    'details.execution-metrics',
    details(metrics((figures) => ({ ...figures, total: 0 }))),
  ],
  [
    'total-stuck-beside-numbers',
    'The details list executions that have short numbers, but their total stays 0.',
    'details.execution-metrics',
    () => compose(details(metrics((figures) => ({ ...figures, total: 0 })))(), numbersExecutions()),
  ],
  [
    'started-stuck',
    'The details list executions, but the number of started ones is never above 1.',
    'details.execution-metrics',
    details(metrics(({ total, ...figures }) => ({ ...figures, executions_started: Math.min(1, Number(total)) }))),
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
    details(metrics(({ total, ...figures }) => ({ ...figures, total: Math.max(0, 2 * Number(total) - 1) }))),
  ],
  [
    'success-rate-over-one',
    'The success rate of the first execution is 1.7.',
    'analytics.success-rates',
    details(metrics((figures) => ({ ...figures, success_rate: 1.7 }))),
  ],
  [
    'success-rate-over-hundred',
    'The success rate is 250.',
    'analytics.success-rates',
    details(metrics((figures) => ({ ...figures, success_rate: 250 }))),
  ],
  [
    'completion-time-negative-with-unit',
    'The mean completion time is a negative text with a unit.',
    'analytics.completion-times',
    details(metrics((figures) => ({ ...figures, completion_time: { mean: '-2.5 h' } }))),
  ],
  [
    'total-of-latest',
    'The total of executions never exceeds 1.',
    'details.execution-metrics',
    details(metrics((figures) => ({ ...figures, total: Math.min(1, Number(figures.total)) }))),
  ],
  [
    'success-rate-always-zero',
    'The success rate is 0, although all executions that have ended were approved.',
    'analytics.success-rates',
    () => compose(decides('all at once'), details(metrics((figures) => ({ ...figures, success_rate: 0 })))()),
  ],
  [
    'step-duration-negative',
    'The mean duration of a step is negative.',
    'details.step-performance',
    details((body) => ({
      ...body,
      step_performance: (body.step_performance as Members[]).map((step) => ({ ...step, average_duration: -2.5 })),
    })),
  ],
  [
    'completion-time-negative',
    'The mean completion time is negative.',
    'analytics.completion-times',
    details(metrics((figures) => ({ ...figures, completion_time: { mean: '-1.5', p50: 1, p95: 2 } }))),
  ],
  [
    'bottleneck-of-no-step',
    'The bottleneck is a step that no workflow has.',
    'analytics.bottleneck-detection',
    details((body) => ({ ...body, bottlenecks: [{ step_id: 'shipping-review', reason: 'It is the slowest.' }] })),
  ],
  [
    'performance-lacks-last-step',
    'The step performance lacks the last step.',
    'details.step-performance',
    details((body) => ({ ...body, step_performance: (body.step_performance as Members[]).slice(0, -1) })),
  ],
  [
    'performance-of-first-step',
    'The step performance is that of the first step alone.',
    'details.step-performance',
    details((body) => ({ ...body, step_performance: (body.step_performance as Members[]).slice(0, 1) })),
  ],
  [
    'successes-above-total',
    'The details count more approved executions than executions.',
    'details.execution-metrics',
    details(metrics((figures) => ({ ...figures, approved: Number(figures.total) + 2 }))),
  ],
  [
    'success-rate-of-half',
    'The success rate is 0.5 after one execution, which has ended.',
    'analytics.success-rates',
    () => compose(decides('all at once'), details(metrics((figures) => ({ ...figures, success_rate: 0.5 })))()),
  ],
  [
    'completion-time-above-longest',
    'The mean completion time is longer than the longest one.',
    'analytics.completion-times',
    details(metrics((figures) => ({ ...figures, completion_time: { mean: 9.5, shortest: 1.25, longest: 3.5 } }))),
  ],
  [
    'bottleneck-is-fastest',
    'The bottleneck is the step with the shortest mean duration.',
    'analytics.bottleneck-detection',
    details((body) => ({
      ...performanceWith('mean_minutes', [9.5, 8.25, 7])(body),
      bottlenecks: [{ step_id: lastStepOf(body), mean_minutes: 7 }],
    })),
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
    'recommendation-for-another',
    'The only recommendation is about a step of another workflow.',
    'details.optimization-recommendations',
    aboutSteps((steps) => ({ optimization_recommendations: slowest(steps) })),
  ],
  [
    'completion-time-adds-up-parallel-steps',
    'The completion time is the sum of the durations of steps that were at work at once.',
    'analytics.completion-times',
    details(sumsSteps),
  ],
  [
    'bottleneck-is-fastest-and-severe',
    'The bottleneck is the step with the shortest mean duration, with a severity.',
    'analytics.bottleneck-detection',
    details((body) => ({
      ...performanceWith('mean_minutes', [9.5, 8.25, 7])(body),
      bottlenecks: [{ step_id: lastStepOf(body), mean_minutes: 7, severity: 'HIGH' }],
    })),
  ],
  [
    'bottleneck-is-fastest-with-share',
    'The bottleneck is the step with the shortest mean duration, with its share of all of them.',
    'analytics.bottleneck-detection',
    details((body) => ({
      ...performanceWith('mean_minutes', [9.5, 8.25, 7])(body),
      bottlenecks: [{ step_id: lastStepOf(body), mean_minutes: 7, share: 28.28 }],
    })),
  ],
  [
    'bottlenecks-absent-beside-wrapped',
    'The details show no bottlenecks, and the figures of steps are null in objects.',
    'analytics.bottleneck-detection',
    details(({ bottlenecks, ...body }) => ({
      ...body,
      step_performance: (body.step_performance as Members[]).map(({ step_id }) => ({
        step_id,
        mean_duration: { value: null, unit: 'ms' },
      })),
    })),
  ],
  [
    'success-rate-halves',
    'The success rate is halved by the second execution of a workflow, although both were approved.',
    'analytics.success-rates',
    details((body) => {
      const total = executionsOf(body).length
      const rate = total < 1 ? null : 1 / total
      const figures = { total, approved: total, rejected: 0, success_rate: rate, mean_completion_time: null }
      const recent_executions = executionsOf(body).map(({ execution_id }) => ({ execution_id }))
      return { ...body, execution_metrics: figures, recent_executions }
    }),
  ],
  [
    'running-counted-as-ended',
    'The count of ended executions counts running ones too.',
    'details.execution-metrics',
    details((body) => ({
      ...body,
      execution_metrics: {
        started: executionsOf(body).length,
        finished: executionsOf(body).length,
        success_rate: null,
        completion_time: null,
      },
    })),
  ],
  [
    'performance-of-other-steps',
    'The performance shows for each step the duration of another one.',
    'details.step-performance',
    details(shiftsPerformance),
  ],
  [
    'counts-without-latest',
    'The details list executions by their identifiers, and no figure counts the latest one.',
    'details.execution-metrics',
    details(countsWithoutLatest),
  ],
  [
    'executions-counted-by-step',
    'Each execution is counted once for each of its steps.',
    'execution.for-one-document',
    details(
      metrics(({ total, ...figures }) => ({ ...figures, total_executions: 3 * Number(total), started: Number(total) })),
    ),
  ],
  [
    'mean-of-no-executions',
    'The mean completion time changes with each execution, and matches none of their times.',
    'analytics.completion-times',
    () => compose(showsTimes(stepsInTurn), details(metrics(meanOfNone))()),
  ],
  [
    'mean-longer-than-all-times',
    'The mean completion time is an hour more than the time between the starts and the ends of the executions.',
    'analytics.completion-times',
    () => compose(showsTimes(stepsInTurn), details(metrics(meanOfAnHour))()),
  ],
  [
    'projected-from-first-step',
    'The projected completion time is the estimate of the first of several steps.',
    'analytics.completion-times',
    details(projectsFromFirst),
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
]

/** Returns true if the details show executions and the reference's sections in its own places and names. */
const isPlain = (choice: Choice) => Object.keys(choice).length === 0

export const contradictionMutants: readonly Mutant[] = rows.map(([id, breaks, kills, create]) =>
  mutant(id, breaks, [kills], create, { appliesTo: isPlain }),
)
