/** Why the upload flow is refused: asking, putting or confirming. */
import type { Body } from '../../src/contract/operations.ts'
import type { Document } from '../flow/document.ts'
import type { Flow } from '../flow/flow.ts'
import { Broken } from '../judging/check.ts'
import { findNamed } from '../reading/locate.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import { bodyAvoidances, omit, reasonFor } from './avoidances.ts'

type Confirmation = Body<'confirmUpload'>

/** Why asking for an upload URL is refused. */
export async function requestBroken({ target, samples }: Flow, refusal: Exchange, fileSize: number): Promise<Broken> {
  const sample = () => samples.upload(fileSize)
  const without = (name: keyof Body<'requestUpload'>) => () => target.requestUpload(omit(sample(), [name]))
  // How large a file may be is not shown (section 8).
  const smaller = { id: 'upload.file-size', how: 'for a smaller file', isAllowed: true } as const
  return reasonFor(refusal, 'request-upload.method-and-path', () => target.requestUpload(sample()), [
    ...(fileSize > 1000 ? [{ ...smaller, send: () => target.requestUpload(samples.upload(1)) }] : []),
    { id: 'upload.file-size', how: 'without file_size', send: without('file_size') },
    { id: 'upload.content-type', how: 'without content_type', send: without('content_type') },
    { id: 'upload.file-name', how: 'without file_name', send: without('file_name') },
    ...bodyAvoidances(sample, (text, type) => target.post('/api/v1/upload/', text, type)),
  ])
}

/** Why storage refuses: each try puts to an upload of its own, since an address may be good once. */
export async function putBroken({ target, samples }: Flow, document: Document, refusal: Exchange): Promise<Broken> {
  const put = (bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string>) => async () => {
    const answer = await target.requestUpload(samples.upload(bytes.byteLength))
    const url = findNamed(answer.json, 'upload_url')?.value
    if (!succeeded(answer) || typeof url !== 'string' || !URL.canParse(url)) return answer
    return putDone(await target.put(url, headers, bytes))
  }
  const type = { 'Content-Type': document.sent.content_type }
  const text = new TextEncoder().encode('%PDF-1.4\nplain text alone\n')
  const { uploadUrl } = await document.requested()
  // Storage at the deployment's own address knows the key anyway; any other never gets to see it.
  const own = new URL(uploadUrl).origin === new URL(target.url).origin
  const again = () => target.putObject(uploadUrl, document.sent.content_type, document.bytes)
  // How large a file may be is not shown (section 8); a failure at a large one is no such limit.
  const isAllowed = refusal.status < 500
  const smaller = { id: 'storage.raw-bytes', how: 'with a smaller file', isAllowed } as const
  const small = samples.pdf(1)
  return reasonFor(refusal, 'storage.put-to-upload-url', again, [
    ...(document.bytes.byteLength > 2 * small.byteLength ? [{ ...smaller, send: put(small, type) }] : []),
    { id: 'storage.put-to-upload-url', how: 'while no other upload is open', send: put(document.bytes, type) },
    ...(own
      ? [
          {
            id: 'storage.no-service-key',
            how: 'with the key',
            send: put(document.bytes, { ...type, ...target.auth }),
          } as const,
        ]
      : []),
    {
      id: 'storage.declared-content-type',
      how: 'declared as application/octet-stream',
      send: put(document.bytes, { 'Content-Type': 'application/octet-stream' }),
    },
    { id: 'storage.declared-content-type', how: 'without Content-Type', send: put(document.bytes, {}) },
    { id: 'storage.raw-bytes', how: 'with plain text', send: put(text, type) },
  ])
}

/**
 * Where a confirmation was accepted only after so many milliseconds: throws `Broken` where time made no difference, but the
 * second call did.
 */
export async function mustNotNeedTwoCalls(flow: Flow, waitedMs: number): Promise<void> {
  const { target } = flow
  const other = flow.spareDocument()
  await other.stored()
  await target.transport.sleep(2 * waitedMs)
  const body = await other.confirmation()
  const first = await target.confirmUpload(body)
  if (succeeded(first) || !succeeded(await target.confirmUpload(body))) return
  const message = `${label(first)} to an upload that was stored a while before; sent again at once, the call is accepted`
  throw new Broken('flow.request-put-confirm', 'fail', message)
}

/** Why confirming is refused. */
export async function confirmBroken(flow: Flow, refusal: Exchange, body: Confirmation): Promise<Broken> {
  const { target } = flow
  if (succeeded(await target.confirmUpload(body))) {
    return new Broken('flow.request-put-confirm', 'inconclusive', `${label(refusal)}; sent again, the call is accepted`)
  }
  // Each try confirms an upload of its own, since a refused one may be spent.
  const send = (change: (body: Confirmation) => object) => async () => {
    const other = flow.spareDocument()
    await other.stored()
    return target.confirmUpload(change(await other.confirmation()) as Confirmation)
  }
  const without = (name: 'key' | 'file_name') =>
    send(({ completed_files: files, ...rest }) => ({
      ...rest,
      completed_files: files.map((file) => omit(file, [name])),
    }))
  return reasonFor(refusal, 'confirm-upload.method-and-path', () => target.confirmUpload(body), [
    { id: 'confirm-upload.method-and-path', how: 'for an upload that was requested last', send: send((all) => all) },
    { id: 'completed-file.file-name', how: 'without file_name', send: without('file_name') },
    { id: 'completed-file.key', how: 'without key', send: without('key') },
    {
      id: 'confirm.completed-files',
      how: 'without completed_files',
      send: send((all) => omit(all, ['completed_files'])),
    },
    { id: 'confirm.session-id', how: 'without session_id', send: send((all) => omit(all, ['session_id'])) },
    ...bodyAvoidances(
      () => body,
      (text, type) => target.post('/api/v1/upload/confirm', text, type),
    ),
  ])
}

/** A PUT is done by any 2xx; its body is for another check. */
function putDone(exchange: Exchange): Exchange {
  const { json, ...rest } = exchange
  return { ...rest, bytes: new Uint8Array() }
}
