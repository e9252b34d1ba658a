/** The fake object store: bytes by storage key. */
export class Objects {
  readonly #bytes = new Map<string, Uint8Array>()

  put(key: string, bytes: Uint8Array): void {
    this.#bytes.set(key, bytes)
  }

  /** The bytes at a key; nothing where none were put. */
  get(key: string): Uint8Array | undefined {
    return this.#bytes.get(key)
  }
}
