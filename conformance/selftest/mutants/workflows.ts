/** Workflows whose fields are refused or changed: interface.md sections 2 and 4.1. */
import type { Body } from '../../../src/contract/operations.ts'
import type { RequirementId } from '../../catalogue.ts'
import { mapNamed } from '../json.ts'
import { type Choice, type Mutant, mutant, refusesField, wantsOtherwise } from '../mutant.ts'
import { changeAnswers, changeBody, refuseWhen, type Wrapper } from '../wrapper.ts'

type Workflow = Body<'createWorkflow'>
type Step = Workflow['steps'][number]

const aStep: Step = {
  step_id: 'step',
  name: 'Step',
  order: 1,
  type: 'approval',
  approvers: [{ email: 'somebody@example.com', name: 'Somebody' }],
  estimated_duration: 1,
}

/** Whether the definition is shown again, in one answer at least. */
const showsSteps = ({ echo = '' }: Choice) => !['none', 'no-steps'].includes(echo)
const showsText = ({ echo = '' }: Choice) => echo !== 'none'
const showsName = ({ echo = '' }: Choice) => !['none', 'no-name'].includes(echo)

/** What stands in for a field that is left out. */
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

/** Fields that are taken in another form only. */
const otherForms: [id: string, breaks: string, RequirementId, () => Wrapper][] = [
  [
    'duration-as-text',
    'estimated_duration is taken as a text only.',
    'step.estimated-duration',
    () => asText('steps.*.estimated_duration'),
  ],
  ['order-as-text', 'order is taken as a text only.', 'step.order', () => asText('steps.*.order')],
  [
    'sequential-as-text',
    'isSequential is taken as a text only.',
    'workflow.is-sequential',
    () =>
      wantsOtherwise(
        'createWorkflow',
        'isSequential',
        isText,
        (text: string) => text === 'true',
        () => true,
      ),
  ],
  [
    'approvers-as-texts',
    'approvers are taken as a list of addresses only.',
    'step.approvers',
    () =>
      wantsOtherwise(
        'createWorkflow',
        'steps.*.approvers',
        (value) => Array.isArray(value) && value.every(isText),
        (emails: string[]) => emails.map((email) => ({ email, name: email })),
        () => aStep.approvers,
      ),
  ],
  [
    'step-id-as-number',
    'step_id is taken as a number only.',
    'step.step-id',
    () =>
      wantsOtherwise(
        'createWorkflow',
        'steps.*.step_id',
        (value) => typeof value === 'number',
        String,
        (index) => `${index}`,
      ),
  ],
  [
    'type-in-capitals',
    'The type is taken as APPROVAL only.',
    'step.type-approval',
    () =>
      wantsOtherwise(
        'createWorkflow',
        'steps.*.type',
        (value) => value === 'APPROVAL',
        () => 'approval',
        () => 'approval',
      ),
  ],
]

const isText = (value: unknown) => typeof value === 'string'
const asText = (path: string) => wantsOtherwise('createWorkflow', path, isText, Number, (index) => index + 1)

/** A workflow is kept other than it was sent; every answer that shows it shows that. */
function keeps(change: (body: Workflow) => object): Wrapper {
  return changeBody('createWorkflow', change)
}

const keepsSteps = (change: (step: Step, index: number, all: Step[]) => object) =>
  keeps((body) => ({ ...body, steps: body.steps?.map(change) }))
const keepsApprovers = (change: (approver: Step['approvers'][number], index: number) => object) =>
  keepsSteps((step) => ({ ...step, approvers: step.approvers?.map(change) }))
/** A field is shown other than it was sent; the reference would not keep such a value. */
const shows = (name: string, change: (value: unknown) => unknown) =>
  changeAnswers(['createWorkflow', 'getWorkflow', 'executeWorkflow'], (body) => mapNamed(body, name, change))

const next = <T>(all: readonly T[], index: number) => all[(index + 1) % all.length]

type Row = [
  id: string,
  breaks: string,
  kills: RequirementId[],
  create: () => Wrapper,
  seen: (choice: Choice) => boolean,
]

const changedFields: Row[] = [
  [
    'name-in-capitals',
    'The name is kept in capitals.',
    ['workflow.name'],
    () => keeps((body) => ({ ...body, name: body.name.toUpperCase() })),
    showsName,
  ],
  [
    'name-cut-short',
    'The name is cut to 12 characters.',
    ['workflow.name'],
    () => keeps((body) => ({ ...body, name: body.name.slice(0, 12) })),
    showsName,
  ],
  [
    'name-slugged',
    'The name is kept with dots for hyphens.',
    ['workflow.name'],
    () => keeps((body) => ({ ...body, name: body.name.replaceAll('-', '.') })),
    showsName,
  ],
  [
    'description-lost',
    'The description is lost.',
    ['workflow.description'],
    () => keeps((body) => ({ ...body, description: '' })),
    showsText,
  ],
  [
    'description-nulled',
    'The description is shown as null.',
    ['workflow.description'],
    () => shows('description', () => null),
    showsText,
  ],
  [
    'description-is-name',
    'The name stands in the description.',
    ['workflow.description'],
    () => keeps((body) => ({ ...body, description: body.name })),
    showsText,
  ],
  [
    'last-step-lost',
    'The last of several steps is lost.',
    ['workflow.steps'],
    () =>
      keeps((body) => ({ ...body, steps: body.steps?.slice(0, -1).concat(body.steps.length > 1 ? [] : body.steps) })),
    showsSteps,
  ],
  [
    'first-step-lost',
    'The first of several steps is lost.',
    ['workflow.steps'],
    () => keeps((body) => ({ ...body, steps: body.steps?.slice(body.steps.length > 1 ? 1 : 0) })),
    showsSteps,
  ],
  [
    'only-first-step',
    'Only the first step is kept.',
    ['workflow.steps'],
    () => keeps((body) => ({ ...body, steps: body.steps?.slice(0, 1) })),
    showsSteps,
  ],
  [
    'step-doubled',
    'The first step is kept twice.',
    ['workflow.steps'],
    () => keeps((body) => ({ ...body, steps: [...(body.steps ?? []), { ...body.steps?.[0], step_id: 'again' }] })),
    showsSteps,
  ],
  [
    'no-step-kept',
    'No step is kept.',
    ['workflow.defines-approval-steps', 'workflow.steps'],
    () => shows('steps', () => []),
    showsSteps,
  ],
  [
    'step-id-replaced',
    'step_id is replaced by a number of the server.',
    ['step.step-id'],
    () => keepsSteps((step, index) => ({ ...step, step_id: `${index + 1}` })),
    showsSteps,
  ],
  [
    'step-id-respelled',
    'Hyphens in step_id become underscores.',
    ['step.step-id'],
    () => keepsSteps((step) => ({ ...step, step_id: step.step_id?.replaceAll('-', '_') })),
    showsSteps,
  ],
  [
    'step-id-in-capitals',
    'step_id is kept in capitals.',
    ['step.step-id'],
    () => keepsSteps((step) => ({ ...step, step_id: step.step_id?.toUpperCase() })),
    showsSteps,
  ],
  [
    'step-name-is-id',
    "The step's name is replaced by its step_id.",
    ['step.name'],
    () => keepsSteps((step) => ({ ...step, name: step.step_id })),
    showsSteps,
  ],
  [
    'step-name-of-next',
    'Every step has the name of the next.',
    ['step.name'],
    () => keepsSteps((step, index, all) => ({ ...step, name: next(all, index)?.name })),
    showsSteps,
  ],
  [
    'orders-reversed',
    'The orders are reversed.',
    ['step.order'],
    () => keepsSteps((step, index, all) => ({ ...step, order: all[all.length - 1 - index]?.order })),
    showsSteps,
  ],
  [
    'orders-all-one',
    'Every step has order 1.',
    ['step.order'],
    () => keepsSteps((step) => ({ ...step, order: 1 })),
    showsSteps,
  ],
  [
    'type-shown-otherwise',
    'The type approval is shown as review.',
    ['step.type-approval'],
    () => shows('type', (value) => (value === 'approval' ? 'review' : value)),
    showsSteps,
  ],
  [
    'type-nulled',
    'The type approval is shown as null.',
    ['step.type-approval'],
    () => shows('type', (value) => (value === 'approval' ? null : value)),
    showsSteps,
  ],
  [
    'approvers-of-next',
    'Every step has the approvers of the next.',
    ['step.approvers'],
    () => keepsSteps((step, index, all) => ({ ...step, approvers: next(all, index)?.approvers })),
    showsSteps,
  ],
  [
    'only-first-approver',
    'Only the first approver of a step is kept.',
    ['step.approvers'],
    () => keepsSteps((step) => ({ ...step, approvers: step.approvers?.slice(0, 1) })),
    showsSteps,
  ],
  ['approvers-lost', 'No approver is kept.', ['step.approvers'], () => shows('approvers', () => []), showsSteps],
  [
    'email-masked',
    "The approver's address is masked.",
    ['approver.email'],
    () => keepsApprovers((approver) => ({ ...approver, email: approver.email?.replace(/^[^@]+/, 'masked') })),
    showsSteps,
  ],
  [
    'email-of-other-host',
    "The approver's address gets another host.",
    ['approver.email'],
    () => keepsApprovers((approver) => ({ ...approver, email: approver.email?.replace(/@.*/, '@other.example') })),
    showsSteps,
  ],
  [
    'approver-name-is-email',
    "The approver's name is replaced by the address.",
    ['approver.name'],
    () => keepsApprovers((approver) => ({ ...approver, name: approver.email })),
    showsSteps,
  ],
  [
    'approver-first-name',
    "Only the first word of the approver's name is kept.",
    ['approver.name'],
    () => keepsApprovers((approver) => ({ ...approver, name: approver.name?.split(' ')[0] })),
    showsSteps,
  ],
  [
    'duration-in-seconds',
    'estimated_duration is multiplied by 60.',
    ['step.estimated-duration'],
    () => keepsSteps((step) => ({ ...step, estimated_duration: step.estimated_duration * 60 })),
    showsSteps,
  ],
  [
    'duration-of-first',
    'Every step has the duration of the first.',
    ['step.estimated-duration'],
    () => keepsSteps((step, _, all) => ({ ...step, estimated_duration: all[0]?.estimated_duration })),
    showsSteps,
  ],
  [
    'duration-zero',
    'estimated_duration is shown as 0.',
    ['step.estimated-duration'],
    () => shows('estimated_duration', () => 0),
    showsSteps,
  ],
]

export const workflowMutants: readonly Mutant[] = [
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
  ...changedFields.map(([id, breaks, kills, create, appliesTo]) => mutant(id, breaks, kills, create, { appliesTo })),
  mutant(
    'one-step-only',
    'A workflow of more than one step is refused.',
    ['workflow.steps'],
    () => refuseWhen(['createWorkflow'], (_, { steps }) => Array.isArray(steps) && steps.length > 1),
    { mayKill: ['workflow.defines-approval-steps'] },
  ),
  mutant('one-approver-only', 'A step with more than one approver is refused.', ['step.approvers'], () =>
    refuseWhen(['createWorkflow'], (_, { steps }) =>
      ((steps ?? []) as Step[]).some(({ approvers }) => approvers?.length > 1),
    ),
  ),
]
