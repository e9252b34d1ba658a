import { faultRows, isPlain, mutantsOf, showsName, showsSteps, showsText } from '../mutant.ts'
import { answersTo, changeBody, changeByPast, type Members } from '../wrapper.ts'
import { keeps, type StoredStep, shows } from './kept.ts'

/** Shows the first step of a workflow once more with each read. */
const repeatsFirstStep = changeByPast(['getWorkflow'], ({ steps, ...body }, past) => {
  const reads = answersTo('getWorkflow', past).filter(({ workflow_id }) => workflow_id === body.workflow_id)
  const [first, ...others] = steps as Members[]
  return { ...body, steps: [...reads.map(() => first), ...others] }
})

export const workflowMutants = mutantsOf([
  [
    'name-in-capitals',
    'The name is stored in capitals.',
    'workflow.name',
    keeps('name', (name) => name.toUpperCase()),
    showsName,
  ],
  [
    'name-cut-short',
    'The name is cut to 12 characters.',
    ['workflow.name', 'workflow.name-at-most-100'],
    keeps('name', (name) => name.slice(0, 12)),
    showsName,
  ],
  [
    'name-slugged',
    'The name is stored with dots for hyphens.',
    'workflow.name',
    keeps('name', (name) => name.replaceAll('-', '.')),
    showsName,
  ],
  ...faultRows(
    'workflow.description',
    [
      ['description-lost', 'The description is lost.', () => ''],
      ['description-cut', 'Only the first 255 characters of the description are stored.', (text) => text.slice(0, 255)],
      ['description-nulled', 'The description is shown as null.', () => null],
      ['description-lower-cased', 'The description is shown in lower case.', (text) => text.toLowerCase()],
      [
        'description-cut-at-emoji',
        'The description ends before its first emoji.',
        (text) => text.replace(/\p{Extended_Pictographic}.*/su, ''),
      ],
      [
        'description-escaped',
        'The characters & and < of the description are escaped for HTML.',
        (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      ],
    ],
    (change: (text: string) => unknown) => shows('description', change),
    showsText,
  ),
  [
    'description-is-name',
    'The description is replaced by the name.',
    'workflow.description',
    changeBody('createWorkflow', (body) => ({ ...body, description: body.name })),
    showsText,
  ],
  ...faultRows(
    'workflow.steps',
    [
      [
        'last-step-lost',
        'The last of several steps is lost.',
        (steps) => (steps.length > 1 ? steps.slice(0, -1) : steps),
      ],
      ['first-step-lost', 'The first of several steps is lost.', (steps) => steps.slice(steps.length > 1 ? 1 : 0)],
      ['only-first-step', 'Only the first step is stored.', (steps) => steps.slice(0, 1)],
      ['step-doubled', 'The first step is stored twice.', (steps) => [...steps, { ...steps[0], step_id: 'again' }]],
    ],
    (change: (steps: StoredStep[]) => unknown[]) => keeps('steps', change),
    showsSteps,
  ),
  [
    'step-repeated-by-reads',
    'Each read of the details shows the first step once more.',
    'workflow.steps',
    repeatsFirstStep,
    isPlain,
  ],
  [
    'step-name-is-identifier',
    'The name of a step, as step_name, is its identifier.',
    'step.name',
    shows('steps', (steps: Members[]) => steps.map(({ name, ...step }) => ({ ...step, step_name: step.step_id }))),
    isPlain,
  ],
  [
    'no-step-kept',
    'No step is stored.',
    ['workflow.defines-approval-steps', 'workflow.steps'],
    shows('steps', () => []),
    showsSteps,
  ],
])
