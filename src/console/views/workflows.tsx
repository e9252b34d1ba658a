import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../contract/operations.ts'
import { Bar, Legend } from '../figures/bar.tsx'
import { binsOf, placeIn } from '../figures/histogram.ts'
import { ticksOf } from '../figures/timeline.ts'
import { useAnswer, useBeat, useScope } from '../live/hooks.ts'
import { linkTo } from '../live/live.ts'
import { Copied, Pending } from '../parts/basics.tsx'
import { countText, durationText, numberText, shareText, timeText } from '../parts/format.ts'
import { TenantList } from '../parts/lists.tsx'
import { isNarrow } from '../parts/virtual-list.tsx'

type Summary = Schemas['WorkflowSummary']
type Details = Schemas['WorkflowDetails']
type Durations = Schemas['Durations']

/** All workflows of a tenant, and the selected one with its analytics. */
export function Workflows() {
  return (
    <TenantList
      kind="workflow"
      row={workflowRow}
      empty={
        <p>
          No workflows. <a href={linkTo({ view: 'start' })}>Start</a> has a form that creates one.
        </p>
      }
      detail={(id) => <WorkflowDetail key={id} id={id} />}
    />
  )
}

function workflowRow(item: Summary) {
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
  const details = value.details as unknown as Details
  const { total, running, approved, rejected, success_rate, completion_time } = details.execution_metrics
  const { completion_minutes: minutes } = value
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
      <Steps of={details} />
      {completion_time && minutes.length > 0 && <Completion minutes={minutes} durations={completion_time} />}
      <Bottlenecks of={details} />
      {completion_time && <Recommendations of={details} mean={completion_time.mean_minutes} />}
    </article>
  )
}

/** A section of a workflow's analytics: a list of bars with their texts. */
function Chart(props: {
  readonly title: string
  readonly children: ComponentChildren
  readonly legend?: ComponentChildren
}) {
  const { title, children, legend } = props
  return (
    <section>
      <h3>{title}</h3>
      <ul class="plain chart">{children}</ul>
      {legend && <p class="legend">{legend}</p>}
    </section>
  )
}

/** A row of a chart: its name with a note, its bars, and what they say. */
function ChartRow(props: {
  readonly name: string
  readonly note: ComponentChildren
  readonly text: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <li>
      <span class="text strong">{props.name}</span>
      <span class="second text">{props.note}</span>
      <div class="bars" aria-hidden="true">
        {props.children}
      </div>
      <span class="second text figures">{props.text}</span>
    </li>
  )
}

/** For each step: how long it waits and is worked on, beside its estimate. */
function Steps({ of: { steps, step_performance: performance, isSequential } }: { readonly of: Details }) {
  const rows = performance.map((row) => {
    const { waiting_time, working_time } = row
    const waiting = waiting_time?.mean_minutes ?? 0
    const total = waiting + (working_time?.mean_minutes ?? 0)
    const { name, approvers } = steps.find(({ step_id }) => step_id === row.step_id) ?? {}
    return { ...row, name, approvers, waiting, total }
  })
  const longest = Math.max(1, ...rows.flatMap((row) => [row.total, row.estimated_minutes]))
  return (
    <Chart
      title={`Steps ${isSequential ? 'in order' : 'at the same time'}`}
      legend={<Legend kinds={['waiting', 'working', 'estimate']} />}
    >
      {rows.map((row) => (
        <ChartRow
          key={row.step_id}
          name={row.name ?? row.step_id}
          note={row.approvers?.map(({ name }) => name).join(', ')}
          text={[
            ...(row.waiting_time && row.working_time
              ? [`waits ${durationText(row.waiting)}`, `works ${durationText(row.working_time.mean_minutes)}`]
              : ['no decision yet']),
            `estimate ${durationText(row.estimated_minutes)}`,
            ...(row.approval_rate === null ? [] : [`${shareText(row.approval_rate)} approved`]),
            ...(row.critical_path_share === null ? [] : [`${shareText(row.critical_path_share)} of the time`]),
            ...(row.assigned > 0 ? [`${row.assigned} open`] : []),
          ].join(', ')}
        >
          <Bar kind="waiting" to={row.waiting / longest} />
          <Bar kind="working" from={row.waiting / longest} to={row.total / longest} />
          <Bar kind="estimate" from={row.estimated_minutes / longest} />
        </ChartRow>
      ))}
    </Chart>
  )
}

const height = 140
/** The room for the names of the marks, one above the other. */
const top = 28

/** The completion times as a histogram, with the median and the 90th percentile. */
function Completion({ minutes, durations }: { readonly minutes: readonly number[]; readonly durations: Durations }) {
  // Not scaled, so that its texts can be read.
  const width = isNarrow() ? 340 : 640
  const bins = binsOf(minutes, width / 26)
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const binWidth = width / bins.length
  const step = (bins[0]?.to ?? 1) - (bins[0]?.from ?? 0)
  const end = step * bins.length
  const at = (value: number) => placeIn(width, value / end)
  const marks = [
    { name: 'median', value: durations.p50_minutes },
    { name: '90 %', value: durations.p90_minutes },
  ]
  const text = `Completion times of ${countText(minutes.length, 'execution')}: median ${durationText(durations.p50_minutes)}, 90 % within ${durationText(durations.p90_minutes)}, 99 % within ${durationText(durations.p99_minutes)}.`
  return (
    <section>
      <h3>Completion time</h3>
      <svg class="histogram" viewBox={`0 0 ${width} ${height + top + 18}`} role="img" aria-label={text}>
        {bins.map(({ from, to, count }, index) => (
          <rect
            key={from}
            x={index * binWidth + 0.5}
            width={Math.max(1, binWidth - 1)}
            y={top + height - (count / most) * height}
            height={(count / most) * height}
          >
            <title>{`${durationText(from)} to ${durationText(to)}: ${count}`}</title>
          </rect>
        ))}
        <line class="axis" x1="0" x2={width} y1={height + top} y2={height + top} />
        {marks.map(({ name, value }, index) => (
          <g key={name} class="mark">
            <line x1={at(value)} x2={at(value)} y1={12 * index + 4} y2={height + top} />
            <text
              x={at(value)}
              y={12 * index + 12}
              {...(at(value) > width - 120 ? { 'text-anchor': 'end', dx: -4 } : { dx: 4 })}
            >
              {name} {durationText(value)}
            </text>
          </g>
        ))}
        {ticksOf(0, end * 60_000, width / 100).map((ms) => (
          <text
            key={ms}
            class="scale"
            x={at(ms / 60_000)}
            y={height + top + 14}
            text-anchor={ms === 0 ? 'start' : at(ms / 60_000) > width - 20 ? 'end' : 'middle'}
          >
            {ms === 0 ? '0' : durationText(ms / 60_000)}
          </text>
        ))}
      </svg>
    </section>
  )
}

function Bottlenecks({ of: { bottlenecks, steps } }: { readonly of: Details }) {
  if (bottlenecks.length === 0) return null
  return (
    <Chart title="Bottlenecks">
      {bottlenecks.map((one) => (
        <ChartRow
          key={one.step_id}
          name={steps.find(({ step_id }) => step_id === one.step_id)?.name ?? one.step_id}
          note={`${one.cause === 'waiting' ? 'waiting' : 'work'} delays it`}
          text={one.message}
        >
          <Bar kind={one.cause} to={one.critical_path_share} />
        </ChartRow>
      ))}
    </Chart>
  )
}

/** Each recommendation, with the mean completion time before and after it. */
function Recommendations(props: { readonly of: Details; readonly mean: number }) {
  const { mean } = props
  const all = props.of.optimization_recommendations.map((one) => {
    const after = Math.max(0, mean + one.predicted_change_minutes)
    return { ...one, after }
  })
  if (all.length === 0) return null
  const longest = Math.max(mean, ...all.map(({ after }) => after), 1)
  return (
    <Chart title="Recommendations">
      {all.map((one) => (
        <li key={`${one.type} ${one.step_id} ${one.approver_email}`}>
          <span class="text">{one.message}</span>
          {one.predicted_change_minutes !== 0 && (
            <>
              <div class="bars two" aria-hidden="true">
                <Bar kind="before" to={mean / longest} />
                <Bar kind="after" to={one.after / longest} />
              </div>
              <span class="second figures">
                {durationText(mean)} before, {durationText(one.after)} after on average
              </span>
            </>
          )}
        </li>
      ))}
    </Chart>
  )
}
