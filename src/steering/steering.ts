import { type Decision, type Execution, stepOf } from '../domain/approval/execution.ts'
import { DomainError } from '../domain/errors.ts'
import { type Clock, endOfTime, mustBeSpeed } from '../world/clock.ts'
import type { RecordedEvent } from '../world/events.ts'
import type { Scenario } from '../world/scenario.ts'
import { mustBeSound, type Settings } from '../world/settings.ts'
import { type Work, whenDone } from '../world/slices.ts'
import type { Tenants, Use } from '../world/tenants.ts'
import type { World } from '../world/world.ts'
import { durationMs } from './iso-duration.ts'

/** A decision about a step of an execution. */
export interface StepDecision {
  readonly executionId: string
  readonly stepId: string
  readonly decision: Decision
  /** Who decides. @default whoever the step is assigned to */
  readonly approverEmail?: string
}

/** An event, and the tenant in whose world it happened. `plain` reads the event. */
export interface Happening {
  readonly event: RecordedEvent
  readonly tenantId: string
}

/**
 * Moves a mock by hand. A key picks its world; without one, all worlds and those to come are meant. What takes long is done in
 * slices, and then the method returns a promise; inside `tenants.atOnce` it never does.
 */
export class Steering {
  readonly #tenants: Tenants
  readonly #onReset: (tenantId?: string) => void

  /** `onReset` is called before a tenant, or all of them, are reset. */
  constructor(tenants: Tenants, onReset: (tenantId?: string) => void) {
    this.#tenants = tenants
    this.#onReset = onReset
  }

  /** Takes state, clock and settings back to the start; those of a key, to what new worlds begin with. */
  reset(key?: string): void | Promise<void> {
    this.#onReset(key === undefined ? undefined : this.#tenants.idOf(key))
    return this.#tenants.reset(key)
  }

  /** Begins anew with a scenario. */
  load(scenario: Scenario, key?: string): void | Promise<void> {
    return this.#tenants.load(scenario, key)
  }

  /**
   * Moves the clock forward, by milliseconds or an ISO 8601 duration such as `PT2H`. Whatever is due by then has happened,
   * in order, when it is done. Throws a `RangeError`.
   */
  advance(duration: number | string, key?: string): void | Promise<void> {
    const ms = typeof duration === 'string' ? durationMs(duration) : duration
    if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY)) {
      throw new RangeError(
        `'${duration}' is not a duration to advance the clock by. Give milliseconds, or an ISO 8601 duration such as PT2H or P90D.`,
      )
    }
    return whenDone<void, void>(
      this.#inWorlds(key, ({ clock }) => mustEndBefore(clock, ms)),
      () => {
        if (key === undefined) {
          mustEndBefore(this.#tenants.clock, ms)
          this.#tenants.clock.advance(ms)
        }
        return this.#inWorlds(key, ({ clock }) => clock.pass(ms))
      },
    )
  }

  /** Lets the time go so many times faster than the real time from now on; 0 stands still. Throws a `RangeError`. */
  setSpeed(speed: number, key?: string): void | Promise<void> {
    mustBeSpeed(speed)
    if (key === undefined) this.#tenants.clock.setSpeed(speed)
    return this.#inWorlds(key, ({ clock }) => clock.changeSpeed(speed))
  }

  /** Changes how the mock behaves. Settings that are left out go back to what the mock was started with. Throws a `RangeError`. */
  setSettings(settings: Partial<Settings>, key?: string): void | Promise<void> {
    const complete = { ...this.#tenants.firstSettings, ...settings }
    mustBeSound(complete)
    if (key === undefined) return this.#tenants.setSettings(complete)
    return this.#inWorlds(key, (world) => world.changeSettings(complete))
  }

  /** Decides a step as an approver; returns the execution as it is then. Throws a `DomainError`. */
  decide({ executionId, stepId, decision, approverEmail }: StepDecision, key?: string): Execution | Promise<Execution> {
    const decide = function* (world: World): Work<Execution> {
      const email = approverEmail ?? stepOf(world.execution(executionId), stepId).assignee?.email ?? ''
      yield* world.perform({ type: 'DecideStep', executionId, stepId, email, decision })
      return world.execution(executionId)
    }
    return whenDone<string, Execution>(this.#tenantOf(executionId, key), (tenantId) =>
      this.#tenants.enter(tenantId, decide),
    )
  }

  /** The tenant that has an execution. */
  #tenantOf(executionId: string, key?: string): string | Promise<string> {
    const found: string[] = []
    const look = (world: World) => {
      if (world.hasExecution(executionId)) found.push(world.tenantId)
    }
    return whenDone(this.#inWorlds(key, look), () => {
      const [tenantId] = found
      if (tenantId !== undefined) return tenantId
      throw new DomainError(
        'execution-not-found',
        `No execution has the identifier '${executionId.slice(0, 100)}'. Use the execution_id that executing a workflow answered.`,
      )
    })
  }

  /** What has happened, or what of a type, the oldest first; at most the latest so many. */
  latest(key?: string, limit = Number.POSITIVE_INFINITY, type?: string): Happening[] | Promise<Happening[]> {
    let found: Happening[] = []
    // Sorted when there are twice as many as wanted, and not for each world: there may be many, with few events each.
    const cut = () => {
      found = limit === 0 ? [] : found.sort((a, b) => a.event.at - b.event.at).slice(-limit)
    }
    const look = ({ journal, tenantId }: World) => {
      for (const event of journal.latest(limit, type)) found.push({ event, tenantId })
      if (found.length > 2 * limit + 1000) cut()
    }
    return whenDone(this.#inWorlds(key, look), () => {
      cut()
      return found
    })
  }

  #inWorlds(key: string | undefined, use: Use<void>): void | Promise<void> {
    return key === undefined ? this.#tenants.enterAll(use) : this.#tenants.enter(this.#tenants.idOf(key), use)
  }
}

function mustEndBefore(clock: Clock, ms: number): void {
  if (clock.now() + ms <= endOfTime) return
  throw new RangeError(
    `The clock cannot go beyond ${new Date(endOfTime).toISOString()}. Advance it less, or reset the mock.`,
  )
}
