import { sandbox } from '../../contract/http.ts'
import { type OperationId, operations, type Schemas } from '../../contract/operations.ts'
import { read, written } from '../../contract/written.ts'
import type { Steering, TenantEvent } from '../../steering/steering.ts'
import type { DeploymentWays } from '../../wire/deployment.ts'
import { jsonAnswer, WrittenJson } from '../../wire/exchange.ts'
import type { NextAnswers, WaitingAnswer } from '../../wire/next-answers.ts'
import { Problem } from '../../wire/problem.ts'
import type { Scenario } from '../../world/scenario.ts'
import type { Settings } from '../../world/settings.ts'
import type { Work } from '../../world/slices.ts'
import type { Tenants } from '../../world/tenants.ts'
import type { World } from '../../world/world.ts'
import { journalEntryTo } from '../service/journal-entry.ts'
import type { AdminHandlers } from './admin-calls.ts'
import { clockTo } from './admin-values.ts'
import { type LiveState, liveHandlers } from './live-handlers.ts'
import { limitOf, wholeNumberIn } from './page-of.ts'
import { tenantHandlers, tenantTo } from './tenant-handlers.ts'

export interface AdminState extends LiveState {
  readonly nextAnswers: NextAnswers
  readonly steering: Steering
  readonly scenarios: () => Promise<Readonly<Record<string, Scenario>>>
  readonly version: string
  readonly deployment: DeploymentWays
}

/** The answer of a call that has nothing to say. */
const done = { status: 204, body: undefined } as const

/** Creates the handlers of the admin API, which control the mock over HTTP. */
export function adminHandlers(state: AdminState): AdminHandlers {
  return {
    ...tenantHandlers(state.tenants, state.deployment),
    ...liveHandlers(state),
    ...stateHandlers(state),
    ...settingHandlers(state),
    ...recordingHandlers(state),
    ...nextAnswerHandlers(state),
  }
}

function stateHandlers({ tenants, steering, scenarios, version }: AdminState) {
  return {
    getHealth: () => ({ status: 200, body: { status: 'ok', version, worlds: tenants.size } }),

    async resetWorlds({ tenantId }) {
      await steering.reset(tenantId)
      return done
    },

    async getJournal({ tenantId, query }) {
      const before = wholeNumberIn(query, 'before', 1)
      if (before !== undefined && tenantId === undefined) throw withoutTenant('before is a position in a journal')
      const events = await steering.latest(tenantId, limitOf(query), query.get('type') ?? undefined, before)
      return { status: 200, body: await tenants.inSlices(journalTo(events)) }
    },

    async getTenants({ tenantId, query }) {
      const worlds =
        tenantId === undefined ? tenants.latestUsed() : [await tenants.withWorld(tenantId, (world) => world)]
      const latest = worlds.slice(0, limitOf(query)).map((world) => tenantTo(tenants, world))
      return { status: 200, body: { total: worlds.length, tenants: latest } }
    },

    async openTenant({ tenantId = '' }) {
      const body = await tenants.withWorld(tenantId, (world) => tenantTo(tenants, world))
      tenants.noteUse(tenantId)
      return { status: 200, body }
    },

    async getScenarios() {
      const all = Object.values(await scenarios()).map(({ name, description }) => ({ name, description }))
      return { status: 200, body: { current: tenants.scenario.name, scenarios: all } }
    },

    async loadScenario({ tenantId, params }) {
      const all = await scenarios()
      const scenario = Object.hasOwn(all, params.scenario) ? all[params.scenario] : undefined
      if (!scenario) {
        const detail = `There is no scenario '${params.scenario.slice(0, 100)}'. Use one of ${Object.keys(all).join(', ')}.`
        throw new Problem('unknown-scenario', detail)
      }
      await tenants.load(scenario, tenantId)
      return done
    },

    async decideStep({ tenantId, params, body }) {
      const { execution_id } = params
      const { status } = await steering.decide({ execution_id, ...body }, tenantId)
      return { status: 200, body: { execution_id, status } }
    },
  } satisfies Partial<AdminHandlers>
}

function settingHandlers({ tenants, steering }: AdminState) {
  const shown = async <Body>(tenantId: string | undefined, show: (one: Tenants | World) => Body) => ({
    status: 200 as const,
    body: tenantId === undefined ? show(tenants) : await tenants.withWorld<Body>(tenantId, show),
  })
  const clock = (tenantId?: string) => shown(tenantId, (one) => clockTo(one.clock))
  const settings = (tenantId?: string) => shown(tenantId, (one) => written('Settings', one.settings))
  return {
    getClock: ({ tenantId }) => clock(tenantId),

    async setClock({ tenantId, body }) {
      await steering.setSpeed(body.speed, tenantId)
      return clock(tenantId)
    },

    async advanceClock({ tenantId, body }) {
      await orInvalid(() =>
        body.to === undefined
          ? steering.advance(body.duration, tenantId)
          : steering.advanceToNextDecision(requireTenant(tenantId)),
      )
      return clock(tenantId)
    },

    getSettings: ({ tenantId }) => settings(tenantId),

    async setSettings({ tenantId, body }) {
      await orInvalid(() => steering.setSettings(settingsFrom(body), tenantId))
      return settings(tenantId)
    },
  } satisfies Partial<AdminHandlers>
}

function recordingHandlers({ exchanges: { recording } }: AdminState) {
  return {
    async readRecording({ tenantId }) {
      return jsonAnswer(200, await recording.read(tenantId), {
        ...Object.fromEntries(sandbox),
        'Content-Disposition': 'attachment; filename="session.har"',
      })
    },

    startRecording() {
      recording.start()
      return done
    },

    stopRecording() {
      recording.stop()
      return done
    },
  } satisfies Partial<AdminHandlers>
}

function nextAnswerHandlers({ nextAnswers }: AdminState) {
  const waiting = (tenantId?: string) => ({ next_answers: nextAnswers.list(tenantId).map(nextAnswerTo) })
  return {
    getNextAnswers: ({ tenantId }) => ({ status: 200, body: waiting(tenantId) }),

    async addNextAnswer({ tenantId, body }) {
      const { operation_id: operationId, delay_ms: delayMs, ...rest } = body
      const answer = { ...rest, ...(delayMs !== undefined && { delayMs }) }
      await orInvalid(() => nextAnswers.add(operationId as OperationId, answer, tenantId))
      return { status: 201, body: waiting(tenantId) }
    },

    clearNextAnswers({ tenantId }) {
      nextAnswers.clear(tenantId)
      return done
    },
  } satisfies Partial<AdminHandlers>
}

/** Does what a call asks for. Throws a problem in place of a `RangeError`. */
async function orInvalid(act: () => void | Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    throw error instanceof RangeError ? new Problem('invalid-parameter', error.message) : error
  }
}

function requireTenant(tenantId: string | undefined): string {
  if (tenantId !== undefined) return tenantId
  throw withoutTenant('The next decision is one')
}

function withoutTenant(what: string): Problem {
  const detail = `${what} of a tenant, and the call names none. Add tenant_id to the query, or send a key.`
  return new Problem('invalid-parameter', detail)
}

/** The longest journal in an answer, in characters. */
const longestJournal = 16 * 1024 * 1024

/** Writes the latest events that fit into the limit, the oldest first. Always writes at least one. */
function* journalTo(events: readonly TenantEvent[]): Work<WrittenJson> {
  const texts: string[] = []
  let length = 0
  for (const { event, tenantId } of events.toReversed()) {
    const text = JSON.stringify(journalEntryTo(event, tenantId))
    length += text.length
    if (length > longestJournal && texts.length > 0) break
    texts.push(text)
    yield
  }
  return new WrittenJson(`{"events":[${texts.reverse().join(',')}]}`)
}

function nextAnswerTo({ operationId, tenantId, delayMs = 0, connection = 'kept', times, ...answer }: WaitingAnswer) {
  const { status = null, body = null, headers = {} } = answer
  return {
    ...{ operation_id: operationId, tenant_id: tenantId ?? null },
    ...{ status, body, headers: { ...headers }, delay_ms: delayMs, connection, times },
  }
}

function settingsFrom(settings: Schemas['Settings']): Partial<Settings> {
  const { latency, faults } = settings
  if (latency && latency.max_ms < latency.min_ms) {
    const detail = 'latency.max_ms is below latency.min_ms. Send a range from low to high.'
    throw new Problem('invalid-parameter', detail)
  }
  for (const { operation_id: id = 'putObject' } of faults ?? []) {
    if (Object.hasOwn(operations, id)) continue
    const detail = `There is no operation '${id.slice(0, 100)}'. Use one of ${Object.keys(operations).join(', ')}.`
    throw new Problem('invalid-parameter', detail)
  }
  return read('Settings', settings)
}
