import type { Schemas } from '../../contract/operations.ts'
import { type Admin, AdminError } from './admin.ts'
import { MessageReader } from './sse.ts'

/** An event of a journal, with the members that all kinds share and those that the page reads. */
export interface JournalEvent {
  readonly seq: number
  readonly at: string
  readonly type: string
  readonly tenant_id: string
  readonly workflow_id?: string
  readonly execution_id?: string
  readonly session_id?: string
  readonly step_id?: string
  readonly [member: string]: unknown
}

export type ListedRequest = Schemas['LoggedRequest']
type Changes = Schemas['Changes']

/** The state of the page, from the stream. */
export interface PageState {
  readonly connection: 'connecting' | 'open' | 'lost'
  /** The reason for which the mock refuses the stream, if it does. */
  readonly refusal?: AdminError
  /** The latest events of the tenant since the page follows it, the oldest first. */
  readonly events: readonly JournalEvent[]
  /** The latest requests, the oldest first. */
  readonly requests: readonly ListedRequest[]
  /** The number of events and requests that the stream left out. */
  readonly lost: number
  /** The reading of the clock, and `performance.now()` at that time. */
  readonly clock?: Changes['clock'] & { readonly readAt: number }
  readonly settings?: Changes['settings']
  readonly nextAnswers: number
  readonly scenario: string
  readonly version: string
  /** The number of tenants. */
  readonly tenants: number
  /** The number of times that the state was replaced since the stream began. */
  readonly restarts: number
  /** Grows when the tenant was replaced as a whole, so that all lists have to be loaded again. */
  readonly generation: number
}

/** The number of events, and of requests, that the page keeps. */
export const mostKept = 2000

const nothing: PageState = {
  connection: 'connecting',
  events: [],
  requests: [],
  lost: 0,
  nextAnswers: 0,
  scenario: '',
  version: '',
  tenants: 0,
  restarts: 0,
  generation: 0,
}

/** Follows the mock by its stream and keeps the latest of what happens. */
export class Live {
  readonly #admin: Admin
  readonly #listeners = new Set<() => void>()
  #state = nothing
  #following: AbortController | undefined

  constructor(admin: Admin) {
    this.#admin = admin
  }

  get state(): PageState {
    return this.#state
  }

  /** Calls a function after each change. Returns a function that stops it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Follows a tenant, or all of them, in place of the one before. */
  follow(tenantId: string | undefined): void {
    this.#following?.abort()
    const following = new AbortController()
    this.#following = following
    this.#set({ ...nothing, generation: this.#state.generation + 1, version: this.#state.version })
    this.#keepFollowing(tenantId, following.signal)
  }

  stop(): void {
    this.#following?.abort()
  }

  /** Says that the tenant was replaced as a whole, by a reset or a scenario. */
  restart(): void {
    this.#set({ ...this.#state, events: [], generation: this.#state.generation + 1 })
  }

  /** Adopts settings or a clock reading that a call has returned, without waiting for the stream. */
  adopt(change: { settings?: Changes['settings']; clock?: Changes['clock'] }): void {
    const { settings, clock } = change
    this.#set({
      ...this.#state,
      ...(settings && { settings }),
      ...(clock && { clock: { ...clock, readAt: performance.now() } }),
    })
  }

  async #keepFollowing(tenantId: string | undefined, signal: AbortSignal): Promise<void> {
    for (let pause = 500; !signal.aborted; pause = Math.min(pause * 2, 8000)) {
      try {
        await this.#followOnce(tenantId, signal)
        pause = 500
      } catch (error) {
        if (signal.aborted) return
        // A refusal will not change by itself; a mock that is gone may come back.
        if (error instanceof AdminError && error.status < 500) {
          return this.#set({ ...this.#state, connection: 'lost', refusal: error })
        }
        if (!(error instanceof AdminError || error instanceof TypeError)) throw error
      }
      this.#set({ ...this.#state, connection: 'lost' })
      await wait(pause, signal)
    }
  }

  /** Follows the stream to its end. */
  async #followOnce(tenantId: string | undefined, signal: AbortSignal): Promise<void> {
    // Requests with a wrong key belong to no tenant; their sender looks for them here.
    const query = { tenant_id: tenantId, also: 'unassigned' }
    const { body } = await this.#admin.send('streamChanges', { query, signal })
    if (!body) return
    const { requests: earlier } = await this.#admin.call('getRequests', { query, signal })
    const isAgain = this.#state.connection === 'lost'
    const generation = this.#state.generation + (isAgain ? 1 : 0)
    this.#set({ ...this.#state, connection: 'open', generation, restarts: 0, requests: earlier })
    const messages = new MessageReader()
    const text = body.pipeThrough(new TextDecoderStream()).getReader()
    for (let next = await text.read(); !next.done; next = await text.read()) {
      const changes = messages.read(next.value).filter(({ event }) => event === 'changes')
      if (changes.length > 0)
        this.#set(changes.map(({ data }) => JSON.parse(data) as Changes).reduce(withChanges, this.#state))
    }
  }

  #set(state: PageState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** Returns the state after a message of the stream. */
export function withChanges(state: PageState, changes: Changes): PageState {
  const events = changes.events as unknown as readonly JournalEvent[]
  const [first] = events
  const before = first && state.events.findLast(({ tenant_id }) => tenant_id === first.tenant_id)
  // After a reset, a journal begins again.
  const isNew = before !== undefined && first !== undefined && first.seq <= before.seq
  const isRestarted = changes.restarts > state.restarts
  const last = Number(state.requests.at(-1)?.request_id ?? 0)
  const requests = changes.requests.filter(({ request_id }) => Number(request_id) > last)
  return {
    ...state,
    events: isNew || isRestarted ? events.slice(-mostKept) : append(state.events, events),
    requests: append(state.requests, requests),
    lost: state.lost + changes.lost,
    clock: { ...changes.clock, readAt: performance.now() },
    settings: sameOr(state.settings, changes.settings),
    nextAnswers: changes.next_answers,
    scenario: changes.scenario,
    version: changes.version,
    tenants: changes.tenants,
    restarts: changes.restarts,
    generation: state.generation + (isNew || isRestarted ? 1 : 0),
  }
}

/** Returns the old value if the new one says the same, so that nothing is drawn again. */
function sameOr<Value>(old: Value | undefined, value: Value): Value {
  return old !== undefined && JSON.stringify(old) === JSON.stringify(value) ? old : value
}

function append<Item>(kept: readonly Item[], items: readonly Item[]): readonly Item[] {
  return items.length === 0 ? kept : [...kept, ...items].slice(-mostKept)
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
