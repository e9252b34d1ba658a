import { createHash } from 'node:crypto'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { ArchiveError } from '../../world/archive.ts'
import { ifThere } from '../if-there.ts'
import { lock } from '../lock-file.ts'

/** The file that says which journal names the files of a folder. It is locked unless several mocks share the folder. */
export const ownerFile = 'countersign-objects.txt'

/** The place in which the names of a folder's files are kept: the memory of a mock, a journal file, or a shared journal. */
export type Owner =
  | { readonly kind: 'memory' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'shared'; readonly secret: string }

const forgotten = 'a mock without a journal'

/** The time between two tries of a mock that shares a folder, and their number, while another one takes the folder over. */
const retryMs = 50
const mostTries = 40

/**
 * Takes a folder over for the files of a journal, and returns an idempotent function that gives it back. Rejects with an
 * `ArchiveError` if another mock has the folder, or if the files in it belong to another journal.
 */
export async function takeOver(folder: string, owner: Owner): Promise<() => void> {
  const path = join(folder, ownerFile)
  const own = describe(owner)
  const isTaken = `Another mock has the folder of objects ${folder} open. Stop it, or choose another folder.`
  if (owner.kind !== 'shared') {
    const release = lock(path, isTaken)
    try {
      claim(path, own)
      return release
    } catch (error) {
      release()
      throw error
    }
  }
  for (let tries = 1; ownerIn(path) !== own; tries += 1) {
    try {
      const release = lock(path, isTaken)
      try {
        claim(path, own)
      } finally {
        release()
      }
    } catch (error) {
      if (tries >= mostTries || !(error instanceof ArchiveError) || ownerIn(path) !== '') throw error
      await later(retryMs)
    }
  }
  return () => {}
}

/** Writes the owner into a file. Throws an `ArchiveError` if it has another owner. The file must be locked. */
function claim(path: string, own: string): void {
  const before = ownerIn(path)
  if (before === own) return
  if (before !== '' && before !== forgotten) {
    throw new ArchiveError(
      `The folder of objects has the files of ${before}. Start the mock with that, choose another folder, or remove ${path} if that journal was moved.`,
    )
  }
  // Write into the same file: a new file would not have the lock.
  truncateSync(path)
  writeFileSync(path, `${own}\n`, { flag: 'r+' })
}

function describe(owner: Owner): string {
  switch (owner.kind) {
    case 'memory':
      return forgotten
    case 'file':
      return `the journal ${owner.path}`
    case 'shared':
      // Never the secret itself.
      return `the PostgreSQL journal ${createHash('sha256').update(`objects/${owner.secret}`).digest('hex').slice(0, 16)}`
  }
}

/** Reads the owner from a file. Returns an empty text if there is none. */
function ownerIn(path: string): string {
  return ifThere(() => readFileSync(path, 'utf8').trim()) ?? ''
}
