import { createHash } from 'node:crypto'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { ArchiveError } from '../../world/archive.ts'
import { FolderError, ifThere } from '../journal/errors.ts'
import { identityOf, isAt, lock } from '../lock-file.ts'

/** The file that says which journal names the files of a folder. It is locked unless several mocks share the folder. */
const ownerFile = 'countersign-objects.txt'

/** The place in which the names of a folder's files are kept: the memory of a mock, a journal file, or a shared journal. */
export type Owner =
  | { readonly kind: 'memory' }
  | { readonly kind: 'file'; readonly id: string; readonly path: string }
  | { readonly kind: 'shared'; readonly secret: string }

/** The right of a mock to a folder. */
export interface Claim {
  /** True if the files that were in the folder can be named by no journal. */
  readonly isForgotten: boolean
  /** Throws an `UnavailableError` if the folder is no longer there, or another mock has claimed it. */
  mustBeHeld(): void
  /** Gives the folder back. Later calls have no effect. */
  release(): void
}

const lost = new Error('it was moved or replaced, or another mock has claimed it')
const forgotten = 'a mock without a journal'

/** The time between two tries of a mock that shares a folder, and their number, while another one takes the folder over. */
const retryMs = 50
const mostTries = 40

/**
 * Takes a folder over for the files of a journal. Rejects with an `ArchiveError` if another mock has the folder, or if the files in
 * it belong to another journal.
 */
export async function takeOver(folder: string, owner: Owner): Promise<Claim> {
  const path = join(folder, ownerFile)
  const own = describe(owner)
  const claimWhile = (isForgotten: boolean, isHeld: () => boolean, release = () => {}): Claim => ({
    isForgotten,
    mustBeHeld() {
      // A folder whose disk is not mounted must not be taken for an empty one.
      if (!isHeld()) throw new FolderError(folder, lost, 'Put it back, or restart the mock.')
    },
    release,
  })
  const isTaken = `Another mock has the folder of objects ${folder} open. Stop it, or choose another folder.`
  if (owner.kind !== 'shared') {
    const { file, release } = lock(path, isTaken)
    try {
      const isForgotten = claim(path, own, owner.kind === 'file' ? owner.path : '') === forgotten
      const identity = identityOf(file)
      return claimWhile(isForgotten, () => isAt(path, identity), release)
    } catch (error) {
      release()
      throw error
    }
  }
  for (let tries = 1; ownerIn(path) !== own; tries += 1) {
    try {
      const { release } = lock(path, isTaken)
      try {
        claim(path, own, '')
      } finally {
        release()
      }
    } catch (error) {
      if (tries >= mostTries || !(error instanceof ArchiveError) || ownerIn(path) !== '') throw error
      await later(retryMs)
    }
  }
  // Mocks on other machines may see other identities of one file.
  return claimWhile(false, () => ownerIn(path) === own)
}

/**
 * Writes the owner, and the path of its journal for people, into a file, which must be locked. Returns the owner before. Throws an
 * `ArchiveError` if that is another journal.
 */
function claim(path: string, own: string, journal: string): string {
  const before = ownerIn(path)
  if (before === own) return before
  if (before !== '' && before !== forgotten) {
    const text = readFileSync(path, 'utf8').trim().replace('\n', ', ')
    throw new ArchiveError(
      `The folder of objects has the files of ${text}. Start the mock with that, or choose another folder.`,
    )
  }
  // Write into the same file: a new file would not have the lock.
  truncateSync(path)
  writeFileSync(path, `${own}\n${journal}\n`, { flag: 'r+' })
  return before
}

/** Writes the identifier of a journal into the folder beside it, unless it is there already. The journal must be locked. */
export function markOwner(folder: string, id: string): void {
  const path = join(folder, ownerFile)
  const own = describe({ kind: 'file', id, path })
  if (ownerIn(path) !== own) writeFileSync(path, `${own}\n`)
}

function describe(owner: Owner): string {
  switch (owner.kind) {
    case 'memory':
      return forgotten
    case 'file':
      return `the journal ${owner.id}`
    case 'shared':
      // Never the secret itself.
      return `the PostgreSQL journal ${createHash('sha256').update(`objects/${owner.secret}`).digest('hex').slice(0, 16)}`
  }
}

/** Reads the owner from a file. Returns an empty text if there is none. */
function ownerIn(path: string): string {
  return ifThere(() => readFileSync(path, 'utf8').split('\n')[0]) ?? ''
}
