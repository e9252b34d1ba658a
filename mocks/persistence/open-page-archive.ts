import { PageArchive, passOver } from './page-archive.ts'
import { indexedDbStore, localStorageStore } from './page-store.ts'

/** The browser storage for the state of a mock. */
export type Persistence = 'indexeddb' | 'localStorage'

/** The time that a page waits for another one to close, such as itself before a reload, in milliseconds. */
const patienceMs = 1000

/** The archives that this page has opened, the latest of each lock. */
const opened = new Map<string, Promise<PageArchive | undefined>>()
/** The locks that this page holds. */
const held = new Set<string>()

/**
 * Opens the archive of this name. Returns undefined if another page has it open: two pages would overwrite each other's
 * events. If this page has it open, as when a development server loads a module again, the earlier archive is closed first.
 * Rejects with an `ArchiveError` if the browser refuses.
 */
export function openPageArchive(where: Persistence, name: string): Promise<PageArchive | undefined> {
  const lock = `${name} ${where}`
  const before = opened.get(lock)?.catch(passOver)
  const opening = open(where, name, lock, before)
  opened.set(lock, opening)
  return opening
}

async function open(where: Persistence, name: string, lock: string, before?: Promise<PageArchive | undefined>) {
  await (await before)?.close()
  if (!(await lockUntilPageEnds(lock))) return undefined
  return PageArchive.open(where === 'indexeddb' ? indexedDbStore(name) : localStorageStore(name))
}

/** Takes a browser lock that ends with the page. Resolves with false if another page holds it. */
function lockUntilPageEnds(name: string): Promise<boolean> {
  // Browser locks need HTTPS or localhost.
  const { locks } = globalThis.navigator ?? {}
  if (!locks || held.has(name)) return Promise.resolve(true)
  return new Promise((resolve, reject) => {
    const forEver = () => {
      held.add(name)
      resolve(true)
      return new Promise<never>(() => {})
    }
    locks.request(name, { signal: AbortSignal.timeout(patienceMs) }, forEver).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'TimeoutError') resolve(false)
      else reject(error)
    })
  })
}
