/** Asking for an upload URL and confirming the upload: interface.md sections 2, 4.4 and 4.6. */

import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Document } from '../flow/document.ts'
import type { Flow } from '../flow/flow.ts'
import { at, bare, decoded, findNamed, membersOf } from '../reading/locate.ts'
import { endsWithName, storageKeyIn } from '../reading/storage-key.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import { type Check, fail, pass } from './check.ts'
import { comesAbout, isUuid, ofBoth, otherSizeIn, show, telling } from './shared.ts'
import { askedForUnusual, confirmedUnusual } from './unusual-name.ts'

const asked = async (flow: Flow) => {
  await flow.document(1).requested()
  await flow.document(2).requested()
  return (await flow.document(1).asked()).exchange
}
const confirmed = (flow: Flow) => flow.document(1).confirmed()
const allConfirmed = async (flow: Flow) => {
  const exchange = await confirmed(flow)
  await flow.document(2).confirmed()
  await confirmedUnusual(flow)
  return exchange
}

/** What is decided by the confirmation's being accepted. */
const whenConfirmed = ['confirm.completed-files', 'flow.request-put-confirm'] as const

/** An answer, and what was sent to be shown in it. */
interface Shown {
  readonly exchange: Exchange
  readonly sent: string
}

/** A value was accepted; where an answer shows it again under its name, it shows what was sent. */
function showsAgain(
  id: RequirementId,
  name: string,
  look: (flow: Flow) => Promise<readonly Shown[]>,
  isSame = (shown: string, sent: string) => shown.toLowerCase() === sent.toLowerCase(),
  isValue = (_: string) => true,
): Check {
  return {
    id,
    async run(flow) {
      const looks = await look(flow)
      for (const { exchange, sent } of looks) {
        const shown = membersOf(exchange.json).flatMap(({ name: found, value }) =>
          // A hyphen stands in the names of headers, which are for storage.
          bare(found) === bare(name) && !found.includes('-') && typeof value === 'string' && isValue(value)
            ? [value]
            : [],
        )
        if (shown.length > 0 && !shown.some((value) => isSame(value, sent))) {
          return fail(`${name} was sent as ${show(sent)}, and is shown as ${show(shown[0])}.`)
        }
      }
      return pass(`${looks.map(({ exchange }) => label(exchange)).join(' and ')}.`)
    },
  }
}

const whenAskedShows = (sentOf: (document: Document) => string) => async (flow: Flow) => {
  await asked(flow)
  return ofBoth(flow, async (document) => ({ exchange: (await document.asked()).exchange, sent: sentOf(document) }))
}

const whenConfirmedShows = (sentOf: (document: Document) => Promise<string>) => (flow: Flow) =>
  ofBoth(flow, async (document) => ({ exchange: await document.confirmed(), sent: await sentOf(document) }))

export const uploadChecks: readonly Check[] = [
  comesAbout('request-upload.method-and-path', asked),
  showsAgain(
    'upload.file-name',
    'file_name',
    async (flow) => {
      const { exchange, sent } = await askedForUnusual(flow)
      const plain = await whenAskedShows(({ sent }) => sent.file_name)(flow)
      return succeeded(exchange) ? [...plain, { exchange, sent: sent.file_name }] : plain
    },
    holds,
  ),
  showsAgain(
    'upload.content-type',
    'content_type',
    whenAskedShows(({ sent }) => sent.content_type),
    // Parameters may be added.
    (shown, sent) => shown.toLowerCase().startsWith(sent),
  ),
  {
    id: 'upload.file-size',
    async run(flow) {
      const answer = await asked(flow)
      for (const { asked, requested, sent } of [flow.document(1), flow.document(2)]) {
        const { json } = (await asked()).exchange
        const { uploadUrl, sessionId } = await requested()
        const marks = [sent.file_name, uploadUrl, sessionId]
        const size = otherSizeIn(json, ['filesize'], sent.file_size, marks)
        if (size !== undefined) return fail(`file_size was sent as ${sent.file_size}, and is shown as ${show(size)}.`)
      }
      return pass(`${label(answer)}.`)
    },
  },
  comesAbout('confirm-upload.method-and-path', allConfirmed),
  ...whenConfirmed.map((id) => comesAbout(id, confirmed)),
  showsAgain(
    'confirm.session-id',
    'session_id',
    whenConfirmedShows(async ({ requested }) => (await requested()).sessionId),
  ),
  showsAgain(
    'completed-file.key',
    'key',
    whenConfirmedShows(({ key }) => key()),
    // Confirming may move the object to where it stays.
    (shown, sent) => shown === sent || (shown.startsWith('tenants/') && endsWithName(shown, nameIn(sent))),
    // A tag has a key too, and that is no path.
    (text) => text.includes('/'),
  ),
  showsAgain(
    'completed-file.file-name',
    'file_name',
    async (flow) => {
      const plain = await whenConfirmedShows(async ({ sent }) => sent.file_name)(flow)
      const exchange = await confirmedUnusual(flow).catch(() => undefined)
      return exchange ? [...plain, { exchange, sent: (await askedForUnusual(flow)).sent.file_name }] : plain
    },
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
      const both = await ofBoth(flow, ({ requested }) => requested())
      const other = [...both.map(({ sessionId }) => sessionId), ...sessionsSeen(flow)].find((id) => !isUuid(id))
      return other === undefined ? pass('session_id is a UUID.') : fail(`session_id is ${show(other)}, not a UUID.`)
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
      const keys = await ofBoth(flow, ({ key }) => key())
      const other = keys.find((key) => !/^tenants\/[^/]/.test(key) || unfilled.test(key))
      return other === undefined ? pass('The key begins with tenants/.') : fail(`The key is ${show(other)}.`)
    },
  },
  { id: 'completed-file.key-ends-with-file-name', run: keyEndsWithName },
]

/** A tenant that was never filled in. */
const unfilled = /^tenants\/(undefined|null|\$?\{[^/]*\}|<[^/]*>|%7B[^/]*%7D)\//

/** The sessions in all answers of the run to requests for an upload. */
function sessionsSeen({ target, located }: Flow): string[] {
  const answers = target.transport.exchanges.filter(
    (exchange) => exchange.request.method === 'POST' && /\/upload\/$/.test(exchange.request.url) && succeeded(exchange),
  )
  return answers.flatMap(({ json }) => {
    const id = at(json, located.session_id ?? '/session_id')
    return typeof id === 'string' && id !== '' ? [id] : []
  })
}

/** The name may be shown with more, as the object is called, and as an address writes it. */
function holds(shown: string, sent: string): boolean {
  const lower = (text: string) => text.normalize('NFC').toLowerCase()
  return [shown, decoded(shown)].some((text) => lower(text).includes(lower(sent)))
}

/** The last segment of a key. */
function nameIn(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

/** With an ordinary name, and with one that a service might be tempted to clean. */
async function keyEndsWithName(flow: Flow) {
  const plain = await ofBoth(flow, async ({ key, sent }) => ({ key: await key(), name: sent.file_name }))
  const flaw = plain.find(({ key, name }) => !endsWithName(key, name))
  if (flaw) return fail(`The key is ${show(flaw.key)}, but the file is ${show(flaw.name)}.`)
  const { sent, exchange } = await askedForUnusual(flow)
  const answer = telling(exchange)
  if (!succeeded(answer)) return pass(`The key ends with the file name; ${label(answer)} to an unusual one.`)
  const url = findNamed(answer.json, 'upload_url')?.value
  const other = storageKeyIn(answer.json, URL.canParse(String(url)) ? String(url) : flow.target.url, sent.file_name)
  if (!other || endsWithName(String(other.value), sent.file_name)) return pass('The key ends with the file name.')
  return fail(`The key is ${show(other.value)}, but the file is ${show(sent.file_name)}.`)
}

/** The check of an upload's second confirmation, for the gap that it answers. */
export async function confirmAgain(flow: Flow) {
  await confirmed(flow)
  return flow.target.confirmUpload(await flow.document(1).confirmation())
}
