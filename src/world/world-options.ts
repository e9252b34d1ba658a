import type { Router } from '../domain/routing/routing.ts'
import type { ProfileOf } from './approvers.ts'
import type { Archive } from './archive.ts'
import type { Clock } from './clock.ts'
import type { Memory } from './memory.ts'
import type { ByteBudget, CreateHasher } from './objects.ts'
import type { Settings } from './settings.ts'

export interface WorldOptions {
  readonly seed: string
  /** Signs upload URLs. @default derived from the seed */
  readonly secret?: string
  readonly clock: Clock
  readonly settings?: Settings
  /** How an approver works, where that is not drawn from the seed. */
  readonly profile?: ProfileOf
  /** @default one that runs anywhere */
  readonly hasher?: CreateHasher
  /** How many bytes of objects may be kept. @default 64 MiB */
  readonly budget?: ByteBudget
  /** How much may be kept in memory. @default 512 MiB */
  readonly memory?: Memory
  /** @default none */
  readonly archive?: Archive
  /** Chooses approvers. @default smart routing */
  readonly router?: Router
  /**
   * How many ended executions are kept for each workflow; older ones are forgotten, and analytics go on counting them. The
   * journal keeps ten times as many events. @default 10,000
   */
  readonly maxExecutions?: number
}
