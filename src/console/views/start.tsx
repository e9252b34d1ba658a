import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Body, Schemas } from '../../contract/operations.ts'
import { tenantName } from '../../contract/tenant-name.ts'
import { callAdmin, refusalText } from '../live/admin.ts'
import { useLive } from '../live/hooks.ts'
import { attemptCalls, go, linkTo } from '../live/live.ts'
import { Field, Form, Status } from '../parts/basics.tsx'
import { useFocusAfter } from '../parts/focus.ts'
import { useExecution } from './execution-detail.tsx'

const sample = new File(['Supplier contract\n\nThis file was made by the start page of the mock.\n'], 'contract.txt', {
  type: 'text/plain',
})

const people = [
  { step: 'Legal review', approver: 'Lena Ortiz', email: 'lena@example.com', minutes: 120 },
  { step: 'Finance sign-off', approver: 'Ines Roth', email: 'ines@example.com', minutes: 45 },
]

/** What the steps have made so far. */
interface Done {
  readonly workflow?: Schemas['Workflow']
  readonly document?: Schemas['Document']
  readonly execution?: Schemas['Execution']
}

/** A step of the flow. */
interface FlowStep {
  readonly title: string
  /** The calls that it makes. */
  readonly call: string
  readonly action: string
  readonly fields: ComponentChildren
  readonly isNext: boolean
  /** Says what came of it. */
  readonly result: ComponentChildren
  /** Makes its calls, and returns what they have made. */
  readonly run: (entered: FormData) => Promise<Done>
}

/** Leads through the documented flow: a workflow, an upload, an execution and its approval. */
export function Start() {
  const { tenant } = useLive('route')
  const [done, setDone] = useState<Done>({})
  const [busy, setBusy] = useState(false)
  const { box, expectLoss } = useFocusAfter<HTMLOListElement>()
  // The work of one tenant is unknown to another one.
  useEffect(() => setDone({}), [tenant])
  const submit = async (calls: () => Promise<Done>) => {
    setBusy(true)
    expectLoss(true)
    await attemptCalls(async () => {
      const made = await calls()
      setDone((before) => ({ ...before, ...made }))
    })
    setBusy(false)
  }
  const again = () => {
    expectLoss(true)
    setDone({})
  }
  const steps = [tenantStep(tenant), workflowStep(tenant, done), uploadStep(tenant, done), executionStep(tenant, done)]
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
        {steps.map(({ title, call, action, fields, isNext, result, run }) => (
          <li key={title} class={result ? 'done' : isNext ? 'next' : ''}>
            <h3>{title}</h3>
            <p class="mono second">{call}</p>
            <Form isHidden={Boolean(result)} onSubmit={(entered) => submit(() => run(entered))}>
              <fieldset disabled={Boolean(result) || !isNext || busy} aria-label={title}>
                {fields}
                <button type="submit" class="primary">
                  {action}
                </button>
              </fieldset>
            </Form>
            {result}
          </li>
        ))}
        {done.execution && tenant && <Approval execution={done.execution.execution_id} onAgain={again} />}
      </ol>
    </article>
  )
}

function tenantStep(tenant: string | undefined): FlowStep {
  return {
    title: 'Open a tenant',
    call: 'Authorization: test_…',
    action: 'Open',
    fields: <Field label="API key" name="key" defaultValue="test_console" />,
    isNext: true,
    result: tenant !== undefined && (
      <p>
        Tenant <span class="mono">{tenantName(tenant)}</span> is open. Every key that starts with test_ has a tenant of
        its own.
      </p>
    ),
    async run(entered) {
      const { tenant_id } = await callAdmin('openTenant', { key: String(entered.get('key')) })
      go({ tenant: tenant_id })
      return {}
    },
  }
}

function workflowStep(tenant: string | undefined, { workflow }: Done): FlowStep {
  return {
    title: 'Create a workflow',
    call: 'POST /api/v1/workflows',
    action: 'Create workflow',
    fields: <WorkflowFields />,
    isNext: tenant !== undefined,
    result: workflow && (
      <p>
        <a href={linkTo({ view: 'workflows', id: workflow.workflow_id })}>{workflow.name}</a> is created.
      </p>
    ),
    run: async (entered) => ({ workflow: await send(tenant, 'createWorkflow', {}, workflowIn(entered)) }),
  }
}

function uploadStep(tenant: string | undefined, { document }: Done): FlowStep {
  return {
    title: 'Upload a document',
    call: 'POST /api/v1/upload/, PUT upload_url, POST /api/v1/upload/confirm',
    action: 'Upload',
    fields: <Field label="File (a small text file if you choose none)" type="file" name="file" required={false} />,
    isNext: tenant !== undefined,
    result: document && (
      <p>
        <span class="text">{document.file_name}</span> is document <span class="mono">{document.document_id}</span>.
      </p>
    ),
    async run(entered) {
      const chosen = entered.get('file') as File
      // Without a choice, the form has a file without a name.
      return { document: await uploadFile(tenant, chosen.name === '' ? sample : chosen) }
    },
  }
}

function executionStep(tenant: string | undefined, { workflow, document, execution }: Done): FlowStep {
  return {
    title: 'Execute the workflow',
    call: 'POST /api/v1/workflows/{workflow_id}/execute',
    action: 'Execute',
    fields: (
      <Field label="Submitter's e-mail address" type="email" name="submitter_email" defaultValue="sam@example.com" />
    ),
    isNext: workflow !== undefined && document !== undefined,
    result: execution && (
      <p>
        Execution <span class="mono">{execution.execution_id}</span> has started.
      </p>
    ),
    async run(entered) {
      const body = { ...Object.fromEntries(entered), document_id: document?.document_id, priority: 'normal' }
      const params = { workflow_id: workflow?.workflow_id ?? '' }
      return { execution: await send(tenant, 'executeWorkflow', params, body) }
    },
  }
}

function WorkflowFields() {
  const [steps, setSteps] = useState(people)
  const another = { step: 'Sign-off', approver: 'Kim Abel', email: 'kim@example.com', minutes: 30 }
  return (
    <>
      <Field label="Name" name="name" defaultValue="Supplier contract" />
      {steps.map(({ step, approver, email, minutes }, index) => (
        <div class="fields" key={index}>
          <Field label={`Step ${index + 1}`} name="step" defaultValue={step} />
          <Field label="Approver" name="approver" defaultValue={approver} />
          <Field label="E-mail" type="email" name="email" defaultValue={email} />
          <Field label="Minutes" type="number" name="minutes" min={1} defaultValue={minutes} />
        </div>
      ))}
      <p class="actions">
        <button type="button" onClick={() => setSteps([...steps, another])}>
          Add a step
        </button>
        {steps.length > 1 && (
          <button type="button" onClick={() => setSteps(steps.slice(0, -1))}>
            Remove the last step
          </button>
        )}
      </p>
    </>
  )
}

/** Returns the workflow in a form. The identifier of a step is made of its place. */
function workflowIn(entered: FormData): Partial<Body<'createWorkflow'>> {
  const text = (name: string, index = 0) => String(entered.getAll(name)[index])
  return {
    name: text('name'),
    steps: entered.getAll('step').map((name, index) => ({
      step_id: `step-${index + 1}`,
      name: String(name),
      order: index + 1,
      type: 'approval',
      approvers: [{ email: text('email', index), name: text('approver', index) }],
      estimated_duration: Number(text('minutes', index)),
    })),
  }
}

/** The steps that wait for a decision, until the execution has ended. */
function Approval({ execution: id, onAgain }: { readonly execution: string; readonly onAgain: () => void }) {
  const { execution, box, buttonsFor } = useExecution<HTMLLIElement>(id, undefined, true)
  if (!execution) return null
  const { status, steps } = execution
  return (
    <li class={status === 'running' ? 'next' : 'done'} ref={box}>
      <h3>Approve it</h3>
      <p class="mono second">Simulated approvers decide by themselves in time; here you decide for them.</p>
      <ul class="plain decisions">
        {steps.map((step) => (
          <li key={step.step_id}>
            <span class="text strong">{step.name}</span> <Status of={step.status} />{' '}
            <span class="text second">{step.assignee?.name}</span>
            {buttonsFor(step)}
          </li>
        ))}
      </ul>
      {status !== 'running' && (
        <p tabIndex={-1}>
          The document is {status}. <a href={linkTo({ view: 'executions', id, as_of: undefined })}>See its timeline</a>,
          or{' '}
          <button type="button" onClick={onAgain}>
            start another one
          </button>
        </p>
      )}
    </li>
  )
}

type Call = Body<'sendCall'>

/** Makes a call of the service as a tenant. Throws the reason if the service refuses it. */
async function send<Result>(
  tenant_id: string | undefined,
  operation_id: Call['operation_id'],
  params: Call['params'],
  body: unknown,
): Promise<Result> {
  return resultOf(await callAdmin('sendCall', { query: { tenant_id }, body: { operation_id, params, body } }))
}

/** Returns the body of an answer, as the contract writes it. Throws the reason of a refusal. */
function resultOf<Result>({ status, body, contract_body }: Schemas['SentCallAnswer']): Result {
  // With a profile, the names are those of a deployment.
  const result = contract_body ?? body
  if (status > 0 && status < 300) return result as Result
  const { detail = `The mock answered ${status}.`, errors }: Partial<Schemas['Problem']> = Object(result)
  throw new Error(refusalText({ detail, ...(errors && { errors }) }))
}

async function uploadFile(tenant_id: string | undefined, file: File): Promise<Schemas['Document']> {
  const { name: file_name, type, size: file_size } = file
  const request = { file_name, content_type: type || 'application/octet-stream', file_size }
  const { session_id, key } = await send<Schemas['Upload']>(tenant_id, 'requestUpload', {}, request)
  resultOf(await callAdmin('writeObject', { params: { session_id }, query: { tenant_id }, file }))
  return send(tenant_id, 'confirmUpload', {}, { session_id, completed_files: [{ key, file_name }] })
}
