/** Faults behind names that the contract does not have, at places that follow nothing that was sent: only a locator can tell them. */
import { adds, changeAt, mapMembers } from '../json.ts'
import { type InheritedRow, inheritedOf } from '../mutant.ts'
import { changeAnswer, changeExecutions, changeWorkflows, type Members } from '../wrapper.ts'

const why = 'No place follows what was sent or has the name of the contract, so the value is merely accepted.'

const rows: readonly InheritedRow[] = [
  [
    'description-lost-by-another-name',
    'The description is empty, under another name.',
    why,
    changeWorkflows(({ description, ...body }) => ({ ...body, summary: '' })),
  ],
  [
    'mode-always-sequential',
    'Every workflow is shown with the mode SEQUENTIAL.',
    why,
    changeWorkflows(({ isSequential, ...body }) => ({ ...body, mode: 'SEQUENTIAL' })),
  ],
  [
    'last-type-otherwise-by-another-name',
    'The type of the last of three steps is shown as review, under another name.',
    why,
    changeWorkflows(
      changeAt('steps.*', ({ type, ...step }: Members, index) => ({ ...step, kind: index === 2 ? 'review' : type })),
    ),
  ],
  [
    'urgency-always-normal',
    'Priority high is shown as normal everywhere, and called urgency.',
    why,
    changeExecutions((body) =>
      mapMembers(body, (name, value) => (name === 'priority' ? ['urgency', 'normal'] : [name, value])),
    ),
  ],
  [
    'digest-of-other-bytes',
    'The digest of other bytes is shown, after the name of its algorithm.',
    why,
    changeAnswer('confirmUpload', adds({ fingerprint: `sha256:${'0f'.repeat(32)}` })),
  ],
]

export const unnamedMutants = inheritedOf(rows)
