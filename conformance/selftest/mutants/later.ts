/** Faults that appear only later: in the second of two objects, after an execution, or with unusual values. */
import type { Schemas, ServiceOperationId } from '../../../src/contract/operations.ts'
import { aliasKeys, aliasSessions } from '../aliases.ts'
import { adds, changeAt, without } from '../json.ts'
import {
  type Choice,
  isPlain,
  type MutantRow,
  mutantsOf,
  showsName,
  showsSequential,
  showsSteps,
  showsText,
} from '../mutant.ts'
import {
  answersTo,
  bodyOf,
  bytesOf,
  changeBody,
  changeByPast,
  changeDetails,
  changeWorkflows,
  isCall,
  type Members,
  onCalls,
  problem,
  remembering,
  withState,
  workflowIn,
} from '../wrapper.ts'
import { openCalls } from './auth.ts'
import { keeps, type StoredStep } from './kept.ts'
import { hasOwnKeys, showsKey } from './storage-keys.ts'
import { hasOwnUuids } from './uploads.ts'

type Details = Schemas['WorkflowDetails']
type Step = Schemas['Step']

const changeExecutedDetails = (change: (body: Details) => unknown) =>
  changeDetails((body) => (JSON.stringify(body.recent_executions) === '[]' ? body : change(body)))
const firstOf = (list: unknown[]) => list.slice(0, 1)

/** Changes the details of every workflow but the first. `change` also gets the first workflow. */
const changeLaterDetails = (change: (body: Members, first: Members) => Members) =>
  changeByPast(['getWorkflow'], (body, past) => {
    const [first] = answersTo('createWorkflow', past)
    return first && body.workflow_id !== first.workflow_id ? change(body, first) : body
  })

/** Answers 404 for an executed workflow once another one was executed. */
const losesExecutedWorkflow = remembering(async (request, inner, past) => {
  const executed = past.flatMap((one) =>
    one.call === 'executeWorkflow' && one.answer ? [workflowIn(one.request)] : [],
  )
  const [latest] = [...new Set(executed)].slice(-1)
  const id = workflowIn(request)
  return isCall(request, 'getWorkflow') && executed.includes(id) && latest !== id ? problem(404) : inner(request)
})

/** Refuses files with a space or an umlaut in their name. */
const refusesUnusual = (call: 'putObject' | 'confirmUpload') =>
  onCalls([call], async (request, inner) => {
    const { completed_files: files } = call === 'confirmUpload' ? ((await bodyOf(request)) ?? {}) : {}
    const name = files === undefined ? new URL(request.url).pathname : JSON.stringify(files)
    return /%20|%C3| |ö/.test(name) ? problem(403) : inner(request)
  })

/** Returns true if the details have the reference's shape. Some variants move their sections and steps. */
const plainDetails = ({ details }: Choice) => details === undefined
const showsPlainSteps = (choice: Choice) => plainDetails(choice) && showsSteps(choice)

/** Shows other identifiers of the steps from the third read of a workflow on. */
const changesStepIds = changeByPast(['getWorkflow'], (body, past) => {
  const reads = answersTo('getWorkflow', past).filter(({ workflow_id }) => workflow_id === body.workflow_id).length
  return reads < 3 ? body : changeAt('steps.*.step_id', (id) => `${id}-${reads}`)(body)
})

const withoutNamesOfLater = ({ approvers, ...step }: Step) => ({
  ...step,
  approvers: step.order === 1 ? approvers : approvers.map(({ email }) => ({ email })),
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

const numbersSessionsOfOneName = withState(() => {
  const repeatOf = repeatsOfNames()
  return aliasSessions((real, _, name) => (repeatOf(real, name) ? `${real}-${repeatOf(real, name)}` : real))
})

const numbersKeysOfOneName = withState(() => {
  const repeatOf = repeatsOfNames()
  return aliasKeys((key, name) => {
    const repeat = repeatOf(key, name)
    return repeat > 0 ? key.replace(/(\.[^.]*)?$/, ` (${repeat})$1`) : key
  })
})

const sections = ['execution-metrics', 'step-performance', 'optimization-recommendations'] as const

const openInPart: readonly [call: ServiceOperationId, shown: readonly string[]][] = [
  ['createWorkflow', ['workflow_id']],
  ['getWorkflow', ['name']],
  ['requestUpload', ['upload_url', 'session_id']],
]

const laterStates = mutantsOf(
  [
    [
      'step-ids-change-between-reads',
      'The details show other identifiers of the steps from the third read of a workflow on.',
      'step.step-id',
      changesStepIds,
    ],
    [
      'steps-lost-in-parallel',
      'Only the first step of a workflow that is not sequential is stored.',
      'workflow.steps',
      changeBody('createWorkflow', (body) => (body.isSequential === false ? changeAt('steps', firstOf)(body) : body)),
      showsSteps,
    ],
    [
      'steps-lost-with-execution',
      'The details lose all steps but the first with the first execution.',
      'workflow.steps',
      changeExecutedDetails(changeAt('steps', firstOf)),
    ],
    [
      'approvers-lost-with-execution',
      'The details lose all approvers of a step but the first with the first execution.',
      'step.approvers',
      changeExecutedDetails(changeAt('steps.*.approvers', firstOf)),
    ],
    [
      'approver-names-only-of-first-step',
      'The answers show the names of approvers only in the first step.',
      'approver.name',
      changeWorkflows(changeAt('steps.*', withoutNamesOfLater)),
    ],
    [
      'approver-addresses-changed-with-execution',
      'The details show other addresses and names of the approvers with the first execution.',
      ['approver.email', 'approver.name'],
      changeExecutedDetails(changeAt('steps.*.approvers.*', () => ({ email: 'anybody@example.com', name: 'Anybody' }))),
    ],
    [
      'description-lost-with-execution',
      'The details lose the description with the first execution.',
      'workflow.description',
      changeExecutedDetails(adds({ description: '' })),
      showsText,
    ],
    [
      'sequential-with-execution',
      'The details show every workflow as sequential once it was executed.',
      'workflow.is-sequential',
      changeExecutedDetails(adds({ isSequential: true })),
      (choice) => plainDetails(choice) && showsSequential(choice),
    ],
    [
      'estimate-measured-with-second-execution',
      'The details show another estimated duration of the first step from the second execution of a workflow on.',
      'step.estimated-duration',
      changeDetails((body) =>
        body.recent_executions.length < 2
          ? body
          : changeAt('steps.*', (step: Step) => (step.order === 1 ? { ...step, estimated_duration: 0.75 } : step))(
              body,
            ),
      ),
      isPlain,
    ],
    [
      'steps-of-first',
      'The details of every workflow have the steps of the first.',
      ['step.estimated-duration', 'approver.email', 'approver.name'],
      changeLaterDetails((body, { steps }) => ({ ...body, steps })),
      { mayKill: ['workflow.steps', 'step.approvers', 'step.order', 'step.step-id', 'step.name'] },
    ],
    [
      'approver-names-swapped',
      'The names of a step’s approvers are swapped.',
      'approver.name',
      keeps('steps.*.approvers', (approvers: StoredStep['approvers']) =>
        approvers.map(({ email }, index) => ({ email, name: approvers.at(index - 1)?.name })),
      ),
      showsSteps,
    ],
    [
      'name-lost-in-details',
      'The details show no name, although the answer to creating does.',
      'workflow.name',
      changeDetails(adds({ name: null })),
      showsName,
    ],
  ],
  showsPlainSteps,
)

export const laterMutants = [
  ...laterStates,
  ...mutantsOf([
    [
      'gone-with-second-execution',
      'A workflow is no longer found after another one was executed.',
      'execute-workflow.identifies-created-workflow',
      losesExecutedWorkflow,
    ],
    ...sections.map(
      (name): MutantRow => [
        `details-of-second-lack-${name}`,
        `The details of every workflow but the first lack ${name.replace('-', '_')}.`,
        `details.${name}`,
        changeLaterDetails((body) => without(body, name.replace('-', '_'))),
        plainDetails,
      ],
    ),
    ...openInPart.map(
      ([call, shown]): MutantRow => [
        `open-in-part-${call}`,
        `${call} answers without the key, and shows less than with it.`,
        'auth.key-is-required',
        openCalls([call], shown),
        isPlain,
      ],
    ),
    [
      'put-refuses-unusual-name',
      'The PUT of a file with a space or an umlaut in its name is refused.',
      'storage.put-to-upload-url',
      refusesUnusual('putObject'),
      isPlain,
    ],
    [
      'confirm-refuses-unusual-name',
      'Confirming a file with a space or an umlaut in its name is refused.',
      'confirm-upload.method-and-path',
      refusesUnusual('confirmUpload'),
      hasOwnKeys,
    ],
    [
      'put-answers-204-to-large',
      'A large file is answered with 204.',
      'storage.put-returns-200',
      onCalls(['putObject'], async (request, inner) => {
        const isLarge = (await bytesOf(request)).byteLength > 2000
        const response = await inner(request)
        return isLarge && response.ok ? new Response(null, { status: 204, headers: response.headers }) : response
      }),
    ],
    [
      'session-prefixed-later',
      'Every session_id but the first is a UUID with a prefix.',
      'upload.session-id-is-uuid',
      aliasSessions((real, index) => (index === 0 ? real : `sess_${real}`)),
      hasOwnUuids,
    ],
    [
      'session-numbered-for-repeated-name',
      'The session_id of another upload with the same file name is a UUID with a number.',
      'upload.session-id-is-uuid',
      numbersSessionsOfOneName,
      hasOwnUuids,
    ],
    [
      'key-numbered-for-repeated-name',
      'The key of another upload with the same file name ends with a number before the extension.',
      'completed-file.key-ends-with-file-name',
      numbersKeysOfOneName,
      hasOwnKeys,
    ],
    [
      'key-of-unfilled-tenant',
      'The key begins with an unfilled template, tenants/{tenant_id}.',
      'completed-file.key-begins-with-tenants',
      aliasKeys((key) => key.replace(/^tenants\/[^/]+/, 'tenants/{tenant_id}')),
      (choice) => hasOwnKeys(choice) && showsKey(choice),
    ],
    [
      'key-of-new-tenant',
      'The key of each upload begins with another tenant.',
      'completed-file.key-begins-with-tenants',
      aliasKeys(
        (key, name) => `tenants/${[...key.slice(0, -name.length - 1)].reverse().join('').replaceAll('/', '-')}/${name}`,
      ),
      (choice) => hasOwnKeys(choice) && showsKey(choice),
    ],
  ]),
]
