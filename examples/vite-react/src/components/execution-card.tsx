import type { Schemas } from '../api.ts'
import { useExecution } from '../use-execution.ts'
import { ErrorNote } from './error-note.tsx'

interface Props {
  readonly execution: Schemas['Execution']
  readonly isLatest: boolean
  readonly onEnd: () => void
}

/** Shows an execution: the state of each step, its assignee, and the reason for the choice. Updates as approvers decide. */
export function ExecutionCard({ execution: known, isLatest, onEnd }: Props) {
  const { execution, error } = useExecution(known, onEnd)
  const { execution_id, status, priority, started_at, steps } = execution
  return (
    <details className="execution" open={isLatest}>
      <summary>
        <span className="badge" data-status={status}>
          {status}
        </span>{' '}
        {new Date(started_at).toLocaleString()}, {priority} priority
      </summary>
      <p role="status" className="hint">
        {summaryOf(execution)}
      </p>
      <ErrorNote error={error} />
      <ol className="steps" aria-label={`Steps of ${execution_id}`}>
        {steps.map((step) => (
          <li key={step.step_id} data-status={step.status}>
            <strong>{step.name}</strong>{' '}
            <span className="badge" data-status={step.status}>
              {step.status}
            </span>
            {step.assignee && <p>{step.assignee.name}</p>}
            {step.routing && <p className="hint">{step.routing.reason}</p>}
          </li>
        ))}
      </ol>
    </details>
  )
}

function summaryOf({ status, steps }: Schemas['Execution']): string {
  switch (status) {
    case 'approved':
      return 'Everybody approved.'
    case 'rejected':
      return `${steps.find((step) => step.status === 'rejected')?.assignee?.name} rejected it.`
    case 'running': {
      const open = steps.filter((step) => step.status === 'assigned')
      return `Waiting for ${open.map(({ assignee, name }) => `${assignee?.name} (${name})`).join(' and ')}.`
    }
    default:
      return status satisfies never
  }
}
