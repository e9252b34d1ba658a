import type { ProfileOf } from './approvers.ts'
import type { Work } from './slices.ts'
import type { World } from './world.ts'

/** A named starting point. */
export interface Scenario {
  readonly name: string
  readonly description: string
  /** How long before now it begins, in milliseconds. @default 0 */
  readonly leadMs?: number
  /** How certain approvers work, where that is part of the story. */
  readonly profile?: ProfileOf
  /**
   * Makes it happen: commands to the world, whose clock it advances from the beginning towards now. A long one is a generator that
   * yields where other keys may be served.
   */
  readonly play: ((world: World, now: number) => void) | ((world: World, now: number) => Work)
}

/** Nothing has happened. */
export const emptyScenario: Scenario = { name: 'empty', description: 'Nothing has happened yet.', play: () => {} }
