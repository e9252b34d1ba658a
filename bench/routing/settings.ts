import type { Step, WorkflowDefinition } from '../../src/domain/approval/workflow.ts'
import type { Simulation } from '../simulation.ts'
import type { Truth } from './routers.ts'

/** A situation in which the routers are compared. */
export interface Setting {
  readonly name: string
  /** Median service times as multiples of the estimate, one for each approver. */
  readonly paces: readonly number[]
  /** Standard deviation of the logarithm of the service time. */
  readonly spread: number
  /** Arriving work as a share of the approvers' capacity; of the capacity after the change, if there is one. */
  readonly load: number
  /** One approver's pace changes half-way. Only executions that arrive later are counted. */
  readonly change?: { readonly approver: number; readonly pace: number }
  readonly estimates?: readonly number[]
}

const unequal = { paces: [1.4, 0.7, 2, 0.5, 1], spread: 0.4 }
const slowed = { approver: 3, pace: 2 }
const many = [1.2, 0.5, 4, 0.9, 0.3, 2, 0.7, 1, 0.4, 1.5]

/** The settings that the goals apply to. */
export const settings: readonly Setting[] = [
  { name: '60 % load', ...unequal, load: 0.6 },
  { name: '85 % load', ...unequal, load: 0.85 },
  { name: '60 % load, fastest turned slow', ...unequal, load: 0.6, change: slowed },
  { name: '85 % load, fastest turned slow', ...unequal, load: 0.85, change: slowed },
]

/** Other settings, which the router was not tuned for. */
export const sweep: readonly Setting[] = [
  { name: '20 % load', ...unequal, load: 0.2 },
  { name: '95 % load', ...unequal, load: 0.95 },
  { name: '85 % load, spread 0.2', ...unequal, spread: 0.2, load: 0.85 },
  { name: '60 % load, spread 0.8', ...unequal, spread: 0.8, load: 0.6 },
  { name: '85 % load, spread 0.8', ...unequal, spread: 0.8, load: 0.85 },
  { name: '85 % load, spread 0.8, turned slow', ...unequal, spread: 0.8, load: 0.85, change: slowed },
  { name: '116 % load, turned slow', ...unequal, load: 1.16, change: slowed },
  { name: '60 % load, slowest turned fast', ...unequal, load: 0.6, change: { approver: 2, pace: 0.4 } },
  { name: '60 % load, turned 20 times slower', ...unequal, load: 0.6, change: { approver: 3, pace: 10 } },
  { name: '3 approvers, 70 %', paces: [1, 1.8, 0.6], spread: 0.4, load: 0.7 },
  { name: '10 approvers, 70 %', paces: many, spread: 0.4, load: 0.7 },
  { name: '10 approvers, 20 %', paces: many, spread: 0.4, load: 0.2 },
  { name: '5 equal approvers, 70 %', paces: [1, 1, 1, 1, 1], spread: 0.4, load: 0.7 },
  { name: 'estimate 4 times too short, 70 %', paces: [4, 6, 3], spread: 0.4, load: 0.7 },
  { name: 'two steps of 60 and 30 min, 70 %', ...unequal, load: 0.7, estimates: [60, 30] },
]

/** Builds the workflow, the arrivals and the approvers of a setting. All steps have the same approvers. */
export function simulationOf(setting: Setting, executions: number): Omit<Simulation, 'seed'> & Situation {
  const { paces, spread, load, change, estimates = [60] } = setting
  const pacesAfter = paces.map((pace, index) => (index === change?.approver ? change.pace : pace))
  const perMinute = pacesAfter.reduce((sum, pace) => sum + 1 / pace, 0) / Math.exp(spread ** 2 / 2)
  const meanGapMinutes = estimates.reduce((sum, estimate) => sum + estimate, 0) / perMinute / load
  const changeAt = change ? (executions / 2) * meanGapMinutes * 60_000 : 0
  const approvers = paces.map((_, index) => ({ email: `approver${index}@example.com`, name: `Approver ${index}` }))
  const places = new Map(approvers.map(({ email }, index) => [email, index]))
  const profileOf: Truth['profileOf'] = (email, now) => {
    const pace = (now < changeAt ? paces : pacesAfter)[places.get(email) ?? 0] ?? 1
    return { pace, spread, approvalRate: 0.95 }
  }
  const steps = estimates.map(
    (estimatedMinutes, index): Step => ({
      step_id: `step${index}`,
      name: `Step ${index}`,
      order: index,
      approvers,
      estimated_duration: estimatedMinutes,
    }),
  )
  const workflow: WorkflowDefinition = { name: 'Bench', description: '', isSequential: true, steps }
  return {
    workflow,
    meanGapMinutes,
    executions,
    profile: profileOf,
    truth: { profileOf, demand: load * perMinute },
    countFrom: changeAt,
  }
}

interface Situation {
  readonly truth: Truth
  /** Executions that arrive earlier are not counted; in milliseconds since 0. */
  readonly countFrom: number
}
