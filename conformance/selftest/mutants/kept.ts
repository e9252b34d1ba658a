/** How a created workflow is kept and shown, for mutants that change it. */
import type { Body } from '../../../src/contract/operations.ts'
import type { RequirementId } from '../../catalogue/catalogue.ts'
import { mapNamed } from '../json.ts'
import { type Choice, mutant } from '../mutant.ts'
import { changeAnswers, changeBody, type Wrapper } from '../wrapper.ts'

export type Workflow = Body<'createWorkflow'>
export type Step = Workflow['steps'][number]

/** Whether the steps are shown again, in one answer at least. */
export const showsSteps = ({ echo = '' }: Choice) => !['none', 'no-steps'].includes(echo)
/** Whether the description is shown again. */
export const showsText = ({ echo = '' }: Choice) => echo !== 'none'
/** Whether the workflow's name is shown again. */
export const showsName = ({ echo = '' }: Choice) => !['none', 'no-name'].includes(echo)
/** Whether isSequential is shown again. */
export const showsSequential = ({ echo = '' }: Choice) => !['none', 'no-is-sequential'].includes(echo)

/** A workflow is kept other than it was sent; every answer that shows it shows that. */
export function keeps(change: (body: Workflow) => object): Wrapper {
  return changeBody('createWorkflow', change)
}

/** The same for its steps. */
export const keepsSteps = (change: (step: Step, index: number, all: Step[]) => object) =>
  keeps((body) => ({ ...body, steps: body.steps?.map(change) }))

/** The same for the approvers of its steps. */
export const keepsApprovers = (change: (approver: Step['approvers'][number], index: number) => object) =>
  keepsSteps((step) => ({ ...step, approvers: step.approvers?.map(change) }))

/** A field is shown other than it was sent; the reference would not keep such a value. */
export const shows = (name: string, change: (value: unknown) => unknown) =>
  changeAnswers(['createWorkflow', 'getWorkflow', 'executeWorkflow'], (body) => mapNamed(body, name, change))

/** A mutant that changes what is shown, and whether that can be seen. */
export type Row = [
  id: string,
  breaks: string,
  kills: RequirementId[],
  create: () => Wrapper,
  seen: (choice: Choice) => boolean,
  mayKill?: RequirementId[],
]

/** Mutants of such rows. */
export const mutantsOf = (rows: readonly Row[]) =>
  rows.map(([id, breaks, kills, create, appliesTo, mayKill = []]) =>
    mutant(id, breaks, kills, create, { appliesTo, mayKill }),
  )
