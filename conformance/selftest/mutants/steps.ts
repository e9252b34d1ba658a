/** Steps and approvers that are stored or shown with other values: interface.md section 2. */
import { changeAt, changeNamed } from '../json.ts'
import { faultRows, isPlain, mutantsOf, showsSteps } from '../mutant.ts'
import { changeDetails } from '../wrapper.ts'
import { keeps, type StoredStep, shows } from './kept.ts'

type Approvers = StoredStep['approvers']

const keepsSteps = (change: (step: StoredStep, index: number, all: readonly StoredStep[]) => object) =>
  keeps('steps.*', (step: StoredStep, index, all: readonly StoredStep[]) => ({ ...step, ...change(step, index, all) }))
const keepsAddresses = (change: (address: string) => string) => keeps('steps.*.approvers.*.email', change)
const keepsApprovers = (change: (approvers: Approvers) => Approvers) => keeps('steps.*.approvers', change)

const next = <T>(all: readonly T[], index: number) => all[(index + 1) % all.length]

export const stepMutants = mutantsOf(
  [
    [
      'step-id-replaced',
      'step_id is replaced by a number of the server.',
      'step.step-id',
      keepsSteps((_, index) => ({ step_id: `${index + 1}` })),
    ],
    ...faultRows(
      'step.step-id',
      [
        ['step-id-respelled', 'Hyphens in step_id become underscores.', (id) => id.replaceAll('-', '_')],
        ['step-id-underscores-hyphens', 'Underscores in step_id become hyphens.', (id) => id.replaceAll('_', '-')],
        ['step-id-in-capitals', 'step_id is stored in capitals.', (id) => id.toUpperCase()],
        ['step-id-lower-case', 'step_id is stored in lower case.', (id) => id.toLowerCase()],
      ],
      (change: (id: string) => string) => keeps('steps.*.step_id', change),
    ),
    [
      'step-name-is-id',
      "The step's name is replaced by its step_id.",
      'step.name',
      keepsSteps(({ step_id: name }) => ({ name })),
    ],
    [
      'step-name-of-next',
      'Every step has the name of the next.',
      'step.name',
      keepsSteps((_, index, all) => ({ name: next(all, index)?.name })),
    ],
    [
      'orders-reversed',
      'The orders are reversed.',
      ['step.order', 'step.order-starts-at-1'],
      keepsSteps((_, index, all) => ({ order: all[all.length - 1 - index]?.order })),
      { mayKill: ['execution.steps-in-order'] },
    ],
    [
      'orders-by-place',
      'Steps are ordered by their position in the list, and their order is ignored.',
      'step.order',
      keepsSteps((_, index) => ({ order: index + 1 })),
      { mayKill: ['execution.steps-in-order'] },
    ],
    ['orders-all-one', 'Every step has order 1.', 'step.order', keepsSteps(() => ({ order: 1 }))],
    [
      'step-ids-changed-in-performance',
      'The performance shows identifiers of steps in lower case, with hyphens for underscores.',
      'step.step-id',
      changeDetails(changeAt('step_performance.*.step_id', (id: string) => id.toLowerCase().replaceAll('_', '-'))),
      { appliesTo: isPlain, mayKill: ['details.step-performance'] },
    ],
    [
      'durations-in-two-bytes',
      'Durations above 32,767 are shown as negative numbers.',
      'step.estimated-duration',
      shows('estimated_duration', (value) => (Number(value) > 32_767 ? Number(value) - 65_536 : value)),
    ],
    [
      'durations-converted-in-details',
      'The details show durations in seconds, under the name that shows the sent minutes in the answer to creating.',
      'step.estimated-duration',
      changeDetails(changeNamed('estimated_duration', (value) => Number(value) * 60)),
      isPlain,
    ],
    [
      'durations-without-hours',
      'Durations of more than an hour are shown without their hours.',
      'step.estimated-duration',
      shows('estimated_duration', (value) => Number(value) % 60),
    ],
    [
      'type-shown-otherwise',
      'The type approval is shown as review.',
      'step.type-approval',
      shows('type', (value) => (value === 'approval' ? 'review' : value)),
    ],
    [
      'type-nulled',
      'The type approval is shown as null.',
      'step.type-approval',
      shows('type', (value) => (value === 'approval' ? null : value)),
    ],
    [
      'approvers-of-next',
      'Every step has the approvers of the next.',
      'step.approvers',
      keepsSteps((_, index, all) => ({ approvers: next(all, index)?.approvers })),
      {
        mayKill: ['approver.email', 'approver.name', 'execute-workflow.chooses-approvers'],
      },
    ],
    [
      'only-first-approver',
      'Only the first approver of a step is stored.',
      'step.approvers',
      keepsApprovers((approvers) => approvers.slice(0, 1)),
    ],
    [
      'namesakes-merged',
      'Approvers of a step with the same display name are stored once.',
      'step.approvers',
      keepsApprovers((approvers) => [...new Map(approvers.map((one) => [one.name, one])).values()]),
      isPlain,
    ],
    [
      'third-approver-lost',
      'Only the first two approvers of a step are stored.',
      'step.approvers',
      keepsApprovers((approvers) => approvers.slice(0, 2)),
      isPlain,
    ],
    ['approvers-lost', 'No approver is stored.', 'step.approvers', shows('approvers', () => [])],
    [
      'email-masked',
      "The approver's address is masked.",
      'approver.email',
      keepsAddresses((address) => address.replace(/^[^@]+/, 'masked')),
    ],
    [
      'email-of-other-host',
      "The approver's address gets another host.",
      'approver.email',
      keepsAddresses((address) => address.replace(/@.*/, '@other.example')),
    ],
    [
      'approver-name-is-email',
      "The approver's name is replaced by the address.",
      'approver.name',
      keeps('steps.*.approvers.*', (one: Approvers[number]) => ({ ...one, name: one.email })),
    ],
    [
      'approver-first-name',
      "Only the first word of the approver's name is stored.",
      'approver.name',
      keeps('steps.*.approvers.*.name', (name) => name.split(' ')[0]),
    ],
    [
      'address-tags-lost',
      "A plus sign in an approver's address, and what follows it before the @, is lost.",
      'approver.email',
      keepsAddresses((address) => address.replace(/\+[^@]*/, '')),
    ],
    [
      'approver-names-in-latin-1',
      "Characters of an approver's name that Latin-1 lacks are stored as question marks.",
      'approver.name',
      keeps('steps.*.approvers.*.name', (name) => name.replaceAll(/[^\0-\xff]/g, '?')),
    ],
    [
      'duration-of-first',
      'Every step has the duration of the first.',
      'step.estimated-duration',
      keepsSteps((_, __, [first]) => ({ estimated_duration: first?.estimated_duration })),
    ],
    [
      'duration-zero',
      'estimated_duration is shown as 0.',
      'step.estimated-duration',
      shows('estimated_duration', () => 0),
    ],
  ],
  showsSteps,
)
