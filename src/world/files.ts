import { drawSecret } from './secret.ts'

/** Receives the bytes of one file. If a method throws, nothing is left of the file. */
export interface IncomingFile {
  /** Names the file among those of its tenant. No other file ever has the same name. */
  readonly name: string
  add(chunk: Uint8Array): void
  /** Completes the file without holding up other calls: resolves once it outlives a crash. Undefined if there is nothing to wait for. */
  keep(): Promise<void> | undefined
  /** Completes the file without interruption, unless it is complete. */
  keepNow(): void
  /** Removes the file, also if it is kept. */
  drop(): void
}

/** The bytes of a stored object. */
export interface Content {
  /** In bytes. */
  readonly size: number
  /** Yields all bytes, at most `most` at a time. Yields fewer if the file is removed before the first of them. */
  pieces(most: number): Iterable<Uint8Array>
}

/**
 * Keeps the contents of objects: one file for each PUT, which never changes. Each method throws an `UnavailableError` if the files
 * cannot be reached or written now.
 */
export interface Files {
  /** Starts to receive a file of a size in bytes. Returns undefined if there is no room for it. */
  receive(tenantId: string, name: string, size: number): IncomingFile | undefined
  /** Returns the size of a file in bytes; undefined if it is not there. */
  sizeOf(tenantId: string, name: string): number | undefined
  /** Yields the bytes of a file, at most `most` at a time; none if it is not there. */
  read(tenantId: string, name: string, most: number): Iterable<Uint8Array>
  /** Removes files, now or later. Never throws. */
  remove(tenantId: string, names: Iterable<string>): void
  /**
   * Moves aside the files that `isUsed` returns false for, and takes back those that it returns true for: of all tenants, or of one
   * tenant, and then only those that are so old that no other mock can still be about to use them. Never throws.
   */
  setAside(isUsed: (tenantId: string, name: string) => boolean, tenantId?: string): void
}

/** Draws a name for a file. */
export function newFileName(): string {
  return drawSecret().slice(0, 32)
}

/** The default limit of files in memory, in bytes. */
export const defaultStoredBytes = 64 * 1024 * 1024

/** Stores the files of a `MemoryFiles` elsewhere too, named by tenant and name. */
export interface FileCopies {
  /** If it throws, the file is not kept. */
  keep(place: string, bytes: Uint8Array): void
  /** Must not throw. */
  remove(places: readonly string[]): void
}

/** Files in memory, up to a limit for all of them together; none, not even empty ones, if the limit is 0. */
export class MemoryFiles implements Files {
  readonly #most: number
  readonly #copies: FileCopies | undefined
  readonly #files = new Map<string, Uint8Array>()
  /** The bytes of files that are kept or being received. */
  #taken = 0

  constructor(most = defaultStoredBytes, copies?: FileCopies) {
    this.#most = most
    this.#copies = copies
  }

  /** Replaces all files, by tenant and name. */
  load(files: Iterable<readonly [place: string, bytes: Uint8Array]>): void {
    this.#files.clear()
    this.#taken = 0
    for (const [place, bytes] of files) {
      this.#files.set(place, bytes)
      this.#taken += bytes.byteLength
    }
  }

  receive(tenantId: string, name: string, size: number): IncomingFile | undefined {
    if (this.#most === 0 || size > this.#most - this.#taken) return undefined
    this.#taken += size
    const place = `${tenantId}/${name}`
    const bytes = new Uint8Array(size)
    let received = 0
    return {
      name,
      add(chunk) {
        if (received + chunk.byteLength <= size) bytes.set(chunk, received)
        received += chunk.byteLength
      },
      keep: () => undefined,
      keepNow: () => {
        this.#copies?.keep(place, bytes)
        this.#files.set(place, bytes)
      },
      drop: () => {
        if (this.#files.has(place)) this.#remove([place])
        else this.#taken -= size
      },
    }
  }

  sizeOf(tenantId: string, name: string): number | undefined {
    return this.#files.get(`${tenantId}/${name}`)?.byteLength
  }

  *read(tenantId: string, name: string, most: number): Generator<Uint8Array, void> {
    const bytes = this.#files.get(`${tenantId}/${name}`) ?? new Uint8Array()
    for (let at = 0; at < bytes.byteLength; at += most) yield bytes.subarray(at, at + most)
  }

  remove(tenantId: string, names: Iterable<string>): void {
    this.#remove(Array.from(names, (name) => `${tenantId}/${name}`))
  }

  /** Removes unused files, since memory has no other place for them. */
  setAside(isUsed: (tenantId: string, name: string) => boolean, of?: string): void {
    const isUnused = (place: string) => {
      const [tenantId = '', name = ''] = place.split('/')
      return (of ?? tenantId) === tenantId && !isUsed(tenantId, name)
    }
    this.#remove([...this.#files.keys()].filter(isUnused))
  }

  #remove(places: readonly string[]): void {
    const kept = places.filter((place) => this.#files.has(place))
    for (const place of kept) {
      this.#taken -= this.#files.get(place)?.byteLength ?? 0
      this.#files.delete(place)
    }
    if (kept.length > 0) this.#copies?.remove(kept)
  }
}
