import { type Slices, type Work, whenDone } from './slices.ts'
import type { World } from './world.ts'

/** Decides when work on the world of a tenant runs, and when its result holds. */
export interface Turns {
  /** Runs work, and calls `finish` with its result as soon as that holds. Several mocks may have to run it again, but finish it once. */
  take<Value, Result>(
    tenantId: string,
    run: () => Value | Promise<Value>,
    finish: (value: Value) => Result,
  ): Result | Promise<Result>
  /** Runs what has become due without a call. */
  runDue(tenantId: string, work: Work): void | Promise<void>
  /** Calls `act` as soon as the records of the current work are stored. */
  whenStored(tenantId: string, act: () => void): void
  /** Returns all tenants that have a world. */
  tenantIds(): readonly string[] | Promise<readonly string[]>
  /** Returns true if a tenant without a world here had one before, or has one in another mock. */
  hasHistory(tenantId: string): boolean | Promise<boolean>
  /** Returns the number of events of a world that are stored, and so may be shown. */
  storedEvents(world: World): number
  /** Notes that a tenant, or all tenants, are read without a call. */
  noteLook(tenantId?: string): void
  /** Learns the clock, settings and scenario of new worlds, if another mock has changed them. */
  readDefaults(): void | Promise<void>
  /** Changes what new worlds start with. */
  changeDefaults(change: () => void): void | Promise<void>
  stop(): void
}

/** Gives every work its turn at once: no other mock has the same tenants. */
export function turnsAlone(slices: Slices, openIds: () => readonly string[], closed: ReadonlySet<string>): Turns {
  return {
    take: (_, run, finish) => whenDone(run(), finish),
    runDue: (tenantId, work) => slices.run(tenantId, work),
    whenStored: (_, act) => act(),
    tenantIds: openIds,
    hasHistory: (tenantId) => closed.has(tenantId),
    storedEvents: ({ journal }) => journal.length,
    noteLook() {},
    readDefaults() {},
    changeDefaults: (change) => change(),
    stop() {},
  }
}
