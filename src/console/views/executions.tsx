import type { Schemas } from '../../contract/operations.ts'
import { useAnswer, useBeat, useLive, useScope } from '../live/hooks.ts'
import { go, linkTo } from '../live/live.ts'
import { Choice, Status } from '../parts/basics.tsx'
import { countText, numberText, timeText } from '../parts/format.ts'
import { TenantList } from '../parts/lists.tsx'
import { ExecutionDetail } from './execution-detail.tsx'

type Summary = Schemas['ExecutionSummary']

/** All executions of a tenant, and the selected one in detail. */
export function Executions() {
  const { workflow: workflow_id, status } = useLive('route')
  return (
    <TenantList
      kind="execution"
      query={{ workflow_id, status }}
      filters={<Filters />}
      row={executionRow}
      empty={
        <p>
          No executions. <a href={linkTo({ view: 'start' })}>Start</a> has a form that creates one, or load the scenario
          busy-quarter above.
        </p>
      }
      detail={(id, item) => <ExecutionDetail key={id} id={id} name={item?.workflow_name} />}
    />
  )
}

function Filters() {
  const { workflow = '', status = '' } = useLive('route')
  const query = { ...useScope(), limit: 500 }
  const beat = useBeat(({ type }) => type === 'WorkflowCreated')
  const { value } = useAnswer('listWorkflows', { query }, beat)
  return (
    <>
      <Choice
        label="Workflow"
        value={workflow}
        options={[['', 'all'], ...(value?.workflows ?? []).map((one) => [one.workflow_id, one.name] as const)]}
        onChange={(chosen) => go({ workflow: chosen || undefined, id: undefined })}
      />
      <Choice
        label="State"
        value={status}
        options={[['', 'all'], 'running', 'approved', 'rejected']}
        onChange={(chosen) => go({ status: chosen || undefined, id: undefined })}
      />
    </>
  )
}

function executionRow(item: Summary) {
  const { steps_decided: decided, steps_total: total, waiting_for: waiting } = item
  return (
    <>
      <Status of={item.status} isRow />
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
