import type { Router } from '../domain/routing/routing.ts'
import type { ProfileOf, StepPace } from './approvers.ts'
import type { LogRecord } from './archive.ts'
import type { Clock } from './clock.ts'
import type { UnusableEventError } from './events.ts'
import type { Files } from './files.ts'
import type { Memory } from './memory.ts'
import type { Hashing } from './objects.ts'
import type { Settings } from './settings.ts'

export interface WorldOptions {
  readonly seed: string
  /** Signs upload URLs. @default derived from the seed */
  readonly secret?: string
  readonly clock: Clock
  readonly settings?: Settings
  /** The pace and the habits of some approvers. @default drawn from the seed */
  readonly profile?: ProfileOf
  /** The pace of all simulated approvers, who then approve everything. @default drawn from the seed */
  readonly pace?: StepPace | undefined
  /** @default one that works on every platform */
  readonly hashing?: Hashing
  /** Keeps the contents of objects. @default in memory, up to 64 MiB */
  readonly files?: Files
  /** The memory of all worlds, and its limit. @default 512 MiB */
  readonly memory?: Memory
  /** Is called with what happens before it holds; if it throws, the command fails. @default nothing is called */
  readonly record?: (records: readonly LogRecord[]) => void
  /** Called when an event cannot be applied. @default nothing is called */
  readonly onUnusable?: (error: UnusableEventError) => void
  /** Tells this world from earlier and later ones of the tenant. @default '' */
  readonly generation?: string
  /** Chooses approvers. @default smart routing */
  readonly router?: Router | undefined
  /**
   * The number of ended executions that each workflow keeps. Older ones are forgotten, but analytics still count them. The
   * journal keeps ten times as many events. @default 10,000
   */
  readonly maxExecutions?: number
}
