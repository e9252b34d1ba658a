/** Workflows that are stored or shown with other values: interface.md section 2. */
import type { Choice } from '../mutant.ts'
import { changeAnswers, type Members } from '../wrapper.ts'
import { keeps, mutantsOf, shows, showsName, showsSteps, showsText } from './kept.ts'

const showsAs = (members: (isSequential: unknown) => Members) =>
  changeAnswers(['createWorkflow', 'getWorkflow'], ({ isSequential, ...body }) => ({
    ...body,
    ...members(isSequential),
  }))
const isPlain = (choice: Choice) => Object.keys(choice).length === 0

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
    'description-lost-by-longer-name',
    'The description is empty, under a longer name.',
    ['workflow.description'],
    () =>
      changeAnswers(['createWorkflow', 'getWorkflow'], ({ description, ...body }) => ({
        ...body,
        workflow_description: '',
      })),
    isPlain,
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
    'sequential-always-by-another-word',
    'Every workflow is shown as sequential, by another word.',
    ['workflow.is-sequential'],
    () => showsAs(() => ({ in_order: true })),
    isPlain,
  ],
  [
    'mode-always-sequential',
    'Every workflow is shown with the mode SEQUENTIAL.',
    ['workflow.is-sequential'],
    () => showsAs(() => ({ mode: 'SEQUENTIAL' })),
    isPlain,
  ],
  [
    'never-parallel',
    'No workflow is shown as parallel, under that name.',
    ['workflow.is-sequential'],
    () => showsAs(() => ({ parallel: false })),
    isPlain,
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
    'no-step-kept',
    'No step is stored.',
    ['workflow.defines-approval-steps', 'workflow.steps'],
    () => shows('steps', () => []),
    showsSteps,
  ],
])
