/** Steps and approvers that are stored or shown with other values: interface.md section 2. */
import { mapNamed } from '../json.ts'
import type { Choice } from '../mutant.ts'
import { changeAnswer, changeAnswers, type Members } from '../wrapper.ts'
import { keepsApprovers, keepsSteps, mutantsOf, type StepMembers, shows, showsSteps } from './kept.ts'

const next = <T>(all: readonly T[], index: number) => all[(index + 1) % all.length]

const byName = (approvers: StepMembers['approvers'] = []) => new Map(approvers.map((one) => [one.name, one]))

/** Returns true if the details show the steps with the reference's own names and places. */
const showsPlainly = (choice: Choice) => Object.keys(choice).length === 0

const isPlain = (choice: Choice) => Object.keys(choice).length === 0

/** Shows the steps of workflows with other members. */
const stepsShownAs = (change: (step: Members) => Members) =>
  changeAnswers(['createWorkflow', 'getWorkflow'], ({ steps, ...body }) => ({
    ...body,
    steps: (steps as Members[]).map(change),
  }))

const typeOf = ({ order }: Members, type: unknown) => (order === 3 ? 'review' : type)

export const stepMutants = mutantsOf([
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
    'step-id-underscores-hyphens',
    'Underscores in step_id become hyphens.',
    ['step.step-id'],
    () => keepsSteps((step) => ({ ...step, step_id: step.step_id?.replaceAll('_', '-') })),
    showsSteps,
  ],
  [
    'step-id-in-capitals',
    'step_id is stored in capitals.',
    ['step.step-id'],
    () => keepsSteps((step) => ({ ...step, step_id: step.step_id?.toUpperCase() })),
    showsSteps,
  ],
  [
    'step-id-lower-case',
    'step_id is stored in lower case.',
    ['step.step-id'],
    () => keepsSteps((step) => ({ ...step, step_id: step.step_id?.toLowerCase() })),
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
    ['step.order', 'step.order-starts-at-1'],
    () => keepsSteps((step, index, all) => ({ ...step, order: all[all.length - 1 - index]?.order })),
    showsSteps,
    ['execution.steps-in-order'],
  ],
  [
    'orders-by-place',
    'Steps are ordered by their position in the list, and their order is ignored.',
    ['step.order'],
    () => keepsSteps((step, index) => ({ ...step, order: index + 1 })),
    showsSteps,
    ['execution.steps-in-order'],
  ],
  [
    'orders-all-one',
    'Every step has order 1.',
    ['step.order'],
    () => keepsSteps((step) => ({ ...step, order: 1 })),
    showsSteps,
  ],
  [
    'step-ids-changed-in-performance',
    'The performance shows identifiers of steps in lower case, with hyphens for underscores.',
    ['step.step-id'],
    () =>
      changeAnswer('getWorkflow', ({ step_performance: performance, ...body }) => ({
        ...body,
        step_performance: (performance as Members[]).map(({ step_id, ...step }) => ({
          step_id: String(step_id).toLowerCase().replaceAll('_', '-'),
          ...step,
        })),
      })),
    isPlain,
    ['details.step-performance'],
  ],
  [
    'durations-in-two-bytes',
    'Durations above 32,767 are shown as negative numbers.',
    ['step.estimated-duration'],
    () => shows('estimated_duration', (value) => (Number(value) > 32_767 ? Number(value) - 65_536 : value)),
    showsSteps,
  ],
  [
    'durations-converted-in-details',
    'The details show durations in seconds, under the name that shows the sent minutes in the answer to creating.',
    ['step.estimated-duration'],
    () =>
      changeAnswer('getWorkflow', (details) => mapNamed(details, 'estimated_duration', (value) => Number(value) * 60)),
    isPlain,
  ],
  [
    'durations-without-hours',
    'Durations of more than an hour are shown without their hours.',
    ['step.estimated-duration'],
    () => shows('estimated_duration', (value) => Number(value) % 60),
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
    'last-type-otherwise-as-kind',
    'The type of the last step is shown as review, and called kind.',
    ['step.type-approval'],
    () => stepsShownAs(({ type, ...step }) => ({ ...step, step_kind: typeOf(step, type) })),
    isPlain,
  ],
  [
    'last-type-otherwise-in-short',
    'The type of the last step is shown as review, under short names.',
    ['step.type-approval'],
    () =>
      stepsShownAs(({ type, name: nm, order: ord, ...step }) => ({
        ...step,
        nm,
        ord,
        ty: typeOf({ order: ord }, type),
      })),
    isPlain,
  ],
  [
    'approvers-of-next',
    'Every step has the approvers of the next.',
    ['step.approvers', 'approver.email', 'approver.name'],
    () => keepsSteps((step, index, all) => ({ ...step, approvers: next(all, index)?.approvers })),
    showsSteps,
    ['execute-workflow.chooses-approvers'],
  ],
  [
    'only-first-approver',
    'Only the first approver of a step is stored.',
    ['step.approvers'],
    () => keepsSteps((step) => ({ ...step, approvers: step.approvers?.slice(0, 1) })),
    showsSteps,
  ],
  [
    'namesakes-merged',
    'Approvers of a step with the same display name are stored once.',
    ['step.approvers'],
    () => keepsSteps((step) => ({ ...step, approvers: [...byName(step.approvers).values()] })),
    showsPlainly,
  ],
  [
    'third-approver-lost',
    'Only the first two approvers of a step are stored.',
    ['step.approvers'],
    () => keepsSteps((step) => ({ ...step, approvers: step.approvers?.slice(0, 2) })),
    showsPlainly,
  ],
  ['approvers-lost', 'No approver is stored.', ['step.approvers'], () => shows('approvers', () => []), showsSteps],
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
    "Only the first word of the approver's name is stored.",
    ['approver.name'],
    () => keepsApprovers((approver) => ({ ...approver, name: approver.name?.split(' ')[0] })),
    showsSteps,
  ],
  [
    'address-tags-lost',
    "A plus sign in an approver's address, and what follows it before the @, is lost.",
    ['approver.email'],
    () => keepsApprovers((approver) => ({ ...approver, email: approver.email?.replace(/\+[^@]*/, '') })),
    showsSteps,
  ],
  [
    'approver-names-in-latin-1',
    "Characters of an approver's name that Latin-1 lacks are stored as question marks.",
    ['approver.name'],
    () => keepsApprovers((approver) => ({ ...approver, name: approver.name?.replaceAll(/[^\0-\xff]/g, '?') })),
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
])
