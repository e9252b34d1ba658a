/** Executions with a wrong effect: interface.md sections 4.2 and 4, flow order. */
import type { Schemas } from '../../../src/contract/operations.ts'
import { decides } from '../decisions.ts'
import { adds, changeAt, changeValues } from '../json.ts'
import { type Choice, isPlain, type MutantRow, mutantsOf, showsExecution } from '../mutant.ts'
import {
  answersTo,
  bodyOf,
  changeAnswer,
  changeBody,
  changeByPast,
  changeDetails,
  changeExecutions,
  changeRequest,
  changeResponse,
  compose,
  isCall,
  type Members,
  problem,
  remembering,
  type Wrapper,
  withState,
  workflowIn,
  wrap,
} from '../wrapper.ts'
import { createdIn, meansAlways } from './workflow-identity.ts'

type Execution = Schemas['Execution']

/** Refuses to execute any workflow but the first. */
const onlyFirstExecutes = remembering(async (request, inner, past) => {
  const [first] = createdIn(past)
  return isCall(request, 'executeWorkflow') && first && workflowIn(request) !== first ? problem(404) : inner(request)
})

/** Shows only the first execution of each workflow in its details. */
const keepsFirstExecution = changeByPast(['getWorkflow'], (details, past) => {
  const ofWorkflow = ({ workflow_id }: Members) => workflow_id === details.workflow_id
  const [first] = answersTo('executeWorkflow', past).filter(ofWorkflow)
  const all = (details.recent_executions ?? []) as Execution[]
  const recent_executions = all.filter(({ execution_id }) => execution_id === first?.execution_id)
  const total = recent_executions.length
  const running = recent_executions.filter(({ status }) => status === 'running').length
  return changeAt(
    'execution_metrics',
    adds({ total, running, approved: total - running }),
  )({
    ...details,
    recent_executions,
  })
})

/** Answers valid executions with success, but does not start them. */
const startsNothing = (answer: 'as usual' | 'empty'): Wrapper =>
  withState(() => {
    let count = 0
    return wrap(async (request, inner) => {
      if (!isCall(request, 'executeWorkflow')) return inner(request)
      // With an unknown document, the reference reports every other fault of the request, but starts nothing.
      const body = await bodyOf(request)
      const control = await inner(await changeRequest(request, { json: { ...body, document_id: 'doc_none' } }))
      if (control.status !== 409) return control
      count += 1
      const ids = { execution_id: `exe_nothing${count}`, workflow_id: workflowIn(request) }
      const execution = { ...ids, ...body, status: 'running', steps: [] }
      return Response.json(answer === 'empty' ? {} : execution, { status: 202 })
    })
  })

/** The details of each workflow count its own executions, and list those of another workflow that was executed last. */
const listsOthers = changeByPast(['getWorkflow'], (body, past) => {
  const executed = answersTo('getWorkflow', past.slice(0, -1)).filter(
    (one) => Array.isArray(one.recent_executions) && one.recent_executions.length > 0,
  )
  // A workflow keeps its place when it is read again.
  const lists = new Map(executed.map(({ workflow_id, recent_executions }) => [workflow_id, recent_executions]))
  const [, list = []] = [...lists].findLast(([id]) => id !== body.workflow_id) ?? []
  return { ...body, recent_executions: list }
})

/** Refuses to read a workflow after its execution. */
const failsReadsAfter = (status: number) =>
  remembering(async (request, inner, past) => {
    const response = await inner(request)
    const isExecuted = past.some(
      (one) => one.call === 'executeWorkflow' && one.answer && workflowIn(one.request) === workflowIn(request),
    )
    return isCall(request, 'getWorkflow') && response.ok && isExecuted ? problem(status) : response
  })

/** Answers every read with the details from before the first execution. */
const freezesDetails = withState(() => {
  const fresh = new Map<unknown, Members>()
  return wrap(async (request, inner) => {
    const response = await inner(request)
    if (!response.ok || !isCall(request, 'createWorkflow', 'getWorkflow')) return response
    const { workflow_id } = await response.clone().json()
    if (isCall(request, 'getWorkflow')) return changeResponse(response, fresh.get(workflow_id))
    const details = await inner(await changeRequest(request, { method: 'GET', url: `${request.url}/${workflow_id}` }))
    fresh.set(workflow_id, await details.json())
    return response
  })
})

/** Refuses executions for any document but the first. */
const acceptsOnlyFirstDocument = remembering(async (request, inner, past) => {
  const [first] = isCall(request, 'executeWorkflow') ? answersTo('confirmUpload', past) : []
  return first && (await bodyOf(request))?.document_id !== first.document_id ? problem(409) : inner(request)
})

/** Stores the second and later executions with another priority. */
const dropsSecondPriority = remembering(async (request, inner, past) => {
  const body = isCall(request, 'executeWorkflow') ? await bodyOf(request) : undefined
  const isFirst = answersTo('executeWorkflow', past).length === 0
  return inner(body && !isFirst ? await changeRequest(request, { json: { ...body, priority: 'normal' } }) : request)
})

/** Answers each execution with the document of the one before it of the same workflow. */
const showsPreviousDocument = changeByPast(['executeWorkflow'], (body, past) => {
  const [own, previous = own] = answersTo('executeWorkflow', past)
    .filter(({ workflow_id }) => workflow_id === body.workflow_id)
    .toReversed()
  return { ...body, document_id: previous?.document_id }
})

/** Shows every execution as it is before any of its steps is at work. */
const neverStarts = changeExecutions(
  changeValues((name, value) => {
    if (['assignee', 'routing', 'assigned_at'].includes(name)) return null
    if (['assigned', 'running'].includes(name)) return 0
    return name === 'status' && value !== 'active' ? 'waiting' : value
  }),
)

/** Returns true if an unknown document is refused, with which the faults of an execution are found without starting it. */
const knowsDocuments = (choice: Choice) => choice['document-id'] !== 'any-string'

/** Changes what the details show of two executions of a workflow of which the second was accepted soon after the first. */
const overlapping = (change: (second: Execution, first: Execution) => readonly object[]) =>
  withState(() => {
    const reads = new Map<string, number>()
    const overlap = new Set<string>()
    return wrap(async (request, inner) => {
      const response = await inner(request)
      const id = workflowIn(request)
      if (isCall(request, 'executeWorkflow') && response.ok) {
        if (reads.get(id) === 1) overlap.add(id)
        reads.set(id, reads.get(id) ?? 0)
      }
      if (!isCall(request, 'getWorkflow') || !reads.has(id)) return response
      reads.set(id, (reads.get(id) ?? 0) + 1)
      const { recent_executions, ...body } = await response.clone().json()
      const [second, first] = recent_executions ?? []
      if (!overlap.has(id) || !second || !first) return response
      return changeResponse(response, { ...body, recent_executions: change(second, first) })
    })
  })

/** Shows all steps of an execution in one state. */
const withSteps = (execution: Execution, status: string) => ({
  ...execution,
  ...(status === 'approved' && { status }),
  steps: execution.steps.map(adds({ status })),
})

export const executionEffectMutants = mutantsOf([
  [
    'overlapping-execution-of-first-document',
    'An execution that begins during another one of its workflow is shown with the document of that.',
    'execution.document-id',
    overlapping((second, first) => [{ ...second, document_id: first.document_id }, first]),
    isPlain,
  ],
  [
    'overlapping-execution-never-begins',
    'An execution that is accepted during another one of its workflow never begins, even when that has ended.',
    'execute-workflow.starts-execution',
    overlapping((second, first) => [withSteps(second, 'waiting'), withSteps(first, 'approved')]),
    isPlain,
  ],
  [
    'executes-first',
    'Every execution runs the first workflow.',
    'execute-workflow.identifies-created-workflow',
    meansAlways('executeWorkflow', 'first'),
    {
      mayKill: [
        'execute-workflow.starts-execution',
        'execute-workflow.chooses-approvers',
        'execution.steps-side-by-side',
      ],
    },
  ],
  [
    'executes-latest',
    'Every execution runs the latest workflow.',
    'execute-workflow.identifies-created-workflow',
    meansAlways('executeWorkflow', 'latest'),
    {
      mayKill: [
        'execute-workflow.starts-execution',
        'execution.for-one-document',
        'execute-workflow.chooses-approvers',
      ],
    },
  ],
  [
    'lists-executions-of-another',
    'The details list the executions of another workflow in place of their own.',
    'execute-workflow.identifies-created-workflow',
    listsOthers,
    ({ echo = '', timing, ...rest }) => echo !== 'none' && isPlain(rest) && !timing,
  ],
  [
    'only-first-executes',
    'Only the first workflow can be executed.',
    'execute-workflow.identifies-created-workflow',
    onlyFirstExecutes,
  ],
  [
    'starts-nothing',
    'An execution is answered as usual, but not started.',
    'execute-workflow.starts-execution',
    startsNothing('as usual'),
  ],
  [
    'starts-nothing-silently',
    'An execution is answered with an empty object, and not started.',
    'execute-workflow.starts-execution',
    startsNothing('empty'),
    knowsDocuments,
  ],
  [
    'second-execution-lost',
    'Another execution of a workflow is accepted, but the details go on showing only the first, which has ended.',
    ['details.execution-metrics', 'execute-workflow.starts-execution'],
    compose(decides('all at once'), keepsFirstExecution),
    isPlain,
  ],
  [
    'execution-forgotten',
    'The execution is never shown in the details.',
    'execute-workflow.starts-execution',
    freezesDetails,
  ],
  [
    'execution-never-starts',
    'The details list an execution, but all of its steps wait, and no approver is chosen.',
    [],
    neverStarts,
    {
      inherited: 'All steps of all executions show one word, and only its meaning says that they wait.',
      appliesTo: showsExecution,
    },
  ],
  [
    'executions-counted-twice',
    'The details count each execution twice.',
    'execution.for-one-document',
    changeDetails(
      changeValues((name, value) =>
        ['total', 'running'].includes(name) && typeof value === 'number' ? 2 * value : value,
      ),
    ),
  ],
  [
    'document-unknown',
    'No document of the upload flow is accepted.',
    'flow.document-id-refers-to-upload',
    changeBody('executeWorkflow', adds({ document_id: 'doc_none' })),
  ],
  [
    'only-first-document',
    'Only the document that was uploaded first is accepted.',
    'execute-workflow.identifies-created-workflow',
    acceptsOnlyFirstDocument,
  ],
  [
    'second-priority-dropped',
    'Priority high is stored as normal from the second execution on.',
    'execution.priority-high',
    dropsSecondPriority,
    showsExecution,
  ],
  [
    'document-of-previous-execution',
    'The answer to executing a workflow again shows the document of its execution before.',
    'execution.document-id',
    showsPreviousDocument,
    isPlain,
  ],
  [
    'one-execution-id',
    'Every execution is answered with the same identifier.',
    'execution.for-one-document',
    changeAnswer('executeWorkflow', adds({ execution_id: 'exe_everyone_has_this' })),
    showsExecution,
  ],
  [
    'one-run-number',
    'Every execution is answered with the same run number.',
    'execution.for-one-document',
    changeAnswer('executeWorkflow', ({ execution_id, ...body }) => ({ ...body, run_number: 'everyone-has-this-1' })),
    isPlain,
  ],
  ...[404, 409, 500].map(
    (status): MutantRow => [
      `unreadable-after-execution-${status}`,
      `Reading an executed workflow answers ${status}.`,
      'flow.create-execute-read',
      failsReadsAfter(status),
    ],
  ),
])
