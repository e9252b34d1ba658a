import type { ComponentChildren, Ref } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { tenantName } from '../../contract/tenant-name.ts'
import { callAdmin, sendToAdmin } from '../live/admin.ts'
import { useLive, useTenant } from '../live/hooks.ts'
import { attemptCalls, go, type JournalEvent, linkTo, tenantQuery } from '../live/live.ts'
import { usePastEvents } from '../live/past-events.ts'
import { Field, Scrolled, saveFile } from '../parts/basics.tsx'
import { countText, exactTimeText, numberText, parsedJson, prettyText, timeText } from '../parts/format.ts'
import { KeyDialog } from '../parts/key-dialog.tsx'
import { ListView } from '../parts/lists.tsx'

/** The slider over the events of a tenant: always in the history, and in other views while they show the past. */
export function Journey() {
  const { as_of, view } = useLive('route')
  return as_of === undefined && view !== 'history' ? null : <Travel />
}

function Travel() {
  const { as_of, view } = useLive('route')
  const tenant = useTenant()
  const slider = useRef<HTMLInputElement>(null)
  if (!tenant) return null
  const { first_event: first, last_event: last } = tenant
  const back = () => {
    go({ as_of: undefined })
    // This button is gone then; so is the slider, except in the history.
    ;(view === 'history' ? slider.current : document.querySelector('main'))?.focus()
  }
  return (
    <section class={as_of === undefined ? 'journey' : 'journey past'} aria-label="Time travel">
      {first > 1 ? (
        <p>
          The mock has dropped the events before event {numberText(first)}, so earlier states, branches and exports are
          not available. Start it with a larger limit of executions to keep more.
        </p>
      ) : (
        <>
          <Slider last={last} input={slider} />
          {as_of !== undefined && <BranchButton at={as_of} />}
        </>
      )}
      {as_of !== undefined && (
        <button type="button" onClick={back}>
          Back to now
        </button>
      )}
    </section>
  )
}

/** Chooses the event after which the tenant is shown. */
function Slider({ last, input }: { readonly last: number; readonly input: Ref<HTMLInputElement> }) {
  const { as_of } = useLive('route')
  const [at, setAt] = useState(as_of)
  useEffect(() => setAt(as_of), [as_of])
  useEffect(() => {
    if (at === as_of) return
    // A state is computed for each event that the slider stops at.
    const timer = setTimeout(() => go({ as_of: at, id: undefined }, 'replace'), 60)
    return () => clearTimeout(timer)
  }, [at])
  const shown = at ?? last
  const travel = (seq: number) => setAt(seq >= last ? undefined : seq)
  const step = (name: string, mark: string, to: number, isEnd: boolean) => (
    <button type="button" aria-label={`One event ${name}`} disabled={isEnd} onClick={() => travel(to)}>
      {mark}
    </button>
  )
  return (
    <>
      <label>
        <span>{as_of === undefined ? 'Now' : `After event ${numberText(shown)} of ${numberText(last)}`}</span>
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
  return (
    <NewTenantButton
      text="Branch here …"
      title={`Branch after event ${numberText(at)}`}
      action="Branch"
      proposed={`test_branch_${at}`}
      onKey={(key) => callAdmin('branchTenant', { query: tenantQuery(), body: { as_of: at, key } })}
    >
      <p>Another tenant begins with what had happened by then. Use its key in your front end to continue from there.</p>
    </NewTenantButton>
  )
}

/** A button that asks for the key of a new tenant, makes it, and shows its executions. */
function NewTenantButton(props: {
  readonly text: string
  readonly title: string
  readonly action: string
  readonly proposed: string
  readonly onKey: (key: string, entered: FormData) => Promise<{ readonly tenant_id: string }>
  readonly children: ComponentChildren
}) {
  const { text, ...dialog } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {text}
      </button>
      {isOpen && (
        <KeyDialog label="API key of the new tenant" view="executions" onClose={() => setOpen(false)} {...dialog} />
      )}
    </>
  )
}

/** All that has happened to a tenant, and its way into a file and back. */
export function History() {
  const { tenant: tenant_id, as_of } = useLive('route')
  const tenant = useTenant()
  const { first_event: first = 1, last_event: last = 0 } = tenant ?? {}
  const { rows, ...list } = usePastEvents(tenant_id, first, last, as_of)
  const at = as_of === undefined ? (rows.count > 0 ? rows.idAt(0) : undefined) : String(as_of)
  const selected = at === undefined ? undefined : rows.at(rows.indexOf(at))
  return (
    <ListView
      what="events"
      by="as_of"
      {...{ ...list, rows, rowHeight: 30, isLoading: !tenant, selected: at }}
      filters={
        <>
          <p class="count">{tenant && countText(rows.count, 'event')}</p>
          <FileButtons isWhole={first === 1} />
        </>
      }
      row={eventRow}
      empty="Nothing has happened yet."
      detail={selected && <EventDetail of={selected} isWhole={first === 1} />}
    />
  )
}

function eventRow(event: JournalEvent) {
  return (
    <>
      <span class="figures second seq">{event.seq}</span>
      <span class="figures second">{timeText(event.at)}</span>
      <span>{event.type}</span>
      <span class="second text">{aboutOf(event)}</span>
    </>
  )
}

/** Returns the members of an event that say most to a reader. */
function aboutOf(event: JournalEvent): string {
  const { name, file_name, approver_email, assignee, step_id, decision, status } = event
  const who = approver_email ?? (assignee as { email?: string } | undefined)?.email
  return [name, file_name, step_id, who, decision, status].filter((one) => typeof one === 'string').join(' · ')
}

function EventDetail({ of: event, isWhole }: { readonly of: JournalEvent; readonly isWhole: boolean }) {
  const { seq } = event
  const link = (view: string) => <a href={linkTo({ view, as_of: seq })}>{view}</a>
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
            See the {link('executions')}, {link('workflows')} and {link('uploads')} as they were then.
          </>
        )}
      </p>
      <Scrolled label="The event as JSON">{prettyText(JSON.stringify(event))}</Scrolled>
    </article>
  )
}

/** Exports the tenant as a file, and imports one as a new tenant. */
function FileButtons({ isWhole }: { readonly isWhole: boolean }) {
  const exportFile = async () => {
    const query = tenantQuery()
    const response = await sendToAdmin('exportTenant', { query })
    saveFile(await response.blob(), `tenant-${tenantName(query.tenant_id ?? '')}.json`)
  }
  const importFile = async (key: string, entered: FormData) => {
    const body = parsedJson(await (entered.get('file') as File).text())
    if (body === undefined) throw new Error('The file is not JSON. Choose an exported tenant file.')
    return callAdmin('importTenant', { key, body })
  }
  return (
    <>
      <button type="button" disabled={!isWhole} onClick={() => attemptCalls(exportFile)}>
        Export
      </button>
      <NewTenantButton
        text="Import …"
        title="Import a tenant"
        action="Import"
        proposed="test_imported"
        onKey={importFile}
      >
        <p>The tenant of the key must be new.</p>
        <Field label="File" type="file" name="file" accept="application/json,.json" />
      </NewTenantButton>
    </>
  )
}
