import type { Schemas } from '../../contract/operations.ts'
import { useBeat, useLoaded, useShared } from '../live/hooks.ts'
import { Choice, Mark } from '../parts/basics.tsx'
import { countText, numberText, timeText } from '../parts/format.ts'
import { ListView, useTenantList } from '../parts/list-view.tsx'
import { ExecutionDetail } from './execution-detail.tsx'

type Summary = Schemas['ExecutionSummary']

/** All executions of a tenant, and the selected one in detail. */
export function Executions() {
  const { route } = useShared()
  const { workflow: workflow_id, status, id } = route
  const beat = useBeat(({ execution_id, type }) => execution_id !== undefined || type === 'WorkflowCreated')
  const list = useTenantList<Summary>('executions', (item) => item.execution_id, beat, { workflow_id, status })
  const selected = id ?? list.items[0]?.execution_id
  return (
    <ListView
      what="executions"
      {...{ list, selected, rowHeight: 54, isLoading: list.total === undefined }}
      filters={<Filters total={list.total} />}
      row={(item) => <ExecutionRow of={item} />}
      empty={<NoExecutions />}
      detail={
        selected !== undefined && (
          <ExecutionDetail
            key={selected}
            id={selected}
            name={list.items.find((item) => item.execution_id === selected)?.workflow_name}
          />
        )
      }
    />
  )
}

function Filters({ total }: { readonly total: number | undefined }) {
  const { admin, route, go } = useShared()
  const { tenant: tenant_id = '', asOf: as_of, workflow, status } = route
  const { value } = useLoaded(
    (signal) => admin.call('listWorkflows', { query: { tenant_id, as_of, limit: 500 }, signal }),
    [tenant_id, as_of],
  )
  const names = value?.workflows ?? []
  return (
    <>
      <Choice
        label="Workflow"
        value={workflow ?? ''}
        options={[['', 'all'], ...names.map((one) => [one.workflow_id, one.name] as const)]}
        onChange={(value) => go({ workflow: value || undefined, id: undefined })}
      />
      <Choice
        label="State"
        value={status ?? ''}
        options={[['', 'all'], ...['running', 'approved', 'rejected'].map((one) => [one, one] as const)]}
        onChange={(value) => go({ status: value || undefined, id: undefined })}
      />
      <p class="count">{total === undefined ? '…' : countText(total, 'execution')}</p>
    </>
  )
}

function NoExecutions() {
  const { linkTo } = useShared()
  return (
    <p>
      No executions. <a href={linkTo({ view: 'start' })}>Start</a> has a form that creates one, or load the scenario
      busy-quarter above.
    </p>
  )
}

function ExecutionRow({ of: item }: { readonly of: Summary }) {
  const { steps_decided: decided, steps_total: total, waiting_for: waiting } = item
  return (
    <>
      <Mark of={item.status} />
      <span class="text strong">{item.workflow_name}</span>
      <span class="aside figures">{timeText(item.started_at)}</span>
      <span class="text second">
        {waiting.length > 0 ? `waits for ${waiting.join(', ')}` : `submitted by ${item.submitter_email}`}
      </span>
      <span class="aside second figures" title={`${numberText(decided)} of ${countText(total, 'step')} decided`}>
        {item.priority === 'high' ? 'high · ' : ''}
        {decided}/{total}
      </span>
    </>
  )
}
