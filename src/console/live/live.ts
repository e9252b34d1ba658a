import type { Schemas } from '../../contract/operations.ts'
import { AdminError, callAdmin, isTokenMissing, sendToAdmin } from './admin.ts'
import { hashAfter, type PageRoute, type RouteChange, routeOf } from './route.ts'

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

/** The state of the page: its address, its message, and what the mock has said, under the names of the contract. */
export interface PageState
  extends Pick<Changes, 'lost' | 'next_answers' | 'scenario' | 'version' | 'tenants' | 'last_event'> {
  readonly route: PageRoute
  /** The message at the bottom of the page. */
  readonly message?: { readonly text: string; readonly isError: boolean } | undefined
  /** True if the mock wants an admin token that the page does not have. */
  readonly needsToken: boolean
  readonly connection: 'connecting' | 'open' | 'lost'
  /** The latest events of the tenant since the page follows it, the oldest first. */
  readonly events: readonly JournalEvent[]
  /** The latest requests, the oldest first. */
  readonly requests: readonly ListedRequest[]
  /** The reading of the clock, and `performance.now()` at that time. */
  readonly clock?: (Changes['clock'] & { readonly readAt: number }) | undefined
  readonly settings?: Changes['settings'] | undefined
  /** Changes with each reset of the tenant; undefined before the first reading. */
  readonly world?: string | undefined
  /** Grows when the tenant was replaced as a whole, so that all lists have to be loaded again. */
  readonly generation: number
}

/** The number of events, and of requests, that the page keeps. */
export const mostKept = 2000

/** What is known of a tenant before the first reading. */
const nothing = {
  connection: 'connecting',
  events: [],
  requests: [],
  lost: 0,
  next_answers: 0,
  scenario: '',
  tenants: 0,
  last_event: 0,
  clock: undefined,
  settings: undefined,
  world: undefined,
} as const

let state: PageState = { ...nothing, route: { view: 'start' }, needsToken: false, version: '', generation: 0 }
const listeners = new Set<() => void>()

/** Returns the state of the page. */
export const pageState = (): PageState => state

/** Returns the query of calls about the chosen tenant, or about all. */
export const tenantQuery = () => ({ tenant_id: state.route.tenant })

/** Changes parts of the state of the page. */
export function adopt(change: Partial<PageState>): void {
  state = { ...state, ...change }
  for (const listener of listeners) listener()
}

/** Calls a function after each change. Returns a function that stops it. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows what the address says. */
export function followAddress(): void {
  adopt({ route: routeOf(location.hash) ?? { view: 'start' } })
}

/** Shows another route, or changes a part of this one. `replace` adds no entry to the browser's history. */
export function go(change: RouteChange, replace?: 'replace'): void {
  const hash = linkTo(change)
  if (replace) history.replaceState(null, '', hash)
  else if (location.hash !== hash) history.pushState(null, '', hash)
  followAddress()
}

/** Returns the address of a changed route, for links. */
export function linkTo(change: RouteChange): string {
  return hashAfter(state.route, change)
}

/** Shows a short message. */
export function say(text: string, isError = false): void {
  adopt({ message: { text, isError } })
}

/** Makes calls, one after the other, and shows their error if they fail. Returns true if they succeeded. */
export async function attemptCalls(calls: () => Promise<unknown>): Promise<boolean> {
  try {
    await calls()
    return true
  } catch (error) {
    if (isTokenMissing(error)) adopt({ needsToken: true })
    say((error as Error).message, true)
    return false
  }
}

/**
 * Follows a tenant, or all of them, and keeps the latest of what happens. The stream says when to read again. Returns a function that
 * stops it.
 */
export function followTenant(tenantId: string | undefined): () => void {
  const following = new AbortController()
  adopt({ ...nothing, generation: state.generation + 1 })
  keepFollowing(tenantId, following.signal)
  return () => following.abort()
}

async function keepFollowing(tenantId: string | undefined, signal: AbortSignal): Promise<void> {
  for (let pause = 500; !signal.aborted; pause = Math.min(pause * 2, 8000)) {
    try {
      await followOnce(tenantId, signal)
      pause = 500
    } catch (error) {
      if (signal.aborted) return
      // A refusal will not change by itself; a mock that is gone may come back.
      if (error instanceof AdminError && error.status < 500) return refuse(error)
      if (!(error instanceof AdminError || error instanceof TypeError)) throw error
    }
    adopt({ connection: 'lost' })
    await rest(pause, signal)
  }
}

function refuse(error: AdminError): void {
  adopt({ connection: 'lost' })
  attemptCalls(() => Promise.reject(error))
  // The mock may have been started again, without its tenants.
  if (error.status === 404) go({ tenant: undefined, view: 'start' }, 'replace')
}

/** Follows the stream to its end. */
async function followOnce(tenantId: string | undefined, signal: AbortSignal): Promise<void> {
  // Requests with a wrong key belong to no tenant; their sender looks for them here.
  const query = { tenant_id: tenantId, also: 'unassigned' }
  const { body } = await sendToAdmin('streamChanges', { query }, signal)
  if (!body) return
  const generation = state.generation + (state.connection === 'lost' ? 1 : 0)
  adopt({ connection: 'open', requests: [], world: undefined, generation })
  let known: Known = {}
  const messages = body.getReader()
  while (!(await messages.read()).done) known = await readChanges(query, known, signal)
}

/** What was read already. */
interface Known {
  readonly after_event?: number
  readonly after_request?: number
}

/** Reads what has changed, and returns what is known then. */
async function readChanges(query: object, known: Known, signal: AbortSignal): Promise<Known> {
  const changes = await callAdmin('readChanges', { query: { ...query, ...known } }, signal)
  const { last_event, last_request: after_request, generation } = changes
  const { world = generation } = state
  adopt(withChanges(state, changes))
  if (generation !== world) return readChanges(query, { after_event: 0, after_request }, signal)
  const after_event = Number(changes.events.at(-1)?.seq ?? last_event)
  const read = { after_event, after_request }
  return after_event < last_event ? readChanges(query, read, signal) : read
}

/** Returns the state after a reading. */
export function withChanges(before: PageState, changes: Changes): PageState {
  const { generation: world, settings, clock, last_request: _, ...others } = changes
  const isReplaced = before.world !== undefined && before.world !== world
  // Those of a state that was replaced are read again from the first.
  const events = changes.events as unknown as readonly JournalEvent[]
  return {
    ...before,
    ...others,
    events: isReplaced ? [] : append(before.events, events),
    requests: append(before.requests, changes.requests),
    lost: before.lost + changes.lost,
    world,
    clock: withReadingTime(clock),
    // The old value if the new one says the same, so that nothing is drawn again.
    settings: JSON.stringify(before.settings) === JSON.stringify(settings) ? before.settings : settings,
    generation: before.generation + (isReplaced ? 1 : 0),
  }
}

/** Adds to a reading of the clock when it was read. */
export function withReadingTime(clock: Changes['clock']): NonNullable<PageState['clock']> {
  return { ...clock, readAt: performance.now() }
}

function append<Item>(kept: readonly Item[], items: readonly Item[]): readonly Item[] {
  return items.length === 0 ? kept : [...kept, ...items].slice(-mostKept)
}

/** Waits, or until the signal aborts. */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
