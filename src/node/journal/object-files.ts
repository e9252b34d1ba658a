import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveError, type Spool, UnavailableError } from '../../world/archive.ts'
import { Aside } from '../files/aside.ts'
import { markOwner } from '../files/owner.ts'
import { GradualRemoval } from '../gradual-removal.ts'
import { ifThere } from '../if-there.ts'
import { describeFailure, FolderError, isSystemError, reasonOf } from './errors.ts'

export interface ObjectFilesOptions {
  /** Path of the journal. The folder is beside it. */
  readonly path: string
  /** The identifier of the journal. */
  readonly id: string
  /** Throws an `UnavailableError` if the path leads to another journal now, whose folder this then is. */
  readonly mustBeOwn: () => void
  /** Called with warnings for the user. @default they are ignored */
  readonly warn?: ((message: string) => void) | undefined
}

/** The folder of object files, named by their digest. A file is kept as long as an upload refers to it. */
export class ObjectFiles {
  readonly #folder: string
  readonly #mustBeOwn: () => void
  readonly #aside: Aside
  readonly #warn: (message: string) => void
  /** The digest of each upload's object, by tenant and upload session. */
  readonly #digests = new Map<string, Map<string, string>>()
  /** The number of uploads that refer to a digest. */
  readonly #uses = new Map<string, number>()
  /** Files that no upload refers to, to be removed. */
  readonly #unused = new GradualRemoval((name) => this.#remove(name))

  constructor({ path, id, mustBeOwn, warn = () => {} }: ObjectFilesOptions) {
    this.#folder = `${path}.objects`
    this.#mustBeOwn = mustBeOwn
    this.#aside = new Aside(this.#folder, { journal: path, warn })
    this.#warn = warn
    mkdirSync(this.#folder, { recursive: true })
    markOwner(this.#folder, id)
  }

  /** Records the object of an upload. It replaces an earlier one of the same upload. */
  refer(tenant: string, sessionId: string, sha256: string): void {
    const digests = this.#digests.get(tenant) ?? new Map<string, string>()
    const before = digests.get(sessionId)
    this.#uses.set(sha256, (this.#uses.get(sha256) ?? 0) + 1)
    digests.set(sessionId, sha256)
    this.#digests.set(tenant, digests)
    if (before !== undefined) this.#release(before)
    this.#unused.start()
  }

  /** Drops a tenant's references, and removes the files that become unused. */
  forget(tenant: string): void {
    for (const sha256 of this.#digests.get(tenant)?.values() ?? []) this.#release(sha256)
    this.#digests.delete(tenant)
    this.#unused.start()
  }

  /** Drops all references, before all events are replayed again. */
  clear(): void {
    this.#digests.clear()
    this.#uses.clear()
  }

  /** Moves the files aside that no upload refers to, and takes others back. Removes incomplete files of a mock that crashed. */
  setUnusedAside(): void {
    const names = readdirSync(this.#folder)
    for (const name of names) if (/^[\da-f-]{36}\.part$/.test(name)) this.#remove(name)
    const isUnused = (name: string) => /^[\da-f]{64}$/.test(name) && !this.#uses.has(name)
    this.#aside.sort(names.filter(isUnused), (name) => this.#uses.has(name))
  }

  bytes(sha256: string): Uint8Array | undefined {
    const path = join(this.#folder, sha256)
    try {
      return ifThere(() => readFileSync(path))
    } catch (error) {
      throw new ArchiveError(describeFailure(`Cannot read ${path}`, error, 'Make it readable.'))
    }
  }

  /** Receives an object in a file with a temporary name. The file gets its digest as name once it is complete. */
  spool(): Spool {
    this.#mustBeOwn()
    const path = join(this.#folder, `${randomUUID()}.part`)
    const tryToWrite = <T>(write: () => T): T => {
      try {
        return write()
      } catch (error) {
        throw new FolderError(this.#folder, error)
      }
    }
    let file: number | undefined = tryToWrite(() => openSync(path, 'wx'))
    let kept: string | undefined
    const close = () => {
      if (file !== undefined) closeSync(file)
      file = undefined
    }
    return {
      add(chunk) {
        const into = file
        if (into === undefined) return
        tryToWrite(() => {
          for (let done = 0; done < chunk.byteLength; ) done += writeSync(into, chunk, done)
        })
      },
      keep: (sha256) => {
        close()
        tryToWrite(() => renameSync(path, join(this.#folder, sha256)))
        kept = sha256
      },
      drop: () => {
        close()
        // No upload refers to an object that was refused after it was kept.
        if (kept === undefined) rmSync(path, { force: true })
        else if (!this.#uses.has(kept)) this.#remove(kept)
      },
    }
  }

  /** Removes the remaining unused files. */
  close(): void {
    this.#unused.finish()
  }

  #release(sha256: string): void {
    const uses = (this.#uses.get(sha256) ?? 0) - 1
    if (uses > 0) {
      this.#uses.set(sha256, uses)
      return
    }
    this.#uses.delete(sha256)
    this.#unused.add(sha256)
  }

  #remove(name: string): void {
    // It was stored again in the meantime.
    if (this.#uses.has(name)) return
    try {
      this.#mustBeOwn()
      rmSync(join(this.#folder, name), { force: true })
    } catch (error) {
      // Its folder is that of another mock now.
      if (error instanceof UnavailableError) return
      if (!isSystemError(error)) throw error
      this.#warn(`Cannot remove the object file ${name}: ${reasonOf(error)}. The next start tries again.`)
    }
  }
}
