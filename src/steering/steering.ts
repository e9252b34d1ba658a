import { type Decision, type Execution, stepOf } from '../domain/approval/execution.ts'
import { DomainError } from '../domain/errors.ts'
import { type Clock, endOfTime, mustBeSpeed } from '../world/clock.ts'
import type { RecordedEvent } from '../world/events.ts'
import { mustBeSound, type Settings } from '../world/settings.ts'
import { type Work, whenDone } from '../world/slices.ts'
import type { Tenants, Use } from '../world/tenants.ts'
import type { World } from '../world/world.ts'
import { durationMs } from './iso-duration.ts'

/** A decision about a step of an execution. */
export interface StepDecision {
  readonly execution_id: string
  readonly step_id: string
  readonly decision: Decision
  /** The approver who decides. @default the step's assignee */
  readonly approver_email?: string
}

/** An event and its tenant. `plain` returns the event as data. */
export interface TenantEvent {
  readonly event: RecordedEvent
  readonly tenantId: string
}

/**
 * Controls a mock at run time. A tenant selects its world; without one, calls apply to all current and future worlds. Long
 * work runs in slices, and the method then returns a promise; inside `tenants.atOnce` it never does.
 */
export class Steering {
  /** `onReset` is called before a tenant, or all tenants, are reset. */
  constructor(
    private readonly tenants: Tenants,
    private readonly onReset: (tenantId?: string) => void,
  ) {}

  /** Resets state, clock and settings to those at the start. With a tenant, resets its world to those of a new world. */
  reset(tenantId?: string): void | Promise<void> {
    this.onReset(tenantId)
    return this.tenants.reset(tenantId)
  }

  /**
   * Moves the clock forward, by milliseconds or an ISO 8601 duration such as `PT2H`, and runs everything due by then, in
   * order. Throws a `RangeError`.
   */
  advance(duration: number | string, tenantId?: string): void | Promise<void> {
    const ms = typeof duration === 'string' ? durationMs(duration) : duration
    if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY)) {
      throw new RangeError(
        `The clock cannot advance by '${duration}'. Use milliseconds, or an ISO 8601 duration such as PT2H or P90D.`,
      )
    }
    return whenDone<void, void>(
      this.#enterWorlds(tenantId, ({ clock }) => mustEndBefore(clock, ms)),
      () =>
        this.#changeClocks(
          tenantId,
          (clock) => {
            mustEndBefore(clock, ms)
            clock.advance(ms)
          },
          ({ clock }) => clock.pass(ms),
        ),
    )
  }

  /** Moves a tenant's clock to the next decision of a simulated approver. Does nothing if none is planned. */
  advanceToNextDecision(tenantId: string): void | Promise<void> {
    return this.tenants.withWorld(tenantId, ({ clock }) => {
      const { nextAt } = clock
      return nextAt === undefined ? undefined : clock.pass(nextAt - clock.now())
    })
  }

  /** Sets the clock's speed as a multiple of real time; 0 stops it. Throws a `RangeError`. */
  setSpeed(speed: number, tenantId?: string): void | Promise<void> {
    mustBeSpeed(speed)
    return this.#changeClocks(
      tenantId,
      (clock) => clock.setSpeed(speed),
      ({ clock }) => clock.changeSpeed(speed),
    )
  }

  /** Changes the settings. Settings left out return to those the mock was started with. Throws a `RangeError`. */
  setSettings(settings: Partial<Settings>, tenantId?: string): void | Promise<void> {
    const complete = { ...this.tenants.firstSettings, ...settings }
    mustBeSound(complete)
    if (tenantId === undefined) return this.tenants.setSettings(complete)
    return this.#enterWorlds(tenantId, (world) => world.changeSettings(complete))
  }

  /** Decides a step as an approver. Returns the execution after the decision. Throws a `DomainError`. */
  decide(
    { execution_id: executionId, step_id: stepId, decision, approver_email }: StepDecision,
    tenantId?: string,
  ): Execution | Promise<Execution> {
    const decide = function* (world: World): Work<Execution> {
      const email = approver_email ?? stepOf(world.execution(executionId), stepId).assignee?.email ?? ''
      yield* world.perform({ type: 'DecideStep', executionId, stepId, email, decision })
      return world.execution(executionId)
    }
    return whenDone<string, Execution>(this.#ownerOf(executionId, tenantId), (owner) =>
      this.tenants.withWorld(owner, decide),
    )
  }

  /** Finds the tenant that has an execution. Throws a `DomainError` if there is none. */
  #ownerOf(executionId: string, tenantId?: string): string | Promise<string> {
    const found: string[] = []
    const look = (world: World) => {
      if (world.hasExecution(executionId)) found.push(world.tenantId)
    }
    return whenDone(this.#observeWorlds(tenantId, look), () => {
      const [owner] = found
      if (owner !== undefined) return owner
      throw new DomainError(
        'execution-not-found',
        `There is no execution '${executionId.slice(0, 100)}'. Use the execution_id that POST /api/v1/workflows/{workflow_id}/execute returned.`,
      )
    })
  }

  /**
   * Returns the latest `limit` events, of one type if `type` is set, the oldest first. `before` is a position in the journal of the
   * tenant.
   */
  latest(
    tenantId?: string,
    limit = Number.POSITIVE_INFINITY,
    type?: string,
    before?: number,
  ): TenantEvent[] | Promise<TenantEvent[]> {
    let found: TenantEvent[] = []
    // Sorts once there are twice as many as wanted, not for each world: there may be many worlds with few events each.
    const cut = () => {
      found = limit === 0 ? [] : found.sort((a, b) => a.event.at - b.event.at).slice(-limit)
    }
    const look = ({ journal, tenantId }: World) => {
      for (const event of journal.read(limit, type, before)) found.push({ event, tenantId })
      if (found.length > 2 * limit + 1000) cut()
    }
    return whenDone(this.#observeWorlds(tenantId, look), () => {
      cut()
      return found
    })
  }

  /** Changes the clocks of worlds; first that of new ones, unless there is a tenant. */
  #changeClocks(tenantId: string | undefined, ofNew: (clock: Clock) => void, use: Use<void>): void | Promise<void> {
    const enter = () => this.#enterWorlds(tenantId, use)
    return tenantId === undefined ? whenDone<void, void>(this.tenants.changeClock(ofNew), enter) : enter()
  }

  #observeWorlds(tenantId: string | undefined, look: (world: World) => void): void | Promise<void> {
    return tenantId === undefined ? this.tenants.readEachStored(look) : this.tenants.readStored(tenantId, look)
  }

  #enterWorlds(tenantId: string | undefined, use: Use<void>): void | Promise<void> {
    return tenantId === undefined ? this.tenants.withEachWorld(use) : this.tenants.withWorld(tenantId, use)
  }
}

function mustEndBefore(clock: Clock, ms: number): void {
  if (clock.now() + ms <= endOfTime) return
  throw new RangeError(
    `The clock cannot go beyond ${new Date(endOfTime).toISOString()}. Advance it by less, or reset the mock.`,
  )
}
