import { operations, type Schemas } from '../contract/operations.ts'
import type { Scenario } from '../world/scenario.ts'
import type { Settings } from '../world/settings.ts'
import type { Tenants } from '../world/tenants.ts'
import type { AdminHandlers } from './admin-calls.ts'
import { timeTo } from './mapping.ts'
import { Problem } from './problem.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'
import type { Steering, TenantEvent } from './steering.ts'

export interface AdminState {
  readonly tenants: Tenants
  readonly log: RequestLog
  readonly steering: Steering
  readonly scenarios: () => Promise<Readonly<Record<string, Scenario>>>
  readonly version: string
}

/** What the admin API does: it steers over HTTP. */
export function adminHandlers({ tenants, log, steering, scenarios, version }: AdminState): AdminHandlers {
  const clock = (key?: string) => {
    const one = key === undefined ? tenants.clock : tenants.ofKey(key).clock
    return { status: 200, body: { now: timeTo(one.now()), speed: one.speed } } as const
  }
  const settings = (key?: string) =>
    ({ status: 200, body: settingsTo(key === undefined ? tenants.settings : tenants.ofKey(key).settings) }) as const

  return {
    getHealth: () => ({ status: 200, body: { status: 'ok', version, worlds: tenants.size } }),

    resetWorlds({ key }) {
      steering.reset(key)
      return { status: 204, body: undefined }
    },

    getJournal({ key, query }) {
      const limit = limitOf(query)
      const events = steering.events(key, limit, query.get('type') ?? undefined)
      return { status: 200, body: { events: events.slice(-limit).map(eventTo) } }
    },

    getRequests({ key, query }) {
      const tenantId = key === undefined ? undefined : tenants.idOf(key)
      return { status: 200, body: { requests: log.read(limitOf(query), tenantId).map(requestTo) } }
    },

    async getScenarios() {
      const all = Object.values(await scenarios()).map(({ name, description }) => ({ name, description }))
      return { status: 200, body: { current: tenants.scenario.name, scenarios: all } }
    },

    async loadScenario({ key, params }) {
      const all = await scenarios()
      const scenario = Object.hasOwn(all, params.scenario) ? all[params.scenario] : undefined
      if (!scenario) {
        const detail = `Failed to load the scenario: because there is none called '${params.scenario.slice(0, 100)}'. Use one of ${Object.keys(all).join(', ')}.`
        throw new Problem('unknown-scenario', detail)
      }
      steering.load(scenario, key)
      return { status: 204, body: undefined }
    },

    getClock: ({ key }) => clock(key),

    setClock({ key, body }) {
      steering.setSpeed(body.speed, key)
      return clock(key)
    },

    advanceClock({ key, body }) {
      try {
        steering.advance(body.duration, key)
      } catch (error) {
        throw error instanceof RangeError ? new Problem('invalid-parameter', error.message) : error
      }
      return clock(key)
    },

    getSettings: ({ key }) => settings(key),

    setSettings({ key, body }) {
      steering.setSettings(settingsFrom(body), key)
      return settings(key)
    },

    decideStep({ key, params, body }) {
      const { execution_id: executionId, step_id: stepId } = params
      const { approver_email: approverEmail, decision } = body
      const { status } = steering.decide({ executionId, stepId, approverEmail, decision }, key)
      return { status: 200, body: { execution_id: executionId, status } }
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

function eventTo({ at, tenantId, ...event }: TenantEvent) {
  return { ...event, at: timeTo(at), tenant_id: tenantId }
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

function settingsFrom({ approvers, latency, faults }: Schemas['Settings']): Partial<Settings> {
  if (latency && latency.max_ms < latency.min_ms) {
    const detail =
      'Failed to read the request: because latency.max_ms is below latency.min_ms. Send a range from low to high.'
    throw new Problem('invalid-parameter', detail)
  }
  for (const { operation_id: id = 'putObject' } of faults ?? []) {
    if (Object.hasOwn(operations, id)) continue
    const detail = `Failed to read the request: because there is no call '${id.slice(0, 100)}'. Use one of ${Object.keys(operations).join(', ')}.`
    throw new Problem('invalid-parameter', detail)
  }
  return {
    ...(approvers && { approvers }),
    ...(latency && { latency: { minMs: latency.min_ms, maxMs: latency.max_ms } }),
    ...(faults && {
      faults: faults.map(({ operation_id, ...fault }) => ({
        ...fault,
        ...(operation_id && { operationId: operation_id }),
      })),
    }),
  }
}
