/** Asking for an upload URL and confirming the upload: interface.md sections 2, 4.4 and 4.6. */

import type { RequirementId } from '../catalogue.ts'
import { type Check, fail, pass } from '../check.ts'
import { endsWithName, storageKeyIn } from '../document.ts'
import { type Exchange, label, succeeded } from '../exchange.ts'
import type { Flow } from '../flow.ts'
import { bare, findNamed, membersOf } from '../locate.ts'
import { comesAbout, show } from './shared.ts'

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

/** What is decided by the upload request's being accepted. */
const whenAsked = [
  'request-upload.method-and-path',
  'upload.file-name',
  'upload.content-type',
  'upload.file-size',
] as const

/** What is decided by the confirmation's being accepted. */
const whenConfirmed = ['confirm.completed-files', 'completed-file.file-name', 'flow.request-put-confirm'] as const

/** A value was accepted; where the answer shows it again under its name, it shows what was sent. */
function showsAgain(
  id: RequirementId,
  name: string,
  look: (flow: Flow) => Promise<{ readonly exchange: Exchange; readonly sent: string }>,
): Check {
  return {
    id,
    async run(flow) {
      const { exchange, sent } = await look(flow)
      const shown = membersOf(exchange.json).filter(
        (member) => bare(member.name) === bare(name) && typeof member.value === 'string',
      )
      return shown.length === 0 || shown.some(({ value }) => String(value).toLowerCase() === sent.toLowerCase())
        ? pass(`${label(exchange)}.`)
        : fail(`${name} was sent as ${show(sent)}, and is shown as ${show(shown[0]?.value)}.`)
    },
  }
}

const whenConfirmedShows = (sent: (flow: Flow) => Promise<string>) => async (flow: Flow) => ({
  exchange: await confirmed(flow),
  sent: await sent(flow),
})

export const uploadChecks: readonly Check[] = [
  ...whenAsked.map((id) => comesAbout(id, asked)),
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
      return first.sessionId === second.sessionId
        ? fail('Two uploads have the same session_id.')
        : pass('Two uploads have two session_ids.')
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

/** With an ordinary name, and with one that a service might be tempted to clean. */
async function keyEndsWithName(flow: Flow) {
  const document = flow.document(1)
  const key = await document.key()
  if (!endsWithName(key, document.sent.file_name)) {
    return fail(`The key is ${show(key)}, but the file is ${show(document.sent.file_name)}.`)
  }
  const unusual = `${flow.samples.name()} Größe.PDF`
  const answer = await flow.target.requestUpload(flow.samples.upload(document.bytes.byteLength, unusual))
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
