import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { MockOptions } from '../../src/index.ts'
import { type JournalFile, openJournal } from '../../src/node/journal/journal-file.ts'
import type { JournalOptions } from '../../src/node/journal/line-file.ts'
import { filesIn } from './object-files.ts'
import { scratch } from './scratch.ts'
import { clientOf, service, type Upload } from './service.ts'

export const key = 'test_kept'

/** Returns a path for a journal, in a folder that is removed when the current test ends. */
export const journalPath = () => join(scratch(), 'journal.jsonl')

/** Opens a journal, and collects its warnings. */
export function openedJournal(path = journalPath(), options: JournalOptions = {}) {
  const warnings: string[] = []
  const journal = openJournal(path, { warn: (message) => warnings.push(message), ...options })
  onTestFinished(() => journal.close())
  return { path, journal, warnings }
}

/** Creates a mock with a journal, and a client with the key. Without `stop`, the journal is left as after a kill. */
export function createKeptMock(at?: string, options: MockOptions = {}, journalOptions: JournalOptions = {}) {
  const { path, journal: archive, warnings } = openedJournal(at, journalOptions)
  const mine = service({ archive, ...options }, key)
  const { mock, pdf } = mine
  return {
    ...mine,
    path,
    archive,
    warnings,
    /** Returns the paths of the object files beside the journal. */
    objects: () => filesIn(`${path}.objects`).inPlace,
    /** The world of the key. */
    get world() {
      return mock.tenants.ofKey(key)
    },
    create: async (as = key): Promise<string> => (await clientOf(mock, as).created()).workflow_id,
    /** Uploads a file. Returns its upload session. */
    async upload(bytes: Uint8Array<ArrayBuffer> = pdf, as = key): Promise<Upload> {
      const { requested, store } = clientOf(mock, as)
      const session = await requested('a.pdf', bytes.byteLength)
      await store(session, bytes)
      return session
    },
    /** Stops the mock as the command does on SIGTERM. */
    stop() {
      mock.tenants.stop()
      archive.close()
    },
  }
}

/** Stops a mock, and creates the next one with its journal. */
export function restart({ path, stop }: ReturnType<typeof createKeptMock>, options: MockOptions = {}) {
  stop()
  return createKeptMock(path, options)
}

/** Appends events of about 2 KiB to a journal, numbered from a given place. */
export function write(journal: JournalFile, tenant: string, count: number, from = 1): void {
  const definition = { name: 'x'.repeat(2000), description: '', isSequential: true, steps: [] }
  for (let seq = from; seq < from + count; seq += 1) {
    journal.append(tenant, [{ seq, at: seq, type: 'WorkflowCreated', workflowId: `wf_${tenant}_${seq}`, definition }])
  }
}

/** Creates a workflow and executes it with an uploaded document. Returns the workflow's identifier and the storage key. */
export async function fill({ created, confirmed, execute }: ReturnType<typeof createKeptMock>) {
  const { workflow_id: workflowId } = await created()
  const { document_id, key: storageKey } = await confirmed()
  await execute(workflowId, document_id)
  return { workflowId, storageKey } as { readonly workflowId: string; readonly storageKey: string }
}
