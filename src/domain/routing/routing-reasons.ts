import type { Candidate, Priority } from '../approval/route.ts'
import type { Step } from '../approval/workflow.ts'
import type { Desk } from './history.ts'
import { meanRatio } from './pace.ts'

/** From so many decisions on, the estimate counts next to nothing. */
const enoughDecisions = 5

/** What is known of an approver, in one sentence; `overdueMinutes` is how long overdue work has been in hand. */
export function trackRecord({ decisions, open, pace }: Desk, step: Step, overdueMinutes: number | undefined): string {
  const overdue = overdueMinutes === undefined ? '' : `, one of them in hand for ${minutes(overdueMinutes)}`
  if (decisions === 0)
    return `No decision yet, so the estimate of ${minutes(step.estimatedMinutes)}; ${open} open${overdue}.`
  const count = decisions === 1 ? '1 decision' : `${decisions} decisions`
  const basis = decisions < enoughDecisions ? 'with the estimate' : 'lately'
  return `${count}, ${basis} about ${minutes(step.estimatedMinutes * meanRatio(pace))} for this step; ${open} open${overdue}.`
}

interface Choice {
  readonly chosen: Candidate
  readonly soonest: Candidate
  readonly priority: Priority
  readonly isOnly: boolean
  /** Whether only the benefit of the doubt speaks for the chosen. */
  readonly isTrial: boolean
}

/** Why an approver was chosen, in one sentence. */
export function routingReason({ chosen, soonest, priority, isOnly, isTrial }: Choice): string {
  if (isOnly) return `${chosen.email} is the only approver of the step.`
  const lead = `${chosen.email} is expected to decide in ${minutes(chosen.expectedMinutes)}`
  if (priority === 'high') return `${lead}, nobody sooner, and the step is urgent.`
  if (chosen.expectedMinutes <= soonest.expectedMinutes) return `${lead}, nobody sooner.`
  if (isTrial)
    return `${lead}, ${soonest.email} sooner, but less is known of how fast ${chosen.email} is now, who gets a chance.`
  return `${lead}, ${soonest.email} sooner, but work that comes later would wait longer there.`
}

function minutes(value: number): string {
  const rounded = Math.round(value)
  if (rounded === 0) return 'less than a minute'
  return rounded === 1 ? '1 minute' : `${rounded} minutes`
}
