import { operations, type Schemas } from '../contract/operations.ts'
import { DomainError } from '../domain/errors.ts'
import { type Clock, endOfTime } from '../world/clock.ts'
import type { RecordedEvent } from '../world/events.ts'
import { emptyScenario, type Scenario } from '../world/scenario.ts'
import type { Settings } from '../world/settings.ts'
import type { Tenants } from '../world/tenants.ts'
import type { World } from '../world/world.ts'
import type { AdminHandlers } from './admin.ts'
import { durationMs } from './iso-duration.ts'
import { timeTo } from './mapping.ts'
import { Problem } from './problem.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'

export interface AdminState {
  readonly tenants: Tenants
  readonly log: RequestLog
  /** The scenarios that there are, beside the empty one. */
  readonly scenarios: () => Promise<readonly Scenario[]>
  readonly version: string
}

/** What the admin API does. A key picks its world; without one, all worlds and those to come are meant. */
export function adminHandlers({ tenants, log, scenarios, version }: AdminState): AdminHandlers {
  const allScenarios = async () => [emptyScenario, ...(await scenarios())]
  const worldsOf = (key?: string): World[] => (key === undefined ? tenants.all() : [tenants.ofKey(key)])
  const clocksOf = (key?: string): Clock[] => {
    const clocks = worldsOf(key).map(({ clock }) => clock)
    return key === undefined ? [tenants.clock, ...clocks] : clocks
  }
  const clock = (key?: string) => {
    const one = key === undefined ? tenants.clock : tenants.ofKey(key).clock
    return { status: 200, body: { now: timeTo(one.now()), speed: one.speed } } as const
  }
  const settings = (key?: string) =>
    ({ status: 200, body: settingsTo(key === undefined ? tenants.settings : tenants.ofKey(key).settings) }) as const

  return {
    getHealth: () => ({ status: 200, body: { status: 'ok', version, worlds: tenants.size } }),

    resetWorlds({ key }) {
      log.clear(key === undefined ? undefined : tenants.ofKey(key).tenantId)
      tenants.reset(key)
      return { status: 204, body: undefined }
    },

    getJournal({ key, query }) {
      const limit = limitOf(query)
      const events = worldsOf(key).flatMap(({ journal, tenantId }) =>
        journal
          .read()
          .slice(-limit)
          .map((event) => eventTo(event, tenantId)),
      )
      return {
        status: 200,
        body: { events: events.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))).slice(-limit) },
      }
    },

    getRequests({ key, query }) {
      const tenantId = key === undefined ? undefined : tenants.ofKey(key).tenantId
      return { status: 200, body: { requests: log.read(limitOf(query), tenantId).map(requestTo) } }
    },

    async getScenarios() {
      const all = (await allScenarios()).map(({ name, description }) => ({ name, description }))
      return { status: 200, body: { current: tenants.scenario.name, scenarios: all } }
    },

    async loadScenario({ key, params }) {
      const all = await allScenarios()
      const scenario = all.find(({ name }) => name === params.scenario)
      if (!scenario) {
        const names = all.map(({ name }) => name).join(', ')
        const detail = `Failed to load the scenario: because there is none called '${params.scenario.slice(0, 100)}'. Use one of ${names}.`
        throw new Problem('unknown-scenario', detail)
      }
      tenants.load(scenario, key)
      return { status: 204, body: undefined }
    },

    getClock: ({ key }) => clock(key),

    setClock({ key, body }) {
      for (const one of clocksOf(key)) one.setSpeed(body.speed)
      return clock(key)
    },

    advanceClock({ key, body }) {
      const ms = durationMs(body.duration)
      if (clocksOf(key).some((one) => one.now() + ms > endOfTime)) {
        const detail = `Failed to advance the clock: because it stops at ${timeTo(endOfTime)}. Advance it less, or reset the mock.`
        throw new Problem('invalid-parameter', detail)
      }
      for (const one of clocksOf(key)) one.advance(ms)
      return clock(key)
    },

    getSettings: ({ key }) => settings(key),

    setSettings({ key, body }) {
      const changed = settingsFrom(body)
      if (key === undefined) tenants.setSettings(changed)
      else tenants.ofKey(key).setSettings(changed)
      return settings(key)
    },

    decideStep({ key, params, body }) {
      const { execution_id: executionId, step_id: stepId } = params
      const world = worldsOf(key).find((one) => one.hasExecution(executionId))
      if (!world) {
        throw new DomainError(
          'execution-not-found',
          `Failed to decide the step: because no execution has the identifier '${executionId.slice(0, 100)}'. Use the execution_id that executing a workflow answered.`,
        )
      }
      world.handle({ type: 'DecideStep', executionId, stepId, email: body.approver_email, decision: body.decision })
      return { status: 200, body: { execution_id: executionId, status: world.execution(executionId).status } }
    },
  }
}

function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? 1000)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit
  const detail =
    'Failed to read the request: because limit is not a number from 1 to 10000. Send such a number, or none.'
  throw new Problem('invalid-parameter', detail)
}

function eventTo({ at, ...event }: RecordedEvent, tenant_id: string) {
  return { ...event, at: timeTo(at), tenant_id }
}

function requestTo({ at, tenantId, method, path, status, durationMs }: LoggedRequest) {
  return { at: timeTo(at), tenant_id: tenantId ?? null, method, path, status, duration_ms: durationMs }
}

function settingsTo({ approvers, latency, faults }: Settings): Required<Schemas['Settings']> {
  return {
    approvers,
    latency: { min_ms: latency.minMs, max_ms: latency.maxMs },
    faults: faults.map(({ operationId, ...fault }) => ({
      ...fault,
      ...(operationId && { operation_id: operationId }),
    })),
  }
}

function settingsFrom({ approvers, latency, faults }: Required<Schemas['Settings']>): Settings {
  if (latency.max_ms < latency.min_ms) {
    const detail =
      'Failed to read the request: because latency.max_ms is below latency.min_ms. Send a range from low to high.'
    throw new Problem('invalid-parameter', detail)
  }
  for (const { operation_id: id = 'putObject' } of faults) {
    if (Object.hasOwn(operations, id)) continue
    const detail = `Failed to read the request: because there is no call '${id.slice(0, 100)}'. Use one of ${Object.keys(operations).join(', ')}.`
    throw new Problem('invalid-parameter', detail)
  }
  return {
    approvers,
    latency: { minMs: latency.min_ms, maxMs: latency.max_ms },
    faults: faults.map(({ operation_id, ...fault }) => ({
      ...fault,
      ...(operation_id && { operationId: operation_id }),
    })),
  }
}
