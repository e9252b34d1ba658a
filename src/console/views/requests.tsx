import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Schemas } from '../../contract/operations.ts'
import { tenantName } from '../../contract/tenant-name.ts'
import { useAnswer, useLive } from '../live/hooks.ts'
import { go, type ListedRequest, mostKept } from '../live/live.ts'
import { Choice, Copied, Facts, Field, Pending, Scrolled } from '../parts/basics.tsx'
import { curlCommandOf } from '../parts/curl.ts'
import { bytesText, countText, numberText, parsedJson, prettyText, timeOfDayText } from '../parts/format.ts'
import { compareLines, type Line } from '../parts/line-diff.ts'
import { ListView } from '../parts/lists.tsx'
import { rowsOf } from '../parts/virtual-list.tsx'

type RequestDetails = Schemas['RequestDetails']

/** The latest requests, live, and the selected one with its bodies. */
export function Requests() {
  const { id, status, tenant } = useLive('route')
  const all = useLive('requests')
  const connection = useLive('connection')
  const [filter, setFilter] = useState('')
  const [paused, setPaused] = useState<readonly ListedRequest[] | undefined>()
  const shown = paused ?? all
  const rows = useMemo(() => {
    const requests = shown.filter((request) => isInState(request, status) && matches(request, filter))
    return rowsOf(requests.toReversed(), (item) => item.request_id)
  }, [shown, filter, status])
  const selected = id ?? rows.at(0)?.request_id
  return (
    <ListView
      what="requests"
      {...{ rows, selected, rowHeight: 30, isLoading: shown.length === 0 && connection === 'connecting' }}
      filters={
        <>
          <Field
            label="Filter"
            type="search"
            placeholder="path, method, status, code"
            required={false}
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
          <Choice
            label="Status"
            value={status ?? ''}
            options={[['', 'all'], 'refused', 'done']}
            onChange={(chosen) => go({ status: chosen || undefined })}
          />
          <button type="button" aria-pressed={paused !== undefined} onClick={() => setPaused(paused ? undefined : all)}>
            {paused ? 'Resume' : 'Pause'}
          </button>
          <Count of={rows.count} />
        </>
      }
      row={(item) => requestRow(item, tenant === undefined || item.tenant_id === null)}
      empty={
        shown.length > 0
          ? 'No request matches the filter.'
          : 'No requests yet. Those of your front end appear here as they come in.'
      }
      detail={selected !== undefined && <RequestDetail key={selected} id={selected} />}
    />
  )
}

/** Returns true if a request was refused or done, if the state is one of these; `status` 0 stands for no answer. */
export function isInState({ status }: Pick<ListedRequest, 'status'>, state: string | undefined): boolean {
  if (state === 'refused') return status >= 400 || status === 0
  return state !== 'done' || (status < 400 && status > 0)
}

/** Returns true if each word of a filter occurs in a request. */
function matches({ method, path, status, code, operation_id }: ListedRequest, filter: string): boolean {
  if (filter === '') return true
  const text = `${method} ${path} ${status} ${code ?? ''} ${operation_id ?? ''}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word))
}

function Count({ of: count }: { readonly of: number }) {
  const lost = useLive('lost')
  return (
    <p class="count" title={`The page keeps the latest ${numberText(mostKept)}.`}>
      {numberText(count)}
      {lost > 0 && <span class="warning">, {numberText(lost)} left out</span>}
    </p>
  )
}

function RequestStatus({ of: status, style }: { readonly of: number; readonly style?: string }) {
  const kind = status === 0 || status >= 500 ? 'rejected' : status >= 400 ? 'refused' : 'approved'
  return <span class={`${style ?? ''} status ${kind}`}>{status || 'cut'}</span>
}

function requestRow(request: ListedRequest, isOfAll: boolean) {
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
      <RequestStatus of={request.status} style="figures" />
      <span class="figures second ms">
        {request.duration_ms < 10 ? request.duration_ms.toFixed(1) : Math.round(request.duration_ms)} ms
      </span>
    </>
  )
}

function RequestDetail({ id }: { readonly id: string }) {
  const { value, error } = useAnswer('readRequest', { params: { request_id: id } })
  if (!value) return <Pending error={error} />
  const { request, requirements, gaps, answer_body: answer, contract_body: contract } = value
  return (
    <article>
      <header>
        <h2 class="text">
          {request.operation_id ?? request.method} <RequestStatus of={request.status} />
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
      <Message title="Request" headers={value.request_headers} size={value.request_body?.size}>
        <BodyText label="Body of the request" of={value.request_body} />
      </Message>
      <Message title="Answer" headers={value.answer_headers} size={contract === null ? answer?.size : undefined}>
        {contract === null || contract === undefined ? (
          <BodyText label="Body of the answer" of={answer} />
        ) : (
          <SideBySide sent={prettyText(answer?.text ?? '')} contract={prettyText(JSON.stringify(contract))} />
        )}
      </Message>
    </article>
  )
}

/** The rules that a refused body breaks, as the contract's answer lists them. */
function Errors({ of: { contract_body, answer_body } }: { readonly of: RequestDetails }) {
  const { errors }: Partial<Schemas['Problem']> = Object(contract_body ?? parsedJson(answer_body?.text ?? ''))
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
function Touched(props: { readonly name: string; readonly page: string; readonly ids: readonly string[] }) {
  const { name, page, ids } = props
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

/** A request or an answer: its headers, and what shows its body. */
function Message(props: {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly size: number | undefined
  readonly children: ComponentChildren
}) {
  const { title, headers, size, children } = props
  const all = Object.entries(headers)
  return (
    <section>
      <h3>
        {title} {size !== undefined && <span class="second">{bytesText(size)}</span>}
      </h3>
      <details>
        <summary>{countText(all.length, 'header')}</summary>
        <Facts style="mono" of={all.map(([name, value]) => [name, value, 'break'])} />
      </details>
      {children}
    </section>
  )
}

function BodyText({ label, of: body }: { readonly label: string; readonly of: RequestDetails['request_body'] }) {
  if (!body) {
    return (
      <p class="second">No body, or it was not kept. The mock keeps the latest 50, and more while this page is open.</p>
    )
  }
  return (
    <>
      <Scrolled label={label}>{prettyText(body.text)}</Scrolled>
      {body.is_cut && <p class="second">The first {bytesText(body.text.length)} of the body.</p>}
    </>
  )
}

/** The answer as the deployment gives it, and as the contract writes it. */
function SideBySide({ sent, contract }: { readonly sent: string; readonly contract: string }) {
  const { left, right } = compareLines(sent, contract)
  return (
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
