/** Faults behind names that the contract does not have, at places that follow nothing that was sent: only a locator can tell them. */
import { mapMembers } from '../json.ts'
import { changeAnswers, type Members } from '../wrapper.ts'
import { type InheritedRow, inheritedOf } from './inherited.ts'

const why = 'No place follows what was sent or has the name of the contract, so the value is merely accepted.'
const workflows = ['createWorkflow', 'getWorkflow'] as const

const rows: readonly InheritedRow[] = [
  [
    'description-lost-by-another-name',
    'The description is empty, under another name.',
    why,
    () => changeAnswers(workflows, ({ description, ...body }: Members) => ({ ...body, summary: '' })),
  ],
  [
    'mode-always-sequential',
    'Every workflow is shown with the mode SEQUENTIAL.',
    why,
    () => changeAnswers(workflows, ({ isSequential, ...body }: Members) => ({ ...body, mode: 'SEQUENTIAL' })),
  ],
  [
    'last-type-otherwise-by-another-name',
    'The type of the last of three steps is shown as review, under another name.',
    why,
    () =>
      changeAnswers(workflows, (body) => ({
        ...body,
        steps: (body.steps as readonly Members[]).map(({ type, ...step }, index) => {
          return { ...step, kind: index === 2 ? 'review' : type }
        }),
      })),
  ],
  [
    'urgency-always-normal',
    'Priority high is shown as normal everywhere, and called urgency.',
    why,
    () =>
      changeAnswers(['executeWorkflow', 'getWorkflow'], (body) =>
        mapMembers(body, (name, value) => (name === 'priority' ? ['urgency', 'normal'] : [name, value])),
      ),
  ],
  [
    'digest-of-other-bytes',
    'The digest of other bytes is shown, after the name of its algorithm.',
    why,
    () => changeAnswers(['confirmUpload'], (body) => ({ ...body, fingerprint: `sha256:${'0f'.repeat(32)}` })),
  ],
]

export const unnamedMutants = inheritedOf(rows)
