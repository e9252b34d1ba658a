import { sandbox } from '../../contract/http.ts'
import { type OperationId, operations, type Schemas } from '../../contract/operations.ts'
import { read, written } from '../../contract/written.ts'
import type { Steering, TenantEvent } from '../../steering/steering.ts'
import type { Scenario } from '../../world/scenario.ts'
import type { Settings } from '../../world/settings.ts'
import type { Work } from '../../world/slices.ts'
import { journalEntryTo } from '../service/journal-entry.ts'
import { jsonAnswer, WrittenJson } from '../wire/exchange.ts'
import type { NextAnswers, WaitingAnswer } from '../wire/next-answers.ts'
import { Problem } from '../wire/problem.ts'
import type { Tolerance } from '../wire/valid-body.ts'
import { type AdminHandlers, PlainAnswer } from './admin-calls.ts'
import { clockTo } from './admin-values.ts'
import { type LiveState, liveHandlers } from './live-handlers.ts'
import { limitOf, wholeNumberIn } from './page-of.ts'
import { tenantHandlers, tenantTo } from './tenant-handlers.ts'

export interface AdminState extends LiveState {
  readonly nextAnswers: NextAnswers
  readonly steering: Steering
  readonly scenarios: () => Promise<Readonly<Record<string, Scenario>>>
  readonly version: string
  /** The ways in which the mock is more lenient than the contract. @default none */
  readonly tolerance?: Tolerance
}

/** Creates the handlers of the admin API, which control the mock over HTTP. */
export function adminHandlers(state: AdminState): AdminHandlers {
  const { tenants, nextAnswers, steering, exchanges, scenarios, version } = state
  const { recording } = exchanges
  const clock = async (tenantId?: string) => ({
    status: 200 as const,
    body:
      tenantId === undefined
        ? clockTo(tenants.clock)
        : await tenants.withWorld(tenantId, (world) => clockTo(world.clock)),
  })
  const settings = async (tenantId?: string) => ({
    status: 200 as const,
    body: written(
      'Settings',
      tenantId === undefined ? tenants.settings : await tenants.withWorld(tenantId, (world) => world.settings),
    ),
  })
  const waiting = (tenantId?: string) => ({ next_answers: nextAnswers.list(tenantId).map(nextAnswerTo) })

  return {
    ...tenantHandlers(tenants, state.tolerance),
    ...liveHandlers(state),

    getHealth: () => ({ status: 200, body: { status: 'ok', version, worlds: tenants.size } }),

    async resetWorlds({ tenantId }) {
      await steering.reset(tenantId)
      return { status: 204, body: undefined }
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

    async readRecording({ tenantId }) {
      const session = jsonAnswer(200, await recording.read(tenantId), {
        ...Object.fromEntries(sandbox),
        'Content-Disposition': 'attachment; filename="session.har"',
      })
      return new PlainAnswer(session)
    },

    startRecording() {
      recording.start()
      return { status: 204, body: undefined }
    },

    stopRecording() {
      recording.stop()
      return { status: 204, body: undefined }
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
      await steering.load(scenario, tenantId)
      return { status: 204, body: undefined }
    },

    getClock: ({ tenantId }) => clock(tenantId),

    async setClock({ tenantId, body }) {
      await steering.setSpeed(body.speed, tenantId)
      return clock(tenantId)
    },

    async advanceClock({ tenantId, body }) {
      try {
        if (body.to === undefined) await steering.advance(body.duration, tenantId)
        else await steering.advanceToNextDecision(requireTenant(tenantId))
      } catch (error) {
        throw error instanceof RangeError ? new Problem('invalid-parameter', error.message) : error
      }
      return clock(tenantId)
    },

    getSettings: ({ tenantId }) => settings(tenantId),

    async setSettings({ tenantId, body }) {
      try {
        await steering.setSettings(settingsFrom(body), tenantId)
      } catch (error) {
        throw error instanceof RangeError ? new Problem('invalid-parameter', error.message) : error
      }
      return settings(tenantId)
    },

    getNextAnswers: ({ tenantId }) => ({ status: 200, body: waiting(tenantId) }),

    addNextAnswer({ tenantId, body }) {
      const { operation_id: operationId, delay_ms: delayMs, ...rest } = body
      try {
        const answer = { ...rest, ...(delayMs !== undefined && { delayMs }) }
        nextAnswers.add(operationId as OperationId, answer, tenantId)
      } catch (error) {
        throw error instanceof RangeError ? new Problem('invalid-parameter', error.message) : error
      }
      return { status: 201, body: waiting(tenantId) }
    },

    clearNextAnswers({ tenantId }) {
      nextAnswers.clear(tenantId)
      return { status: 204, body: undefined }
    },

    async decideStep({ tenantId, params, body }) {
      const { execution_id } = params
      const { status } = await steering.decide({ execution_id, ...body }, tenantId)
      return { status: 200, body: { execution_id, status } }
    },
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
