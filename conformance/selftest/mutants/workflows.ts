import { changeAnswer, type Members, type Wrapper } from '../wrapper.ts'
import { keeps, mutantsOf, shows, showsName, showsSteps, showsText } from './kept.ts'

/** Shows the first step of a workflow once more with each read. */
function repeatsFirstStep(): Wrapper {
  const reads = new Map<unknown, number>()
  return changeAnswer('getWorkflow', ({ steps, ...body }) => {
    const read = (reads.get(body.workflow_id) ?? 0) + 1
    reads.set(body.workflow_id, read)
    const [first, ...others] = steps as Members[]
    return { ...body, steps: [...Array(read).fill(first), ...others] }
  })
}

export const workflowMutants = mutantsOf([
  [
    'name-in-capitals',
    'The name is stored in capitals.',
    ['workflow.name'],
    () => keeps((body) => ({ ...body, name: body.name.toUpperCase() })),
    showsName,
  ],
  [
    'name-cut-short',
    'The name is cut to 12 characters.',
    ['workflow.name', 'workflow.name-at-most-100'],
    () => keeps((body) => ({ ...body, name: body.name.slice(0, 12) })),
    showsName,
  ],
  [
    'name-slugged',
    'The name is stored with dots for hyphens.',
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
    'description-cut',
    'Only the first 255 characters of the description are stored.',
    ['workflow.description'],
    () => keeps((body) => ({ ...body, description: body.description?.slice(0, 255) })),
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
    'description-lower-cased',
    'The description is shown in lower case.',
    ['workflow.description'],
    () => shows('description', (text) => String(text).toLowerCase()),
    showsText,
  ],
  [
    'description-cut-at-emoji',
    'The description ends before its first emoji.',
    ['workflow.description'],
    () => keeps((body) => ({ ...body, description: body.description?.replace(/\p{Extended_Pictographic}.*/su, '') })),
    showsText,
  ],
  [
    'description-escaped',
    'The characters & and < of the description are escaped for HTML.',
    ['workflow.description'],
    () =>
      keeps((body) => ({
        ...body,
        description: body.description?.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      })),
    showsText,
  ],
  [
    'description-is-name',
    'The description is replaced by the name.',
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
    'Only the first step is stored.',
    ['workflow.steps'],
    () => keeps((body) => ({ ...body, steps: body.steps?.slice(0, 1) })),
    showsSteps,
  ],
  [
    'step-doubled',
    'The first step is stored twice.',
    ['workflow.steps'],
    () => keeps((body) => ({ ...body, steps: [...(body.steps ?? []), { ...body.steps?.[0], step_id: 'again' }] })),
    showsSteps,
  ],
  [
    'step-repeated-by-reads',
    'Each read of the details shows the first step once more.',
    ['workflow.steps'],
    repeatsFirstStep,
    (choice) => Object.keys(choice).length === 0,
  ],
  [
    'step-name-is-identifier',
    'The name of a step, as step_name, is its identifier.',
    ['step.name'],
    () =>
      shows('steps', (steps) =>
        (steps as Members[]).map(({ name, ...step }) => ({ ...step, step_name: step.step_id })),
      ),
    (choice) => Object.keys(choice).length === 0,
  ],
  [
    'no-step-kept',
    'No step is stored.',
    ['workflow.defines-approval-steps', 'workflow.steps'],
    () => shows('steps', () => []),
    showsSteps,
  ],
])
