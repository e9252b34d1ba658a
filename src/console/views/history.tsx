import type { Ref } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { tenantName } from '../../contract/tenant-name.ts'
import { useShared, useTenant } from '../live/hooks.ts'
import type { JournalEvent } from '../live/live.ts'
import { usePastEvents } from '../live/past-events.ts'
import { Scrolled } from '../parts/basics.tsx'
import { countText, exactTimeText, numberText, prettyText, timeText } from '../parts/format.ts'
import { KeyDialog } from '../parts/key-dialog.tsx'
import { ListView } from '../parts/list-view.tsx'

/** The slider over the events of a tenant: always in the history, and in other views while they show the past. */
export function Journey() {
  const { route, go } = useShared()
  const { asOf, view } = route
  const isShown = asOf !== undefined || view === 'history'
  const tenant = useTenant(isShown)
  const slider = useRef<HTMLInputElement>(null)
  if (!isShown || !tenant) return null
  const { first_event: first, last_event: last } = tenant
  const back = () => {
    go({ asOf: undefined })
    // This button is gone then; so is the slider, except in the history.
    ;(view === 'history' ? slider.current : document.querySelector('main'))?.focus()
  }
  return (
    <section class={asOf === undefined ? 'journey' : 'journey past'} aria-label="Time travel">
      {first > 1 ? (
        <p>
          The mock has dropped the events before event {numberText(first)}, so earlier states, branches and exports are
          not available. Start it with a larger limit of executions to keep more.
        </p>
      ) : (
        <>
          <Slider last={last} input={slider} />
          {asOf !== undefined && <BranchButton at={asOf} />}
        </>
      )}
      {asOf !== undefined && (
        <button type="button" onClick={back}>
          Back to now
        </button>
      )}
    </section>
  )
}

/** Chooses the event after which the tenant is shown. */
function Slider({ last, input }: { readonly last: number; readonly input: Ref<HTMLInputElement> }) {
  const { route, go } = useShared()
  const { asOf } = route
  const [at, setAt] = useState(asOf)
  useEffect(() => setAt(asOf), [asOf])
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const shown = at ?? last
  const travel = (seq: number) => {
    setAt(seq)
    clearTimeout(timer.current)
    // A state is computed for each event that the slider stops at.
    timer.current = setTimeout(() => go({ asOf: seq >= last ? undefined : seq, id: undefined }, 'replace'), 60)
  }
  const step = (name: string, mark: string, to: number, isEnd: boolean) => (
    <button type="button" aria-label={`One event ${name}`} disabled={isEnd} onClick={() => travel(to)}>
      {mark}
    </button>
  )
  return (
    <>
      <label>
        <span>{asOf === undefined ? 'Now' : `After event ${numberText(shown)} of ${numberText(last)}`}</span>
        <input
          type="range"
          ref={input}
          {...{ min: 0, max: last, value: shown, disabled: last === 0 }}
          onInput={(event) => travel(Number(event.currentTarget.value))}
        />
      </label>
      {step('earlier', '‹', shown - 1, shown <= 0)}
      {step('later', '›', shown + 1, shown >= last)}
    </>
  )
}

/** Makes a new tenant from the events up to one. */
function BranchButton({ at }: { readonly at: number }) {
  const { admin, route } = useShared()
  const branch = (key: string) =>
    admin.call('branchTenant', { query: { tenant_id: route.tenant }, body: { as_of: at, key } })
  return (
    <KeyDialog
      button="Branch here …"
      title={`Branch after event ${numberText(at)}`}
      action="Branch"
      label="API key of the new tenant"
      first={`test_branch_${at}`}
      onKey={branch}
    >
      <p>Another tenant begins with what had happened by then. Use its key in your front end to continue from there.</p>
    </KeyDialog>
  )
}

/** All that has happened to a tenant, and its way into a file and back. */
export function History() {
  const { route } = useShared()
  const { tenant: tenant_id = '', asOf } = route
  const tenant = useTenant()
  const { first_event: first = 1, last_event: last = 0 } = tenant ?? {}
  const { rows, onDrawn, error } = usePastEvents(tenant_id, first, last, asOf)
  const at = asOf ?? (rows.count > 0 ? Number(rows.idAt(0)) : undefined)
  const selected = at === undefined ? undefined : rows.at(rows.indexOf(String(at)))
  return (
    <ListView
      what="events"
      by="asOf"
      list={{ rows, onDrawn, ...(error && { error }) }}
      {...{ rowHeight: 30, isLoading: !tenant, selected: at === undefined ? undefined : String(at) }}
      filters={
        <>
          <p class="count">{tenant && countText(rows.count, 'event')}</p>
          <FileButtons isWhole={first === 1} />
        </>
      }
      row={(event) => <EventRow of={event} />}
      empty="Nothing has happened yet."
      detail={selected && <EventDetail of={selected} isWhole={first === 1} />}
    />
  )
}

function EventRow({ of: event }: { readonly of: JournalEvent }) {
  return (
    <>
      <span class="figures second seq">{event.seq}</span>
      <span class="figures second">{timeText(event.at)}</span>
      <span>{event.type}</span>
      <span class="second text">{aboutOf(event)}</span>
    </>
  )
}

/** Returns the member of an event that says most to a reader. */
function aboutOf(event: JournalEvent): string {
  const { name, file_name, approver_email, assignee, step_id, decision, status } = event
  const who = approver_email ?? (assignee as { email?: string } | undefined)?.email
  return [name, file_name, step_id, who, decision, status].filter((one) => typeof one === 'string').join(' · ')
}

function EventDetail({ of: event, isWhole }: { readonly of: JournalEvent; readonly isWhole: boolean }) {
  const { linkTo } = useShared()
  const { seq } = event
  return (
    <article>
      <header>
        <h2>
          {event.type} <span class="second">event {numberText(seq)}</span>
        </h2>
      </header>
      <p>
        {exactTimeText(event.at)}.{' '}
        {isWhole && (
          <>
            See the <a href={linkTo({ view: 'executions', asOf: seq })}>executions</a>,{' '}
            <a href={linkTo({ view: 'workflows', asOf: seq })}>workflows</a> and{' '}
            <a href={linkTo({ view: 'uploads', asOf: seq })}>uploads</a> as they were then.
          </>
        )}
      </p>
      <Scrolled label="The event as JSON">{prettyText(JSON.stringify(event))}</Scrolled>
    </article>
  )
}

/** Exports the tenant as a file, and imports one as a new tenant. */
function FileButtons({ isWhole }: { readonly isWhole: boolean }) {
  const { admin, route, attempt } = useShared()
  const file = useRef<HTMLInputElement>(null)
  const exportFile = () =>
    attempt(async () => {
      const response = await admin.send('exportTenant', { query: { tenant_id: route.tenant } })
      const url = URL.createObjectURL(await response.blob())
      const name = `tenant-${tenantName(route.tenant ?? '')}.json`
      Object.assign(document.createElement('a'), { href: url, download: name }).click()
      setTimeout(() => URL.revokeObjectURL(url), 10_000)
    })
  const importFile = async (key: string) => {
    const chosen = file.current?.files?.[0]
    if (!chosen) throw new Error('No file is chosen. Choose an exported tenant file.')
    return admin.call('importTenant', { key, body: parseFile(await chosen.text()) })
  }
  return (
    <>
      <button type="button" disabled={!isWhole} onClick={exportFile}>
        Export
      </button>
      <KeyDialog
        button="Import …"
        title="Import a tenant"
        action="Import"
        label="API key of the new tenant"
        first="test_imported"
        onKey={importFile}
      >
        <p>The tenant of the key must be new.</p>
        <label class="field">
          <span>File</span>
          <input type="file" ref={file} accept="application/json,.json" required />
        </label>
      </KeyDialog>
    </>
  )
}

function parseFile(text: string) {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Error('The file is not JSON. Choose an exported tenant file.', { cause: error })
    throw error
  }
}
