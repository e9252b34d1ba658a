/** Receives the bytes of one file. If a method throws, nothing is left of the file. */
export interface IncomingFile {
  /** Names the file among those of its tenant. No other file ever has the same name. */
  readonly name: string
  add(chunk: Uint8Array): void
  /** Resolves once the file is whole and outlives a crash of the machine. */
  keep(): Promise<void>
  /** Does the same without interruption, unless it is done. */
  keepNow(): void
  /** Removes the file, also if it is kept. */
  drop(): void
}

/** The bytes of a stored object, wherever they are. */
export interface Content {
  /** In bytes. */
  readonly size: number
  /** Absent if they are not in memory. */
  readonly bytes?: Uint8Array
  /** Yields all bytes, at most `most` at a time. Yields fewer if the file is removed before the first of them. */
  pieces(most: number): Iterable<Uint8Array>
}

/**
 * Keeps the contents of objects outside of the memory: one file for each PUT, which never changes. Each method throws an
 * `UnavailableError` if the files cannot be reached or written now.
 */
export interface Files {
  /** Returns a name for a file. */
  newName(): string
  /** Starts to receive a file. */
  receive(tenantId: string, name?: string): IncomingFile
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
