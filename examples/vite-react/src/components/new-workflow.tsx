import { dataOf } from 'countersign/client'
import { client, type Schemas } from '../api.ts'
import { useAction } from '../use-action.ts'
import { ErrorNote } from './error-note.tsx'

const examples = [
  { name: 'Legal review', minutes: 120, approvers: 'Lena Ortiz <lena@example.com>\nMarc Hale <marc@example.com>' },
  { name: 'Finance sign-off', minutes: 45, approvers: 'Ines Roth <ines@example.com>' },
]

interface Props {
  readonly isFirst: boolean
  readonly onCreated: (workflow: Schemas['Workflow']) => void
}

export function NewWorkflow({ isFirst, onCreated }: Props) {
  const { isRunning, error, run } = useAction()
  const create = (form: HTMLFormElement) =>
    run(async () => {
      const body = workflowOf(new FormData(form))
      onCreated(await dataOf(client.POST('/api/v1/workflows', { body })))
      form.closest('details')?.removeAttribute('open')
    })
  return (
    <details className="card" open={isFirst}>
      <summary>
        <h2>New workflow</h2>
      </summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create(event.currentTarget)
        }}
      >
        <label>
          Name
          <input name="name" defaultValue="Supplier contract" required maxLength={100} />
        </label>
        <label>
          Description
          <textarea name="description" rows={2} defaultValue="Legal reads first, then finance." />
        </label>
        {examples.map(({ name, minutes, approvers }, index) => (
          <fieldset key={name}>
            <legend>Step {index + 1}</legend>
            <label>
              Step name
              <input name="step" defaultValue={name} required />
            </label>
            <label>
              Estimate in minutes
              <input name="minutes" type="number" min={1} defaultValue={minutes} required />
            </label>
            <label>
              Approvers, one per line
              <textarea name="approvers" rows={2} defaultValue={approvers} required />
            </label>
          </fieldset>
        ))}
        <label className="check">
          <input name="isSequential" type="checkbox" defaultChecked /> One step after the other
        </label>
        <ErrorNote error={error} />
        <button type="submit" className="primary" disabled={isRunning}>
          Create workflow
        </button>
      </form>
    </details>
  )
}

function workflowOf(form: FormData): Schemas['WorkflowRequest'] {
  const all = (name: string) => form.getAll(name).map(String)
  const [minutes, approvers] = [all('minutes'), all('approvers')]
  return {
    name: String(form.get('name')),
    description: String(form.get('description')),
    isSequential: form.has('isSequential'),
    steps: all('step').map((name, index) => ({
      step_id: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      name,
      order: index + 1,
      type: 'approval',
      approvers: (approvers[index] ?? '').trim().split('\n').map(approverOf),
      estimated_duration: Number(minutes[index]),
    })),
  }
}

/** Reads `Lena Ortiz <lena@example.com>`; the service judges whether it is an address. */
function approverOf(line: string): Schemas['Approver'] {
  const [, name = '', email = line.trim()] = /^(.*?)\s*<(.+)>\s*$/.exec(line) ?? []
  return { name: name || email, email }
}
