import type { Schemas } from '../../contract/operations.ts'
import { type Admin, AdminError } from './admin.ts'

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

/** The state of the page. */
export interface PageState {
  readonly connection: 'connecting' | 'open' | 'lost'
  /** The reason for which the mock refuses the stream, if it does. */
  readonly refusal?: AdminError
  /** The latest events of the tenant since the page follows it, the oldest first. */
  readonly events: readonly JournalEvent[]
  /** The latest requests, the oldest first. */
  readonly requests: readonly ListedRequest[]
  /** The number of events and requests that the mock no longer had. */
  readonly lost: number
  /** The reading of the clock, and `performance.now()` at that time. */
  readonly clock?: Changes['clock'] & { readonly readAt: number }
  readonly settings?: Changes['settings']
  readonly nextAnswers: number
  readonly scenario: string
  readonly version: string
  /** The number of tenants. */
  readonly tenants: number
  /** The position of the tenant's latest event; without a tenant, the number of all events. */
  readonly lastEvent: number
  /** Changes with each reset of the tenant; undefined before the first reading. */
  readonly world?: string
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
  lastEvent: 0,
  generation: 0,
}

/** Follows the mock and keeps the latest of what happens. The stream says when to read again. */
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
    const isAgain = this.#state.connection === 'lost'
    const { world: _, ...state } = this.#state
    this.#set({ ...state, connection: 'open', requests: [], generation: state.generation + (isAgain ? 1 : 0) })
    let known: Known = {}
    const messages = body.getReader()
    for (let next = await messages.read(); !next.done; next = await messages.read()) {
      known = await this.#read(query, known, signal)
    }
  }

  /** Reads what has changed, and returns what is known then. */
  async #read(query: object, known: Known, signal: AbortSignal): Promise<Known> {
    const changes = await this.#admin.call('readChanges', { query: { ...query, ...known }, signal })
    const { world = changes.generation } = this.#state
    this.#set(withChanges(this.#state, changes))
    const { last_event, last_request: after_request } = changes
    if (changes.generation !== world) return this.#read(query, { after_event: 0, after_request }, signal)
    const after_event = Number(changes.events.at(-1)?.seq ?? last_event)
    const isBehind = after_event < last_event
    return isBehind ? this.#read(query, { after_event, after_request }, signal) : { after_event, after_request }
  }

  #set(state: PageState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** What was read already. */
interface Known {
  readonly after_event?: number
  readonly after_request?: number
}

/** Returns the state after a reading. */
export function withChanges(state: PageState, changes: Changes): PageState {
  const isReplaced = state.world !== undefined && state.world !== changes.generation
  // Those of a state that was replaced are read again from the first.
  const events = changes.events as unknown as readonly JournalEvent[]
  return {
    ...state,
    events: isReplaced ? [] : append(state.events, events),
    requests: append(state.requests, changes.requests),
    lost: state.lost + changes.lost,
    lastEvent: changes.last_event,
    world: changes.generation,
    clock: { ...changes.clock, readAt: performance.now() },
    settings: sameOr(state.settings, changes.settings),
    nextAnswers: changes.next_answers,
    scenario: changes.scenario,
    version: changes.version,
    tenants: changes.tenants,
    generation: state.generation + (isReplaced ? 1 : 0),
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
