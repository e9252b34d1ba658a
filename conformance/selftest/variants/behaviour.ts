/** Variants of timing, of the order of checks, and of strictness. */
import { decides } from '../decisions.ts'
import { changeNamed } from '../json.ts'
import { inMinutes, queued, showsTimes, stepsInTurn } from '../step-times.ts'
import {
  answersTo,
  bodyCalls,
  bodyOf,
  changeByPast,
  changeRequest,
  compose,
  isCall,
  isServicePath,
  type Members,
  onCalls,
  onRepeats,
  problem,
  refuseWhen,
  remembering,
  serviceCalls,
  type Wrapper,
  withState,
  workflowIn,
  wrap,
} from '../wrapper.ts'
import { type Axis, behaviours } from './axis.ts'
import { requestFields } from './fields.ts'

/** The number of calls that come too early. */
const early = 2

/** Replaces the answers to the first reads of every workflow. */
const changeFirstReads = (answer: () => Response): Wrapper =>
  remembering(async (request, inner, past) => {
    const response = await inner(request)
    if (!response.ok || !isCall(request, 'getWorkflow')) return response
    const reads = past.filter(
      (one) => one.call === 'getWorkflow' && one.answer && workflowIn(one.request) === workflowIn(request),
    )
    return reads.length <= early ? answer() : response
  })

/** Answers the first reads after an execution with the details from before it. */
const delayExecutions = withState(() => {
  const stale = new Map<string, { left: number; details: string }>()
  return wrap(async (request, inner) => {
    const id = workflowIn(request)
    if (isCall(request, 'executeWorkflow')) {
      const url = request.url.replace(/\/execute$/, '')
      const before = await inner(
        await changeRequest(request, { url, method: 'GET', headers: { 'Content-Type': null } }),
      )
      const response = await inner(request)
      if (response.ok && before.ok && !stale.get(id)?.left) stale.set(id, { left: early, details: await before.text() })
      return response
    }
    const response = await inner(request)
    const old = stale.get(id)
    if (!isCall(request, 'getWorkflow') || !response.ok || !old?.left) return response
    old.left -= 1
    return new Response(old.details, response)
  })
})

/** Refuses the first executions for every document, as if the document were not yet known. */
const delayDocuments = withState(() => {
  const tried = new Map<unknown, number>()
  return onCalls(['executeWorkflow'], async (request, inner) => {
    const { document_id } = (await bodyOf(request)) ?? {}
    const count = tried.get(document_id) ?? 0
    tried.set(document_id, count + 1)
    return count < early ? problem(404) : inner(request)
  })
})

const answerQueued = onCalls(['executeWorkflow'], async (request, inner) => {
  const response = await inner(request)
  return response.ok ? Response.json({ status: 'queued' }, { status: 202 }) : response
})

/** Reports other faults of a call without the key before the missing key. */
function checkOthersFirst(faults: readonly number[]): Wrapper {
  return wrap(async (request, inner) => {
    if (!isCall(request, ...serviceCalls) || request.headers.has('Authorization')) return inner(request)
    // An unused tenant's answer shows the faults of the request itself.
    const response = await inner(await changeRequest(request, { headers: { Authorization: 'test_nobody' } }))
    return faults.includes(response.status) ? response : inner(request)
  })
}

/** Checks whether the workflow exists before it checks the key. */
const checkExistenceFirst = remembering(async (request, inner, past) => {
  const about = isCall(request, 'getWorkflow', 'executeWorkflow') && !request.headers.has('Authorization')
  const known = about ? answersTo('createWorkflow', past).map(({ workflow_id }) => workflow_id) : []
  return about && !known.includes(workflowIn(request)) ? problem(404) : inner(request)
})

const checkKeyFirst = wrap(async (request, inner) =>
  isServicePath(request) && !request.headers.has('Authorization') ? problem(401) : inner(request),
)

function hasUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnknown)
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([name, member]) => !requestFields.has(name) || hasUnknown(member))
}

const required: Record<string, readonly string[]> = {
  createWorkflow: ['name', 'description', 'steps'],
  executeWorkflow: ['document_id', 'submitter_email', 'execution_mode', 'priority'],
}
const lacks = (call: string, body: Members) => required[call]?.some((name) => !(name in body)) ?? false

/** Answers repeated confirmations of an upload with another document identifier. No run executes that document. */
const nameNewDocuments = changeByPast(['confirmUpload'], (body, past) => {
  const session = past.at(-1)?.sent.session_id
  const confirmed = past.filter(
    ({ call, answer, sent }) => call === 'confirmUpload' && answer && sent.session_id === session,
  )
  if (confirmed.length < 2) return body
  return changeNamed('document_id', (id) => String(id).replace(/[^_]+$/, (end) => [...end].reverse().join('')))(body)
})

export const behaviourAxes: readonly Axis[] = [
  behaviours('check-order', {
    'key-first': checkKeyFirst,
    'validation-first': checkOthersFirst([400, 415]),
    'existence-first': checkExistenceFirst,
  }),
  behaviours('required-fields', {
    all: compose(
      refuseWhen(['createWorkflow'], (_, body) => lacks('createWorkflow', body)),
      refuseWhen(['executeWorkflow'], (_, body) => lacks('executeWorkflow', body)),
    ),
  }),
  behaviours('unknown-fields', { refused: refuseWhen(bodyCalls, (_, body) => hasUnknown(body)) }),
  behaviours('workflow-names', { unique: onRepeats('createWorkflow', (_, { name }) => name) }),
  behaviours('name-units', {
    utf16: refuseWhen(['createWorkflow'], (_, { name }) => String(name).length > 100),
  }),
  behaviours('descriptions', {
    limited: refuseWhen(['createWorkflow'], (_, { description }) => String(description).length > 255),
  }),
  behaviours('decisions', { 'one-by-one': decides('one by one'), 'all-at-once': decides('all at once') }),
  behaviours('step-times', {
    exact: showsTimes(stepsInTurn),
    'in-minutes': showsTimes(inMinutes),
    queued: showsTimes(queued),
  }),
  behaviours('second-confirm', {
    refused: onRepeats('confirmUpload', (_, { session_id }) => session_id),
    'new-document': nameNewDocuments,
  }),
  behaviours('timing', {
    'read-late': changeFirstReads(() => problem(404, { 'Retry-After': '0' })),
    'read-polled': changeFirstReads(() =>
      Response.json({ status: 'processing' }, { status: 202, headers: { 'Retry-After': '0' } }),
    ),
    'documents-late': delayDocuments,
    'execution-late': delayExecutions,
    'execution-queued': compose(delayExecutions, answerQueued),
  }),
]
