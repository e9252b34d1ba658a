/** Asking for an upload URL and confirming the upload: interface.md sections 2, 4.4 and 4.6. */

import type { RequirementId } from '../catalogue.ts'
import { type Check, fail, pass } from '../check.ts'
import { type Exchange, label, succeeded } from '../exchange.ts'
import type { Flow } from '../flow.ts'
import { bare, findNamed, membersOf } from '../locate.ts'
import { endsWithName, storageKeyIn } from '../storage-key.ts'
import { comesAbout, isOtherSize, show, telling } from './shared.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const asked = async (flow: Flow) => {
  await flow.document(1).requested()
  await flow.document(2).requested()
  return (await flow.document(1).asked()).exchange
}
const confirmed = (flow: Flow) => flow.document(1).confirmed()
const bothConfirmed = async (flow: Flow) => {
  const exchange = await confirmed(flow)
  await flow.document(2).confirmed()
  return exchange
}

/** What is decided by the confirmation's being accepted. */
const whenConfirmed = ['confirm.completed-files', 'flow.request-put-confirm'] as const

/** A value was accepted; where the answer shows it again under its name, it shows what was sent. */
function showsAgain(
  id: RequirementId,
  name: string,
  look: (flow: Flow) => Promise<{ readonly exchange: Exchange; readonly sent: string }>,
  isSame = (shown: string, sent: string) => shown.toLowerCase() === sent.toLowerCase(),
): Check {
  return {
    id,
    async run(flow) {
      const { exchange, sent } = await look(flow)
      const shown = membersOf(exchange.json).filter(
        // A hyphen stands in the names of headers, which are for storage.
        (member) => bare(member.name) === bare(name) && !member.name.includes('-') && typeof member.value === 'string',
      )
      return shown.length === 0 || shown.some(({ value }) => isSame(String(value), sent))
        ? pass(`${label(exchange)}.`)
        : fail(`${name} was sent as ${show(sent)}, and is shown as ${show(shown[0]?.value)}.`)
    },
  }
}

const whenAskedShows = (sent: (flow: Flow) => string) => async (flow: Flow) => ({
  exchange: await asked(flow),
  sent: sent(flow),
})

const whenConfirmedShows = (sent: (flow: Flow) => Promise<string>) => async (flow: Flow) => ({
  exchange: await confirmed(flow),
  sent: await sent(flow),
})

export const uploadChecks: readonly Check[] = [
  comesAbout('request-upload.method-and-path', asked),
  showsAgain(
    'upload.file-name',
    'file_name',
    whenAskedShows((flow) => flow.document(1).sent.file_name),
    holds,
  ),
  showsAgain(
    'upload.content-type',
    'content_type',
    whenAskedShows((flow) => flow.document(1).sent.content_type),
    // Parameters may be added.
    (shown, sent) => shown.toLowerCase().startsWith(sent),
  ),
  {
    id: 'upload.file-size',
    async run(flow) {
      const { sent } = flow.document(1)
      const answer = await asked(flow)
      const size = findNamed(answer.json, 'file_size')?.value
      return isOtherSize(size, sent.file_size)
        ? fail(`file_size was sent as ${sent.file_size}, and is shown as ${show(size)}.`)
        : pass(`${label(answer)}.`)
    },
  },
  comesAbout('confirm-upload.method-and-path', bothConfirmed),
  ...whenConfirmed.map((id) => comesAbout(id, confirmed)),
  showsAgain(
    'confirm.session-id',
    'session_id',
    whenConfirmedShows(async (flow) => (await flow.document(1).requested()).sessionId),
  ),
  showsAgain(
    'completed-file.key',
    'key',
    whenConfirmedShows((flow) => flow.document(1).key()),
    // Confirming may move the object to where it stays.
    (shown, sent) => shown === sent || (shown.startsWith('tenants/') && endsWithName(shown, nameIn(sent))),
  ),
  showsAgain(
    'completed-file.file-name',
    'file_name',
    whenConfirmedShows(async (flow) => flow.document(1).sent.file_name),
    holds,
  ),
  {
    id: 'upload.answers-upload-url',
    async run(flow) {
      const [first, second] = [await flow.document(1).requested(), await flow.document(2).requested()]
      return new URL(first.uploadUrl).href === new URL(second.uploadUrl).href
        ? fail('Two uploads have the same upload_url.')
        : pass('upload_url is an http address.')
    },
  },
  {
    id: 'upload.answers-session-id',
    async run(flow) {
      const { sessionId } = await flow.document(1).requested()
      return pass(`session_id is ${show(sessionId)}.`)
    },
  },
  {
    id: 'upload.session-id-is-uuid',
    async run(flow) {
      const { sessionId } = await flow.document(1).requested()
      return uuid.test(sessionId)
        ? pass('session_id is a UUID.')
        : fail(`session_id is ${show(sessionId)}, not a UUID.`)
    },
  },
  {
    id: 'upload.session-ids-differ',
    async run(flow) {
      const [first, second] = [await flow.document(1).requested(), await flow.document(2).requested()]
      // Every upload of the run is asked for under a name of its own, and so is a session of its own.
      const spare = flow.spareDocument()
      const third = await spare.requested()
      const all = [first, second, third].map(({ sessionId }) => sessionId)
      return new Set(all).size < all.length
        ? fail('Two uploads have the same session_id.')
        : pass('Uploads have session_ids of their own.')
    },
  },
  {
    id: 'completed-file.key-begins-with-tenants',
    async run(flow) {
      const key = await flow.document(1).key()
      return key.startsWith('tenants/') && key.length > 'tenants/'.length && !key.startsWith('tenants//')
        ? pass('The key begins with tenants/.')
        : fail(`The key is ${show(key)}.`)
    },
  },
  { id: 'completed-file.key-ends-with-file-name', run: keyEndsWithName },
]

/** The name may be shown with more, as the object is called. */
function holds(shown: string, sent: string): boolean {
  return shown.toLowerCase().includes(sent.toLowerCase())
}

/** The last segment of a key. */
function nameIn(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

/** With an ordinary name, and with one that a service might be tempted to clean. */
async function keyEndsWithName(flow: Flow) {
  const document = flow.document(1)
  const key = await document.key()
  if (!endsWithName(key, document.sent.file_name)) {
    return fail(`The key is ${show(key)}, but the file is ${show(document.sent.file_name)}.`)
  }
  const unusual = `${flow.samples.name()} Größe.PDF`
  const answer = telling(await flow.target.requestUpload(flow.samples.upload(document.bytes.byteLength, unusual)))
  if (!succeeded(answer)) return pass(`The key ends with the file name; ${label(answer)} to an unusual one.`)
  const url = findNamed(answer.json, 'upload_url')?.value
  const other = storageKeyIn(answer.json, URL.canParse(String(url)) ? String(url) : flow.target.url, unusual)
  if (!other || endsWithName(String(other.value), unusual)) return pass('The key ends with the file name.')
  return fail(`The key is ${show(other.value)}, but the file is ${show(unusual)}.`)
}

/** The check of an upload's second confirmation, for the gap that it answers. */
export async function confirmAgain(flow: Flow) {
  await confirmed(flow)
  return flow.target.confirmUpload(await flow.document(1).confirmation())
}
