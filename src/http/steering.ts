import { DomainError } from '../domain/errors.ts'
import { type Decision, type Execution, stepOf } from '../domain/execution.ts'
import { type Clock, endOfTime, mustBeSpeed } from '../world/clock.ts'
import type { RecordedEvent } from '../world/events.ts'
import type { Scenario } from '../world/scenario.ts'
import { mustBeSound, type Settings } from '../world/settings.ts'
import type { Tenants } from '../world/tenants.ts'
import type { World } from '../world/world.ts'
import { durationMs } from './iso-duration.ts'
import type { RequestLog } from './request-log.ts'

/** A decision about a step of an execution. */
export interface StepDecision {
  readonly executionId: string
  readonly stepId: string
  readonly decision: Decision
  /** Who decides. @default whoever the step is assigned to */
  readonly approverEmail?: string
}

/** An event, and the world that it happened in. */
export type TenantEvent = RecordedEvent & { readonly tenantId: string }

/** Moves a mock by hand. A key picks its world; without one, all worlds and those to come are meant. */
export class Steering {
  readonly #tenants: Tenants
  readonly #log: RequestLog

  constructor(tenants: Tenants, log: RequestLog) {
    this.#tenants = tenants
    this.#log = log
  }

  /** Takes state, clock and settings back to the start; those of a key, to what new worlds begin with. */
  reset(key?: string): void {
    this.#log.clear(key === undefined ? undefined : this.#tenants.idOf(key))
    this.#tenants.reset(key)
  }

  /** Begins anew with a scenario. */
  load(scenario: Scenario, key?: string): void {
    this.#tenants.load(scenario, key)
  }

  /**
   * Moves the clock forward, by milliseconds or an ISO 8601 duration such as `PT2H`. Whatever is due by then has happened,
   * in order, when it returns. Throws a `RangeError`.
   */
  advance(duration: number | string, key?: string): void {
    const ms = typeof duration === 'string' ? durationMs(duration) : duration
    if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY)) {
      throw new RangeError(
        `Failed to advance the clock: because '${duration}' is no duration. Give milliseconds, or an ISO 8601 duration such as PT2H or P90D.`,
      )
    }
    const clocks = this.#clocksOf(key)
    if (clocks.some((clock) => clock.now() + ms > endOfTime)) {
      throw new RangeError(
        `Failed to advance the clock: because it stops at ${new Date(endOfTime).toISOString()}. Advance it less, or reset the mock.`,
      )
    }
    for (const clock of clocks) clock.advance(ms)
  }

  /** Lets the time go so many times faster than the real time from now on; 0 stands still. Throws a `RangeError`. */
  setSpeed(speed: number, key?: string): void {
    mustBeSpeed(speed)
    for (const clock of this.#clocksOf(key)) clock.setSpeed(speed)
  }

  /** Changes how the mock behaves. Settings that are left out go back to what the mock was started with. Throws a `RangeError`. */
  setSettings(settings: Partial<Settings>, key?: string): void {
    const complete = { ...this.#tenants.firstSettings, ...settings }
    mustBeSound(complete)
    if (key === undefined) this.#tenants.setSettings(complete)
    else this.#tenants.ofKey(key).setSettings(complete)
  }

  /** Decides a step as an approver; gives the execution as it is then. Throws a `DomainError`. */
  decide({ executionId, stepId, decision, approverEmail }: StepDecision, key?: string): Execution {
    const world = this.worldsOf(key).find((one) => one.hasExecution(executionId))
    if (!world) {
      throw new DomainError(
        'execution-not-found',
        `Failed to decide the step: because no execution has the identifier '${executionId.slice(0, 100)}'. Use the execution_id that executing a workflow answered.`,
      )
    }
    const email = approverEmail ?? stepOf(world.execution(executionId), stepId).assignee?.email ?? ''
    world.handle({ type: 'DecideStep', executionId, stepId, email, decision })
    return world.execution(executionId)
  }

  /** What has happened, or what of a type, the oldest first; at most the latest so many of each world. */
  events(key?: string, limit?: number, type?: string): TenantEvent[] {
    return this.worldsOf(key)
      .flatMap(({ journal, tenantId }) => journal.read(limit, type).map((event) => ({ ...event, tenantId })))
      .sort((a, b) => a.at - b.at)
  }

  worldsOf(key?: string): World[] {
    return key === undefined ? this.#tenants.all() : [this.#tenants.ofKey(key)]
  }

  #clocksOf(key?: string): Clock[] {
    const clocks = this.worldsOf(key).map(({ clock }) => clock)
    return key === undefined ? [this.#tenants.clock, ...clocks] : clocks
  }
}
