import type { Candidate, Priority } from '../approval/route.ts'
import type { Step } from '../approval/workflow.ts'
import type { Desk } from './history.ts'
import { meanRatio } from './pace.ts'

/** From this many decisions on, the estimate hardly matters. */
const enoughDecisions = 5

/** Summarises an approver's record in one sentence. `overdueMinutes` is the time that overdue work has taken so far. */
export function trackRecord({ decisions, open, pace }: Desk, step: Step, overdueMinutes: number | undefined): string {
  const overdue = overdueMinutes === undefined ? '' : `, one of them in progress for ${minutes(overdueMinutes)}`
  if (decisions === 0)
    return `No decisions yet, assuming the estimate of ${minutes(step.estimated_duration)}; ${open} open${overdue}.`
  const count = decisions === 1 ? '1 decision' : `${decisions} decisions`
  const basis = decisions < enoughDecisions ? 'with the estimate' : 'recently'
  return `${count}, ${basis} about ${minutes(step.estimated_duration * meanRatio(pace))} for this step; ${open} open${overdue}.`
}

interface Choice {
  readonly chosen: Candidate
  readonly soonest: Candidate
  readonly priority: Priority
  readonly isOnly: boolean
  /** True if the choice was made only to learn the approver's pace. */
  readonly isTrial: boolean
}

/** Explains in one sentence why an approver was chosen. */
export function routingReason({ chosen, soonest, priority, isOnly, isTrial }: Choice): string {
  if (isOnly) return `${chosen.email} is the only approver of the step.`
  const lead = `${chosen.email} is expected to decide in ${minutes(chosen.expectedMinutes)}`
  if (priority === 'high') return `${lead}, the soonest of all, and the step is urgent.`
  if (chosen.expectedMinutes <= soonest.expectedMinutes) return `${lead}, the soonest of all.`
  if (isTrial)
    return `${lead}. ${soonest.email} would be sooner, but the current pace of ${chosen.email} is less certain and worth a try.`
  return `${lead}. ${soonest.email} would be sooner, but later work would wait longer there.`
}

function minutes(value: number): string {
  const rounded = Math.round(value)
  if (rounded === 0) return 'less than a minute'
  return rounded === 1 ? '1 minute' : `${rounded} minutes`
}
