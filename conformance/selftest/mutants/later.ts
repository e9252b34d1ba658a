/** Faults that appear only later: in the second of two objects, after an execution, or with unusual values. */
import { aliasKeys, aliasSessions } from '../aliases.ts'
import { without } from '../json.ts'
import { type Choice, type Mutant, mutant } from '../mutant.ts'
import {
  bodyOf,
  bytesOf,
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
  type serviceCalls,
  type Wrapper,
  wrap,
} from '../wrapper.ts'
import { keeps, keepsSteps, showsName, showsSequential, showsSteps, showsText } from './kept.ts'

const details = (change: (body: Members) => Members) => changeAnswer('getWorkflow', change)
const changeExecutedDetails = (change: (body: Members) => Members) =>
  details((body) => (JSON.stringify(body.recent_executions) === '[]' ? body : change(body)))
const firstOf = (list: unknown) => (list as unknown[]).slice(0, 1)

/** Changes the details of every workflow but the first. `change` also gets the first workflow. */
function changeLaterDetails(change: (body: Members, first: Members) => Members): Wrapper {
  let first: Members | undefined
  return compose(
    changeAnswers(['createWorkflow'], (body) => {
      first ??= body
      return body
    }),
    details((body) => (first && body.workflow_id !== first.workflow_id ? change(body, first) : body)),
  )
}

/** Answers 404 for an executed workflow once another one was executed. */
function loseExecutedWorkflow(): Wrapper {
  const executed: string[] = []
  const idOf = ({ url }: Request) => url.match(/\/workflows\/([^/]+)/)?.[1] ?? ''
  return onCalls(['executeWorkflow', 'getWorkflow'], async (request, inner) => {
    const [id, isRead] = [idOf(request), isCall(request, 'getWorkflow')]
    if (isRead && executed.includes(id) && executed.at(-1) !== id) return problem(404)
    const response = await inner(request)
    if (!isRead && response.ok && !executed.includes(id)) executed.push(id)
    return response
  })
}

/** Carries out a call without the key as if it had the last key that was sent, but shows only some members. */
function answerPartWithoutKey(call: (typeof serviceCalls)[number], ...shown: readonly string[]): Wrapper {
  let last = 'test_anybody'
  return wrap(async (request, inner) => {
    const key = request.headers.get('Authorization')
    last = key ?? last
    if (key || !isCall(request, call)) return inner(request)
    const response = await inner(await changeRequest(request, { headers: { Authorization: last } }))
    const body = response.ok ? await jsonOf(response) : undefined
    return body ? changeResponse(response, Object.fromEntries(shown.map((name) => [name, body[name]]))) : response
  })
}

/** Refuses files with a space or an umlaut in their name. */
function refusesUnusual(call: 'putObject' | 'confirmUpload'): Wrapper {
  return onCalls([call], async (request, inner) => {
    const { completed_files: files } = call === 'confirmUpload' ? ((await bodyOf(request)) ?? {}) : {}
    const name = files === undefined ? new URL(request.url).pathname : JSON.stringify(files)
    return /%20|%C3| |ö/.test(name) ? problem(403) : inner(request)
  })
}

/** Returns true if the details have the reference's shape. Some variants move their sections and steps. */
const plainDetails = ({ details }: Choice) => details === undefined
const showsPlainSteps = (choice: Choice) => plainDetails(choice) && showsSteps(choice)

/** Shows other identifiers of the steps from the third read of a workflow on. */
function changesStepIds(): Wrapper {
  const reads = new Map<unknown, number>()
  return details(({ steps, ...body }) => {
    const read = (reads.get(body.workflow_id) ?? 0) + 1
    reads.set(body.workflow_id, read)
    const changed =
      read < 3 ? steps : (steps as Members[]).map((step) => ({ ...step, step_id: `${step.step_id}-${read}` }))
    return { ...body, steps: changed }
  })
}

const showsNamesOfFirst = (call: 'createWorkflow' | 'getWorkflow') =>
  changeAnswer(call, ({ steps, ...body }: Members) => {
    const bare = (approvers: unknown) => (approvers as Members[]).map(({ email }) => ({ email }))
    const shown = (steps as Members[]).map((step) =>
      step.order === 1 ? step : { ...step, approvers: bare(step.approvers) },
    )
    return { ...body, steps: shown }
  })

/** Returns a function that counts the uploads with the name of an earlier one: 0 for the first. */
function repeatsOfNames(): (real: string, fileName: string) => number {
  const uploads = new Map<string, string[]>()
  return (real, fileName) => {
    const known = uploads.get(fileName) ?? []
    if (!known.includes(real)) uploads.set(fileName, [...known, real])
    return (uploads.get(fileName) ?? []).indexOf(real)
  }
}

function numbersSessionsOfOneName(): Wrapper {
  const [repeatOf, repeats] = [repeatsOfNames(), new Map<unknown, number>()]
  return compose(
    onCalls(['requestUpload'], async (request, inner) => {
      const { file_name } = (await bodyOf(request)) ?? {}
      const response = await inner(request)
      const { session_id } = (response.ok ? await jsonOf(response) : undefined) ?? {}
      if (session_id !== undefined) repeats.set(session_id, repeatOf(String(session_id), String(file_name)))
      return response
    }),
    aliasSessions((real) => (repeats.get(real) ? `${real}-${repeats.get(real)}` : real)),
  )
}

function numbersKeysOfOneName(): Wrapper {
  const repeatOf = repeatsOfNames()
  return aliasKeys((key, name) => {
    const repeat = repeatOf(key, name)
    return repeat > 0 ? key.replace(/(\.[^.]*)?$/, ` (${repeat})$1`) : key
  })
}

export const laterMutants: readonly Mutant[] = [
  mutant(
    'step-ids-change-between-reads',
    'The details show other identifiers of the steps from the third read of a workflow on.',
    ['step.step-id'],
    changesStepIds,
    { appliesTo: showsPlainSteps },
  ),
  mutant(
    'steps-lost-in-parallel',
    'Only the first step of a workflow that is not sequential is stored.',
    ['workflow.steps'],
    () => keeps((body) => (body.isSequential === false ? { ...body, steps: body.steps.slice(0, 1) } : body)),
    { appliesTo: showsSteps },
  ),
  mutant(
    'steps-lost-with-execution',
    'The details lose all steps but the first with the first execution.',
    ['workflow.steps'],
    () => changeExecutedDetails((body) => ({ ...body, steps: firstOf(body.steps) })),
    { appliesTo: showsPlainSteps },
  ),
  mutant(
    'approvers-lost-with-execution',
    'The details lose all approvers of a step but the first with the first execution.',
    ['step.approvers'],
    () =>
      changeExecutedDetails((body) => ({
        ...body,
        steps: (body.steps as Members[]).map((step) => ({ ...step, approvers: firstOf(step.approvers) })),
      })),
    { appliesTo: showsPlainSteps },
  ),
  mutant(
    'approver-names-only-of-first-step',
    'The answers show the names of approvers only in the first step.',
    ['approver.name'],
    () => compose(showsNamesOfFirst('createWorkflow'), showsNamesOfFirst('getWorkflow')),
    { appliesTo: showsPlainSteps },
  ),
  mutant(
    'approver-addresses-changed-with-execution',
    'The details show other addresses and names of the approvers with the first execution.',
    ['approver.email', 'approver.name'],
    () =>
      changeExecutedDetails((body) => ({
        ...body,
        steps: (body.steps as Members[]).map((step) => ({
          ...step,
          approvers: (step.approvers as Members[]).map(() => ({ email: 'anybody@example.com', name: 'Anybody' })),
        })),
      })),
    { appliesTo: showsPlainSteps },
  ),
  mutant(
    'description-lost-with-execution',
    'The details lose the description with the first execution.',
    ['workflow.description'],
    () => changeExecutedDetails((body) => ({ ...body, description: '' })),
    { appliesTo: showsText },
  ),
  mutant(
    'sequential-with-execution',
    'The details show every workflow as sequential once it was executed.',
    ['workflow.is-sequential'],
    () => changeExecutedDetails((body) => ({ ...body, isSequential: true })),
    { appliesTo: (choice) => plainDetails(choice) && showsSequential(choice) },
  ),
  mutant(
    'estimate-measured-with-second-execution',
    'The details show another estimated duration of the first step from the second execution of a workflow on.',
    ['step.estimated-duration'],
    () =>
      details(({ steps, ...body }) => ({
        ...body,
        steps:
          (body.recent_executions as Members[]).length < 2
            ? steps
            : (steps as Members[]).map((step) => (step.order === 1 ? { ...step, estimated_duration: 0.75 } : step)),
      })),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'steps-of-first',
    'The details of every workflow have the steps of the first.',
    ['step.estimated-duration', 'approver.email', 'approver.name'],
    () => changeLaterDetails((body, { steps }) => ({ ...body, steps })),
    {
      mayKill: ['workflow.steps', 'step.approvers', 'step.order', 'step.step-id', 'step.name'],
      appliesTo: showsPlainSteps,
    },
  ),
  mutant(
    'approver-names-swapped',
    'The names of a step’s approvers are swapped.',
    ['approver.name'],
    () =>
      keepsSteps((step) => ({
        ...step,
        approvers: step.approvers?.map(({ email }, index, all) => ({ email, name: all.at(index - 1)?.name })),
      })),
    { appliesTo: showsSteps },
  ),
  mutant(
    'name-lost-in-details',
    'The details show no name, although the answer to creating does.',
    ['workflow.name'],
    () => details((body) => ({ ...body, name: null })),
    { appliesTo: showsName },
  ),
  mutant(
    'gone-with-second-execution',
    'A workflow is no longer found after another one was executed.',
    ['execute-workflow.identifies-created-workflow'],
    loseExecutedWorkflow,
  ),
  ...(['execution_metrics', 'step_performance', 'optimization_recommendations'] as const).map((name) =>
    mutant(
      `details-of-second-lack-${name.replaceAll('_', '-')}`,
      `The details of every workflow but the first lack ${name}.`,
      [
        `details.${name.replace('_', '-') as 'execution-metrics' | 'step-performance' | 'optimization-recommendations'}`,
      ],
      () => changeLaterDetails((body) => without(body, name)),
      { appliesTo: plainDetails },
    ),
  ),
  ...(
    [
      ['createWorkflow', ['workflow_id']],
      ['getWorkflow', ['name']],
      ['requestUpload', ['upload_url', 'session_id']],
    ] as const
  ).map(([call, shown]) =>
    mutant(
      `open-in-part-${call}`,
      `${call} answers without the key, and shows less than with it.`,
      ['auth.key-is-required'],
      () => answerPartWithoutKey(call, ...shown),
      { appliesTo: (choice) => showsName(choice) && Object.keys(choice).length === 0 },
    ),
  ),
  mutant(
    'put-refuses-unusual-name',
    'The PUT of a file with a space or an umlaut in its name is refused.',
    ['storage.put-to-upload-url'],
    () => refusesUnusual('putObject'),
    { appliesTo: (choice) => Object.keys(choice).length === 0 },
  ),
  mutant(
    'confirm-refuses-unusual-name',
    'Confirming a file with a space or an umlaut in its name is refused.',
    ['confirm-upload.method-and-path'],
    () => refusesUnusual('confirmUpload'),
    { appliesTo: (choice) => choice['key-middle'] === undefined },
  ),
  mutant('put-answers-204-to-large', 'A large file is answered with 204.', ['storage.put-returns-200'], () =>
    onCalls(['putObject'], async (request, inner) => {
      const isLarge = (await bytesOf(request)).byteLength > 2000
      const response = await inner(request)
      return isLarge && response.ok ? new Response(null, { status: 204, headers: response.headers }) : response
    }),
  ),
  mutant(
    'session-prefixed-later',
    'Every session_id but the first is a UUID with a prefix.',
    ['upload.session-id-is-uuid'],
    () => aliasSessions((real, index) => (index === 0 ? real : `sess_${real}`)),
    { appliesTo: ({ uuid }) => uuid === undefined },
  ),
  mutant(
    'session-numbered-for-repeated-name',
    'The session_id of another upload with the same file name is a UUID with a number.',
    ['upload.session-id-is-uuid'],
    numbersSessionsOfOneName,
    { appliesTo: ({ uuid }) => uuid === undefined },
  ),
  mutant(
    'key-numbered-for-repeated-name',
    'The key of another upload with the same file name ends with a number before the extension.',
    ['completed-file.key-ends-with-file-name'],
    numbersKeysOfOneName,
    { appliesTo: (choice) => choice['key-middle'] === undefined },
  ),
  mutant(
    'key-of-unfilled-tenant',
    'The key begins with an unfilled template, tenants/{tenant_id}.',
    ['completed-file.key-begins-with-tenants'],
    () => aliasKeys((key) => key.replace(/^tenants\/[^/]+/, 'tenants/{tenant_id}')),
    { appliesTo: (choice) => choice['key-middle'] === undefined && choice['storage-key'] !== 'url-only' },
  ),
  mutant(
    'key-of-new-tenant',
    'The key of each upload begins with another tenant.',
    ['completed-file.key-begins-with-tenants'],
    () =>
      aliasKeys(
        (key, name) => `tenants/${[...key.slice(0, -name.length - 1)].reverse().join('').replaceAll('/', '-')}/${name}`,
      ),
    { appliesTo: (choice) => choice['key-middle'] === undefined && choice['storage-key'] !== 'url-only' },
  ),
]
