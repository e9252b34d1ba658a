import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { MockOptions } from '../../src/index.ts'
import { openJournal } from '../../src/node/journal/journal-file.ts'
import type { JournalOptions } from '../../src/node/journal/options.ts'
import { scratch } from './scratch.ts'
import { service, workflow } from './service.ts'

export const key = 'test_kept'

/** Returns a path for a journal, in a folder that is removed when the current test ends. */
export const journalPath = () => join(scratch(), 'journal.jsonl')

/** Returns the names of the object files beside a journal. */
export const objectsOf = (path: string) =>
  readdirSync(`${path}.objects`, { recursive: true })
    .map(String)
    .filter((name) => /^[0-9a-f]{32}\/[0-9a-f]{32}$/.test(name))
    .sort()

/** Creates a mock with a journal. Without `stop`, the journal is left as after a kill. */
export function createKeptMock(path: string, options: MockOptions = {}, journalOptions: JournalOptions = {}) {
  const warnings: string[] = []
  const archive = openJournal(path, { warn: (message) => warnings.push(message), ...journalOptions })
  onTestFinished(() => archive.close())
  const { mock, call, put, pdf } = service({ archive, ...options })
  const create = async (as = key) =>
    (await call('POST', '/api/v1/workflows', workflow(), { Authorization: as })).json.workflow_id as string
  const requestUpload = async (fileSize: number, as = key) => {
    const file = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: fileSize }
    return (await call('POST', '/api/v1/upload/', file, { Authorization: as })).json
  }
  return {
    mock,
    archive,
    warnings,
    call,
    put,
    pdf,
    create,
    requestUpload,
    /** The world of the key. */
    get world() {
      return mock.tenants.ofKey(key)
    },
    /** Uploads a file. Returns its upload session. */
    async upload(bytes: Uint8Array<ArrayBuffer> = pdf, as = key) {
      const session = await requestUpload(bytes.byteLength, as)
      await put(session.upload_url, bytes, session.headers)
      return session
    },
    /** Stops the mock as the command does on SIGTERM. */
    stop() {
      mock.tenants.stop()
      archive.close()
    },
  }
}

/** Creates a workflow and executes it with an uploaded document. Returns the workflow's identifier and the storage key. */
export async function fill({ call, create, upload }: ReturnType<typeof createKeptMock>, as = key) {
  const auth = { Authorization: as }
  const workflowId = await create(as)
  const { session_id, key: storageKey } = await upload(undefined, as)
  const body = { session_id, completed_files: [{ key: storageKey, file_name: 'a.pdf' }] }
  const { document_id } = (await call('POST', '/api/v1/upload/confirm', body, auth)).json
  const execution = { document_id, submitter_email: 'sam@example.com' }
  await call('POST', `/api/v1/workflows/${workflowId}/execute`, execution, auth)
  return { workflowId, storageKey: storageKey as string }
}
