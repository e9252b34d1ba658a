import { createStore, entries, promisifyRequest } from 'idb-keyval'
import { ArchiveError, UnavailableError } from '../../src/index.ts'

/** Changes that are applied together. */
export interface StoreChanges {
  readonly set: readonly (readonly [name: string, value: string | Uint8Array])[]
  readonly remove: readonly string[]
  /** Removes all entries whose names begin with this, before others are set. @default none */
  readonly removeBelow?: string
}

/** A storage of the browser that outlives a page. */
export interface PageStore {
  /** Returns all entries. Rejects with an `ArchiveError`. */
  read(): Promise<ReadonlyMap<string, string | Uint8Array>>
  /**
   * Changes entries, all or none, immediately or before the promise resolves. Throws or rejects with an `ArchiveError`. Once a promise
   * has rejected, all later ones do, until the entries are read again; so none is stored without those before it.
   */
  write(changes: StoreChanges): Promise<void> | undefined
}

/** A storage of the browser refuses a write or a read. */
class PageStoreError extends UnavailableError {
  override readonly code: 'journal-unavailable' | 'store-full'

  constructor(what: string, error: unknown, advice: string) {
    super(`${what}: ${messageOf(error)}. ${advice}`)
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError'
    this.code = isFull ? 'store-full' : 'journal-unavailable'
  }
}

/** Creates a store in the IndexedDB database of this name. */
export function indexedDbStore(name: string): PageStore {
  if (globalThis.indexedDB === undefined) throw unavailable('indexedDB')
  const open = () => createStore(name, 'entries')
  let store = open()
  let written = Promise.resolve()
  /** The changes that are not yet on their way. What a call changes is stored together. */
  let waiting: StoreChanges[] = []
  /** Uses the database, which may throw as well as reject. */
  const attempt = async <Result>(use: () => Promise<Result>): Promise<Result> => {
    try {
      return await use()
    } catch (error) {
      throw new PageStoreError('IndexedDB cannot be used', error, "Free some space, or mock without 'persist'.")
    }
  }
  const apply = () => {
    const changes = waiting
    waiting = []
    return store('readwrite', (objects) => {
      for (const { set, remove, removeBelow } of changes) {
        if (removeBelow !== undefined) objects.delete(IDBKeyRange.bound(removeBelow, `${removeBelow}\uffff`))
        for (const [key, value] of set) objects.put(value, key)
        for (const key of remove) objects.delete(key)
      }
      return promisifyRequest(objects.transaction)
    })
  }
  return {
    read() {
      // The browser may have closed the connection.
      store = open()
      written = Promise.resolve()
      waiting = []
      return attempt(async () => new Map(await entries<string, string | Uint8Array>(store)))
    },
    write(changes) {
      waiting.push(changes)
      if (waiting.length === 1) written = written.then(() => attempt(apply))
      return written
    },
  }
}

const bytesMark = 'bytes:'

/** Creates a store in `localStorage`, with this name as prefix of its entries. It holds about 5 MB. */
export function localStorageStore(name: string): PageStore {
  const { localStorage } = globalThis
  if (localStorage === undefined) throw unavailable('localStorage')
  const own = `${name} `
  const put = (key: string, text: string | null) =>
    text === null ? localStorage.removeItem(key) : localStorage.setItem(key, text)
  const namesBelow = (start: string) =>
    Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
      .filter((key) => key.startsWith(own + start))
      .map((key) => key.slice(own.length))
  return {
    async read() {
      return new Map(namesBelow('').map((name) => [name, valueIn(localStorage.getItem(own + name) ?? '')]))
    },
    write({ set, remove, removeBelow }) {
      const before: [key: string, text: string | null][] = []
      const change = (name: string, text: string | null) => {
        const key = own + name
        const old = localStorage.getItem(key)
        put(key, text)
        before.unshift([key, old])
      }
      try {
        const below = removeBelow === undefined ? [] : namesBelow(removeBelow)
        for (const name of [...below, ...remove]) change(name, null)
        for (const [key, value] of set) change(key, typeof value === 'string' ? value : bytesMark + base64Of(value))
      } catch (error) {
        for (const [key, text] of before) put(key, text)
        throw new PageStoreError('localStorage cannot be written', error, "Use persist: 'indexeddb'.")
      }
      return undefined
    },
  }
}

function valueIn(text: string): string | Uint8Array {
  if (!text.startsWith(bytesMark)) return text
  try {
    return Uint8Array.from(atob(text.slice(bytesMark.length)), (character) => character.charCodeAt(0))
  } catch (error) {
    // Damaged bytes are lost.
    if (error instanceof DOMException) return ''
    throw error
  }
}

function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

function unavailable(what: string): ArchiveError {
  return new ArchiveError(`There is no ${what} here. Use 'persist' in a page of a browser only.`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
