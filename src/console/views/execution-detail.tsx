import { useRef } from 'preact/hooks'
import type { Answer, Schemas } from '../../contract/operations.ts'
import { segmentsOf, ticksOf } from '../figures/timeline.ts'
import { useBeat, useLive, useLoaded, useNow, useShared } from '../live/hooks.ts'
import { Copied, Failure, Status } from '../parts/basics.tsx'
import { useFocusAfter } from '../parts/focus.ts'
import { countText, durationText, exactTimeText, timeText } from '../parts/format.ts'

type Details = Answer<'readExecution'>['body']
type Execution = Schemas['Execution']
type Step = Schemas['ExecutionStep']

/** An execution: its timeline, and for each step who decides and why. */
export function ExecutionDetail({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  const { admin, route, linkTo } = useShared()
  const { tenant: tenant_id = '', asOf: as_of } = route
  const beat = useBeat(({ execution_id }) => execution_id === id, 250)
  const { value, error, reload } = useLoaded(
    (signal) => admin.call('readExecution', { params: { execution_id: id }, query: { tenant_id, as_of }, signal }),
    [`${id} ${as_of}`, as_of === undefined ? beat : 0],
  )
  const { box, expectLoss } = useFocusAfter<HTMLElement>()
  if (error) return <Failure error={error} />
  if (!value) return <p class="hint">Loading …</p>
  const execution = value.execution as unknown as Execution
  const { document_id: document, submitter_email: submitter, workflow_id: workflow } = execution
  const ended = execution.completed_at
  return (
    <article ref={box}>
      <header>
        <h2 class="text" tabIndex={-1}>
          {name ?? 'Execution'} <Status of={execution.status} />
        </h2>
        <Copied text={id} />
      </header>
      <dl class="facts">
        <dt>Workflow</dt>
        <dd>
          <a href={linkTo({ view: 'workflows', id: workflow })}>{workflow}</a>
        </dd>
        <dt>Document</dt>
        <dd class="mono">{document}</dd>
        <dt>Submitter</dt>
        <dd class="text">{submitter}</dd>
        <dt>Priority</dt>
        <dd>{execution.priority}</dd>
        <dt>Started</dt>
        <dd>{exactTimeText(execution.started_at)}</dd>
        <dt>{ended ? 'Took' : 'Ended'}</dt>
        <dd>{ended ? durationText(minutesBetween(execution.started_at, ended)) : 'not yet'}</dd>
      </dl>
      <Timeline of={value} />
      <ol class="steps">
        {execution.steps.map((step, index) => (
          <StepCard
            key={step.step_id}
            execution={execution}
            step={step}
            times={value.times[index]}
            onDecide={expectLoss}
            onDecided={reload}
          />
        ))}
      </ol>
    </article>
  )
}

function minutesBetween(from: string, to: string | number): number {
  return ((typeof to === 'string' ? Date.parse(to) : to) - Date.parse(from)) / 60_000
}

function afterText(from: string, to: string): string {
  const minutes = minutesBetween(from, to)
  return minutes * 60 < 1 ? 'at once' : `after ${durationText(minutes)}`
}

/** Draws each step over time: waiting for its approver, being worked on, decided, and planned. */
function Timeline({ of: { execution, times } }: { readonly of: Details }) {
  const { route } = useShared()
  const { started_at, completed_at, steps } = execution as unknown as Execution
  const clock = useNow()
  const latest = steps.flatMap(({ assigned_at, decided_at }) =>
    [assigned_at, decided_at].flatMap((at) => (at ? Date.parse(at) : [])),
  )
  const begin = Date.parse(started_at)
  // In the past, the time is that of the last thing that had happened by then.
  const now = route.asOf === undefined ? clock : Math.max(begin, ...latest)
  const rows = steps.map((step, index) => ({ step, segments: segmentsOf(step, times[index], now) }))
  const ends = rows.flatMap(({ segments }) => segments.map(({ to }) => to))
  const end = Math.max(begin + 1000, completed_at ? Date.parse(completed_at) : now, ...ends)
  const percent = (at: number) => `${(Math.min(1, Math.max(0, (at - begin) / (end - begin))) * 100).toFixed(3)}%`
  const isRunning = completed_at === null
  return (
    <figure class="timeline" aria-label="Timeline of the steps; the list below has the same as text">
      <div class="scale" aria-hidden="true">
        {ticksOf(begin, end)
          // There is no room for a text at the end.
          .filter((at) => at < (end - begin) * 0.93)
          .map((at) => (
            <span key={at} style={{ left: percent(begin + at) }}>
              {at === 0 ? timeText(begin) : `+ ${durationText(at / 60_000)}`}
            </span>
          ))}
      </div>
      {rows.map(({ step, segments }) => (
        <div key={step.step_id} class="track">
          <span class="name text">{step.name}</span>
          <div class="bars">
            {segments.map(({ kind, from, to }) => (
              <span
                key={kind}
                class={kind}
                title={`${kind} for ${durationText((to - from) / 60_000)}`}
                style={{ left: percent(from), width: `calc(${percent(to)} - ${percent(from)})` }}
              />
            ))}
            {step.decided_at && (
              <span class={`end ${step.status}`} style={{ left: percent(Date.parse(step.decided_at)) }}>
                {step.status === 'approved' ? '✓' : '✕'}
              </span>
            )}
            {isRunning && <span class="now" style={{ left: percent(now) }} />}
          </div>
        </div>
      ))}
      <figcaption>
        <span class="key waiting" /> waiting <span class="key working" /> working <span class="key planned" /> planned
        {isRunning && (
          <>
            {' '}
            <span class="key now" /> now
          </>
        )}
      </figcaption>
    </figure>
  )
}

/** A step: its state, the buttons that decide it, and the reason of its route. */
function StepCard(props: {
  readonly execution: Execution
  readonly step: Step
  readonly times: Details['times'][number] | undefined
  readonly onDecide: (isDone: boolean) => void
  readonly onDecided: () => void
}) {
  const { execution, step, times, onDecide, onDecided } = props
  const { admin, route, attempt } = useShared()
  // The buttons are not disabled meanwhile, since that would take the focus from them.
  const isBusy = useRef(false)
  const settings = useLive((state) => state.settings)
  const isOpen = step.status === 'assigned' && step.assignee !== null
  const decide = async (decision: 'approved' | 'rejected') => {
    const { assignee } = step
    if (!assignee || isBusy.current) return
    isBusy.current = true
    onDecide(true)
    const isDone = await attempt(async () => {
      const params = { execution_id: execution.execution_id }
      const body = { step_id: step.step_id, decision, approver_email: assignee.email }
      await admin.call('decideStep', { params, body, query: { tenant_id: route.tenant } })
    })
    isBusy.current = false
    if (isDone) onDecided()
    else onDecide(false)
  }
  return (
    <li>
      <div class="line">
        <h3 class="text">{step.name}</h3>
        <Status of={step.status} />
        {step.assignee && (
          <span class="text second" title={step.assignee.email}>
            {step.assignee.name}
          </span>
        )}
        {isOpen && route.asOf === undefined && (
          <span class="buttons">
            <button type="button" class="primary" onClick={() => decide('approved')}>
              Approve
            </button>
            <button type="button" class="danger" onClick={() => decide('rejected')}>
              Reject
            </button>
          </span>
        )}
      </div>
      <p class="second">
        <StepTimes step={step} times={times} mode={settings?.approvers} />
      </p>
      {step.routing && (
        <details open={isOpen || execution.steps.length <= 3}>
          <summary class="text">{step.routing.reason}</summary>
          <Candidates name={step.name} of={step.routing} chosen={step.assignee?.email} />
        </details>
      )}
    </li>
  )
}

/** Says when the step was assigned, taken up and decided, or will be. */
function StepTimes(props: {
  readonly step: Step
  readonly times: Details['times'][number] | undefined
  readonly mode: string | undefined
}) {
  const { step, times, mode } = props
  const { assigned_at: assigned, decided_at: decided } = step
  if (!assigned)
    return <>{step.status === 'skipped' ? 'Skipped, since the execution had ended.' : 'Not assigned yet.'}</>
  const parts = [`Assigned ${timeText(assigned)}`]
  if (times?.taken_up_at) parts.push(`taken up ${afterText(assigned, times.taken_up_at)}`)
  if (decided) parts.push(`decided ${afterText(assigned, decided)}`)
  else if (step.status === 'assigned') {
    if (times?.due_at) parts.push(`decides on ${timeText(times.due_at)}`)
    else if (mode === 'manual') parts.push('waits for you')
  }
  return <>{parts.join(', ')}.</>
}

/** Shows the candidates of a step, with the time that each was expected to take. */
function Candidates(props: {
  readonly name: string
  readonly of: Schemas['Routing']
  readonly chosen: string | undefined
}) {
  const { name, of: routing, chosen } = props
  const { candidates } = routing
  const longest = Math.max(1, ...candidates.map(({ expected_minutes }) => expected_minutes))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label={`Candidates for ${name}`}>
      <table>
        <thead>
          <tr>
            <th>Candidate</th>
            <th>Expected</th>
            <th class="number">Decisions</th>
            <th class="number">Open</th>
            <th>Why</th>
          </tr>
        </thead>
        <tbody>
          {candidates.map((candidate) => (
            <tr key={candidate.email} class={candidate.email === chosen ? 'chosen' : ''}>
              <td class="text">
                {candidate.email}
                {candidate.email === chosen && <span class="unseen"> (chosen)</span>}
              </td>
              <td class="bar">
                <span class="fill" style={{ width: `${(candidate.expected_minutes / longest) * 64}px` }} />
                {durationText(candidate.expected_minutes)}
              </td>
              <td class="number" title={countText(candidate.samples, 'decision')} data-name="Decisions">
                {candidate.samples}
              </td>
              <td class="number" data-name="Open">
                {candidate.open_assignments}
              </td>
              <td class="second wide text">{candidate.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
