import type { Schemas } from '../../contract/operations.ts'
import { useBeat, useLoaded, useShared } from '../live/hooks.ts'
import { usePaged } from '../live/paged.ts'
import { Choice, Failure, Halves, Mark } from '../parts/basics.tsx'
import { countText, numberText, timeText } from '../parts/format.ts'
import { VirtualList } from '../parts/virtual-list.tsx'
import { ExecutionDetail } from './execution-detail.tsx'

type Summary = Schemas['ExecutionSummary']

/** All executions of a tenant, and the selected one in detail. */
export function Executions() {
  const { admin, route, go, linkTo } = useShared()
  const { tenant: tenant_id = '', asOf: as_of, workflow: workflow_id, status, id } = route
  const beat = useBeat(({ execution_id, type }) => execution_id !== undefined || type === 'WorkflowCreated')
  const isLive = as_of === undefined
  const list = usePaged<Summary>(
    async (before, signal) => {
      const query = { tenant_id, as_of, workflow_id, status, before, limit: 200 }
      const { executions: items, ...page } = await admin.call('listExecutions', { query, signal })
      return { ...page, items }
    },
    (item) => item.execution_id,
    JSON.stringify([tenant_id, as_of, workflow_id, status]),
    isLive ? beat : 0,
  )
  const workflows = useLoaded(
    (signal) => admin.call('listWorkflows', { query: { tenant_id, as_of, limit: 500 }, signal }),
    [tenant_id, as_of],
  )
  const names = workflows.value?.workflows ?? []
  const selected = id ?? list.items[0]?.execution_id

  return (
    <Halves
      what="executions"
      isOpen={id !== undefined}
      backTo={linkTo({ id: undefined })}
      left={
        <>
          <div class="filters">
            <Choice
              label="Workflow"
              value={workflow_id ?? ''}
              options={[['', 'all'], ...names.map((one) => [one.workflow_id, one.name] as const)]}
              onChange={(value) => go({ workflow: value || undefined, id: undefined })}
            />
            <Choice
              label="State"
              value={status ?? ''}
              options={[
                ['', 'all'],
                ['running', 'running'],
                ['approved', 'approved'],
                ['rejected', 'rejected'],
              ]}
              onChange={(value) => go({ status: value || undefined, id: undefined })}
            />
            <p class="count">{list.total === undefined ? '…' : countText(list.total, 'execution')}</p>
          </div>
          {list.error && <Failure error={list.error} />}
          <VirtualList
            label="Executions"
            rows={list.rows}
            rowHeight={54}
            selected={selected}
            onSelect={(to) => go({ id: to }, 'replace')}
            onDrawn={list.onDrawn}
            row={(item) => <ExecutionRow of={item} />}
            empty={list.total === undefined ? 'Loading …' : <NoExecutions />}
          />
        </>
      }
      right={
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
