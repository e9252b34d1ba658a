import type { Schemas } from '../api.ts'
import { duration, percent } from '../format.ts'

/** Shows the service's analytics and recommendations. */
export function Analytics({ details }: { readonly details: Schemas['WorkflowDetails'] }) {
  const { execution_metrics: metrics, optimization_recommendations: recommendations, steps } = details
  const figures = [
    ['Executions', metrics.total],
    ['Running', metrics.running],
    ['Approved', metrics.approved],
    ['Rejected', metrics.rejected],
    ['Success rate', percent(metrics.success_rate)],
    ['Mean time', duration(metrics.completion_time?.mean_minutes)],
    ['90 % within', duration(metrics.completion_time?.p90_minutes)],
  ] as const
  const nameOf = (id: string) => steps.find(({ step_id }) => step_id === id)?.name ?? id
  return (
    <section className="card" aria-labelledby="analytics">
      <h3 id="analytics">Analytics</h3>
      <dl className="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <StepTable performance={details.step_performance} nameOf={nameOf} />
      <Findings title="Bottlenecks" messages={details.bottlenecks.map(({ message }) => message)} />
      <Findings title="Recommendations" messages={recommendations.map(({ message }) => message)} />
    </section>
  )
}

function Findings({ title, messages }: { readonly title: string; readonly messages: readonly string[] }) {
  return (
    <>
      <h4>{title}</h4>
      {messages.length === 0 ? (
        <p>None in what has happened so far.</p>
      ) : (
        <ul>
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </>
  )
}

interface TableProps {
  readonly performance: readonly Schemas['StepPerformance'][]
  readonly nameOf: (step_id: string) => string
}

function StepTable({ performance, nameOf }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="scrolling" aria-label="Step performance" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {['Step', 'Open', 'Approved', 'Rejected', 'Waiting', 'Working', 'Estimate', 'Share of time'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {performance.map((step) => (
            <tr key={step.step_id}>
              <th scope="row">{nameOf(step.step_id)}</th>
              <td>{step.assigned}</td>
              <td>{step.approved}</td>
              <td>{step.rejected}</td>
              <td>{duration(step.waiting_time?.mean_minutes)}</td>
              <td>{duration(step.working_time?.mean_minutes)}</td>
              <td>{duration(step.estimated_minutes)}</td>
              <td>{percent(step.critical_path_share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
