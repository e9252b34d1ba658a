import type { Schemas } from '../../contract/operations.ts'
import { useAnswer, useBeat, useScope } from '../live/hooks.ts'
import { linkTo } from '../live/live.ts'
import { Copied, Pending } from '../parts/basics.tsx'
import { countText, durationText, numberText, shareText, timeText } from '../parts/format.ts'
import { TenantList } from '../parts/tenant-list.tsx'
import { Analytics } from './analytics.tsx'

type Summary = Schemas['WorkflowSummary']

/** All workflows of a tenant, and the selected one with its analytics. */
export function Workflows() {
  return (
    <TenantList<Summary>
      kind="workflow"
      row={(item) => <WorkflowRow of={item} />}
      empty={
        <p>
          No workflows. <a href={linkTo({ view: 'start' })}>Start</a> has a form that creates one.
        </p>
      }
      detail={(id) => <WorkflowDetail key={id} id={id} />}
    />
  )
}

function WorkflowRow({ of: item }: { readonly of: Summary }) {
  const all = Math.max(1, item.approved + item.rejected + item.running)
  return (
    <>
      <span class="text strong first">{item.name}</span>
      <span class="aside figures">{timeText(item.created_at)}</span>
      <span class="text second first">
        {countText(item.steps, 'step')} · {countText(item.executions, 'execution')}
      </span>
      <span class="aside shares" aria-hidden="true">
        {(['approved', 'rejected', 'running'] as const).map((state) => (
          <span key={state} class={state} style={{ width: `${(item[state] / all) * 72}px` }} />
        ))}
      </span>
    </>
  )
}

function WorkflowDetail({ id }: { readonly id: string }) {
  const query = useScope()
  const beat = useBeat(({ workflow_id }) => workflow_id !== undefined)
  const request = { params: { workflow_id: id }, query }
  const { value, error } = useAnswer('readWorkflow', request, query.as_of === undefined && beat)
  if (!value) return <Pending error={error} />
  const details = value.details as unknown as Schemas['WorkflowDetails']
  const { total, running, approved, rejected, success_rate, completion_time } = details.execution_metrics
  const metrics = {
    Executions: numberText(total),
    Running: numberText(running),
    Approved: numberText(approved),
    Rejected: numberText(rejected),
    Success: success_rate === null ? '–' : shareText(success_rate),
    'Median time': completion_time ? durationText(completion_time.p50_minutes) : '–',
  }
  return (
    <article>
      <header>
        <h2 class="text">{details.name}</h2>
        <Copied text={id} />
      </header>
      {details.description && <p class="text lead">{details.description}</p>}
      <dl class="metrics">
        {Object.entries(metrics).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="figures">{text}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href={linkTo({ view: 'executions', workflow: id, id: undefined })}>Its executions</a>
      </p>
      <Analytics details={details} minutes={value.completion_minutes} />
    </article>
  )
}
