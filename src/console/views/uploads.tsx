import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from '../../contract/operations.ts'
import { useBeat, useLoaded, useShared } from '../live/hooks.ts'
import { Copied, Failure, Mark, Scrolled, Status } from '../parts/basics.tsx'
import { bytesText, countText, exactTimeText, prettyText, timeText } from '../parts/format.ts'
import { ListView, useTenantList } from '../parts/list-view.tsx'

type Upload = Schemas['UploadSummary']

/** All upload sessions of a tenant, and the selected one with its object. */
export function Uploads() {
  const { route } = useShared()
  const beat = useBeat(({ session_id }) => session_id !== undefined)
  const list = useTenantList<Upload>('uploads', (item) => item.session_id, beat)
  const selected = list.items.find(({ session_id }) => session_id === route.id) ?? list.items[0]
  return (
    <ListView
      what="uploads"
      {...{ list, selected: selected?.session_id, rowHeight: 54, isLoading: list.total === undefined }}
      filters={<p class="count">{list.total === undefined ? '…' : countText(list.total, 'upload')}</p>}
      row={(item) => (
        <>
          <Mark of={item.state} />
          <span class="text strong">{item.file_name}</span>
          <span class="aside figures">{timeText(item.requested_at)}</span>
          <span class="text second">{item.missing ?? item.document_id}</span>
          <span class="aside second figures">{bytesText(item.file_size)}</span>
        </>
      )}
      empty="No uploads."
      detail={selected && <UploadDetail key={selected.session_id} of={selected} />}
    />
  )
}

function UploadDetail({ of: upload }: { readonly of: Upload }) {
  return (
    <article>
      <header>
        <h2 class="text">{upload.file_name}</h2>
        <Status of={upload.state} />
      </header>
      {upload.missing && <p class="lead">{upload.missing}</p>}
      <dl class="facts">
        <dt>Session</dt>
        <dd>
          <Copied text={upload.session_id} />
        </dd>
        <dt>Document</dt>
        <dd>{upload.document_id ? <Copied text={upload.document_id} /> : 'none yet'}</dd>
        <dt>Type</dt>
        <dd class="text">{upload.content_type}</dd>
        <dt>Size</dt>
        <dd>{bytesText(upload.file_size)}</dd>
        <dt>Requested</dt>
        <dd>{exactTimeText(upload.requested_at)}</dd>
        <dt>URL expires</dt>
        <dd>{exactTimeText(upload.expires_at)}</dd>
        <dt>Storage key</dt>
        <dd class="mono break">{upload.key}</dd>
        <dt>CRC-32</dt>
        <dd class="mono">{upload.crc32 ?? (upload.sha256 === null ? 'nothing stored' : 'not computed')}</dd>
        {upload.sha256 !== null && (
          <>
            <dt>SHA-256</dt>
            <dd class="mono break">{upload.sha256}</dd>
          </>
        )}
      </dl>
      {upload.is_kept && <StoredObject of={upload} />}
    </article>
  )
}

/** The types that are shown as pictures. SVG is shown as text: opened in a tab of its own, it would be a page. */
const pictures = /^image\/(png|jpeg|gif|webp|avif|bmp)$/
const texts = /^(text\/|image\/svg|application\/(json|xml|yaml|x-yaml|javascript)|[\w.-]+\/[\w.-]+\+(json|xml))/
/** Larger objects are only downloaded. */
const longestPreview = 8_000_000
const longestText = 64 * 1024

/** Previews an object, and downloads it. */
function StoredObject({ of: upload }: { readonly of: Upload }) {
  const { admin, route, attempt } = useShared()
  const type = upload.content_type.toLowerCase()
  const isPicture = pictures.test(type)
  const canShow = (isPicture || texts.test(type)) && upload.file_size <= longestPreview
  const read = (signal?: AbortSignal) =>
    admin.send('readObject', {
      params: { session_id: upload.session_id },
      query: { tenant_id: route.tenant },
      ...(signal && { signal }),
    })
  const { value: blob, error } = useLoaded(
    async (signal) => (canShow ? (await read(signal)).blob() : undefined),
    [`${upload.session_id} ${upload.crc32 ?? upload.sha256}`],
  )
  const download = () =>
    attempt(async () => {
      const url = URL.createObjectURL(new Blob([await (await read()).blob()], { type: 'application/octet-stream' }))
      Object.assign(document.createElement('a'), { href: url, download: upload.file_name }).click()
      setTimeout(() => URL.revokeObjectURL(url), 10_000)
    })
  return (
    <section>
      <p class="actions">
        <button type="button" onClick={download}>
          Download
        </button>
      </p>
      {error && <Failure error={error} />}
      {blob && (isPicture ? <Picture blob={blob} type={type} name={upload.file_name} /> : <TextPreview blob={blob} />)}
    </section>
  )
}

function Picture({ blob, type, name }: { readonly blob: Blob; readonly type: string; readonly name: string }) {
  const [url, setUrl] = useState<string | undefined>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([blob], { type }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob, type])
  return url ? <img class="preview" src={url} alt={`Preview of ${name}`} /> : null
}

function TextPreview({ blob }: { readonly blob: Blob }) {
  const { value } = useLoaded(() => blob.slice(0, longestText).text(), [blob])
  if (value === undefined) return null
  return (
    <>
      <Scrolled label="Content">{prettyText(value)}</Scrolled>
      {blob.size > longestText && (
        <p class="second">
          The first {bytesText(longestText)} of {bytesText(blob.size)}.
        </p>
      )}
    </>
  )
}
