import { useRef } from 'preact/hooks'
import type { Answer, Schemas } from '../../contract/operations.ts'
import { Bar, Legend } from '../figures/bar.tsx'
import { segmentsOf, ticksOf } from '../figures/timeline.ts'
import { callAdmin } from '../live/admin.ts'
import { useAnswer, useBeat, useLive, useNow } from '../live/hooks.ts'
import { attemptCalls, linkTo, tenantQuery } from '../live/live.ts'
import { Copied, Facts, Pending, Status } from '../parts/basics.tsx'
import { useFocusAfter } from '../parts/focus.ts'
import { countText, durationText, exactTimeText, timeText } from '../parts/format.ts'

type Details = Answer<'readExecution'>['body']
type Execution = Schemas['Execution']
type Step = Schemas['ExecutionStep']

const decisions = [
  ['Approve', 'primary', 'approved'],
  ['Reject', 'danger', 'rejected'],
] as const

/** Reads an execution while it changes. Returns it with a ref for the element around it, and the buttons that decide a step. */
export function useExecution<Box extends HTMLElement>(execution_id: string, as_of?: number, isFocusLost = false) {
  const query = { ...tenantQuery(), as_of }
  const params = { execution_id }
  const beat = useBeat((event) => event.execution_id === execution_id, 250)
  const { value, error, reload } = useAnswer('readExecution', { params, query }, as_of === undefined && beat)
  const { box, expectLoss } = useFocusAfter<Box>(isFocusLost)
  // The buttons are not disabled meanwhile, since that would take the focus from them.
  const isBusy = useRef(false)
  const decide = async (step_id: string, approver_email: string, decision: (typeof decisions)[number][2]) => {
    if (isBusy.current) return
    isBusy.current = true
    expectLoss(true)
    const body = { step_id, decision, approver_email }
    const isDone = await attemptCalls(() => callAdmin('decideStep', { params, body, query: tenantQuery() }))
    isBusy.current = false
    if (isDone) reload()
    else expectLoss(false)
  }
  const buttonsFor = ({ step_id, status, assignee }: Step) =>
    status === 'assigned' && assignee && as_of === undefined ? (
      <span class="buttons">
        {decisions.map(([text, style, decision]) => (
          <button key={text} type="button" class={style} onClick={() => decide(step_id, assignee.email, decision)}>
            {text}
          </button>
        ))}
      </span>
    ) : null
  return { execution: value?.execution as Execution | undefined, times: value?.times ?? [], error, box, buttonsFor }
}

/** An execution: its timeline, and for each step who decides and why. */
export function ExecutionDetail({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  const { as_of } = useLive('route')
  const { execution, times, error, box, buttonsFor } = useExecution<HTMLElement>(id, as_of)
  if (!execution) return <Pending error={error} />
  const { workflow_id, started_at: started, completed_at: ended, steps } = execution
  return (
    <article ref={box}>
      <header>
        <h2 class="text" tabIndex={-1}>
          {name ?? 'Execution'} <Status of={execution.status} />
        </h2>
        <Copied text={id} />
      </header>
      <Facts
        of={[
          [
            'Workflow',
            <a key="workflow" href={linkTo({ view: 'workflows', id: workflow_id })}>
              {workflow_id}
            </a>,
          ],
          ['Document', execution.document_id, 'mono'],
          ['Submitter', execution.submitter_email, 'text'],
          ['Priority', execution.priority],
          ['Started', exactTimeText(started)],
          ended ? ['Took', durationText(minutesBetween(started, ended))] : ['Ended', 'not yet'],
        ]}
      />
      <Timeline of={execution} times={times} />
      <ol class="steps">
        {steps.map((step, index) => (
          <li key={step.step_id}>
            <div class="line">
              <h3 class="text">{step.name}</h3>
              <Status of={step.status} />
              {step.assignee && (
                <span class="text second" title={step.assignee.email}>
                  {step.assignee.name}
                </span>
              )}
              {buttonsFor(step)}
            </div>
            <p class="second">
              <StepTimes step={step} times={times[index]} />
            </p>
            {step.routing && (
              <details open={step.status === 'assigned' || steps.length <= 3}>
                <summary class="text">{step.routing.reason}</summary>
                <Candidates name={step.name} of={step.routing} chosen={step.assignee?.email} />
              </details>
            )}
          </li>
        ))}
      </ol>
    </article>
  )
}

function minutesBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 60_000
}

function afterText(from: string, to: string): string {
  const minutes = minutesBetween(from, to)
  return minutes * 60 < 1 ? 'at once' : `after ${durationText(minutes)}`
}

/** Draws each step over time: waiting for its approver, being worked on, decided, and planned. */
function Timeline({ of: execution, times }: { readonly of: Execution; readonly times: Details['times'] }) {
  const { as_of } = useLive('route')
  const { started_at, completed_at, steps } = execution
  const clock = useNow()
  const latest = steps.flatMap(({ assigned_at, decided_at }) =>
    [assigned_at, decided_at].flatMap((at) => (at ? Date.parse(at) : [])),
  )
  const begin = Date.parse(started_at)
  // In the past, the time is that of the last thing that had happened by then.
  const now = as_of === undefined ? clock : Math.max(begin, ...latest)
  const rows = steps.map((step, index) => ({ step, segments: segmentsOf(step, times[index], now) }))
  const ends = rows.flatMap(({ segments }) => segments.map(({ to }) => to))
  const end = Math.max(begin + 1000, completed_at ? Date.parse(completed_at) : now, ...ends)
  const share = (at: number) => (at - begin) / (end - begin)
  const isRunning = completed_at === null
  return (
    <figure class="timeline" aria-label="Timeline of the steps; the list below has the same as text">
      <div class="scale" aria-hidden="true">
        {ticksOf(begin, end)
          // There is no room for a text at the end.
          .filter((at) => share(begin + at) < 0.93)
          .map((at) => (
            <Bar key={at} from={share(begin + at)}>
              {at === 0 ? timeText(begin) : `+ ${durationText(at / 60_000)}`}
            </Bar>
          ))}
      </div>
      {rows.map(({ step, segments }) => (
        <div key={step.step_id} class="track">
          <span class="name text">{step.name}</span>
          <div class="bars">
            {segments.map(({ kind, from, to }) => (
              <Bar
                key={kind}
                {...{ kind, from: share(from), to: share(to) }}
                title={`${kind} for ${durationText((to - from) / 60_000)}`}
              />
            ))}
            {step.decided_at && (
              <Bar kind={`end ${step.status}`} from={share(Date.parse(step.decided_at))}>
                {step.status === 'approved' ? '✓' : '✕'}
              </Bar>
            )}
            {isRunning && <Bar kind="now" from={share(now)} />}
          </div>
        </div>
      ))}
      <figcaption>
        <Legend kinds={['waiting', 'working', 'planned', ...(isRunning ? ['now'] : [])]} />
      </figcaption>
    </figure>
  )
}

/** Says when the step was assigned, taken up and decided, or will be. */
function StepTimes({ step, times }: { readonly step: Step; readonly times: Details['times'][number] | undefined }) {
  const settings = useLive('settings')
  const { status, assigned_at: assigned, decided_at: decided } = step
  if (!assigned) return <>{status === 'skipped' ? 'Skipped, since the execution had ended.' : 'Not assigned yet.'}</>
  const parts = [`Assigned ${timeText(assigned)}`]
  if (times?.taken_up_at) parts.push(`taken up ${afterText(assigned, times.taken_up_at)}`)
  if (decided) parts.push(`decided ${afterText(assigned, decided)}`)
  else if (status === 'assigned') {
    if (times?.due_at) parts.push(`decides on ${timeText(times.due_at)}`)
    else if (settings?.approvers === 'manual') parts.push('waits for you')
  }
  return <>{parts.join(', ')}.</>
}

/** Shows the candidates of a step, with the time that each was expected to take. */
function Candidates(props: {
  readonly name: string
  readonly of: Schemas['Routing']
  readonly chosen: string | undefined
}) {
  const { name, chosen } = props
  const { candidates } = props.of
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
