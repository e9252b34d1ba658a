import type { RecordedEvent } from './events.ts'
import type { Memory } from './memory.ts'
import type { Work } from './slices.ts'
import type { World } from './world.ts'

/** A world as it was after an event. */
interface Past {
  readonly live: World
  readonly world: World
}

/** The number of earlier worlds that are kept. */
const mostKept = 4

/**
 * Shows worlds as they were after an event, by applying the events again. Keeps the last few, so that a reader who moves
 * forward need not start over; they are dropped when the memory is full.
 */
export class PastWorlds {
  /** The latest used last. */
  #kept: Past[] = []

  constructor(memory: Memory) {
    memory.onFull(() => this.#keep(0))
  }

  /**
   * Returns a world as it was after its event `asOf`. `events` are all its events up to there. Use the result before other work
   * gets its turn: then it may move on or be dropped. Works with a full memory too, as reading always does.
   */
  *at(live: World, events: readonly RecordedEvent[], asOf: number): Work<World> {
    // While it moves, it is not among those that may be dropped.
    const past = this.#takeNearest(live, asOf) ?? { live, world: live.createPast() }
    const { world } = past
    try {
      for (const event of events.slice(world.journal.length, asOf)) {
        world.clock.advance(event.at - world.clock.now())
        world.apply(event)
        yield
      }
    } catch (error) {
      world.close()
      throw error
    }
    this.#kept.push(past)
    this.#keep(mostKept)
    return world
  }

  /** Removes and returns the latest world of the same tenant that is not later. A reset replaces the tenant's world. */
  #takeNearest(live: World, asOf: number): Past | undefined {
    const candidates = this.#kept.filter((past) => past.live === live && past.world.journal.length <= asOf)
    const nearest = candidates.sort((a, b) => b.world.journal.length - a.world.journal.length)[0]
    if (nearest) this.#kept = this.#kept.filter((past) => past !== nearest)
    return nearest
  }

  #keep(most: number): void {
    for (const { world } of this.#kept.splice(0, Math.max(0, this.#kept.length - most))) world.close()
  }
}
