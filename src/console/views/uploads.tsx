import { useEffect, useMemo } from 'preact/hooks'
import type { Schemas } from '../../contract/operations.ts'
import { sendToAdmin } from '../live/admin.ts'
import { useLoaded } from '../live/hooks.ts'
import { attemptCalls, tenantQuery } from '../live/live.ts'
import { Copied, Facts, Pending, Scrolled, Status, saveFile } from '../parts/basics.tsx'
import { bytesText, exactTimeText, prettyText, timeText } from '../parts/format.ts'
import { TenantList } from '../parts/lists.tsx'

type Upload = Schemas['UploadSummary']

/** All upload sessions of a tenant, and the selected one with its object. */
export function Uploads() {
  return (
    <TenantList<Upload>
      kind="upload"
      row={(item) => (
        <>
          <Status of={item.state} isRow />
          <span class="text strong">{item.file_name}</span>
          <span class="aside figures">{timeText(item.requested_at)}</span>
          <span class="text second">{item.missing ?? item.document_id}</span>
          <span class="aside second figures">{bytesText(item.file_size)}</span>
        </>
      )}
      empty="No uploads."
      detail={(id, item) => item && <UploadDetail key={id} of={item} />}
    />
  )
}

function UploadDetail({ of: upload }: { readonly of: Upload }) {
  const isStored = upload.sha256 !== null
  return (
    <article>
      <header>
        <h2 class="text">{upload.file_name}</h2>
        <Status of={upload.state} />
      </header>
      {upload.missing && <p class="lead">{upload.missing}</p>}
      <Facts
        of={[
          ['Session', <Copied key="session" text={upload.session_id} />],
          ['Document', upload.document_id ? <Copied key="document" text={upload.document_id} /> : 'none yet'],
          ['Type', upload.content_type, 'text'],
          ['Size', bytesText(upload.file_size)],
          ['Requested', exactTimeText(upload.requested_at)],
          ['URL expires', exactTimeText(upload.expires_at)],
          ['Storage key', upload.key, 'mono break'],
          ['CRC-32', upload.crc32 ?? (isStored ? 'not computed' : 'nothing stored'), 'mono'],
          ...(isStored ? [['SHA-256', upload.sha256, 'mono break'] as const] : []),
        ]}
      />
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
  const { session_id, file_name } = upload
  const type = upload.content_type.toLowerCase()
  const isPicture = pictures.test(type)
  const canShow = (isPicture || texts.test(type)) && upload.file_size <= longestPreview
  const read = async (signal?: AbortSignal) =>
    (await sendToAdmin('readObject', { params: { session_id }, query: tenantQuery() }, signal)).blob()
  const { value, error } = useLoaded(
    async (signal) => {
      if (!canShow) return undefined
      const blob = await read(signal)
      return { blob, text: isPicture ? '' : await blob.slice(0, longestText).text() }
    },
    [`${session_id} ${upload.crc32 ?? upload.sha256}`],
  )
  const download = async () => saveFile(new Blob([await read()], { type: 'application/octet-stream' }), file_name)
  return (
    <section>
      <p class="actions">
        <button type="button" onClick={() => attemptCalls(download)}>
          Download
        </button>
      </p>
      {error && <Pending error={error} />}
      {value && isPicture && <Picture blob={value.blob} type={type} name={file_name} />}
      {value && !isPicture && <Scrolled label="Content">{prettyText(value.text)}</Scrolled>}
      {value && !isPicture && value.blob.size > longestText && (
        <p class="second">
          The first {bytesText(longestText)} of {bytesText(value.blob.size)}.
        </p>
      )}
    </section>
  )
}

function Picture({ blob, type, name }: { readonly blob: Blob; readonly type: string; readonly name: string }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([blob], { type })), [blob, type])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return <img class="preview" src={url} alt={`Preview of ${name}`} />
}
