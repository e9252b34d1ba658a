/** Asking for an upload URL and confirming the upload: interface.md sections 2, 4.4 and 4.6. */
import { type Check, fail, inconclusive, pass } from '../check.ts'
import { label, succeeded } from '../exchange.ts'
import { findNamed } from '../locate.ts'
import { mustBeDone } from './shared.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What is decided by the upload request's being accepted. */
const requested = [
  'request-upload.method-and-path',
  'upload.file-name',
  'upload.content-type',
  'upload.file-size',
] as const

/** What is decided by the confirmation's being accepted. */
const confirmed = [
  'confirm-upload.method-and-path',
  'confirm.session-id',
  'confirm.completed-files',
  'completed-file.key',
  'completed-file.file-name',
  'flow.request-put-confirm',
] as const

export const uploadChecks: readonly Check[] = [
  ...requested.map((id): Check => ({ id, run: async (flow) => mustBeDone((await flow.uploadAnswer()).exchange) })),
  ...confirmed.map((id): Check => ({ id, run: async (flow) => mustBeDone(await flow.confirmAnswer()) })),
  {
    id: 'upload.answers-upload-url',
    async run(flow) {
      const { exchange } = await flow.uploadAnswer()
      if (!succeeded(exchange)) return inconclusive(`${label(exchange)}.`)
      const { value } = findNamed(exchange.json, 'upload_url') ?? {}
      if (typeof value !== 'string') return fail('The answer has no text in upload_url.')
      return URL.canParse(value) ? pass('upload_url is an address.') : fail('upload_url is not an address.')
    },
  },
  {
    id: 'upload.answers-session-id',
    async run(flow) {
      const { exchange } = await flow.uploadAnswer()
      if (!succeeded(exchange)) return inconclusive(`${label(exchange)}.`)
      const found = findNamed(exchange.json, 'session_id')
      return found ? pass(`session_id is at ${found.pointer}.`) : fail('The answer has no session_id.')
    },
  },
  {
    id: 'upload.session-id-is-uuid',
    async run(flow) {
      const { sessionId } = await flow.upload()
      return uuid.test(sessionId)
        ? pass('session_id is a UUID.')
        : fail(`session_id is ${JSON.stringify(sessionId)}, not a UUID.`)
    },
  },
  {
    id: 'upload.session-ids-differ',
    async run(flow) {
      const { sessionId, bytes } = await flow.upload()
      const again = await flow.target.requestUpload(flow.samples.upload(bytes))
      const other = findNamed(again.json, 'session_id')?.value
      if (!succeeded(again) || !other) return inconclusive(`${label(again)} to a second upload request.`)
      return other === sessionId
        ? fail('Two uploads have the same session_id.')
        : pass('Two uploads have two session_ids.')
    },
  },
  {
    id: 'completed-file.key-begins-with-tenants',
    async run(flow) {
      const key = await flow.storageKey()
      return key.startsWith('tenants/')
        ? pass('The key begins with tenants/.')
        : fail(`The key is ${JSON.stringify(key)}.`)
    },
  },
  {
    id: 'completed-file.key-ends-with-file-name',
    async run(flow) {
      const key = await flow.storageKey()
      const { sent } = await flow.upload()
      return key.endsWith(sent.file_name)
        ? pass('The key ends with the file name.')
        : fail(`The key is ${JSON.stringify(key)}, but the file is ${JSON.stringify(sent.file_name)}.`)
    },
  },
]
