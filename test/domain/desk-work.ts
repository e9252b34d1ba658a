import { executionDecider } from '../../src/domain/approval/execution.ts'
import type { Priority } from '../../src/domain/approval/route.ts'
import type { Step } from '../../src/domain/approval/workflow.ts'
import type { History } from '../../src/domain/routing/history.ts'
import type { RoutingQuestion } from '../../src/domain/routing/routing.ts'

export const ann = 'ann@example.com'
export const ben = 'ben@example.com'
export const cleo = 'cleo@example.com'

const msPerMinute = 60_000

/** Returns a step with these approvers. */
export function stepFor(emails: readonly string[], estimatedMinutes = 60): Step {
  return {
    step_id: 's',
    name: 'S',
    order: 1,
    estimated_duration: estimatedMinutes,
    approvers: emails.map((email) => ({ email, name: email })),
  }
}

/** An assignment: the assignee, the candidates, and the terms. */
export interface Work {
  readonly email: string
  readonly among?: readonly string[]
  readonly estimatedMinutes?: number
  readonly priority?: Priority
}

/** Feeds a history with events of executions of one step. Times are in minutes. */
export function workOn(history: History) {
  const apply = (
    event: 'StepAssigned' | 'StepDecided' | 'AssignmentWithdrawn',
    work: Work,
    minutes: number,
    takenUp = 0,
  ) => {
    const { email, among = [email], estimatedMinutes, priority = 'normal' } = work
    const step = stepFor(among, estimatedMinutes)
    const ids = { executionId: 'exe', workflowId: 'wf', seq: 1 }
    const request = { document_id: 'doc', priority }
    const started = { type: 'ExecutionStarted', ...ids, request, stages: [[step]], at: 0 } as const
    const candidates = among.map((email) => ({ email, expectedMinutes: 0, samples: 0, openAssignments: 0, reason: '' }))
    const route = { assignee: { email, name: '' }, reason: '', candidates }
    const at = { ...ids, stepId: 's', at: minutes * msPerMinute, takenUpAt: takenUp * msPerMinute }
    const recorded = { type: event, ...at, route, email, decision: 'approved' } as const
    history.apply(recorded, executionDecider.evolve(undefined, started))
  }
  const assign = (work: Work, at: number) => apply('StepAssigned', work, at)
  const decide = (work: Work, takenUp: number, at: number) => apply('StepDecided', work, at, takenUp)
  const withdraw = (work: Work, at: number) => apply('AssignmentWithdrawn', work, at)
  /** Adds `times` assignments in a row, each decided after `minutes`. Returns the time of the last decision. */
  const repeat = (work: Work, times: number, minutes: number, from = 0) => {
    for (let index = 0; index < times; index += 1) {
      assign(work, from + index * minutes)
      decide(work, from + index * minutes, from + (index + 1) * minutes)
    }
    return from + times * minutes
  }
  return { assign, decide, withdraw, repeat }
}

/** Returns the routing question for a step at a time in minutes. */
export function question(history: History, step: Step, now: number, priority: Priority = 'normal'): RoutingQuestion {
  return { executionId: 'execution', step, priority, now: now * msPerMinute, desk: (email) => history.desk(email) }
}
