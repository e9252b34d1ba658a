/** Helpers for mutants that store or show a workflow with other values. */
import type { Body } from '../../../src/contract/operations.ts'
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { mapNamed } from '../json.ts'
import { type Choice, mutant } from '../mutant.ts'
import { changeAnswers, changeBody, type Wrapper } from '../wrapper.ts'

export type WorkflowMembers = Body<'createWorkflow'>
export type StepMembers = WorkflowMembers['steps'][number]

/** Returns true if at least one answer shows the steps. */
export const showsSteps = ({ echo = '' }: Choice) => !['none', 'no-steps'].includes(echo)
/** Returns true if answers show the description. */
export const showsText = ({ echo = '' }: Choice) => echo !== 'none'
/** Returns true if answers show the workflow's name. */
export const showsName = ({ echo = '' }: Choice) => !['none', 'no-name'].includes(echo)
/** Returns true if answers show isSequential. */
export const showsSequential = ({ echo = '' }: Choice) => !['none', 'no-is-sequential'].includes(echo)

/** Stores a workflow with other values than it was sent, so that all answers show them. */
export function keeps(change: (body: WorkflowMembers) => object): Wrapper {
  return changeBody('createWorkflow', change)
}

/** Stores steps with other values than they were sent. */
export const keepsSteps = (change: (step: StepMembers, index: number, all: StepMembers[]) => object) =>
  keeps((body) => ({ ...body, steps: body.steps?.map(change) }))

/** Stores approvers with other values than they were sent. */
export const keepsApprovers = (change: (approver: StepMembers['approvers'][number], index: number) => object) =>
  keepsSteps((step) => ({ ...step, approvers: step.approvers?.map(change) }))

/** Shows a field with another value than it was sent; for values that the reference would refuse to store. */
export const shows = (name: string, change: (value: unknown) => unknown) =>
  changeAnswers(['createWorkflow', 'getWorkflow', 'executeWorkflow'], (body) => mapNamed(body, name, change))

/** A mutant that changes shown values, with the choices under which they are visible. */
export type Row = [
  id: string,
  breaks: string,
  kills: RequirementId[],
  create: () => Wrapper,
  seen: (choice: Choice) => boolean,
  mayKill?: RequirementId[],
]

/** Creates the mutants of the rows. */
export const mutantsOf = (rows: readonly Row[]) =>
  rows.map(([id, breaks, kills, create, appliesTo, mayKill = []]) =>
    mutant(id, breaks, kills, create, { appliesTo, mayKill }),
  )
