/** Executions with a wrong effect: interface.md sections 4.2 and 4, flow order. */
import { decides } from '../decisions.ts'
import { mapMembers, without } from '../json.ts'
import { type Choice, type Mutant, mutant } from '../mutant.ts'
import {
  bodyOf,
  changeAnswer,
  changeAnswers,
  changeRequest,
  changeResponse,
  compose,
  isCall,
  jsonOf,
  type Members,
  onCalls,
  problem,
  type Wrapper,
  wrap,
} from '../wrapper.ts'

const executeWorkflow = ['executeWorkflow'] as const

/** Executes another workflow than the one in the path. */
function executesAnother(which: 'first' | 'latest'): Wrapper {
  let known: string | undefined
  return wrap(async (request, inner) => {
    if (isCall(request, 'executeWorkflow') && known) {
      const url = request.url.replace(/(?<=\/)[^/]+(?=\/execute$)/, known)
      return inner(await changeRequest(request, { url }))
    }
    const response = await inner(request)
    if (isCall(request, 'createWorkflow') && response.ok) {
      const { workflow_id } = await response.clone().json()
      known = which === 'latest' ? workflow_id : (known ?? workflow_id)
    }
    return response
  })
}

/** Refuses to execute any workflow but the first. */
function onlyFirstExecutes(): Wrapper {
  let first: string | undefined
  return wrap(async (request, inner) => {
    if (isCall(request, 'executeWorkflow') && first && !request.url.endsWith(`/${first}/execute`)) return problem(404)
    const response = await inner(request)
    if (isCall(request, 'createWorkflow') && response.ok) first ??= String((await response.clone().json()).workflow_id)
    return response
  })
}

/** Shows only the first execution of each workflow in its details. */
function keepsFirstExecution(): Wrapper {
  const first = new Map<unknown, unknown>()
  return changeAnswer('getWorkflow', ({ recent_executions = [], execution_metrics, ...body }) => {
    const all = recent_executions as Members[]
    if (all.length > 0 && !first.has(body.workflow_id)) first.set(body.workflow_id, all.at(-1)?.execution_id)
    const kept = all.filter(({ execution_id }) => execution_id === first.get(body.workflow_id))
    const total = kept.length
    const running = kept.filter(({ status }) => status === 'running').length
    const figures = { ...(execution_metrics as Members), total, running, approved: total - running }
    return { ...body, execution_metrics: figures, recent_executions: kept }
  })
}

/** Answers valid executions with success, but does not start them. */
function startsNothing(answer: 'as usual' | 'empty'): Wrapper {
  let count = 0
  const shown = new Map<string, Record<string, unknown>>()
  return wrap(async (request, inner) => {
    if (!isCall(request, 'executeWorkflow')) {
      const response = await inner(request)
      const { workflow_id } = response.ok && isCall(request, 'createWorkflow') ? await response.clone().json() : {}
      if (workflow_id) shown.set(workflow_id, {})
      return response
    }
    // With an unknown document, the reference reports every other fault of the request, but starts nothing.
    const body = await bodyOf(request)
    const control = await inner(await changeRequest(request, { json: { ...body, document_id: 'doc_none' } }))
    if (control.status !== 409) return control
    const workflow_id = new URL(request.url).pathname.split('/').at(-2)
    count += 1
    const execution = { execution_id: `exe_nothing${count}`, workflow_id, ...body, status: 'running', steps: [] }
    return Response.json(answer === 'empty' ? {} : execution, { status: 202 })
  })
}

/** The details of each workflow count its own executions, and list those of another workflow that was executed last. */
function listsOthers(): Wrapper {
  const lists = new Map<string, unknown>()
  return changeAnswer('getWorkflow', (body) => {
    const { workflow_id, recent_executions } = body as Members
    const [, list] = [...lists].findLast(([id]) => id !== workflow_id) ?? []
    if (recent_executions && JSON.stringify(recent_executions) !== '[]') {
      lists.set(String(workflow_id), recent_executions)
    }
    return { ...body, recent_executions: list ?? [] }
  })
}

/** Refuses to read a workflow after its execution. */
function failReadsAfter(status: number): Wrapper {
  const executed = new Set<string>()
  return wrap(async (request, inner) => {
    const id = /workflows\/([^/]+)/.exec(new URL(request.url).pathname)?.[1] ?? ''
    const response = await inner(request)
    if (!response.ok) return response
    if (isCall(request, 'executeWorkflow')) executed.add(id)
    return isCall(request, 'getWorkflow') && executed.has(id) ? problem(status) : response
  })
}

/** Answers every read with the details from before the first execution. */
function freezeDetails(): Wrapper {
  const fresh = new Map<string, Record<string, unknown>>()
  return compose(
    onCalls(['createWorkflow'], async (request, inner) => {
      const response = await inner(request)
      if (!response.ok) return response
      const { workflow_id } = await response.clone().json()
      const details = await inner(await changeRequest(request, { method: 'GET', url: `${request.url}/${workflow_id}` }))
      fresh.set(workflow_id, await details.json())
      return response
    }),
    changeAnswer('getWorkflow', (body) =>
      mapMembers(fresh.get(body.workflow_id) ?? without(body), (name, value) => [name, value]),
    ),
  )
}

function acceptOnlyFirstDocument(): Wrapper {
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

/** Changes the body of the second and later executions. */
function changeLaterExecutions(change: (body: Members) => Members): Wrapper {
  let count = 0
  return onCalls(executeWorkflow, async (request, inner) => {
    const body = await bodyOf(request)
    const response = await inner(count > 0 && body ? await changeRequest(request, { json: change(body) }) : request)
    if (response.ok) count += 1
    return response
  })
}

/** Answers each execution with the document of the one before it of the same workflow. */
function showsPreviousDocument(): Wrapper {
  const previous = new Map<string, unknown>()
  return onCalls(executeWorkflow, async (request, inner) => {
    const response = await inner(request)
    if (!response.ok) return response
    const body = (await jsonOf(response)) ?? {}
    const document_id = previous.get(request.url) ?? body.document_id
    previous.set(request.url, body.document_id)
    return Response.json({ ...body, document_id }, { status: response.status })
  })
}

/** Shows every execution as it is before any of its steps is at work. */
const neverStarts = () =>
  changeAnswers(['executeWorkflow', 'getWorkflow'], (body) =>
    mapMembers(body, (name, value) => {
      if (['assignee', 'routing', 'assigned_at'].includes(name)) return [name, null]
      if (['assigned', 'running'].includes(name)) return [name, 0]
      return [name, name === 'status' && value !== 'active' ? 'waiting' : value]
    }),
  )

const countedTwice = (name: string, value: unknown) =>
  ['total', 'running'].includes(name) && typeof value === 'number' ? 2 * value : value

const showsExecution = ({ echo = '', timing = '' }: Choice) => echo !== 'none' && timing !== 'execution-queued'

/** Returns true if an unknown document is refused, with which the faults of an execution are found without starting it. */
const knowsDocuments = (choice: Choice) => choice['document-id'] !== 'any-string'

/** Changes what the details show of two executions of a workflow of which the second was accepted soon after the first. */
function overlapping(change: (second: Members, first: Members) => readonly Members[]): Wrapper {
  const reads = new Map<string, number>()
  const overlap = new Set<string>()
  return wrap(async (request, inner) => {
    const response = await inner(request)
    const [, id = ''] = request.url.match(/\/workflows\/([^/]+)/) ?? []
    if (isCall(request, 'executeWorkflow') && response.ok) {
      if (reads.get(id) === 1) overlap.add(id)
      reads.set(id, reads.get(id) ?? 0)
    }
    if (!isCall(request, 'getWorkflow') || !reads.has(id)) return response
    reads.set(id, (reads.get(id) ?? 0) + 1)
    const { recent_executions: recent, ...body } = (await jsonOf(response)) ?? {}
    const [second, first] = (recent ?? []) as Members[]
    if (!overlap.has(id) || !second || !first) return response
    return changeResponse(response, { ...body, recent_executions: change(second, first) })
  })
}

/** Shows all steps of an execution in one state. */
const withSteps = (execution: Members, status: string): Members => ({
  ...execution,
  ...(status === 'approved' && { status }),
  steps: (execution.steps as Members[]).map((step) => ({ ...step, status })),
})

export const executionEffectMutants: readonly Mutant[] = [
  mutant(
    'overlapping-execution-of-first-document',
    'An execution that begins during another one of its workflow is shown with the document of that.',
    ['execution.document-id'],
    () => overlapping((second, first) => [{ ...second, document_id: first.document_id }, first]),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'overlapping-execution-never-begins',
    'An execution that is accepted during another one of its workflow never begins, even when that has ended.',
    ['execute-workflow.starts-execution'],
    () => overlapping((second, first) => [withSteps(second, 'waiting'), withSteps(first, 'approved')]),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'executes-first',
    'Every execution runs the first workflow.',
    ['execute-workflow.identifies-created-workflow'],
    () => executesAnother('first'),
    {
      mayKill: [
        'execute-workflow.starts-execution',
        'execute-workflow.chooses-approvers',
        'execution.steps-side-by-side',
      ],
    },
  ),
  mutant(
    'executes-latest',
    'Every execution runs the latest workflow.',
    ['execute-workflow.identifies-created-workflow'],
    () => executesAnother('latest'),
    {
      mayKill: [
        'execute-workflow.starts-execution',
        'execution.for-one-document',
        'execute-workflow.chooses-approvers',
      ],
    },
  ),
  mutant(
    'lists-executions-of-another',
    'The details list the executions of another workflow in place of their own.',
    ['execute-workflow.identifies-created-workflow'],
    listsOthers,
    { appliesTo: ({ echo = '', timing, ...rest }) => echo !== 'none' && Object.keys(rest).length === 0 && !timing },
  ),
  mutant(
    'only-first-executes',
    'Only the first workflow can be executed.',
    ['execute-workflow.identifies-created-workflow'],
    onlyFirstExecutes,
  ),
  mutant(
    'starts-nothing',
    'An execution is answered as usual, but not started.',
    ['execute-workflow.starts-execution'],
    () => startsNothing('as usual'),
  ),
  mutant(
    'starts-nothing-silently',
    'An execution is answered with an empty object, and not started.',
    ['execute-workflow.starts-execution'],
    () => startsNothing('empty'),
    { appliesTo: knowsDocuments },
  ),
  mutant(
    'second-execution-lost',
    'Another execution of a workflow is accepted, but the details go on showing only the first, which has ended.',
    ['details.execution-metrics', 'execute-workflow.starts-execution'],
    () => compose(decides('all at once'), keepsFirstExecution()),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'execution-forgotten',
    'The execution is never shown in the details.',
    ['execute-workflow.starts-execution'],
    freezeDetails,
  ),
  mutant(
    'execution-never-starts',
    'The details list an execution, but all of its steps wait, and no approver is chosen.',
    [],
    neverStarts,
    {
      inherited: 'All steps of all executions show one word, and only its meaning says that they wait.',
      appliesTo: showsExecution,
    },
  ),
  mutant('executions-counted-twice', 'The details count each execution twice.', ['execution.for-one-document'], () =>
    changeAnswer('getWorkflow', (body) => mapMembers(body, (name, value) => [name, countedTwice(name, value)])),
  ),
  mutant('document-unknown', 'No document of the upload flow is accepted.', ['flow.document-id-refers-to-upload'], () =>
    onCalls(executeWorkflow, async (request, inner) =>
      inner(await changeRequest(request, { json: { ...(await bodyOf(request)), document_id: 'doc_none' } })),
    ),
  ),
  mutant(
    'only-first-document',
    'Only the document that was uploaded first is accepted.',
    ['execute-workflow.identifies-created-workflow'],
    acceptOnlyFirstDocument,
  ),
  mutant(
    'second-priority-dropped',
    'Priority high is stored as normal from the second execution on.',
    ['execution.priority-high'],
    () => changeLaterExecutions((body) => ({ ...body, priority: 'normal' })),
    { appliesTo: showsExecution },
  ),
  mutant(
    'document-of-previous-execution',
    'The answer to executing a workflow again shows the document of its execution before.',
    ['execution.document-id'],
    showsPreviousDocument,
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'one-execution-id',
    'Every execution is answered with the same identifier.',
    ['execution.for-one-document'],
    () => changeAnswer('executeWorkflow', (body) => ({ ...body, execution_id: 'exe_everyone_has_this' })),
    { appliesTo: showsExecution },
  ),
  mutant(
    'one-run-number',
    'Every execution is answered with the same run number.',
    ['execution.for-one-document'],
    () =>
      changeAnswer('executeWorkflow', ({ execution_id, ...body }) => ({ ...body, run_number: 'everyone-has-this-1' })),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  ...[404, 409, 500].map((status) =>
    mutant(
      `unreadable-after-execution-${status}`,
      `Reading an executed workflow answers ${status}.`,
      ['flow.create-execute-read'],
      () => failReadsAfter(status),
    ),
  ),
]
