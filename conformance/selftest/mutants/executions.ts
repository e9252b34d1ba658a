/** Fields of an execution that are refused or shown with another value: interface.md section 2. */
import { decides } from '../decisions.ts'
import { mapMembers, mapNamed } from '../json.ts'
import { type Choice, type Mutant, mutant, refusesField, wantsOtherForm } from '../mutant.ts'
import {
  bodyOf,
  changeAnswers,
  changeBody,
  changeRequest,
  compose,
  type Members,
  onCalls,
  refuseWhen,
  type Wrapper,
} from '../wrapper.ts'

const executeWorkflow = ['executeWorkflow'] as const

/** Provides the identifier of the latest confirmed document, for executions without one. */
function withDocument(make: (document: () => string) => Wrapper): Wrapper {
  let latest = 'doc_none'
  const remember = onCalls(['confirmUpload'], async (request, inner) => {
    const response = await inner(request)
    if (response.ok) latest = (await response.clone().json()).document_id
    return response
  })
  return compose(
    remember,
    make(() => latest),
  )
}

/** Refuses executions with a message, unless the request meets a condition. */
const refusesSaying = (status: number, detail: string, isTaken: (body: Members) => boolean) =>
  onCalls(executeWorkflow, async (request, inner) =>
    isTaken((await bodyOf(request)) ?? {}) ? inner(request) : Response.json({ detail }, { status }),
  )

const showsExecution = ({ echo = '' }: Choice) => echo !== 'none'
const shows = (name: string, change: (value: unknown) => unknown) =>
  changeAnswers(['executeWorkflow', 'getWorkflow'], (body) => mapNamed(body, name, change))

/** A step of an execution with another assignee, whose routing says nothing. */
const assignedOutside = ({ assignee, routing, ...step }: Members) => ({
  ...step,
  assignee: assignee && { email: 'fallback@example.com', name: 'Fallback' },
})

/** Routes each step to the one chosen for the next step, and lists all who were chosen as its candidates. */
const routedAmongAll = changeAnswers(executeWorkflow, (body) =>
  mapNamed(body, 'steps', (steps) => {
    const people = (steps as Members[]).map(({ assignee }) => assignee)
    const candidates = people.filter((one) => one)
    return (steps as Members[]).map(({ assignee, routing, ...step }, index) => ({
      ...step,
      assignee: assignee && people[(index + 1) % people.length],
      candidates: assignee ? candidates : [],
    }))
  }),
)

/** Details that list executions by their addresses and short names, each for another document. */
function linkedElsewhere({ recent_executions, ...details }: Members): Members {
  const executions = (recent_executions as Members[] | undefined)?.map(({ execution_id, submitter_email }) => ({
    href: `/api/v1/executions/${execution_id}`,
    document: 'doc_other7other7othe',
    submitter: submitter_email,
  }))
  return { ...details, ...(executions && { executions }) }
}

const renamed = (body: unknown, from: string, to: string) =>
  mapMembers(body, (name, value) => [name === from ? to : name, value])

function showsFirstSubmitter(): Wrapper {
  let first: unknown
  return changeAnswers(['executeWorkflow', 'getWorkflow'], (body) => {
    first ??= body.submitter_email
    return renamed(
      mapNamed(body, 'submitter_email', () => first),
      'submitter_email',
      'requester',
    )
  })
}

/** Why no approver is missed if no answer shows one. */
const unclaimed = 'No answer shows an approver here, and a deployment may leave a step unassigned until one claims it.'

const isPlain = (choice: Choice) => Object.keys(choice).length === 0

/** Answers to executing with an identifier only, and details whose executions have changed steps. */
const onlyListed = (
  change: (steps: readonly Members[]) => unknown,
  more: (execution: Members) => Members = () => ({}),
) =>
  compose(
    changeAnswers(executeWorkflow, (body) => more({ execution_id: body.execution_id })),
    changeAnswers(['getWorkflow'], ({ recent_executions, ...body }) => ({
      ...body,
      ...(Array.isArray(recent_executions) && {
        runs: (recent_executions as Members[]).map((one) => ({
          ...one,
          ...more(one),
          steps: change(one.steps as Members[]),
        })),
      }),
    })),
  )

/** Executions with the identifier 501, and without their document. */
const numbered = ({ document_id, ...execution }: Members) => ({
  ...execution,
  document_id: undefined,
  execution_id: 501,
})

/** Steps with the approver of the next one, as the one responsible. */
const responsibleForNext = (steps: readonly Members[]) =>
  steps.map(({ assignee, routing, ...step }, index) => ({
    ...step,
    responsible: assignee && (steps[(index + 1) % steps.length]?.assignee as Members | null)?.email,
  }))

/** The same, but not in the first details that list an execution. */
function laterResponsibleForNext(): Wrapper {
  const read = new Set<unknown>()
  return onlyListed((steps) => {
    const [first] = (steps as readonly { readonly assignee: Members | null }[]).map(({ assignee }) => assignee?.email)
    const isFirst = !read.has(first)
    read.add(first)
    return responsibleForNext(isFirst ? steps.map((step) => ({ ...step, assignee: null })) : steps)
  })
}

/** Executions that show under a name without meaning to whom each step is routed. */
const routedBy = (routedTo: (step: Members, steps: readonly Members[]) => unknown) =>
  onlyListed((steps) =>
    steps.map(({ assignee, routing, ...step }) => ({ ...step, w: { m: routedTo({ assignee, ...step }, steps) } })),
  )

const addressOf = ({ assignee }: Members) => (assignee as Members | null)?.email ?? null

/** The approver of the last step for each step, if all are at work at once. */
const routedToLast = (step: Members, steps: readonly Members[]) =>
  steps.every(({ assigned_at, decided_at }) => assigned_at && !decided_at)
    ? addressOf(steps.at(-1) ?? step)
    : addressOf(step)

/** Returns steps with an empty list of chosen approvers. */
const emptyListOfChosen = (steps: readonly Members[]) =>
  steps.map(({ assignee, routing, ...step }) => ({ ...step, RoutedApproverList: { Count: 0, RoutedApprover: [] } }))

const swapped: Readonly<Record<string, string>> = { First: 'Second', Second: 'First' }

/** Assigns the last step of each execution to the approver of the second. */
const keepsApprover = changeAnswers([...executeWorkflow, 'getWorkflow'], (body) =>
  mapNamed(body, 'steps', (steps) => {
    const second = (steps as Members[]).find(({ order }) => order === 2)
    return (steps as Members[]).map((step) =>
      step.order === 3 && step.assignee ? { ...step, assignee: second?.assignee } : step,
    )
  }),
)

/** Returns steps of which the last one by order has no approver. */
const lastUnassigned = (steps: readonly Members[]) =>
  steps.map(({ routing, ...step }) => ({
    ...step,
    assignee: steps.every(({ order }) => Number(order) <= Number(step.order)) ? null : step.assignee,
  }))

const withoutPrefix = (id: unknown) => String(id).replace(/^doc_/, '')

/** Shows the document of an execution under another name; later executions of a workflow show the document of the first. */
function showsFirstDocument(): Wrapper {
  const first = new Map<unknown, unknown>()
  return compose(
    changeAnswers(executeWorkflow, ({ document_id, ...body }) => {
      if (!first.has(body.workflow_id)) first.set(body.workflow_id, document_id)
      return { ...body, about: { document: { id: first.get(body.workflow_id) } } }
    }),
    changeAnswers(['getWorkflow'], (body) => renamed(body, 'document_id', 'reference')),
  )
}

export const executionMutants: readonly Mutant[] = [
  mutant(
    'later-document-of-first',
    'The second execution of a workflow shows the document of the first, under another name.',
    ['execution.document-id'],
    showsFirstDocument,
    { appliesTo: isPlain },
  ),
  mutant(
    'submitter-tag-lost',
    "A plus sign in the submitter's address, and what follows it before the @, is lost.",
    ['execution.submitter-email'],
    () =>
      changeAnswers(['executeWorkflow', 'getWorkflow'], (body) =>
        mapNamed(body, 'submitter_email', (address) => String(address).replace(/\+[^@]*/, '')),
      ),
    { appliesTo: isPlain },
  ),
  mutant(
    'refuses-document-id',
    'An execution with document_id is refused.',
    ['execution.document-id'],
    () => withDocument((document) => refusesField('executeWorkflow', 'document_id', document)),
    { mayKill: ['flow.document-id-refers-to-upload'] },
  ),
  mutant(
    'refuses-submitter-email',
    'An execution with submitter_email is refused.',
    ['execution.submitter-email'],
    () => refusesField('executeWorkflow', 'submitter_email', () => 'somebody@example.com'),
  ),
  mutant('refuses-execution-mode', 'An execution with execution_mode is refused.', ['execution.mode-standard'], () =>
    refusesField('executeWorkflow', 'execution_mode', () => 'standard'),
  ),
  mutant('refuses-priority', 'An execution with priority is refused.', ['execution.priority-high'], () =>
    refusesField('executeWorkflow', 'priority', () => 'normal'),
  ),
  mutant(
    'refuses-standard',
    'execution_mode standard is refused, sequential is accepted.',
    ['execution.mode-standard'],
    () =>
      wantsOtherForm(
        'executeWorkflow',
        'execution_mode',
        (value) => value === 'sequential',
        () => 'standard',
        () => 'standard',
      ),
  ),
  mutant('refuses-high', 'Priority high is refused, other priorities are accepted.', ['execution.priority-high'], () =>
    refuseWhen(executeWorkflow, (_, { priority }) => priority === 'high'),
  ),
  mutant(
    'priority-of-another-list',
    'A priority is required, and must be P1, P2 or P3.',
    ['execution.priority-high'],
    () => refusesSaying(422, 'priority is none of P1, P2 and P3', ({ priority }) => /^P[123]$/.test(String(priority))),
  ),
  mutant('priority-as-number', 'priority is accepted only as a number.', ['execution.priority-high'], () =>
    wantsOtherForm(
      'executeWorkflow',
      'priority',
      (value) => typeof value === 'number',
      () => 'high',
      () => 'normal',
    ),
  ),
  mutant(
    'submitter-must-approve',
    'A submitter who is not an approver is refused.',
    ['execution.submitter-email'],
    () =>
      refusesField(
        'executeWorkflow',
        'submitter_email',
        () => 'somebody@example.com',
        (value) => !/first|second/.test(String(value)),
      ),
  ),
  mutant('submitter-as-object', 'submitter_email is accepted only as an object.', ['execution.submitter-email'], () =>
    wantsOtherForm(
      'executeWorkflow',
      'submitter_email',
      (value) => typeof value === 'object',
      () => 'a@example.com',
      () => 'a@example.com',
    ),
  ),
  mutant(
    'document-id-as-list',
    'document_id is accepted only as a list.',
    ['execution.document-id'],
    () =>
      withDocument((document) =>
        wantsOtherForm('executeWorkflow', 'document_id', Array.isArray, (ids: string[]) => ids[0], document),
      ),
    { mayKill: ['execution.for-one-document', 'flow.document-id-refers-to-upload'] },
  ),
  mutant(
    'shown-for-two-documents',
    'The execution is shown with two documents.',
    ['execution.for-one-document'],
    () => shows('document_id', (id) => [id, 'doc_other']),
    { mayKill: ['execution.document-id'], appliesTo: showsExecution },
  ),
  mutant(
    'shown-without-document',
    'The execution is shown without a document.',
    ['execution.for-one-document'],
    () => shows('document_id', () => null),
    { mayKill: ['execution.document-id'], appliesTo: showsExecution },
  ),
  mutant(
    'shown-for-another-document',
    'The execution is shown with another document.',
    ['execution.document-id'],
    () => shows('document_id', () => 'doc_other'),
    { mayKill: ['execution.for-one-document'], appliesTo: showsExecution },
  ),
  mutant(
    'submitter-replaced',
    'Another submitter is shown.',
    ['execution.submitter-email'],
    () =>
      changeBody('executeWorkflow', (body) => ({
        ...body,
        ...(body.submitter_email && { submitter_email: 'system@example.com' }),
      })),
    { appliesTo: showsExecution },
  ),
  mutant(
    'submitter-lost',
    'The submitter is shown as null.',
    ['execution.submitter-email'],
    () => shows('submitter_email', () => null),
    { appliesTo: showsExecution },
  ),
  mutant(
    'submitter-lost-of-a-record',
    'The submitter of an execution that is shown within a record is lost.',
    ['execution.submitter-email'],
    () =>
      compose(
        shows('submitter_email', () => null),
        changeAnswers(executeWorkflow, (started) => ({ started })),
      ),
    { appliesTo: ({ echo, details, ...shape }) => !echo && !shape.envelope && !shape['field-case'] },
  ),
  mutant(
    'executions-linked-and-for-another-document',
    'Details link to executions, and show them for another document.',
    ['execution.document-id'],
    () => changeAnswers(['getWorkflow'], linkedElsewhere),
    { appliesTo: showsExecution },
  ),
  mutant(
    'executions-for-another-token',
    'Document identifiers have no prefix, and the details show another one for an execution.',
    ['execution.document-id'],
    () =>
      compose(
        changeAnswers(['getWorkflow'], linkedElsewhere),
        changeAnswers(['confirmUpload', 'executeWorkflow', 'getWorkflow'], (body) =>
          mapNamed(mapNamed(body, 'document_id', withoutPrefix), 'document', withoutPrefix),
        ),
        onCalls(executeWorkflow, async (request, inner) => {
          const body = (await bodyOf(request)) ?? {}
          return inner(await changeRequest(request, { json: { ...body, document_id: `doc_${body.document_id}` } }))
        }),
      ),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'approver-from-outside',
    'The execution is assigned to someone who does not approve the step.',
    ['execute-workflow.chooses-approvers'],
    () =>
      changeAnswers(executeWorkflow, (body) =>
        mapNamed(body, 'steps', (steps) => (steps as Members[]).map(assignedOutside)),
      ),
    { appliesTo: (variants) => showsExecution(variants) && !variants.assignees },
  ),
  mutant('no-approver-chosen', 'No approver is chosen for any step.', [], () => shows('assignee', () => null), {
    inherited: unclaimed,
    appliesTo: showsExecution,
  }),
  mutant(
    'no-approver-of-decided-steps',
    'No approver is chosen for any step, and the first steps have been decided.',
    [],
    () =>
      compose(
        decides('one by one', ['executeWorkflow', 'getWorkflow']),
        shows('assignee', () => null),
      ),
    { inherited: unclaimed, appliesTo: showsExecution },
  ),
  mutant(
    'no-approver-of-last-step',
    'No approver is chosen for the last step, which is approved like the others.',
    ['execute-workflow.chooses-approvers'],
    () => compose(decides('all at once'), onlyListed(lastUnassigned)),
    { appliesTo: isPlain },
  ),
  mutant(
    'assignee-named-otherwise',
    'The details show the address of the chosen approver with the name of the other approver of the step.',
    ['approver.name'],
    () =>
      changeAnswers(['getWorkflow'], (body) =>
        mapNamed(body, 'assignee', (assignee) => {
          const { email, name } = (assignee as Members | null) ?? {}
          return email
            ? { email, name: String(name).replace(/^(First|Second)/, (one) => swapped[one] ?? one) }
            : assignee
        }),
      ),
    { appliesTo: isPlain },
  ),
  mutant(
    'assignee-loses-tag',
    'The address of a chosen approver has lost its plus sign, and what follows it before the @.',
    ['execute-workflow.chooses-approvers'],
    () =>
      shows('assignee', (assignee) => {
        const { email, ...person } = (assignee as Members | null) ?? {}
        return typeof email === 'string' ? { ...person, email: email.replace(/\+[^@]*/, '') } : assignee
      }),
    { appliesTo: isPlain },
  ),
  mutant(
    'last-step-keeps-approver',
    'The last step of an execution is assigned to the approver of the step before, beside its own candidates.',
    ['execute-workflow.chooses-approvers'],
    () => compose(decides('all at once'), keepsApprover),
    { appliesTo: isPlain },
  ),
  mutant(
    'no-approver-of-numbered-execution',
    'No approver is chosen for any step of an execution whose identifier is a short number, and only the details show it.',
    [],
    () => onlyListed((steps) => steps.map(({ routing, ...step }) => ({ ...step, assignee: null })), numbered),
    { inherited: unclaimed, appliesTo: isPlain },
  ),
  mutant(
    'list-of-chosen-empty',
    'The list of the chosen approvers of each step is empty, and its count is 0.',
    [],
    () => onlyListed(emptyListOfChosen),
    { inherited: unclaimed, appliesTo: isPlain },
  ),
  mutant(
    'second-step-routed-to-other',
    'The second step is routed to an approver of the first, under a name without meaning.',
    ['execute-workflow.chooses-approvers'],
    () => routedBy((step) => (step.order === 2 && step.assignee ? 'chair@example.com' : addressOf(step))),
    { appliesTo: isPlain },
  ),
  mutant(
    'approver-is-always-administrator',
    'Every step is assigned to an administrator who is not among its approvers.',
    ['execute-workflow.chooses-approvers'],
    () =>
      compose(
        decides('one by one'),
        onlyListed((steps) =>
          steps.map(({ assignee, routing, ...step }) => ({ ...step, approver: assignee && 'admin@example.com' })),
        ),
      ),
    { appliesTo: isPlain },
  ),
  mutant(
    'steps-routed-among-approvers-of-all',
    'Steps that are at work at once have the approvers of all of them as candidates, and are routed to one of another step.',
    ['execute-workflow.chooses-approvers'],
    () => routedAmongAll,
    { appliesTo: isPlain },
  ),
  mutant(
    'parallel-steps-routed-to-last',
    'Steps that are at work at once are all routed to the approver of the last, under a name without meaning.',
    ['execute-workflow.chooses-approvers'],
    () => compose(decides('one by one'), routedBy(routedToLast)),
    { appliesTo: isPlain },
  ),
  mutant(
    'responsible-for-next-step',
    'Only the details show who is responsible for each step: an approver of the next step.',
    ['execute-workflow.chooses-approvers'],
    () => compose(decides('one by one'), onlyListed(responsibleForNext)),
    { appliesTo: isPlain },
  ),
  mutant(
    'responsible-for-next-step-later',
    'The first details after executing show no responsible person, and later ones show an approver of the next step.',
    ['execute-workflow.chooses-approvers'],
    () => compose(decides('one by one'), laterResponsibleForNext()),
    { appliesTo: isPlain },
  ),
  mutant(
    'approvers-from-outside-in-a-list',
    'The execution lists as its approvers people who approve none of its steps.',
    [],
    () =>
      changeAnswers(executeWorkflow, ({ steps, ...body }) => ({
        ...body,
        current_approvers: [{ email: 'fallback@example.com', name: 'Fallback' }],
      })),
    // An execution that is only queued is answered without approvers.
    {
      inherited: 'The list has no name of the contract, and never shows anybody who was sent.',
      appliesTo: ({ assignees, timing }) => !assignees && timing !== 'execution-queued',
    },
  ),
  mutant(
    'priority-dropped',
    'Priority high is stored as normal.',
    ['execution.priority-high'],
    () =>
      changeBody('executeWorkflow', (body) => ({
        ...body,
        priority: body.priority === 'high' ? 'normal' : body.priority,
      })),
    { appliesTo: showsExecution },
  ),
  mutant(
    'submitter-of-first',
    'Each execution shows the submitter of the first one, as the requester.',
    ['execution.submitter-email'],
    showsFirstSubmitter,
    { appliesTo: isPlain },
  ),
  mutant(
    'mode-replaced',
    'execution_mode standard is shown as express.',
    ['execution.mode-standard'],
    () => shows('execution_mode', () => 'express'),
    { appliesTo: showsExecution },
  ),
]
