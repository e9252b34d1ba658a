/** The upload flow for a file with a name that a service might be tempted to clean. No service has to take it. */

import type { Flow } from '../flow/flow.ts'
import { memberCalled } from '../reading/locate.ts'
import { storageKeyIn } from '../reading/storage-key.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import { Broken } from './check.ts'
import { show, telling } from './shared.ts'

/** The answer to asking for its upload URL. */
export const askedForUnusual = (flow: Flow) =>
  flow.once('unusual name asked', async () => {
    const bytes = flow.samples.pdf(3)
    const sent = flow.samples.upload(bytes.byteLength, `${flow.samples.name()} Größe.PDF`)
    return { bytes, sent, exchange: await flow.target.requestUpload(sent) }
  })

/** Its address, its session and its key; nothing where the name is refused, or one of them is not shown. */
async function accepted(flow: Flow) {
  const { bytes, sent, exchange } = await askedForUnusual(flow)
  const shownAs = (name: string) => memberCalled(exchange.json, name)?.value
  const [url, session] = [shownAs('upload_url'), shownAs('session_id')]
  if (!succeeded(exchange) || typeof url !== 'string' || !URL.canParse(url) || typeof session !== 'string')
    return undefined
  const key = storageKeyIn(exchange.json, url, sent.file_name)?.value
  return typeof key === 'string' ? { bytes, sent, url, session, key } : undefined
}

/**
 * The answer of storage to it; nothing where it is not accepted before. Throws `Broken` where it is refused and a plain name
 * is not, and `Undecided` where storage fails.
 */
export const storedUnusual = (flow: Flow): Promise<Exchange | undefined> =>
  flow.once('unusual name stored', async () => {
    const upload = await accepted(flow)
    if (!upload) return undefined
    const put = () => flow.target.putObject(upload.url, upload.sent.content_type, upload.bytes)
    const exchange = telling(await flow.settling.until(put, ({ status }) => status !== 503))
    if (exchange.status >= 200 && exchange.status < 300) return exchange
    await flow.spareDocument().stored()
    throw new Broken('storage.put-to-upload-url', 'fail', refused(exchange, upload.sent.file_name))
  })

/** The same for confirming it. */
export const confirmedUnusual = (flow: Flow): Promise<Exchange | undefined> =>
  flow.once('unusual name confirmed', async () => {
    const upload = await accepted(flow)
    const stored = await storedUnusual(flow)
    if (!upload || !stored) return undefined
    const { session, key, sent } = upload
    const body = { session_id: session, completed_files: [{ key, file_name: sent.file_name }] }
    const exchange = telling(await flow.settling.untilKnown(() => flow.target.confirmUpload(body)))
    if (succeeded(exchange)) return exchange
    await flow.spareDocument().confirmed()
    throw new Broken('confirm-upload.method-and-path', 'fail', refused(exchange, sent.file_name))
  })

function refused(exchange: Exchange, fileName: string): string {
  return `${label(exchange)} for the file ${show(fileName)}, whose upload was accepted; a plain name is taken`
}
