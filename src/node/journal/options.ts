import type { OpenFile } from '../lock-file.ts'

/** Options of `openJournal`. */
export interface JournalOptions {
  /** Signs upload URLs. An existing journal keeps its own secret. @default drawn at random */
  readonly secret?: string
  /** Moves damaged lines to another file, instead of throwing an error. @default false */
  readonly repair?: boolean
  /** Called with warnings for the user. @default they are ignored */
  readonly warn?: (message: string) => void
  /** Opens a file and locks it. @default no lock */
  readonly lock?: (path: string) => OpenFile
}
