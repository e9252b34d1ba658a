import { createStore, delMany, entries, setMany } from 'idb-keyval'
import { ArchiveError } from '../../src/index.ts'

/** Changes that are applied together. */
export interface StoreChanges {
  readonly set: readonly (readonly [name: string, value: string | Uint8Array])[]
  readonly remove: readonly string[]
}

/** A storage of the browser that outlives a page. */
export interface PageStore {
  /** Returns all entries. Rejects with an `ArchiveError`. */
  read(): Promise<ReadonlyMap<string, string | Uint8Array>>
  /** Changes entries, immediately or before the promise resolves. Throws or rejects with an `ArchiveError`. */
  write(changes: StoreChanges): Promise<void> | undefined
}

/** Creates a store in the IndexedDB database of this name. */
export function indexedDbStore(name: string): PageStore {
  if (globalThis.indexedDB === undefined) throw unavailable('indexedDB')
  const store = createStore(name, 'entries')
  const failed = (error: unknown) => {
    throw new ArchiveError(`IndexedDB cannot be used: ${messageOf(error)}. Free some space, or mock without 'persist'.`)
  }
  return {
    read: () => entries<string, string | Uint8Array>(store).then((all) => new Map(all), failed),
    write: ({ set, remove }) =>
      Promise.all([
        set.length > 0
          ? setMany(
              set.map(([key, value]) => [key, value]),
              store,
            )
          : undefined,
        remove.length > 0 ? delMany([...remove], store) : undefined,
      ]).then(() => {}, failed),
  }
}

const bytesMark = 'bytes:'

/** Creates a store in `localStorage`, with this name as prefix of its entries. It holds about 5 MB. */
export function localStorageStore(name: string): PageStore {
  const { localStorage } = globalThis
  if (localStorage === undefined) throw unavailable('localStorage')
  const own = `${name} `
  return {
    async read() {
      const all = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
      return new Map(
        all
          .filter((key) => key.startsWith(own))
          .map((key) => [key.slice(own.length), valueIn(localStorage.getItem(key) ?? '')]),
      )
    },
    write({ set, remove }) {
      for (const key of remove) localStorage.removeItem(own + key)
      const written: string[] = []
      try {
        for (const [key, value] of set) {
          localStorage.setItem(own + key, typeof value === 'string' ? value : bytesMark + base64Of(value))
          written.push(key)
        }
      } catch (error) {
        // Either all changes are stored or none.
        for (const key of written) localStorage.removeItem(own + key)
        throw new ArchiveError(`localStorage cannot be written: ${messageOf(error)}. Use persist: 'indexeddb'.`)
      }
      return undefined
    },
  }
}

function valueIn(text: string): string | Uint8Array {
  if (!text.startsWith(bytesMark)) return text
  return Uint8Array.from(atob(text.slice(bytesMark.length)), (character) => character.charCodeAt(0))
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
