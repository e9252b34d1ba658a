import type { Schemas } from '../../contract/operations.ts'
import { useBeat, useLoaded, useShared } from '../live/hooks.ts'
import { Copied, Failure } from '../parts/basics.tsx'
import { countText, durationText, numberText, shareText, timeText } from '../parts/format.ts'
import { ListView, useTenantList } from '../parts/list-view.tsx'
import { Analytics } from './analytics.tsx'

type Summary = Schemas['WorkflowSummary']
type Details = Schemas['WorkflowDetails']

/** All workflows of a tenant, and the selected one with its analytics. */
export function Workflows() {
  const { route, linkTo } = useShared()
  const beat = useBeat(({ workflow_id }) => workflow_id !== undefined)
  const list = useTenantList<Summary>('workflows', (item) => item.workflow_id, beat)
  const selected = route.id ?? list.items[0]?.workflow_id
  return (
    <ListView
      what="workflows"
      {...{ list, selected, rowHeight: 54, isLoading: list.total === undefined }}
      filters={<p class="count">{list.total === undefined ? '…' : countText(list.total, 'workflow')}</p>}
      row={(item) => <WorkflowRow of={item} />}
      empty={
        <p>
          No workflows. <a href={linkTo({ view: 'start' })}>Start</a> has a form that creates one.
        </p>
      }
      detail={selected !== undefined && <WorkflowDetail key={selected} id={selected} beat={beat} />}
    />
  )
}

function WorkflowRow({ of: item }: { readonly of: Summary }) {
  const ended = Math.max(1, item.approved + item.rejected + item.running)
  return (
    <>
      <span class="text strong first">{item.name}</span>
      <span class="aside figures">{timeText(item.created_at)}</span>
      <span class="text second first">
        {countText(item.steps, 'step')} · {countText(item.executions, 'execution')}
      </span>
      <span class="aside shares" aria-hidden="true">
        <span class="approved" style={{ width: `${(item.approved / ended) * 72}px` }} />
        <span class="rejected" style={{ width: `${(item.rejected / ended) * 72}px` }} />
        <span class="running" style={{ width: `${(item.running / ended) * 72}px` }} />
      </span>
    </>
  )
}

function WorkflowDetail({ id, beat }: { readonly id: string; readonly beat: number }) {
  const { admin, route, linkTo } = useShared()
  const { tenant: tenant_id = '', asOf: as_of } = route
  const { value, error } = useLoaded(
    (signal) => admin.call('readWorkflow', { params: { workflow_id: id }, query: { tenant_id, as_of }, signal }),
    [`${id} ${as_of}`, as_of === undefined ? beat : 0],
  )
  if (error) return <Failure error={error} />
  if (!value) return <p class="hint">Loading …</p>
  const details = value.details as unknown as Details
  const { total, running, approved, rejected, success_rate, completion_time } = details.execution_metrics
  return (
    <article>
      <header>
        <h2 class="text">{details.name}</h2>
        <Copied text={id} />
      </header>
      {details.description && <p class="text lead">{details.description}</p>}
      <dl class="metrics">
        <Metric name="Executions" text={numberText(total)} />
        <Metric name="Running" text={numberText(running)} />
        <Metric name="Approved" text={numberText(approved)} />
        <Metric name="Rejected" text={numberText(rejected)} />
        <Metric name="Success" text={success_rate === null ? '–' : shareText(success_rate)} />
        <Metric name="Median time" text={completion_time ? durationText(completion_time.p50_minutes) : '–'} />
      </dl>
      <p>
        <a href={linkTo({ view: 'executions', workflow: id, id: undefined })}>Its executions</a>
      </p>
      <Analytics details={details} minutes={value.completion_minutes} />
    </article>
  )
}

function Metric({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figures">{text}</dd>
    </div>
  )
}
