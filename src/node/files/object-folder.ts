import {
  closeSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UnavailableError } from '../../world/archive.ts'
import type { Files, IncomingFile } from '../../world/files.ts'
import { FolderError, ifThere, isMissing, isSystemError, openOrExplain, reasonOf } from '../journal/errors.ts'
import { Aside } from './aside.ts'
import { type Claim, type Owner, takeOver } from './owner.ts'

/** Resolves once the bytes of an open file outlive a crash of the machine. */
function syncLater(file: number): Promise<void> {
  return new Promise((resolve, reject) => fsync(file, (error) => (error ? reject(error) : resolve())))
}

/** Tenants and files are named by random and hashed digits alone, which are safe on every file system. */
const tenantName = /^[\da-f]{32}$/
const fileName = tenantName
/** Ends the name of a file that is not whole. */
const part = '.part'

/** The number of files that are removed in one turn of the event loop. */
const removedAtOnce = 100

/** The age from which no mock can still be about to use a file that no upload names, in milliseconds. */
const abandonedMs = 24 * 3_600_000

export interface ObjectFolderOptions {
  /** The path of the journal that names the files. @default none */
  readonly journal?: string | undefined
  /** Called with warnings for the user. @default they are ignored */
  readonly warn?: ((message: string) => void) | undefined
}

/**
 * Opens a folder for the contents of objects that are named by `owner`; creates it if there is none. Rejects with an `ArchiveError` if
 * it cannot be used, or if another mock or another journal has it.
 */
export async function openObjectFolder(
  folder: string,
  owner: Owner,
  warn?: (message: string) => void,
): Promise<ObjectFolder> {
  requireFolder(folder)
  const claim = await takeOver(folder, owner)
  return new ObjectFolder(folder, claim, { warn, journal: owner.kind === 'file' ? owner.path : undefined })
}

/** Creates a folder if there is none. Throws an `ArchiveError`. */
export function requireFolder(folder: string): void {
  openOrExplain(folder, () => mkdirSync(folder, { recursive: true }), 'Choose a folder that can be read and written.')
}

/** A folder with the contents of objects: a folder for each tenant, with a file for each PUT. */
export class ObjectFolder implements Files {
  readonly #folder: string
  readonly #claim: Claim
  readonly #aside: Aside
  readonly #warn: (message: string) => void
  /** Paths of files to be removed. */
  readonly #unused: string[] = []
  #removal: NodeJS.Immediate | undefined

  constructor(folder: string, claim: Claim, { journal, warn = () => {} }: ObjectFolderOptions) {
    this.#folder = folder
    this.#claim = claim
    this.#aside = new Aside(folder, { warn, journal })
    this.#warn = warn
  }

  receive(tenantId: string, name: string): IncomingFile {
    return this.#attempt(() => {
      const path = this.#pathOf(tenantId, name)
      if (path === undefined) throw new TypeError(`'${tenantId}' or '${name}' cannot name a file.`)
      this.#claim.mustBeHeld()
      return this.#incoming(name, path, openNew(`${path}${part}`))
    })
  }

  sizeOf(tenantId: string, name: string): number | undefined {
    return this.#attempt(() => {
      const path = this.#pathOf(tenantId, name)
      if (path === undefined) return undefined
      const size = statSync(path, { throwIfNoEntry: false })?.size
      if (size !== undefined) return size
      this.#claim.mustBeHeld()
      return undefined
    })
  }

  *read(tenantId: string, name: string, most: number): Generator<Uint8Array, void> {
    const path = this.#pathOf(tenantId, name)
    const file = path === undefined ? undefined : this.#attempt(() => ifThere(() => openSync(path, 'r')))
    if (file === undefined) return
    try {
      for (
        let piece = this.#attempt(() => readPiece(file, most));
        piece;
        piece = this.#attempt(() => readPiece(file, most))
      ) {
        yield piece
      }
    } finally {
      closeSync(file)
    }
  }

  remove(tenantId: string, names: Iterable<string>): void {
    for (const name of names) {
      const path = this.#pathOf(tenantId, name)
      if (path !== undefined) this.#unused.push(path)
    }
    if (!this.#removal) this.#removeUnused(removedAtOnce)
  }

  setAside(isUsed: (tenantId: string, name: string) => boolean, tenantId?: string): void {
    if (!this.#isOwn()) return
    const before = tenantId === undefined ? Number.POSITIVE_INFINITY : Date.now() - abandonedMs
    const isOld = (path: string) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before
    const isUsedPath = (path: string) => {
      const [tenant = '', name = ''] = path.split('/')
      return this.#pathOf(tenant, name) !== undefined && isUsed(tenant, name)
    }
    const unused: string[] = []
    try {
      for (const tenant of tenantId === undefined ? readdirSync(this.#folder) : [tenantId]) {
        if (!tenantName.test(tenant)) continue
        const folder = join(this.#folder, tenant)
        for (const name of ifThere(() => readdirSync(folder)) ?? []) {
          const isPart = name.endsWith(part) && fileName.test(name.slice(0, -part.length))
          const isUnused = fileName.test(name) && !isUsed(tenant, name)
          if (!(isPart || isUnused) || !isOld(join(folder, name))) continue
          if (isPart || this.#claim.isForgotten) this.#discard(join(folder, name))
          else unused.push(`${tenant}/${name}`)
        }
      }
    } catch (error) {
      this.#warnOf(this.#folder, error)
    }
    this.#aside.sort(unused, isUsedPath)
  }

  /** Removes the remaining unused files, and gives the folder back. */
  close(): void {
    this.#removeUnused(this.#unused.length)
    this.#claim.release()
  }

  /** Removes some unused files, and the others in later turns of the event loop, so that a reset of many does not delay other requests. */
  #removeUnused(most: number): void {
    for (const path of this.#unused.splice(0, most)) if (this.#isOwn()) this.#discard(path)
    if (this.#unused.length === 0) return
    this.#removal = setImmediate(() => {
      this.#removal = undefined
      this.#removeUnused(removedAtOnce)
    })
  }

  #incoming(name: string, path: string, file: number): IncomingFile {
    let handle: number | undefined = file
    let place: string | undefined = `${path}${part}`
    const close = () => {
      const closing = handle
      handle = undefined
      if (closing !== undefined) closeSync(closing)
    }
    const drop = () => {
      close()
      if (place !== undefined) this.#discard(place)
      place = undefined
    }
    const orDrop = <Result>(act: () => Result): Result => {
      try {
        return this.#attempt(act)
      } catch (error) {
        drop()
        throw error
      }
    }
    const finish = () => {
      close()
      this.#claim.mustBeHeld()
      renameSync(`${path}${part}`, path)
      place = path
    }
    return {
      name,
      drop,
      add: (chunk) =>
        orDrop(() => {
          if (handle === undefined) return
          for (let done = 0; done < chunk.byteLength; ) done += writeSync(handle, chunk, done)
        }),
      keep: async () => {
        if (handle === undefined) return
        try {
          await syncLater(handle)
          finish()
          for (const folder of [dirname(path), this.#folder]) await syncFolder(folder)
        } catch (error) {
          orDrop(() => {
            throw error
          })
        }
      },
      keepNow: () =>
        orDrop(() => {
          if (handle === undefined) return
          fsyncSync(handle)
          finish()
        }),
    }
  }

  #isOwn(): boolean {
    try {
      this.#claim.mustBeHeld()
      return true
    } catch (error) {
      if (error instanceof UnavailableError || isSystemError(error)) return false
      throw error
    }
  }

  /** Returns the path of a file; undefined if it would be no name of ours. */
  #pathOf(tenantId: string, name: string): string | undefined {
    return tenantName.test(tenantId) && fileName.test(name) ? join(this.#folder, tenantId, name) : undefined
  }

  /** Throws a `FolderError` if the system refuses. */
  #attempt<Result>(act: () => Result): Result {
    try {
      return act()
    } catch (error) {
      throw isSystemError(error) ? new FolderError(this.#folder, error) : error
    }
  }

  /** Removes a file, and the folder of its tenant with the last one. */
  #discard(path: string): void {
    try {
      rmSync(path, { force: true })
    } catch (error) {
      this.#warnOf(path, error)
      return
    }
    try {
      rmdirSync(dirname(path))
    } catch (error) {
      // It has other files, or another mock was faster.
      if (!isSystemError(error)) throw error
    }
  }

  #warnOf(path: string, error: unknown): void {
    if (!isSystemError(error)) throw error
    this.#warn(`Cannot remove ${path}: ${reasonOf(error)}. A later start tries again.`)
  }
}

/** Creates a file, and the folder of its tenant. */
function openNew(path: string): number {
  for (let tries = 1; ; tries += 1) {
    try {
      mkdirSync(dirname(path), { recursive: true })
      return openSync(path, 'wx')
    } catch (error) {
      // Another mock may remove the folder because it was empty.
      if (!isMissing(error) || tries === mostTries) throw error
    }
  }
}

const mostTries = 3

/** Returns the next bytes of a file: as many as are asked for, or fewer at its end; undefined after it. */
function readPiece(file: number, most: number): Uint8Array | undefined {
  const piece = new Uint8Array(most)
  let size = 0
  for (let more = 1; more > 0 && size < most; size += more) more = readSync(file, piece, size, most - size, null)
  return size === 0 ? undefined : piece.subarray(0, size)
}

/** Makes a rename outlive a crash of the machine. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
