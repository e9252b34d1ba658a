import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Body, Schemas } from '../../contract/operations.ts'
import { tenantName } from '../../contract/tenant-name.ts'
import type { Admin } from '../live/admin.ts'
import { useBeat, useLoaded, useShared } from '../live/hooks.ts'
import { hashOf } from '../live/route.ts'
import { Field, Status } from '../parts/basics.tsx'
import { useFocusAfter } from '../parts/focus.ts'

type Execution = Schemas['Execution']

const sample = {
  name: 'contract.txt',
  type: 'text/plain',
  text: 'Supplier contract\n\nThis file was made by the start page of the mock.\n',
}

const people = [
  { step: 'Legal review', name: 'Lena Ortiz', email: 'lena@example.com', minutes: '120' },
  { step: 'Finance sign-off', name: 'Ines Roth', email: 'ines@example.com', minutes: '45' },
]

/** What the steps have made so far. */
interface Done {
  readonly workflow?: string
  readonly document?: string
  readonly fileName?: string
  readonly execution?: string
}

/** What each step of the flow uses. */
interface Flow {
  readonly done: Done
  readonly busy: boolean
  /** Makes the calls of a step, which return what they have made. */
  readonly run: (calls: () => Promise<Done>) => void
}

/** Leads through the documented flow: a workflow, an upload, an execution and its approval. */
export function Start() {
  const { route, attempt } = useShared()
  const { tenant } = route
  const [done, setDone] = useState<Done>({})
  const [busy, setBusy] = useState(false)
  const { box, expectLoss } = useFocusAfter<HTMLOListElement>()
  // The work of one tenant is unknown to another one.
  useEffect(() => setDone({}), [tenant])
  const run: Flow['run'] = async (calls) => {
    setBusy(true)
    expectLoss(true)
    await attempt(async () => {
      const made = await calls()
      setDone((before) => ({ ...before, ...made }))
    })
    setBusy(false)
  }
  const flow = { done, busy, run }
  const again = () => {
    expectLoss(true)
    setDone({})
  }
  return (
    <article class="start-form">
      <header>
        <h2>From a workflow to an approved document</h2>
      </header>
      <p class="lead">
        Each button makes the call that your front end would make. The mock keeps what you create, and everything that
        happens is in the other views.
      </p>
      <ol class="flow" ref={box}>
        <OpenTenant {...flow} />
        <CreateWorkflow {...flow} />
        <UploadDocument {...flow} />
        <ExecuteWorkflow {...flow} />
        {done.execution && tenant && <Approval execution={done.execution} tenant={tenant} onAgain={again} />}
      </ol>
    </article>
  )
}

function OpenTenant(flow: Flow) {
  const { admin, route, go } = useShared()
  const { tenant } = route
  const [key, setKey] = useState('test_console')
  const open = async () => {
    const { tenant_id } = await admin.call('openTenant', { key })
    go({ tenant: tenant_id })
    return {}
  }
  const result = tenant !== undefined && (
    <p>
      Tenant <span class="mono">{tenantName(tenant)}</span> is open. Every key that starts with test_ has a tenant of
      its own.
    </p>
  )
  const texts = { title: 'Open a tenant', call: 'Authorization: test_…', action: 'Open' }
  return (
    <FlowStep {...{ ...flow, ...texts, result }} isNext calls={open}>
      <Field label="API key" value={key} onInput={setKey} />
    </FlowStep>
  )
}

function CreateWorkflow(flow: Flow) {
  const { admin, route, linkTo } = useShared()
  const { workflow: id } = flow.done
  const [workflow, setWorkflow] = useState({ name: 'Supplier contract', steps: people })
  const create = async () => {
    const body = workflowBody(workflow)
    const { workflow_id } = await send<Schemas['Workflow']>(admin, route.tenant, 'createWorkflow', {}, body)
    return { workflow: workflow_id }
  }
  const result = id !== undefined && (
    <p>
      <a href={linkTo({ view: 'workflows', id })}>{workflow.name}</a> is created.
    </p>
  )
  const texts = { title: 'Create a workflow', call: 'POST /api/v1/workflows', action: 'Create workflow' }
  return (
    <FlowStep {...{ ...flow, ...texts, result }} isNext={route.tenant !== undefined} calls={create}>
      <WorkflowFields value={workflow} onChange={setWorkflow} />
    </FlowStep>
  )
}

function UploadDocument(flow: Flow) {
  const { admin, route } = useShared()
  const { document: id, fileName } = flow.done
  const file = useRef<HTMLInputElement>(null)
  const upload = async () => {
    const chosen = file.current?.files?.[0] ?? new File([sample.text], sample.name, { type: sample.type })
    const { document_id } = await uploadFile(admin, route.tenant, chosen)
    return { document: document_id, fileName: chosen.name }
  }
  const result = id !== undefined && (
    <p>
      <span class="text">{fileName}</span> is document <span class="mono">{id}</span>.
    </p>
  )
  const call = 'POST /api/v1/upload/, PUT upload_url, POST /api/v1/upload/confirm'
  const texts = { title: 'Upload a document', call, action: 'Upload' }
  return (
    <FlowStep {...{ ...flow, ...texts, result }} isNext={route.tenant !== undefined} calls={upload}>
      <label class="field">
        <span>File (a small text file if you choose none)</span>
        <input type="file" ref={file} />
      </label>
    </FlowStep>
  )
}

function ExecuteWorkflow(flow: Flow) {
  const { admin, route } = useShared()
  const { workflow: workflow_id = '', document: document_id, execution: id } = flow.done
  const [submitter, setSubmitter] = useState('sam@example.com')
  const execute = async () => {
    const body = { document_id, submitter_email: submitter, priority: 'normal' }
    const { execution_id } = await send<Execution>(admin, route.tenant, 'executeWorkflow', { workflow_id }, body)
    return { execution: execution_id }
  }
  const result = id !== undefined && (
    <p>
      Execution <span class="mono">{id}</span> has started.
    </p>
  )
  const call = 'POST /api/v1/workflows/{workflow_id}/execute'
  const texts = { title: 'Execute the workflow', call, action: 'Execute' }
  const isNext = workflow_id !== '' && document_id !== undefined
  return (
    <FlowStep {...{ ...flow, ...texts, result, isNext }} calls={execute}>
      <Field label="Submitter's e-mail address" type="email" value={submitter} onInput={setSubmitter} />
    </FlowStep>
  )
}

/** A step of the flow: its form, or what came of it. */
function FlowStep(
  props: Flow & {
    readonly title: string
    readonly call: string
    readonly action: string
    readonly isNext: boolean
    readonly calls: () => Promise<Done>
    readonly result: ComponentChildren
    readonly children: ComponentChildren
  },
) {
  const { title, call, isNext, action, busy, run, calls, result, children } = props
  const submit = (event: Event) => {
    event.preventDefault()
    run(calls)
  }
  return (
    <li class={result ? 'done' : isNext ? 'next' : ''}>
      <h3>{title}</h3>
      <p class="mono second">{call}</p>
      {result || (
        <form onSubmit={submit}>
          <fieldset disabled={!isNext || busy} aria-label={title}>
            {children}
            <button type="submit" class="primary">
              {action}
            </button>
          </fieldset>
        </form>
      )}
    </li>
  )
}

interface WorkflowForm {
  readonly name: string
  readonly steps: typeof people
}

function WorkflowFields({
  value,
  onChange,
}: {
  readonly value: WorkflowForm
  readonly onChange: (value: WorkflowForm) => void
}) {
  const change = (index: number, part: Partial<WorkflowForm['steps'][number]>) =>
    onChange({ ...value, steps: value.steps.map((step, at) => (at === index ? { ...step, ...part } : step)) })
  return (
    <>
      <Field label="Name" value={value.name} onInput={(name) => onChange({ ...value, name })} />
      {value.steps.map((step, index) => (
        <div class="fields" key={index}>
          <Field label={`Step ${index + 1}`} value={step.step} onInput={(name) => change(index, { step: name })} />
          <Field label="Approver" value={step.name} onInput={(name) => change(index, { name })} />
          <Field label="E-mail" type="email" value={step.email} onInput={(email) => change(index, { email })} />
          <Field
            label="Minutes"
            type="number"
            min={1}
            value={step.minutes}
            onInput={(minutes) => change(index, { minutes })}
          />
        </div>
      ))}
      <p class="actions">
        <button
          type="button"
          onClick={() =>
            onChange({
              ...value,
              steps: [...value.steps, { step: 'Sign-off', name: 'Kim Abel', email: 'kim@example.com', minutes: '30' }],
            })
          }
        >
          Add a step
        </button>
        {value.steps.length > 1 && (
          <button type="button" onClick={() => onChange({ ...value, steps: value.steps.slice(0, -1) })}>
            Remove the last step
          </button>
        )}
      </p>
    </>
  )
}

/** The steps that wait for a decision, until the execution has ended. */
function Approval(props: { readonly execution: string; readonly tenant: string; readonly onAgain: () => void }) {
  const { execution: execution_id, tenant, onAgain } = props
  const { admin, attempt } = useShared()
  const query = { tenant_id: tenant }
  const beat = useBeat((event) => event.execution_id === execution_id, 250)
  const { value, reload } = useLoaded(
    (signal) => admin.call('readExecution', { params: { execution_id }, query, signal }),
    [execution_id, beat],
  )
  const { box, expectLoss } = useFocusAfter<HTMLLIElement>(true)
  if (!value) return null
  const { status, steps } = value.execution as unknown as Execution
  const decide = async (step_id: string, approver_email: string, decision: 'approved' | 'rejected') => {
    expectLoss(true)
    const isDone = await attempt(async () => {
      await admin.call('decideStep', { params: { execution_id }, query, body: { step_id, decision, approver_email } })
      reload()
    })
    if (!isDone) expectLoss(false)
  }
  return (
    <li class={status === 'running' ? 'next' : 'done'} ref={box}>
      <h3>Approve it</h3>
      <p class="mono second">Simulated approvers decide by themselves in time; here you decide for them.</p>
      <ul class="plain decisions">
        {steps.map(({ step_id, name, status, assignee }) => (
          <li key={step_id}>
            <span class="text strong">{name}</span> <Status of={status} />{' '}
            <span class="text second">{assignee?.name}</span>
            {status === 'assigned' && assignee && (
              <span class="buttons">
                <button type="button" class="primary" onClick={() => decide(step_id, assignee.email, 'approved')}>
                  Approve
                </button>
                <button type="button" class="danger" onClick={() => decide(step_id, assignee.email, 'rejected')}>
                  Reject
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {status !== 'running' && (
        <p tabIndex={-1}>
          The document is {status}.{' '}
          <a href={hashOf({ view: 'executions', tenant, id: execution_id })}>See its timeline</a>, or{' '}
          <button type="button" onClick={onAgain}>
            start another one
          </button>
        </p>
      )}
    </li>
  )
}

/** Returns the body of a workflow. The identifier of a step is made of its place. */
function workflowBody({ name, steps }: WorkflowForm): Partial<Body<'createWorkflow'>> {
  return {
    name,
    steps: steps.map(({ step, name: approver, email, minutes }, index) => ({
      step_id: `step-${index + 1}`,
      name: step,
      order: index + 1,
      type: 'approval',
      approvers: [{ email, name: approver }],
      estimated_duration: Number(minutes),
    })),
  }
}

type Call = Body<'sendCall'>

/** Makes a call of the service as a tenant. Throws the reason if the service refuses it. */
async function send<Result>(
  admin: Admin,
  tenant: string | undefined,
  operation_id: Call['operation_id'],
  params: Call['params'],
  body: unknown,
): Promise<Result> {
  const query = { tenant_id: tenant }
  return resultOf<Result>(await admin.call('sendCall', { query, body: { operation_id, params, body } }))
}

/** Returns the body of an answer, as the contract writes it. Throws the reason of a refusal. */
function resultOf<Result>({ status, body, contract_body }: Schemas['SentCallAnswer']): Result {
  // With a profile, the names are those of a deployment.
  const result = contract_body ?? body
  if (status > 0 && status < 300) return result as Result
  const { detail, errors = [] } = (typeof result === 'object' && result ? result : {}) as Partial<Schemas['Problem']>
  const violations = errors.map(({ pointer, message }) => `${pointer} ${message}`)
  throw new Error([detail ?? `The mock answered ${status}.`, ...violations].join(' '))
}

async function uploadFile(admin: Admin, tenant: string | undefined, file: File): Promise<Schemas['Document']> {
  const request = { file_name: file.name, content_type: file.type || 'application/octet-stream', file_size: file.size }
  const { session_id, key } = await send<Schemas['Upload']>(admin, tenant, 'requestUpload', {}, request)
  resultOf(await admin.call('writeObject', { params: { session_id }, query: { tenant_id: tenant }, file }))
  const confirmation = { session_id, completed_files: [{ key, file_name: file.name }] }
  return send(admin, tenant, 'confirmUpload', {}, confirmation)
}
