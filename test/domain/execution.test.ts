import { expect, test } from 'vitest'
import {
  type Execution,
  type ExecutionCommand,
  type ExecutionEvent,
  executionDecider,
  stepsToAssign,
} from '../../src/domain/approval/execution.ts'
import { type Workflow, workflowDecider } from '../../src/domain/approval/workflow.ts'

const approver = (email: string) => ({ email, name: email })
const step = (stepId: string, order: number) => ({
  step_id: stepId,
  name: stepId,
  order,
  approvers: [approver(`${stepId}@x.io`)],
  estimated_duration: 60,
})

/** Two parallel steps, then one more. */
const workflow: Workflow = {
  workflowId: 'wf',
  name: 'Contract',
  description: '',
  isSequential: true,
  steps: [step('last', 7), step('legal', 1), step('finance', 1)],
  createdAt: 0,
}
const request = { document_id: 'doc', priority: 'high' }
const start: ExecutionCommand = { type: 'StartExecution', executionId: 'exe', workflow, request }
const assign = (stepId: string): ExecutionCommand => ({
  type: 'AssignStep',
  executionId: 'exe',
  stepId,
  route: { assignee: approver(`${stepId}@x.io`), reason: '', candidates: [] },
})
const decide = (stepId: string, decision: 'approved' | 'rejected', email = `${stepId}@x.io`): ExecutionCommand => {
  return { type: 'DecideStep', executionId: 'exe', stepId, email, decision, takenUpAt: 0 }
}

/** Executes commands in order. Returns the final state and the events of the last command. */
function given(...commands: ExecutionCommand[]): { state: Execution; events: ExecutionEvent[] } {
  let state: Execution | undefined
  let events: ExecutionEvent[] = []
  let seq = 0
  for (const command of commands) {
    events = executionDecider.decide(command, state)
    for (const event of events) state = executionDecider.evolve(state, { ...event, seq: ++seq, at: seq })
  }
  if (!state) throw new Error('Give at least one command')
  return { state, events }
}

const ids = (state: Execution) => stepsToAssign(state).map(({ step }) => step.step_id)
const statuses = ({ stages }: Execution) => stages.flat().map(({ step, status }) => `${step.step_id} ${status}`)

test('a workflow with a step without approvers is refused', () => {
  const definition = { ...workflow, steps: [step('legal', 1), { ...step('finance', 2), approvers: [] }] }
  const create = () => workflowDecider.decide({ type: 'CreateWorkflow', workflowId: 'wf', definition }, undefined)
  expect(create).toThrow("Step 'finance' has no approvers. Give it at least one.")
})

const begun = [start, assign('legal'), assign('finance'), decide('legal', 'approved')]
const halfway = [...begun, decide('finance', 'approved')]

test('a stage is assigned as a whole, when every step before it is approved', () => {
  expect([[start], begun, halfway].map((commands) => ids(given(...commands).state))).toEqual([
    ['legal', 'finance'],
    [],
    ['last'],
  ])
})

test('the last approval approves the execution', () => {
  const { state, events } = given(...halfway, assign('last'), decide('last', 'approved'))
  expect(events.map(({ type }) => type)).toEqual(['StepDecided', 'ExecutionCompleted'])
  expect(state.status).toBe('approved')
})

test('a rejection ends the execution, withdraws assignments and skips the rest', () => {
  const { state, events } = given(start, assign('legal'), assign('finance'), decide('legal', 'rejected'))
  expect(events.map(({ type }) => type)).toEqual(['StepDecided', 'AssignmentWithdrawn', 'ExecutionCompleted'])
  expect(state.status).toBe('rejected')
  expect(statuses(state)).toEqual(['legal rejected', 'finance skipped', 'last skipped'])
  expect(ids(state)).toEqual([])
})

test.each<[string, ExecutionCommand[], ExecutionCommand, string]>([
  ['a step that is not reached', [start, assign('legal')], decide('last', 'approved'), 'step-not-assigned'],
  ['a step twice', begun, decide('legal', 'approved'), 'step-not-assigned'],
  ['as another approver', [start, assign('legal')], decide('legal', 'approved', 'x@x.io'), 'not-the-assignee'],
  ['an unknown step', [start], decide('nothing', 'approved'), 'step-not-found'],
])('deciding %s is refused', (_, commands, command, code) => {
  expect(() => given(...commands, command)).toThrow(expect.objectContaining({ code }))
})
