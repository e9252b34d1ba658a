/** Fields of an execution that are refused or shown with another value: interface.md section 2. */
import type { Schemas } from '../../../src/contract/operations.ts'
import { decides } from '../decisions.ts'
import { changeAt, changeNamed, mapMembers } from '../json.ts'
import { type FormRow, formRows, isPlain, mutantsOf, showsText } from '../mutant.ts'
import {
  answersTo,
  bodyOf,
  changeAnswer,
  changeAnswers,
  changeBody,
  changeByPast,
  changeDetails,
  changeExecutions,
  compose,
  type Members,
  onCalls,
  type PastCall,
  refuseWhen,
  withState,
} from '../wrapper.ts'

type Step = Schemas['ExecutionStep']

/** Provides the identifier of the latest confirmed document, for executions without one. */
const latestDocument = (_: number, past: readonly PastCall[]) =>
  answersTo('confirmUpload', past).at(-1)?.document_id ?? 'doc_none'

const isNumber = (value: unknown) => typeof value === 'number'
const isStructure = (value: unknown) => typeof value === 'object'

const refusedFields: readonly FormRow[] = [
  [
    'refuses-submitter-email',
    'An execution with submitter_email is refused.',
    'execution.submitter-email',
    'submitter_email',
    'somebody@example.com',
  ],
  [
    'refuses-execution-mode',
    'An execution with execution_mode is refused.',
    'execution.mode-standard',
    'execution_mode',
    'standard',
  ],
  ['refuses-priority', 'An execution with priority is refused.', 'execution.priority-high', 'priority', 'normal'],
  [
    'refuses-standard',
    'execution_mode standard is refused, sequential is accepted.',
    'execution.mode-standard',
    'execution_mode',
    'standard',
    (value) => value === 'sequential',
  ],
]

const otherForms: readonly FormRow[] = [
  [
    'priority-as-number',
    'priority is accepted only as a number.',
    'execution.priority-high',
    'priority',
    'normal',
    isNumber,
    () => 'high',
  ],
  [
    'submitter-must-approve',
    'A submitter who is not an approver is refused.',
    'execution.submitter-email',
    'submitter_email',
    'somebody@example.com',
    (value) => /first|second/.test(String(value)),
    (value) => value,
  ],
  [
    'submitter-as-object',
    'submitter_email is accepted only as an object.',
    'execution.submitter-email',
    'submitter_email',
    'a@example.com',
    isStructure,
  ],
]

const shows = <Value>(name: string, change: (value: Value) => unknown) => changeExecutions(changeNamed(name, change))
const changeAssignees = (change: (assignee: NonNullable<Step['assignee']>) => unknown) =>
  changeNamed('assignee', (assignee: Step['assignee']) => assignee && change(assignee))

/** Routes each step to the one chosen for the next step, and lists all who were chosen as its candidates. */
const routedAmongAll = changeAnswer('executeWorkflow', ({ steps, ...body }) => {
  const people = steps.map(({ assignee }) => assignee)
  const candidates = people.filter((one) => one)
  const shown = steps.map(({ assignee, routing, ...step }, index) => ({
    ...step,
    assignee: assignee && people[(index + 1) % people.length],
    candidates: assignee ? candidates : [],
  }))
  return { ...body, steps: shown }
})

/** Details that list executions by their addresses and short names, each for another document. */
const linkedElsewhere = changeDetails(({ recent_executions, ...details }) => ({
  ...details,
  executions: recent_executions?.map(({ execution_id, submitter_email: submitter }) => ({
    href: `/api/v1/executions/${execution_id}`,
    document: 'doc_other7other7othe',
    submitter,
  })),
}))

const renamed = (body: unknown, from: string, to: string) =>
  mapMembers(body, (name, value) => [name === from ? to : name, value])

/** Shows the submitter of the first execution as the requester of each. */
const showsFirstSubmitter = changeByPast(['executeWorkflow', 'getWorkflow'], (body, past) => {
  const [first] = answersTo('executeWorkflow', past)
  return renamed(changeNamed('submitter_email', () => first?.submitter_email)(body), 'submitter_email', 'requester')
})

const fallback = { email: 'fallback@example.com', name: 'Fallback' }

/** Why no approver is missed if no answer shows one. */
const unclaimed = 'No answer shows an approver here, and a deployment may leave a step unassigned until one claims it.'

/** Answers to executing with an identifier only, and details whose executions have changed steps. */
const onlyListed = (change: (steps: readonly Step[]) => unknown, more: (execution: Members) => Members = () => ({})) =>
  compose(
    changeAnswer('executeWorkflow', ({ execution_id }) => more({ execution_id })),
    changeDetails(({ recent_executions, ...body }) => ({
      ...body,
      runs: recent_executions?.map((one) => ({ ...one, ...more({ ...one }), steps: change(one.steps) })),
    })),
  )

/** Executions with the identifier 501, and without their document. */
const numbered = (execution: Members) => ({ ...execution, document_id: undefined, execution_id: 501 })

const unassigned = (step: Step) => ({ ...step, routing: null, assignee: null })

/** Steps with the approver of the next one, as the one responsible. */
const responsibleForNext = (steps: readonly Step[]) =>
  steps.map(({ assignee, routing, ...step }, index) => ({
    ...step,
    responsible: assignee && steps[(index + 1) % steps.length]?.assignee?.email,
  }))

/** The same, but not in the first details that list an execution. */
const laterResponsibleForNext = withState(() => {
  const read = new Set<unknown>()
  return onlyListed((steps) => {
    const first = steps[0]?.assignee?.email
    const isFirst = !read.has(first)
    read.add(first)
    return responsibleForNext(isFirst ? steps.map(unassigned) : steps)
  })
})

/** Executions that show under a name without meaning to whom each step is routed. */
const routedBy = (addressFor: (step: Step, steps: readonly Step[]) => unknown) =>
  onlyListed((steps) =>
    steps.map((step) => {
      const { assignee, routing, ...shown } = step
      return { ...shown, w: { m: addressFor(step, steps) } }
    }),
  )

const addressOf = ({ assignee }: Step) => assignee?.email ?? null

/** The approver of the last step for each step, if all are at work at once. */
const routedToLast = (step: Step, steps: readonly Step[]) =>
  addressOf((steps.every(({ assigned_at, decided_at }) => assigned_at && !decided_at) && steps.at(-1)) || step)

/** Returns steps with an empty list of chosen approvers. */
const emptyListOfChosen = (steps: readonly Step[]) =>
  steps.map(({ assignee, routing, ...step }) => ({ ...step, RoutedApproverList: { Count: 0, RoutedApprover: [] } }))

const swapped: Readonly<Record<string, string>> = { First: 'Second', Second: 'First' }

/** Assigns the last step of each execution to the approver of the second. */
const keepsApprover = shows('steps', (steps: Step[]) => {
  const second = steps.find(({ order }) => order === 2)
  return steps.map((step) => (step.order === 3 && step.assignee ? { ...step, assignee: second?.assignee } : step))
})

/** Returns steps of which the last one by order has no approver. */
const lastUnassigned = (steps: readonly Step[]) => {
  const last = Math.max(...steps.map(({ order }) => order))
  return steps.map(({ routing, ...step }) => (step.order === last ? { ...step, assignee: null } : step))
}

const withoutPrefix = (id: unknown) => String(id).replace(/^doc_/, '')

/** Shows the document of an execution under another name; later executions of a workflow show the document of the first. */
const showsFirstDocument = compose(
  changeByPast(['executeWorkflow'], ({ document_id, ...body }, past) => {
    const first = answersTo('executeWorkflow', past).find(({ workflow_id }) => workflow_id === body.workflow_id)
    return { ...body, about: { document: { id: first?.document_id } } }
  }),
  changeDetails((body) => renamed(body, 'document_id', 'reference')),
)

const shownFields = mutantsOf([
  [
    'later-document-of-first',
    'The second execution of a workflow shows the document of the first, under another name.',
    'execution.document-id',
    showsFirstDocument,
    isPlain,
  ],
  [
    'submitter-tag-lost',
    "A plus sign in the submitter's address, and what follows it before the @, is lost.",
    'execution.submitter-email',
    shows('submitter_email', (address) => String(address).replace(/\+[^@]*/, '')),
    isPlain,
  ],
  ...formRows(
    'executeWorkflow',
    [
      [
        'refuses-document-id',
        'An execution with document_id is refused.',
        'execution.document-id',
        'document_id',
        latestDocument,
      ],
    ],
    () => ['flow.document-id-refers-to-upload'],
  ),
  ...formRows('executeWorkflow', refusedFields),
  [
    'refuses-high',
    'Priority high is refused, other priorities are accepted.',
    'execution.priority-high',
    refuseWhen(['executeWorkflow'], (_, { priority }) => priority === 'high'),
  ],
  [
    'priority-of-another-list',
    'A priority is required, and must be P1, P2 or P3.',
    'execution.priority-high',
    onCalls(['executeWorkflow'], async (request, inner) =>
      /^P[123]$/.test(String((await bodyOf(request))?.priority))
        ? inner(request)
        : Response.json({ detail: 'priority is none of P1, P2 and P3' }, { status: 422 }),
    ),
  ],
  ...formRows('executeWorkflow', otherForms),
  ...formRows(
    'executeWorkflow',
    [
      [
        'document-id-as-list',
        'document_id is accepted only as a list.',
        'execution.document-id',
        'document_id',
        latestDocument,
        Array.isArray,
        (ids: string[]) => ids[0],
      ],
    ],
    () => ['execution.for-one-document', 'flow.document-id-refers-to-upload'],
  ),
  [
    'shown-for-two-documents',
    'The execution is shown with two documents.',
    'execution.for-one-document',
    shows('document_id', (id) => [id, 'doc_other']),
    { mayKill: ['execution.document-id'], appliesTo: showsText },
  ],
  [
    'shown-without-document',
    'The execution is shown without a document.',
    'execution.for-one-document',
    shows('document_id', () => null),
    { mayKill: ['execution.document-id'], appliesTo: showsText },
  ],
  [
    'shown-for-another-document',
    'The execution is shown with another document.',
    'execution.document-id',
    shows('document_id', () => 'doc_other'),
    { mayKill: ['execution.for-one-document'], appliesTo: showsText },
  ],
  [
    'submitter-replaced',
    'Another submitter is shown.',
    'execution.submitter-email',
    changeBody(
      'executeWorkflow',
      changeAt('submitter_email', (sent) => sent && 'system@example.com'),
    ),
    showsText,
  ],
  [
    'submitter-lost',
    'The submitter is shown as null.',
    'execution.submitter-email',
    shows('submitter_email', () => null),
    showsText,
  ],
  [
    'submitter-lost-of-a-record',
    'The submitter of an execution that is shown within a record is lost.',
    'execution.submitter-email',
    compose(
      shows('submitter_email', () => null),
      changeAnswer('executeWorkflow', (started) => ({ started })),
    ),
    ({ echo, details, ...shape }) => !echo && !shape.envelope && !shape['field-case'],
  ],
  [
    'executions-linked-and-for-another-document',
    'Details link to executions, and show them for another document.',
    'execution.document-id',
    linkedElsewhere,
    showsText,
  ],
  [
    'executions-for-another-token',
    'Document identifiers have no prefix, and the details show another one for an execution.',
    'execution.document-id',
    compose(
      linkedElsewhere,
      changeAnswers(['confirmUpload', 'executeWorkflow', 'getWorkflow'], (body) =>
        changeNamed('document_id', withoutPrefix)(changeNamed('document', withoutPrefix)(body)),
      ),
      changeBody(
        'executeWorkflow',
        changeAt('document_id', (id) => `doc_${id}`),
      ),
    ),
    isPlain,
  ],
  [
    'approver-from-outside',
    'The execution is assigned to someone who does not approve the step.',
    'execute-workflow.chooses-approvers',
    changeAnswer(
      'executeWorkflow',
      changeAt('steps.*', ({ assignee, routing, ...step }: Step) => ({ ...step, assignee: assignee && fallback })),
    ),
    (variants) => showsText(variants) && !variants.assignees,
  ],
  [
    'no-approver-chosen',
    'No approver is chosen for any step.',
    [],
    shows('assignee', () => null),
    { inherited: unclaimed, appliesTo: showsText },
  ],
  [
    'no-approver-of-decided-steps',
    'No approver is chosen for any step, and the first steps have been decided.',
    [],
    compose(
      decides('one by one', ['executeWorkflow', 'getWorkflow']),
      shows('assignee', () => null),
    ),
    { inherited: unclaimed, appliesTo: showsText },
  ],
])

const approvers = mutantsOf(
  [
    [
      'no-approver-of-last-step',
      'No approver is chosen for the last step, which is approved like the others.',
      'execute-workflow.chooses-approvers',
      compose(decides('all at once'), onlyListed(lastUnassigned)),
    ],
    [
      'assignee-named-otherwise',
      'The details show the address of the chosen approver with the name of the other approver of the step.',
      'approver.name',
      changeDetails(
        changeAssignees(({ email, name }) => ({
          email,
          name: name.replace(/^(First|Second)/, (one) => swapped[one] ?? one),
        })),
      ),
    ],
    [
      'assignee-loses-tag',
      'The address of a chosen approver has lost its plus sign, and what follows it before the @.',
      'execute-workflow.chooses-approvers',
      changeExecutions(changeAssignees(({ email, ...person }) => ({ ...person, email: email.replace(/\+[^@]*/, '') }))),
    ],
    [
      'last-step-keeps-approver',
      'The last step of an execution is assigned to the approver of the step before, beside its own candidates.',
      'execute-workflow.chooses-approvers',
      compose(decides('all at once'), keepsApprover),
    ],
    [
      'no-approver-of-numbered-execution',
      'No approver is chosen for any step of an execution whose identifier is a short number, and only the details show it.',
      [],
      onlyListed((steps) => steps.map(({ routing, ...step }) => ({ ...step, assignee: null })), numbered),
      { inherited: unclaimed },
    ],
    [
      'list-of-chosen-empty',
      'The list of the chosen approvers of each step is empty, and its count is 0.',
      [],
      onlyListed(emptyListOfChosen),
      { inherited: unclaimed },
    ],
    [
      'second-step-routed-to-other',
      'The second step is routed to an approver of the first, under a name without meaning.',
      'execute-workflow.chooses-approvers',
      routedBy((step) => (step.order === 2 && step.assignee ? 'chair@example.com' : addressOf(step))),
    ],
    [
      'approver-is-always-administrator',
      'Every step is assigned to an administrator who is not among its approvers.',
      'execute-workflow.chooses-approvers',
      compose(
        decides('one by one'),
        onlyListed((steps) =>
          steps.map(({ assignee, routing, ...step }) => ({ ...step, approver: assignee && 'admin@example.com' })),
        ),
      ),
    ],
    [
      'approver-of-last-step-for-all',
      'Every step that has begun shows an approver of the last step, by the name of the contract.',
      'execute-workflow.chooses-approvers',
      compose(
        decides('one by one'),
        onlyListed((steps) =>
          steps.map(({ assignee, routing, ...step }) => ({ ...step, approver: assignee && 'board.first@example.com' })),
        ),
      ),
    ],
    [
      'steps-routed-among-approvers-of-all',
      'Steps that are at work at once have the approvers of all of them as candidates, and are routed to one of another step.',
      'execute-workflow.chooses-approvers',
      routedAmongAll,
    ],
    [
      'parallel-steps-routed-to-last',
      'Steps that are at work at once are all routed to the approver of the last, under a name without meaning.',
      'execute-workflow.chooses-approvers',
      compose(decides('one by one'), routedBy(routedToLast)),
    ],
    [
      'responsible-for-next-step',
      'Only the details show who is responsible for each step: an approver of the next step.',
      'execute-workflow.chooses-approvers',
      compose(decides('one by one'), onlyListed(responsibleForNext)),
    ],
    [
      'responsible-for-next-step-later',
      'The first details after executing show no responsible person, and later ones show an approver of the next step.',
      'execute-workflow.chooses-approvers',
      compose(decides('one by one'), laterResponsibleForNext),
    ],
  ],
  isPlain,
)

export const executionMutants = [
  ...shownFields,
  ...approvers,
  ...mutantsOf([
    [
      'approvers-from-outside-in-a-list',
      'The execution lists as its approvers people who approve none of its steps.',
      [],
      changeAnswer('executeWorkflow', ({ steps, ...body }) => ({ ...body, current_approvers: [fallback] })),
      // An execution that is only queued is answered without approvers.
      {
        inherited: 'The list has no name of the contract, and never shows anybody who was sent.',
        appliesTo: ({ assignees, timing }) => !assignees && timing !== 'execution-queued',
      },
    ],
    [
      'priority-dropped',
      'Priority high is stored as normal.',
      'execution.priority-high',
      changeBody(
        'executeWorkflow',
        changeAt('priority', (priority) => (priority === 'high' ? 'normal' : priority)),
      ),
      showsText,
    ],
    [
      'submitter-of-first',
      'Each execution shows the submitter of the first one, as the requester.',
      'execution.submitter-email',
      showsFirstSubmitter,
      isPlain,
    ],
    [
      'mode-replaced',
      'execution_mode standard is shown as express.',
      'execution.mode-standard',
      shows('execution_mode', () => 'express'),
      showsText,
    ],
  ]),
]
