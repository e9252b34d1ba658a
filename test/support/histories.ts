import fc from 'fast-check'
import { Analytics } from '../../src/domain/analytics/analytics.ts'
import {
  type Execution,
  type ExecutionCommand,
  type ExecutionEvent,
  executionDecider,
  stepsToAssign,
} from '../../src/domain/approval/execution.ts'
import type { Workflow } from '../../src/domain/approval/workflow.ts'
import type { Journaled } from '../../src/domain/decider.ts'

/** The state after an event: the analytics of a workflow, and the executions and events that they were computed from. */
export interface Moment {
  readonly analytics: Analytics
  readonly executions: readonly Execution[]
  readonly events: readonly Journaled<ExecutionEvent>[]
}

interface Happening {
  readonly afterMs: number
  /** Index of the open assignment to decide; undefined to start another execution. */
  readonly decides: number | undefined
  readonly rejects: boolean
  /** The share of the time since the assignment that was spent waiting, from 0 to 1. */
  readonly waited: number
  /** Milliseconds between a decision and the assignment that follows from it, as with a real clock. */
  readonly lateMs: number
  readonly approver: number
}

const workflows = fc
  .record({
    isSequential: fc.boolean(),
    steps: fc.array(fc.record({ order: fc.integer({ min: 1, max: 3 }), approvers: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 1,
      maxLength: 5,
    }),
  })
  .map(
    ({ isSequential, steps }): Workflow => ({
      workflowId: 'wf',
      name: 'Random',
      description: '',
      createdAt: 0,
      isSequential,
      steps: steps.map(({ order, approvers }, index) => ({
        step_id: `step-${index}`,
        name: '',
        order,
        estimated_duration: 30,
        approvers: Array.from({ length: approvers }, (_, place) => ({ email: `${place}@x.io`, name: '' })),
      })),
    }),
  )

const happenings = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10 ** 8 })),
    decides: fc.option(fc.nat(), { nil: undefined, freq: 4 }),
    rejects: fc.integer({ min: 0, max: 4 }).map((value) => value === 0),
    waited: fc.double({ min: 0, max: 1, noNaN: true }),
    lateMs: fc.integer({ min: 0, max: 2 }),
    approver: fc.nat(),
  }),
  { minLength: 1, maxLength: 60 },
)

/** Random workflows with random histories. */
export const histories = fc.record({ workflow: workflows, happenings })

/** Replays a history and calls `check` after each event. Returns the final state. */
export function happen(
  { workflow, happenings }: { workflow: Workflow; happenings: readonly Happening[] },
  check: (moment: Moment) => void,
): Moment {
  const analytics = new Analytics(workflow)
  const executions = new Map<string, Execution>()
  const events: Journaled<ExecutionEvent>[] = []
  let now = 1_700_000_000_000
  const moment = () => ({ analytics, executions: [...executions.values()], events })

  function handle(command: ExecutionCommand): void {
    for (const event of executionDecider.decide(command, executions.get(command.executionId))) {
      const recorded = { ...event, seq: events.length + 1, at: now }
      const execution = executionDecider.evolve(executions.get(event.executionId), recorded)
      executions.set(event.executionId, execution)
      events.push(recorded)
      analytics.apply(recorded, execution)
      check(moment())
    }
  }

  for (const { afterMs, decides, rejects, waited, lateMs, approver } of happenings) {
    now += afterMs
    const open = [...executions.values()].flatMap(({ executionId, stages }) =>
      stages
        .flat()
        .flatMap(({ step, assignee, assignedAt, status }) =>
          status === 'assigned' && assignee && assignedAt !== undefined
            ? { executionId, step, assignee, assignedAt }
            : [],
        ),
    )
    const chosen = decides === undefined ? undefined : open[decides % open.length]
    let executionId = `exe_${executions.size}`
    if (chosen) {
      executionId = chosen.executionId
      const takenUpAt = chosen.assignedAt + Math.floor(waited * (now - chosen.assignedAt))
      const decision = rejects ? 'rejected' : 'approved'
      const { step_id: stepId } = chosen.step
      handle({ type: 'DecideStep', executionId, stepId, email: chosen.assignee.email, decision, takenUpAt })
    } else {
      const request = { document_id: 'doc', priority: 'normal' }
      handle({ type: 'StartExecution', executionId, workflow, request })
    }
    const execution = executions.get(executionId)
    for (const { step } of execution ? stepsToAssign(execution) : []) {
      now += lateMs
      const assignee = step.approvers[approver % step.approvers.length]
      if (!assignee) throw new Error('Every step has an approver')
      const route = { assignee, reason: '', candidates: [] }
      handle({ type: 'AssignStep', executionId, stepId: step.step_id, route })
    }
  }
  return moment()
}
