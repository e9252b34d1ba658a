import type { ProfileOf } from './approvers.ts'
import type { Work } from './slices.ts'
import type { World } from './world.ts'

/** A named state that a world starts with. */
export interface Scenario {
  readonly name: string
  readonly description: string
  /** Time between its first event and now, in milliseconds. @default 0 */
  readonly leadMs?: number
  /** The pace and the habits of some approvers. @default drawn from the seed */
  readonly profile?: ProfileOf
  /**
   * Creates the state by commands to the world, and advances its clock from the first event towards now. A long scenario is a
   * generator, which yields to serve other keys.
   */
  readonly play: ((world: World, now: number) => void) | ((world: World, now: number) => Work)
}

/** A world without any events. */
export const emptyScenario: Scenario = { name: 'empty', description: 'Nothing has happened yet.', play: () => {} }
