import { ClientError } from 'countersign/client'
import { duration } from '../format.ts'
import { useDetails } from '../use-details.ts'
import type { Remembered } from '../use-remembered.ts'
import { Analytics } from './analytics.tsx'
import { ErrorNote } from './error-note.tsx'
import { ExecutionCard } from './execution-card.tsx'
import { SubmitDocument } from './submit-document.tsx'

interface Props {
  readonly workflow: Remembered
  /** True if the user has just opened it; if so, it gets the focus. */
  readonly isChosen: boolean
  readonly onForget: () => void
}

const focus = (heading: HTMLElement | null) => heading?.focus()

export function WorkflowPage({ workflow: { workflow_id, name }, isChosen, onForget }: Props) {
  const { details, error, reload } = useDetails(workflow_id)
  const isUnknown = error instanceof ClientError && error.code === 'workflow-not-found'
  return (
    <article aria-labelledby="workflow">
      <section className="card">
        <h2 id="workflow" tabIndex={-1} ref={isChosen ? focus : null}>
          {name}
        </h2>
        {!details && error === undefined && <p role="status">Loading…</p>}
        <ErrorNote error={error}>
          <button type="button" onClick={isUnknown ? onForget : reload}>
            {isUnknown ? 'Forget this workflow' : 'Try again'}
          </button>
        </ErrorNote>
        {details && (
          <>
            <p>{details.description}</p>
            <p className="hint">{details.isSequential ? 'One step after the other:' : 'All steps at once:'}</p>
            <ol>
              {details.steps.map((step) => (
                <li key={step.step_id}>
                  {step.name}{' '}
                  <span className="hint">
                    about {duration(step.estimated_duration)}, by {step.approvers.map((one) => one.name).join(' or ')}
                  </span>
                </li>
              ))}
            </ol>
          </>
        )}
      </section>
      {details && (
        <>
          <SubmitDocument workflowId={workflow_id} onStarted={reload} />
          <section className="card" aria-labelledby="executions">
            <h3 id="executions">Executions</h3>
            {details.recent_executions.length === 0 && <p>None yet.</p>}
            {details.recent_executions.map((execution, index) => (
              <ExecutionCard key={execution.execution_id} execution={execution} isLatest={index === 0} onEnd={reload} />
            ))}
          </section>
          <Analytics details={details} />
        </>
      )}
    </article>
  )
}
