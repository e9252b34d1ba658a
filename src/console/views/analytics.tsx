import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../contract/operations.ts'
import { Bar, Legend } from '../figures/bar.tsx'
import { binsOf, placeIn } from '../figures/histogram.ts'
import { ticksOf } from '../figures/timeline.ts'
import { countText, durationText, shareText } from '../parts/format.ts'
import { isNarrow } from '../parts/virtual-list.tsx'

type Details = Schemas['WorkflowDetails']
type Durations = Schemas['Durations']

/** The analytics of a workflow as pictures: its steps, completion times, bottlenecks and recommendations. */
export function Analytics({ details, minutes }: { readonly details: Details; readonly minutes: readonly number[] }) {
  const { completion_time: completion } = details.execution_metrics
  return (
    <>
      <Steps of={details} />
      {completion && minutes.length > 0 && <Completion minutes={minutes} durations={completion} />}
      <Bottlenecks of={details} />
      {completion && <Recommendations of={details} mean={completion.mean_minutes} />}
    </>
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
        <li key={row.step_id}>
          <span class="text strong">{row.name ?? row.step_id}</span>
          <span class="second text">{row.approvers?.map(({ name }) => name).join(', ')}</span>
          <div class="bars" aria-hidden="true">
            <Bar kind="waiting" to={row.waiting / longest} />
            <Bar kind="working" from={row.waiting / longest} to={row.total / longest} />
            <Bar kind="estimate" from={row.estimated_minutes / longest} />
          </div>
          <span class="second figures">
            {row.waiting_time && row.working_time
              ? `waits ${durationText(row.waiting)}, works ${durationText(row.working_time.mean_minutes)}`
              : 'no decision yet'}
            , estimate {durationText(row.estimated_minutes)}
            {row.approval_rate !== null && `, ${shareText(row.approval_rate)} approved`}
            {row.critical_path_share !== null && `, ${shareText(row.critical_path_share)} of the time`}
            {row.assigned > 0 && `, ${row.assigned} open`}
          </span>
        </li>
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
        <li key={one.step_id}>
          <span class="text strong">{steps.find(({ step_id }) => step_id === one.step_id)?.name ?? one.step_id}</span>
          <span class="second">{one.cause === 'waiting' ? 'waiting' : 'work'} delays it</span>
          <div class="bars" aria-hidden="true">
            <Bar kind={one.cause} to={one.critical_path_share} />
          </div>
          <span class="second text">{one.message}</span>
        </li>
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
