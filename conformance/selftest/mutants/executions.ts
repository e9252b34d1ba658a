/** Broken executions: interface.md section 4.2. */
import { mapMembers, mapNamed, without } from '../json.ts'
import { type Choice, type Mutant, mutant, refusesField, wantsOtherwise } from '../mutant.ts'
import {
  bodyOf,
  changeAnswer,
  changeAnswers,
  changeBody,
  changed,
  compose,
  isCall,
  onCalls,
  problem,
  refuseWhen,
  type Wrapper,
  wrap,
} from '../wrapper.ts'

const executeWorkflow = ['executeWorkflow'] as const

/** Gives the identifier of the latest confirmed document to whoever leaves it out. */
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

/** The path's workflow is exchanged for another created one. */
function executesAnother(which: 'first' | 'latest'): Wrapper {
  let known: string | undefined
  return wrap(async (request, inner) => {
    if (isCall(request, 'executeWorkflow') && known) {
      const url = request.url.replace(/[^/]+(?=\/execute$)/, known)
      return inner(await changed(request, { url }))
    }
    const response = await inner(request)
    if (isCall(request, 'createWorkflow') && response.ok) {
      const { workflow_id } = await response.clone().json()
      known = which === 'latest' ? workflow_id : (known ?? workflow_id)
    }
    return response
  })
}

/** Only the workflow that was created first can be executed. */
function onlyFirstExecutes(): Wrapper {
  let first: string | undefined
  return wrap(async (request, inner) => {
    if (isCall(request, 'executeWorkflow') && first && !request.url.includes(first)) return problem(404)
    const response = await inner(request)
    if (isCall(request, 'createWorkflow') && response.ok) first ??= (await response.clone().json()).workflow_id
    return response
  })
}

/** The answer to executing is one that was seen in a world of its own; here, nothing happens. */
function startsNothing(answer: 'as usual' | 'empty'): Wrapper {
  const shown = new Map<string, Record<string, unknown>>()
  return wrap(async (request, inner) => {
    if (!isCall(request, 'executeWorkflow')) {
      const response = await inner(request)
      const { workflow_id } = response.ok && isCall(request, 'createWorkflow') ? await response.clone().json() : {}
      if (workflow_id) shown.set(workflow_id, {})
      return response
    }
    // A document that does not exist lets the reference say everything but yes.
    const body = await bodyOf(request)
    const control = await inner(await changed(request, { json: { ...body, document_id: 'doc_none' } }))
    if (control.status !== 409) return control
    const workflow_id = new URL(request.url).pathname.split('/').at(-2)
    const execution = { execution_id: `exe_nothing${shown.size}`, workflow_id, ...body, status: 'running', steps: [] }
    return Response.json(answer === 'empty' ? {} : execution, { status: 202 })
  })
}

/** After an execution, the workflow cannot be read. */
function unreadableAfter(status: number): Wrapper {
  const executed = new Set<string>()
  return wrap(async (request, inner) => {
    const id = /workflows\/([^/]+)/.exec(new URL(request.url).pathname)?.[1] ?? ''
    const response = await inner(request)
    if (!response.ok) return response
    if (isCall(request, 'executeWorkflow')) executed.add(id)
    return isCall(request, 'getWorkflow') && executed.has(id) ? problem(status) : response
  })
}

const showsExecution = ({ echo = '' }: Choice) => echo !== 'none'
const shows = (name: string, change: (value: unknown) => unknown) =>
  changeAnswers(['executeWorkflow', 'getWorkflow'], (body) => mapNamed(body, name, change))

export const executionMutants: readonly Mutant[] = [
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
    'execution_mode standard is refused, sequential is taken.',
    ['execution.mode-standard'],
    () =>
      wantsOtherwise(
        'executeWorkflow',
        'execution_mode',
        (value) => value === 'sequential',
        () => 'standard',
        () => 'standard',
      ),
  ),
  mutant('refuses-high', 'Priority high is refused, other priorities are taken.', ['execution.priority-high'], () =>
    refuseWhen(executeWorkflow, (_, { priority }) => priority === 'high'),
  ),
  mutant('priority-as-number', 'priority is taken as a number only.', ['execution.priority-high'], () =>
    wantsOtherwise(
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
  mutant('submitter-as-object', 'submitter_email is taken as an object only.', ['execution.submitter-email'], () =>
    wantsOtherwise(
      'executeWorkflow',
      'submitter_email',
      (value) => typeof value === 'object',
      () => 'a@example.com',
      () => 'a@example.com',
    ),
  ),
  mutant(
    'document-id-as-list',
    'document_id is taken as a list only.',
    ['execution.document-id'],
    () =>
      withDocument((document) =>
        wantsOtherwise('executeWorkflow', 'document_id', Array.isArray, (ids: string[]) => ids[0], document),
      ),
    { mayKill: ['execution.for-one-document', 'flow.document-id-refers-to-upload'] },
  ),
  mutant(
    'shown-for-two-documents',
    'The execution is shown to be for two documents.',
    ['execution.for-one-document'],
    () => shows('document_id', (id) => [id, 'doc_other']),
    { mayKill: ['execution.document-id'], appliesTo: showsExecution },
  ),
  mutant(
    'shown-without-document',
    'The execution is shown to be for no document.',
    ['execution.for-one-document'],
    () => shows('document_id', () => null),
    { mayKill: ['execution.document-id'], appliesTo: showsExecution },
  ),
  mutant(
    'shown-for-another-document',
    'The execution is shown to be for another document.',
    ['execution.document-id'],
    () => shows('document_id', () => 'doc_other'),
    { mayKill: ['execution.for-one-document'], appliesTo: showsExecution },
  ),
  mutant(
    'submitter-replaced',
    'The submitter is shown as somebody else.',
    ['execution.submitter-email'],
    () =>
      changeBody('executeWorkflow', (body) => ({
        ...body,
        ...(body.submitter_email && { submitter_email: 'system@example.com' }),
      })),
    { appliesTo: showsExecution },
  ),
  mutant(
    'priority-dropped',
    'Priority high is kept as normal.',
    ['execution.priority-high'],
    () =>
      changeBody('executeWorkflow', (body) => ({
        ...body,
        priority: body.priority === 'high' ? 'normal' : body.priority,
      })),
    { appliesTo: showsExecution },
  ),
  mutant(
    'mode-replaced',
    'execution_mode standard is shown as express.',
    ['execution.mode-standard'],
    () => shows('execution_mode', () => 'express'),
    { appliesTo: showsExecution },
  ),
  mutant(
    'executes-first',
    'Executing runs the first workflow, whichever is named.',
    ['execute-workflow.identifies-created-workflow'],
    () => executesAnother('first'),
    { mayKill: ['execute-workflow.starts-execution'] },
  ),
  mutant(
    'executes-latest',
    'Executing runs the latest workflow, whichever is named.',
    ['execute-workflow.identifies-created-workflow'],
    () => executesAnother('latest'),
    { mayKill: ['execute-workflow.starts-execution'] },
  ),
  mutant(
    'only-first-executes',
    'Only the first workflow can be executed.',
    ['execute-workflow.identifies-created-workflow'],
    onlyFirstExecutes,
  ),
  mutant(
    'starts-nothing',
    'Executing answers as usual and changes nothing.',
    ['execute-workflow.starts-execution'],
    () => startsNothing('as usual'),
  ),
  mutant(
    'starts-nothing-silently',
    'Executing answers an empty object and changes nothing.',
    ['execute-workflow.starts-execution'],
    () => startsNothing('empty'),
  ),
  mutant(
    'execution-forgotten',
    'The execution is never shown in the details.',
    ['execute-workflow.starts-execution'],
    detailsStandStill,
  ),
  mutant('document-unknown', 'No document of the upload flow is accepted.', ['flow.document-id-refers-to-upload'], () =>
    onCalls(executeWorkflow, async (request, inner) =>
      inner(await changed(request, { json: { ...(await bodyOf(request)), document_id: 'doc_none' } })),
    ),
  ),
  mutant(
    'only-first-document',
    'Only the document that was uploaded first is accepted.',
    ['flow.document-id-refers-to-upload'],
    onlyFirstDocument,
  ),
  ...[404, 409, 500].map((status) =>
    mutant(
      `unreadable-after-execution-${status}`,
      `A workflow that was executed is read with ${status}.`,
      ['flow.create-execute-read'],
      () => unreadableAfter(status),
    ),
  ),
]

/** The details of a workflow stay as they were before its first execution. */
function detailsStandStill(): Wrapper {
  const fresh = new Map<string, Record<string, unknown>>()
  return compose(
    onCalls(['createWorkflow'], async (request, inner) => {
      const response = await inner(request)
      if (!response.ok) return response
      const { workflow_id } = await response.clone().json()
      const details = await inner(await changed(request, { method: 'GET', url: `${request.url}/${workflow_id}` }))
      fresh.set(workflow_id, await details.json())
      return response
    }),
    changeAnswer('getWorkflow', (body) =>
      mapMembers(fresh.get(body.workflow_id) ?? without(body), (name, value) => [name, value]),
    ),
  )
}

function onlyFirstDocument(): Wrapper {
  let first: unknown
  return wrap(async (request, inner) => {
    if (isCall(request, 'executeWorkflow') && first && (await bodyOf(request))?.document_id !== first) {
      return problem(409)
    }
    const response = await inner(request)
    if (isCall(request, 'confirmUpload') && response.ok) first ??= (await response.clone().json()).document_id
    return response
  })
}
