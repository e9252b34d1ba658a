import { PageArchive } from './page-archive.ts'
import { indexedDbStore, localStorageStore } from './page-store.ts'

/** The browser storage for the state of a mock. */
export type Persistence = 'indexeddb' | 'localStorage'

/** The time that a page waits for another one to close, such as itself before a reload, in milliseconds. */
const patienceMs = 1000

/**
 * Opens the archive of this name. Returns undefined if another page has it open: two pages would overwrite each other's
 * events. Rejects with an `ArchiveError` if the browser refuses.
 */
export async function openPageArchive(where: Persistence, name: string): Promise<PageArchive | undefined> {
  if (!(await lockUntilPageEnds(`${name} ${where}`))) return undefined
  return PageArchive.open(where === 'indexeddb' ? indexedDbStore(name) : localStorageStore(name))
}

/** Takes a browser lock that ends with the page. Resolves with false if another page holds it. */
function lockUntilPageEnds(name: string): Promise<boolean> {
  // Browser locks need HTTPS or localhost.
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
