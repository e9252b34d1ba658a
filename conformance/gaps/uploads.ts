/** Open questions about uploads and storage: interface.md sections 2, 4.4 to 4.6 and 8. */
import type { Flow } from '../flow.ts'
import { memberNames, type Observer, outcome } from './observer.ts'

const ask = async (flow: Flow, change: object) =>
  outcome(await flow.target.requestUpload({ ...flow.samples.upload(1), ...change }))

/** Puts bytes at an upload URL of its own, with a change to what was announced. */
async function put(flow: Flow, change: { readonly headers?: Record<string, string>; readonly longer?: boolean }) {
  const spare = flow.spareDocument()
  const { uploadUrl } = await spare.requested()
  const bytes = change.longer ? new Uint8Array([...spare.bytes, 0]) : spare.bytes
  const headers = { 'Content-Type': spare.sent.content_type, ...change.headers }
  return flow.target.put(uploadUrl, headers, bytes)
}

export const uploadObservers: readonly Observer[] = [
  {
    id: 'gap.file-size-unit',
    ours: 'a size of 0: accepted',
    observe: async (flow) => `a size of 0: ${await ask(flow, { file_size: 0 })}`,
  },
  {
    id: 'gap.max-file-size',
    ours: 'a size of 10 GiB: status 413',
    observe: async (flow) => `a size of 10 GiB: ${await ask(flow, { file_size: 10 * 1024 ** 3 })}`,
  },
  {
    id: 'gap.content-type-format',
    ours: 'application/x-conformance: accepted',
    observe: async (flow) =>
      `application/x-conformance: ${await ask(flow, { content_type: 'application/x-conformance' })}`,
  },
  {
    id: 'gap.file-name-rules',
    ours: 'a name with a slash: status 400',
    observe: async (flow) => `a name with a slash: ${await ask(flow, { file_name: 'conformance/../name.pdf' })}`,
  },
  {
    id: 'gap.upload-response',
    ours: 'expires_at, headers, key, method, session_id, upload_url',
    observe: async (flow) => memberNames((await flow.document(1).asked()).exchange),
  },
  {
    id: 'gap.confirm-response',
    ours: 'confirmed_at, content_type, document_id, file_name, file_size, key, session_id, sha256',
    observe: async (flow) => memberNames(await flow.document(1).confirmed()),
  },
  {
    id: 'gap.storage-key-middle',
    ours: '3 segments between tenants/ and the file name',
    async observe(flow) {
      const segments = (await flow.document(1).key()).split('/').length - 2
      return `${segments} segments between tenants/ and the file name`
    },
  },
  {
    id: 'gap.storage-address',
    ours: "on the service's own address",
    async observe(flow) {
      const { uploadUrl } = await flow.document(1).requested()
      const same = new URL(uploadUrl).origin === new URL(flow.target.url).origin
      return same ? "on the service's own address" : 'on another address'
    },
  },
  {
    id: 'gap.upload-url-lifetime',
    ours: '900 seconds, by the address',
    async observe(flow) {
      const { searchParams } = new URL((await flow.document(1).requested()).uploadUrl)
      const [, seconds] = [...searchParams].find(([name]) => /expires$/i.test(name)) ?? []
      return seconds && Number(seconds) < 1e6 ? `${seconds} seconds, by the address` : 'not told by the address'
    },
  },
  {
    id: 'gap.confirm-before-put',
    ours: 'status 409',
    async observe(flow) {
      const spare = flow.spareDocument()
      return outcome(await flow.target.confirmUpload(await spare.confirmation()))
    },
  },
  {
    id: 'gap.unknown-session',
    ours: 'status 404',
    async observe(flow) {
      const body = await flow.document(1).confirmation()
      return outcome(await flow.target.confirmUpload({ ...body, session_id: crypto.randomUUID() }))
    },
  },
  {
    id: 'gap.confirm-mismatch',
    ours: 'the key of another upload: status 409',
    async observe(flow) {
      const spare = flow.spareDocument()
      await spare.stored()
      const { completed_files } = await flow.document(1).confirmation()
      const { session_id } = await spare.confirmation()
      const answer = await flow.target.confirmUpload({ session_id, completed_files })
      return `the key of another upload: ${outcome(answer)}`
    },
  },
  {
    id: 'gap.storage-content-type-mismatch',
    ours: 'status 403',
    observe: async (flow) => outcome(await put(flow, { headers: { 'Content-Type': 'text/plain' } })),
  },
  {
    id: 'gap.storage-length-mismatch',
    ours: 'status 403',
    observe: async (flow) => outcome(await put(flow, { longer: true })),
  },
  {
    id: 'gap.storage-authorization',
    ours: 'status 400',
    // Not the key: storage has no business to see it.
    observe: async (flow) => outcome(await put(flow, { headers: { Authorization: 'test_nobody' } })),
  },
  {
    id: 'gap.storage-checksum',
    ours: 'the Content-MD5 of other bytes: status 400',
    async observe(flow) {
      // The MD5 of nothing.
      const answer = await put(flow, { headers: { 'Content-MD5': '1B2M2Y8AsgTpgAmY7PhCfg==' } })
      return `the Content-MD5 of other bytes: ${outcome(answer)}`
    },
  },
  {
    id: 'gap.storage-precondition',
    ours: 'a second PUT with If-None-Match: status 412',
    async observe(flow) {
      const spare = flow.spareDocument()
      await spare.stored()
      const { uploadUrl } = await spare.requested()
      const headers = { 'Content-Type': spare.sent.content_type, 'If-None-Match': '*' }
      return `a second PUT with If-None-Match: ${outcome(await flow.target.put(uploadUrl, headers, spare.bytes))}`
    },
  },
  {
    id: 'gap.storage-content-encoding',
    ours: 'status 403',
    observe: async (flow) => outcome(await put(flow, { headers: { 'Content-Encoding': 'gzip' } })),
  },
  {
    id: 'gap.storage-errors',
    ours: 'application/xml',
    async observe(flow) {
      const { uploadUrl } = await flow.document(1).requested()
      const [address] = uploadUrl.split('?')
      const answer = await flow.target.putObject(`${address}`, 'application/pdf', new Uint8Array(1))
      return answer.headers.get('Content-Type')?.split(';')[0] ?? 'no media type'
    },
  },
  {
    id: 'gap.storage-rewrite',
    ours: 'a second PUT before the confirm: accepted',
    async observe(flow) {
      const spare = flow.spareDocument()
      await spare.stored()
      const { uploadUrl } = await spare.requested()
      const again = await flow.target.putObject(uploadUrl, spare.sent.content_type, spare.bytes)
      return `a second PUT before the confirm: ${outcome(again)}`
    },
  },
]
