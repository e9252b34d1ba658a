import { useMemo, useState } from 'preact/hooks'
import type { Schemas } from '../../contract/operations.ts'
import { tenantName } from '../../contract/tenant-name.ts'
import { useLive, useLoaded, useShared } from '../live/hooks.ts'
import { type ListedRequest, mostKept } from '../live/live.ts'
import { Choice, Copied, Failure, Field, Scrolled } from '../parts/basics.tsx'
import { curlCommandOf } from '../parts/curl.ts'
import { bytesText, countText, numberText, objectIn, prettyText, timeOfDayText } from '../parts/format.ts'
import { compareLines, type Line } from '../parts/line-diff.ts'
import { ListView } from '../parts/list-view.tsx'
import { isInState, matches } from '../parts/request-filter.ts'
import { rowsOf } from '../parts/rows.ts'

type RequestDetails = Schemas['RequestDetails']

/** The latest requests, live, and the selected one with its bodies. */
export function Requests() {
  const { route } = useShared()
  const { id, status } = route
  const all = useLive((state) => state.requests)
  const connection = useLive((state) => state.connection)
  const [filter, setFilter] = useState('')
  const [paused, setPaused] = useState<readonly ListedRequest[] | undefined>()
  const shown = paused ?? all
  const requests = useMemo(
    () => shown.filter((request) => isInState(request, status) && matches(request, filter)).toReversed(),
    [shown, filter, status],
  )
  const rows = useMemo(() => rowsOf(requests, (item) => item.request_id), [requests])
  const selected = id ?? requests[0]?.request_id
  return (
    <ListView
      what="requests"
      {...{ list: { rows }, selected, rowHeight: 30, isLoading: shown.length === 0 && connection === 'connecting' }}
      filters={
        <>
          <Field label="Filter" type="search" {...searched} isRequired={false} value={filter} onInput={setFilter} />
          <Filters
            count={requests.length}
            isPaused={paused !== undefined}
            onPause={() => setPaused(paused ? undefined : all)}
          />
        </>
      }
      row={(item) => <RequestRow of={item} isOfAll={route.tenant === undefined || item.tenant_id === null} />}
      empty={
        shown.length > 0
          ? 'No request matches the filter.'
          : 'No requests yet. Those of your front end appear here as they come in.'
      }
      detail={selected !== undefined && <RequestDetail key={selected} id={selected} />}
    />
  )
}

const searched = { placeholder: 'path, method, status, code' }

function Filters(props: { readonly count: number; readonly isPaused: boolean; readonly onPause: () => void }) {
  const { count, isPaused, onPause } = props
  const { route, go } = useShared()
  const lost = useLive((state) => state.lost)
  return (
    <>
      <Choice
        label="Status"
        value={route.status ?? ''}
        options={[['', 'all'], ...['refused', 'done'].map((one) => [one, one] as const)]}
        onChange={(value) => go({ status: value || undefined })}
      />
      <button type="button" aria-pressed={isPaused} onClick={onPause}>
        {isPaused ? 'Resume' : 'Pause'}
      </button>
      <p class="count" title={`The page keeps the latest ${numberText(mostKept)}.`}>
        {numberText(count)}
        {lost > 0 && <span class="warning">, {numberText(lost)} left out</span>}
      </p>
    </>
  )
}

function kindOf(status: number): string {
  return status === 0 || status >= 500 ? 'rejected' : status >= 400 ? 'refused' : 'approved'
}

function RequestRow({ of: request, isOfAll }: { readonly of: ListedRequest; readonly isOfAll: boolean }) {
  return (
    <>
      <span class="figures second">{timeOfDayText(request.at)}</span>
      <span class="mono">{request.method}</span>
      <span class="mono text">
        {isOfAll && (
          <span class="second">{request.tenant_id === null ? 'no key' : tenantName(request.tenant_id)} </span>
        )}
        {request.path}
      </span>
      <span class="second text code">{request.code}</span>
      <span class={`figures status ${kindOf(request.status)}`}>{request.status || 'cut'}</span>
      <span class="figures second ms">
        {request.duration_ms < 10 ? request.duration_ms.toFixed(1) : Math.round(request.duration_ms)} ms
      </span>
    </>
  )
}

function RequestDetail({ id }: { readonly id: string }) {
  const { admin } = useShared()
  const { value, error } = useLoaded(
    (signal) => admin.call('readRequest', { params: { request_id: id }, signal }),
    [id],
  )
  if (error) return <Failure error={error} />
  if (!value) return <p class="hint">Loading …</p>
  const { request, requirements, gaps } = value
  return (
    <article>
      <header>
        <h2 class="text">
          {request.operation_id ?? request.method}{' '}
          <span class={`status ${kindOf(request.status)}`}>{request.status || 'cut'}</span>
        </h2>
        <Copied text={curlCommandOf(value, new URL('.', location.href).href.slice(0, -1))}>Copy as curl</Copied>
      </header>
      <p class="mono break">
        {request.method} {request.path}
      </p>
      {request.detail && (
        <p class="failure text">
          {request.code && <strong>{request.code}: </strong>}
          {request.detail}
        </p>
      )}
      {request.code === 'invalid-request' && <Errors of={value} />}
      <Touched name="requirement" page="docs/traceability.html" ids={requirements} />
      <Touched name="open question" page="docs/questions.html" ids={gaps} />
      <Exchanged title="Request" headers={value.request_headers} body={value.request_body} />
      {value.contract_body === null || value.contract_body === undefined ? (
        <Exchanged title="Answer" headers={value.answer_headers} body={value.answer_body} />
      ) : (
        <SideBySide details={value} />
      )}
    </article>
  )
}

/** The rules that a refused body breaks, as the contract's answer lists them. */
function Errors({ of: { contract_body, answer_body } }: { readonly of: RequestDetails }) {
  const { errors } = (contract_body ?? objectIn(answer_body?.text)) as Partial<Schemas['Problem']>
  if (!Array.isArray(errors)) return null
  return (
    <ul class="errors text">
      {errors.slice(0, 20).map(({ pointer, message }) => (
        <li key={pointer + message}>
          <code>{pointer || 'the body'}</code> {message}
        </li>
      ))}
    </ul>
  )
}

/** Links to the requirements, or open questions, that a request touched. */
function Touched({
  name,
  page,
  ids,
}: {
  readonly name: string
  readonly page: string
  readonly ids: readonly string[]
}) {
  if (ids.length === 0) return null
  return (
    <p class="touched">
      <span class="second">{countText(ids.length, name)}</span>{' '}
      {ids.map((id) => (
        <a key={id} class="tag" href={`${page}#${id}`} target="_blank" rel="noreferrer">
          {id}
        </a>
      ))}
    </p>
  )
}

function Exchanged(props: {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: RequestDetails['request_body']
}) {
  const { title, headers, body } = props
  return (
    <section>
      <h3>
        {title} {body && <span class="second">{bytesText(body.size)}</span>}
      </h3>
      <details>
        <summary>{countText(Object.keys(headers).length, 'header')}</summary>
        <Headers of={headers} />
      </details>
      {body ? (
        <Scrolled label={`Body of the ${title.toLowerCase()}`}>{prettyText(body.text)}</Scrolled>
      ) : (
        <p class="second">
          No body, or it was not kept. The mock keeps the latest 50, and more while this page is open.
        </p>
      )}
      {body?.is_cut && <p class="second">The first {bytesText(body.text.length)} of the body.</p>}
    </section>
  )
}

function Headers({ of: headers }: { readonly of: Readonly<Record<string, string>> }) {
  return (
    <dl class="facts mono">
      {Object.entries(headers).map(([name, value]) => (
        <>
          <dt key={name}>{name}</dt>
          <dd class="break">{value}</dd>
        </>
      ))}
    </dl>
  )
}

/** The answer as the deployment gives it, and as the contract writes it. */
function SideBySide({ details }: { readonly details: RequestDetails }) {
  const { answer_body: sent, contract_body: contract, answer_headers: headers } = details
  const { left, right } = compareLines(prettyText(sent?.text ?? ''), prettyText(JSON.stringify(contract)))
  return (
    <section>
      <h3>Answer</h3>
      <details>
        <summary>{countText(Object.keys(headers).length, 'header')}</summary>
        <Headers of={headers} />
      </details>
      <div class="side-by-side">
        <div>
          <h4>As the deployment answers</h4>
          <Lines label="Answer of the deployment" of={left} />
        </div>
        <div>
          <h4>As the contract says</h4>
          <Lines label="Answer of the contract" of={right} />
        </div>
      </div>
    </section>
  )
}

function Lines({ label, of: lines }: { readonly label: string; readonly of: readonly Line[] }) {
  return (
    <Scrolled label={label}>
      {lines.map(({ text, isShared }, index) => (
        <span key={index} class={isShared ? '' : 'differs'}>
          {text}
          {'\n'}
        </span>
      ))}
    </Scrolled>
  )
}
