import { PageArchive } from './page-archive.ts'
import { indexedDbStore, localStorageStore } from './page-store.ts'

/** Where a page keeps the state of its mock. */
export type Persistence = 'indexeddb' | 'localStorage'

/** How long a page waits for another one to end, such as itself before a reload, in milliseconds. */
const patienceMs = 1000

/**
 * Opens the archive of this name. Returns undefined if another page has it open: two pages would overwrite each other's
 * events. Rejects with an `ArchiveError` if the browser refuses.
 */
export async function openPageArchive(where: Persistence, name: string): Promise<PageArchive | undefined> {
  if (!(await lockUntilPageEnds(`${name} ${where}`))) return undefined
  return PageArchive.open(where === 'indexeddb' ? indexedDbStore(name) : localStorageStore(name))
}

/** Takes a lock of the browser that ends with the page. Resolves with false if another page keeps it. */
function lockUntilPageEnds(name: string): Promise<boolean> {
  // Pages without HTTPS, other than on localhost, have no locks.
  const { locks } = globalThis.navigator ?? {}
  if (!locks) return Promise.resolve(true)
  return new Promise((resolve, reject) => {
    const forEver = () => {
      resolve(true)
      return new Promise<never>(() => {})
    }
    locks.request(name, { signal: AbortSignal.timeout(patienceMs) }, forEver).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'TimeoutError') resolve(false)
      else reject(error)
    })
  })
}
