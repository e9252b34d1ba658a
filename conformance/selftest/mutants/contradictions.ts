/** Details whose figures contradict what the same deployment shows elsewhere: interface.md sections 1 and 4.3. */
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { type Choice, type Mutant, mutant } from '../mutant.ts'
import { changeAnswer, type Members, type Wrapper } from '../wrapper.ts'

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

const rows: [id: string, breaks: string, kills: RequirementId, create: () => Wrapper][] = [
  [
    'total-stuck',
    'The details list executions, but their total stays 0.',
    'details.execution-metrics',
    details(metrics((figures) => ({ ...figures, total: 0 }))),
  ],
  [
    'total-lost',
    'The total of executions is 0 again once another workflow was executed.',
    'details.execution-metrics',
    losesCount,
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
