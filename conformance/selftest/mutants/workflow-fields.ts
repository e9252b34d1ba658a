import type { RequirementId } from '../../catalogue/catalogue.ts'
import { type Mutant, mutant, refusesField, wantsOtherForm } from '../mutant.ts'
import { compose, type Members, onCalls, refuseWhen, type Wrapper } from '../wrapper.ts'
import { keepsSteps, type StepMembers } from './kept.ts'

const aStep: StepMembers = {
  step_id: 'step',
  name: 'Step',
  order: 1,
  type: 'approval',
  approvers: [{ email: 'somebody@example.com', name: 'Somebody' }],
  estimated_duration: 1,
}

/** The fields of a workflow, with a value for requests that omit them. */
const fields: [path: string, RequirementId, fill: (index: number) => unknown][] = [
  ['name', 'workflow.name', () => 'Untitled'],
  ['description', 'workflow.description', () => ''],
  ['isSequential', 'workflow.is-sequential', () => true],
  ['steps', 'workflow.steps', () => [aStep]],
  ['steps.*.step_id', 'step.step-id', (index) => `step-${index}`],
  ['steps.*.name', 'step.name', () => 'Step'],
  ['steps.*.order', 'step.order', (index) => index + 1],
  ['steps.*.type', 'step.type-approval', () => 'approval'],
  ['steps.*.approvers', 'step.approvers', () => aStep.approvers],
  ['steps.*.estimated_duration', 'step.estimated-duration', () => 1],
  ['steps.*.approvers.*.email', 'approver.email', () => 'somebody@example.com'],
  ['steps.*.approvers.*.name', 'approver.name', () => 'Somebody'],
]

const mayKillWith = (id: RequirementId): RequirementId[] => {
  if (id === 'workflow.steps') return ['workflow.defines-approval-steps']
  return id === 'step.order' ? ['step.order-starts-at-1'] : []
}

/** Fields that are accepted only in another form. */
const otherForms: [id: string, breaks: string, RequirementId, () => Wrapper][] = [
  [
    'duration-as-text',
    'estimated_duration is accepted only as a string.',
    'step.estimated-duration',
    () => asText('steps.*.estimated_duration'),
  ],
  ['order-as-text', 'order is accepted only as a string.', 'step.order', () => asText('steps.*.order')],
  [
    'sequential-as-text',
    'isSequential is accepted only as a string.',
    'workflow.is-sequential',
    () =>
      wantsOtherForm(
        'createWorkflow',
        'isSequential',
        isText,
        (text: string) => text === 'true',
        () => true,
      ),
  ],
  [
    'approvers-as-texts',
    'approvers are accepted only as a list of addresses.',
    'step.approvers',
    () =>
      wantsOtherForm(
        'createWorkflow',
        'steps.*.approvers',
        (value) => Array.isArray(value) && value.every(isText),
        (emails: string[]) => emails.map((email) => ({ email, name: email })),
        () => aStep.approvers,
      ),
  ],
  [
    'step-id-as-number',
    'step_id is accepted only as a number.',
    'step.step-id',
    () =>
      wantsOtherForm(
        'createWorkflow',
        'steps.*.step_id',
        (value) => typeof value === 'number',
        String,
        (index) => `${index}`,
      ),
  ],
  [
    'type-in-capitals',
    'The type is accepted only as APPROVAL.',
    'step.type-approval',
    () =>
      wantsOtherForm(
        'createWorkflow',
        'steps.*.type',
        (value) => value === 'APPROVAL',
        () => 'approval',
        () => 'approval',
      ),
  ],
]

const typesIn = ({ steps }: Members) =>
  Array.isArray(steps) ? (steps as StepMembers[]).map(({ type }) => String(type)) : []

const isText = (value: unknown) => typeof value === 'string'
const asText = (path: string) => wantsOtherForm('createWorkflow', path, isText, Number, (index) => index + 1)

export const workflowFieldMutants: readonly Mutant[] = [
  ...fields.map(([path, id, fill]) =>
    mutant(
      `refuses-${path.replaceAll('.*.', '-').replaceAll('_', '-')}`,
      `A workflow with ${path} is refused.`,
      [id],
      () => refusesField('createWorkflow', path, fill),
      { mayKill: mayKillWith(id) },
    ),
  ),
  ...otherForms.map(([id, breaks, kills, create]) =>
    mutant(id, breaks, [kills], create, { mayKill: mayKillWith(kills) }),
  ),
  mutant(
    'one-step-only',
    'A workflow of more than one step is refused.',
    ['workflow.steps'],
    () => refuseWhen(['createWorkflow'], (_, { steps }) => Array.isArray(steps) && steps.length > 1),
    { mayKill: ['workflow.defines-approval-steps'] },
  ),
  mutant('type-review-only', 'Every step needs a type, and the type must be review.', ['step.type-approval'], () =>
    compose(
      keepsSteps((step) => ({ ...step, type: 'approval' })),
      refuseWhen(['createWorkflow'], (_, body) => typesIn(body).some((type) => type !== 'review')),
    ),
  ),
  mutant(
    'type-refused-by-name',
    'Steps and their types are required, and no type is accepted. The refusal lists the errors by field.',
    ['step.type-approval'],
    () =>
      onCalls(['createWorkflow'], async () =>
        Response.json({ errors: [{ field: 'steps[0].type', message: 'Not in the catalogue.' }] }, { status: 422 }),
      ),
  ),
  mutant('one-approver-only', 'A step with more than one approver is refused.', ['step.approvers'], () =>
    refuseWhen(['createWorkflow'], (_, { steps }) =>
      ((steps ?? []) as StepMembers[]).some(({ approvers }) => approvers?.length > 1),
    ),
  ),
]
