import { expect, test } from 'vitest'
import { valueAt } from '../../src/contract/json.ts'
import { type AnsweredCall, factsOfCall } from '../../src/profile/facts.ts'

const person = (name: string) => ({ email: `${name}@example.com`, name })
const [ann, bob, cid] = [person('ann'), person('bob'), person('cid')]
const at = (minute: number) => `2026-03-01T09:${String(minute).padStart(2, '0')}:00.000Z`

/** A step of an execution, with the minutes of its assignment and its decision. */
const decision = (status: string, assignee: unknown, from: number, to?: number) => ({
  status,
  assignee,
  assigned_at: at(from),
  decided_at: to === undefined ? null : at(to),
})

/** Returns a part of what the facts of a call make of the contract's answer. */
function shownAt(pointer: string, body: object, more: Partial<AnsweredCall> = {}): unknown {
  const call = { call: 'getWorkflow', status: 200, base: 'http://there.test', now: 0 } as const
  return valueAt(factsOfCall({ ...call, body, ...more }).answer, pointer)
}

const details = {
  steps: [
    { step_id: 'legal', approvers: [ann, bob] },
    { step_id: 'finance', approvers: [bob, cid] },
  ],
  step_performance: [],
  recent_executions: [
    { steps: [decision('approved', ann, 10, 14), decision('assigned', bob, 14)] },
    { steps: [decision('approved', ann, 0, 2), decision('rejected', bob, 2, 8)] },
  ],
}

test('the details have each approver once, with what the latest executions show', () => {
  const [legal, finance] = details.steps
  const none = { assigned: 0, approved: 0, rejected: 0, decided: 0, total: 0, approval_rate: null, working_time: null }
  expect(shownAt('/people', details)).toEqual([
    {
      ...{ ...ann, ...none, step: legal, may_decide: 1, approved: 2, decided: 2, total: 2, approval_rate: 1 },
      ...{ working_time: { mean_minutes: 3 }, latest_decision_at: at(14) },
    },
    {
      ...{
        ...bob,
        ...none,
        step: legal,
        may_decide: 2,
        assigned: 1,
        rejected: 1,
        decided: 1,
        total: 2,
        approval_rate: 0,
      },
      ...{ working_time: { mean_minutes: 6 }, latest_decision_at: at(8) },
    },
    { ...cid, ...none, step: finance, may_decide: 1, latest_decision_at: null },
  ])
})

test('a workflow that was just created has its approvers too', () => {
  const people = shownAt('/people', { steps: details.steps }, { call: 'createWorkflow' })
  expect(people).toMatchObject([ann, bob, cid])
})

test('durations have their shortest and longest of the latest executions', () => {
  const task = (from: number, to?: number) => ({ ...decision('approved', ann, from, to), step_id: 'legal' })
  const execution = (from: number, to?: number) => ({
    ...{ started_at: at(from), completed_at: to === undefined ? null : at(to) },
    steps: [task(from, to)],
  })
  const body = {
    steps: [{ step_id: 'legal' }, { step_id: 'finance' }],
    execution_metrics: { total: 3, completion_time: { mean_minutes: 4 } },
    step_performance: [
      { step_id: 'legal', working_time: { mean_minutes: 4 } },
      { step_id: 'finance', working_time: null },
    ],
    recent_executions: [execution(20), execution(10, 16), execution(0, 2)],
  }
  const ranged = { mean_minutes: 4, min_minutes: 2, max_minutes: 6 }
  expect(shownAt('', body)).toMatchObject({
    execution_metrics: { total: 3, completion_time: ranged },
    step_performance: [{ working_time: ranged }, { working_time: null }],
  })
})

test('the details have the sum of the estimates and the longest', () => {
  const steps = [12, 30, 7].map((estimated_duration) => ({ estimated_duration }))
  const estimated = { total_minutes: 49, longest_minutes: 30 }
  expect(shownAt('/estimated', { ...details, steps, recent_executions: [] })).toEqual(estimated)
})

test.each([
  [true, details.steps],
  [false, []],
])('the details have the steps in turn only if one waits for another: %j', (isSequential, steps) => {
  expect(shownAt('/in_turn', { ...details, isSequential })).toEqual(steps)
})

/** Returns what the facts of an execution make of its first step. */
const stepShown = (assignee: unknown, routing: object | null) => {
  const body = { execution_id: 'ex_1', steps: [{ step_id: 'legal', assignee, routing }] }
  return shownAt('/steps/0', body, { call: 'executeWorkflow', status: 201, steps: details.steps })
}

test('an execution has the candidate that was chosen, and the others', () => {
  const [first, chosen] = [ann, bob].map((one, samples) => ({ email: one.email, samples }))
  const routing = { reason: 'untried', candidates: [first, chosen] }
  expect(stepShown(bob, routing)).toMatchObject({ routing: { ...routing, chosen, others: [first] } })
})

test('the performance of a step counts the tasks that wait, that are decided, and all', () => {
  const task = (status: string) => ({ ...decision(status, null, 0), step_id: 'legal' })
  const body = {
    ...details,
    step_performance: [{ step_id: 'legal', assigned: 1, approved: 2, rejected: 1 }],
    recent_executions: [{ steps: [task('waiting'), task('assigned')] }, { steps: [task('waiting'), task('approved')] }],
  }
  expect(shownAt('/step_performance/0', body)).toMatchObject({ waiting: 2, decided: 3, total: 4 })
})

test('a step has the approvers who were not chosen, also before one is', () => {
  expect(stepShown(null, null)).toMatchObject({ alternates: [bob] })
  expect(stepShown(bob, null)).toMatchObject({ alternates: [ann] })
})

/** Details of two executions, the latest first. */
const underWay = (() => {
  const run = (execution_id: string, submitter_email: string, approver: object, from: number, to?: number) => ({
    ...{ execution_id, submitter_email, started_at: at(from), completed_at: to === undefined ? null : at(to) },
    steps: [{ ...decision(to === undefined ? 'assigned' : 'approved', approver, from, to), step_id: 'legal' }],
  })
  const recent_executions = [run('e2', 'kim', bob, 3), run('e1', 'sam', ann, 1, 9)]
  return { created_at: at(0), steps: [{ step_id: 'legal' }], step_performance: [], recent_executions }
})()

const eventsAt = (pointer: string) =>
  (shownAt(pointer, underWay) as readonly Record<'kind' | 'execution_id' | 'by', string>[]).map(
    ({ kind, execution_id = '', by = '' }) => `${kind} ${execution_id} ${by}`.trim(),
  )

test('the details have what happened, the earliest first', () => {
  expect(eventsAt('/events')).toEqual([
    'created',
    'started e1 sam',
    'opened e1 ann@example.com',
    'assigned e1 ann@example.com',
    'started e2 kim',
    'opened e2 bob@example.com',
    'assigned e2 bob@example.com',
    'decided e1 ann@example.com',
    'closed e1 ann@example.com',
    'ended e1 sam',
  ])
})

test('each execution has what happened to it', () => {
  expect(eventsAt('/recent_executions/0/events')).toEqual([
    'started e2 kim',
    'opened e2 bob@example.com',
    'assigned e2 bob@example.com',
  ])
})

test('the details have the tasks of all executions in one list, the oldest first', () => {
  expect(shownAt('/tasks', underWay)).toMatchObject([
    { status: 'approved', assignee: ann, execution: { execution_id: 'e1' }, step: { step_id: 'legal' } },
    { status: 'assigned', assignee: bob, execution: { execution_id: 'e2' }, step: { step_id: 'legal' } },
  ])
})
