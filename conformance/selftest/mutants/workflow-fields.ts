import type { RequirementId } from '../../catalogue/catalogue.ts'
import { type FormRow, formRows, mutantsOf } from '../mutant.ts'
import { compose, type Members, onCalls, refuseWhen } from '../wrapper.ts'
import { keeps, type StoredStep } from './kept.ts'

const aStep: StoredStep = {
  step_id: 'step',
  name: 'Step',
  order: 1,
  type: 'approval',
  approvers: [{ email: 'somebody@example.com', name: 'Somebody' }],
  estimated_duration: 1,
}

const fromOne = (index: number) => index + 1

/** The fields of a workflow, with a value for requests that omit them. */
const fields: [path: string, RequirementId, fill: FormRow[4]][] = [
  ['name', 'workflow.name', 'Untitled'],
  ['description', 'workflow.description', ''],
  ['isSequential', 'workflow.is-sequential', true],
  ['steps', 'workflow.steps', [aStep]],
  ['steps.*.step_id', 'step.step-id', (index: number) => `step-${index}`],
  ['steps.*.name', 'step.name', 'Step'],
  ['steps.*.order', 'step.order', fromOne],
  ['steps.*.type', 'step.type-approval', 'approval'],
  ['steps.*.approvers', 'step.approvers', aStep.approvers],
  ['steps.*.estimated_duration', 'step.estimated-duration', 1],
  ['steps.*.approvers.*.email', 'approver.email', 'somebody@example.com'],
  ['steps.*.approvers.*.name', 'approver.name', 'Somebody'],
]

const mayKillWith = (id: RequirementId): RequirementId[] => {
  if (id === 'workflow.steps') return ['workflow.defines-approval-steps']
  return id === 'step.order' ? ['step.order-starts-at-1'] : []
}

const isText = (value: unknown) => typeof value === 'string'

/** Fields that are accepted only in another form. */
const otherForms: readonly FormRow[] = [
  [
    'duration-as-text',
    'estimated_duration is accepted only as a string.',
    'step.estimated-duration',
    'steps.*.estimated_duration',
    ...([fromOne, isText, Number] as const),
  ],
  [
    'order-as-text',
    'order is accepted only as a string.',
    'step.order',
    'steps.*.order',
    ...([fromOne, isText, Number] as const),
  ],
  [
    'sequential-as-text',
    'isSequential is accepted only as a string.',
    'workflow.is-sequential',
    'isSequential',
    true,
    isText,
    (text: string) => text === 'true',
  ],
  [
    'approvers-as-texts',
    'approvers are accepted only as a list of addresses.',
    'step.approvers',
    'steps.*.approvers',
    aStep.approvers,
    (value) => Array.isArray(value) && value.every(isText),
    (emails: string[]) => emails.map((email) => ({ email, name: email })),
  ],
  [
    'step-id-as-number',
    'step_id is accepted only as a number.',
    'step.step-id',
    'steps.*.step_id',
    String,
    (value) => typeof value === 'number',
    String,
  ],
  [
    'type-in-capitals',
    'The type is accepted only as APPROVAL.',
    'step.type-approval',
    'steps.*.type',
    'approval',
    (value) => value === 'APPROVAL',
  ],
]

const stepsIn = ({ steps }: Members) => (Array.isArray(steps) ? (steps as StoredStep[]) : [])

export const workflowFieldMutants = mutantsOf([
  ...formRows(
    'createWorkflow',
    fields.map(([path, id, fill]) => [
      `refuses-${path.replaceAll('.*.', '-').replaceAll('_', '-')}`,
      `A workflow with ${path} is refused.`,
      id,
      path,
      fill,
    ]),
    mayKillWith,
  ),
  ...formRows('createWorkflow', otherForms, mayKillWith),
  [
    'one-step-only',
    'A workflow of more than one step is refused.',
    'workflow.steps',
    refuseWhen(['createWorkflow'], (_, body) => stepsIn(body).length > 1),
    { mayKill: ['workflow.defines-approval-steps'] },
  ],
  [
    'type-review-only',
    'Every step needs a type, and the type must be review.',
    'step.type-approval',
    compose(
      keeps<StoredStep>('steps.*', (step) => ({ ...step, type: 'approval' })),
      refuseWhen(['createWorkflow'], (_, body) => stepsIn(body).some(({ type }) => String(type) !== 'review')),
    ),
  ],
  [
    'type-refused-by-name',
    'Steps and their types are required, and no type is accepted. The refusal lists the errors by field.',
    'step.type-approval',
    onCalls(['createWorkflow'], async () =>
      Response.json({ errors: [{ field: 'steps[0].type', message: 'Not in the catalogue.' }] }, { status: 422 }),
    ),
  ],
  [
    'one-approver-only',
    'A step with more than one approver is refused.',
    'step.approvers',
    refuseWhen(['createWorkflow'], (_, body) => stepsIn(body).some(({ approvers }) => approvers?.length > 1)),
  ],
])
