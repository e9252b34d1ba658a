import type { Schemas } from '../../contract/operations.ts'
import { binsOf, placeIn } from '../figures/histogram.ts'
import { ticksOf } from '../figures/timeline.ts'
import { countText, durationText, shareText } from '../parts/format.ts'
import { isNarrow } from '../parts/narrow.ts'

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

/** For each step: how long it waits and is worked on, beside its estimate. */
function Steps({ of: { steps, step_performance: performance, isSequential } }: { readonly of: Details }) {
  const rows = performance.map((row) => ({
    ...row,
    definition: steps.find(({ step_id }) => step_id === row.step_id),
    waiting: row.waiting_time?.mean_minutes ?? 0,
    working: row.working_time?.mean_minutes ?? 0,
  }))
  const longest = Math.max(1, ...rows.flatMap((row) => [row.waiting + row.working, row.estimated_minutes]))
  const percent = (value: number) => `${(value / longest) * 100}%`
  return (
    <section>
      <h3>Steps {isSequential ? 'in order' : 'at the same time'}</h3>
      <ul class="plain chart">
        {rows.map((row) => (
          <li key={row.step_id}>
            <span class="text strong">{row.definition?.name ?? row.step_id}</span>
            <span class="second text">{row.definition?.approvers.map(({ name }) => name).join(', ')}</span>
            <div class="bars" aria-hidden="true">
              <span class="waiting" style={{ left: '0', width: percent(row.waiting) }} />
              <span class="working" style={{ left: percent(row.waiting), width: percent(row.working) }} />
              <span class="estimate" style={{ left: percent(row.estimated_minutes) }} />
            </div>
            <span class="second figures">
              {row.waiting_time && row.working_time
                ? `waits ${durationText(row.waiting)}, works ${durationText(row.working)}, estimate ${durationText(row.estimated_minutes)}`
                : `no decision yet, estimate ${durationText(row.estimated_minutes)}`}
              {row.approval_rate !== null && `, ${shareText(row.approval_rate)} approved`}
              {row.critical_path_share !== null && `, ${shareText(row.critical_path_share)} of the time`}
              {row.assigned > 0 && `, ${row.assigned} open`}
            </span>
          </li>
        ))}
      </ul>
      <p class="legend">
        <span class="key waiting" /> waiting <span class="key working" /> working <span class="key estimate" /> estimate
      </p>
    </section>
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
    <section>
      <h3>Bottlenecks</h3>
      <ul class="plain chart">
        {bottlenecks.map((one) => (
          <li key={one.step_id}>
            <span class="text strong">{steps.find(({ step_id }) => step_id === one.step_id)?.name ?? one.step_id}</span>
            <span class="second">{one.cause === 'waiting' ? 'waiting' : 'work'} delays it</span>
            <div class="bars" aria-hidden="true">
              <span class={one.cause} style={{ left: '0', width: `${one.critical_path_share * 100}%` }} />
            </div>
            <span class="second text">{one.message}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Each recommendation, with the mean completion time before and after it. */
function Recommendations({
  of: { optimization_recommendations: all },
  mean,
}: {
  readonly of: Details
  readonly mean: number
}) {
  if (all.length === 0) return null
  const longest = Math.max(mean, ...all.map((one) => mean + one.predicted_change_minutes), 1)
  const percent = (value: number) => `${(Math.max(0, value) / longest) * 100}%`
  return (
    <section>
      <h3>Recommendations</h3>
      <ul class="plain chart">
        {all.map((one) => (
          <li key={`${one.type} ${one.step_id} ${one.approver_email}`}>
            <span class="text">{one.message}</span>
            {one.predicted_change_minutes !== 0 && (
              <>
                <div class="bars two" aria-hidden="true">
                  <span class="before" style={{ left: '0', width: percent(mean) }} />
                  <span class="after" style={{ left: '0', width: percent(mean + one.predicted_change_minutes) }} />
                </div>
                <span class="second figures">
                  {durationText(mean)} before, {durationText(Math.max(0, mean + one.predicted_change_minutes))} after on
                  average
                </span>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
