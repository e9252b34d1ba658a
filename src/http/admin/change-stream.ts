import type { Schemas } from '../../contract/operations.ts'
import { written } from '../../contract/written.ts'
import type { Exchanges, RequestSelection } from '../../wire/exchanges.ts'
import { wait } from '../../wire/limits.ts'
import type { NextAnswers } from '../../wire/next-answers.ts'
import type { Tenants } from '../../world/tenants.ts'
import { journalEntryTo } from '../service/journal-entry.ts'
import { clockTo, requestTo } from './admin-values.ts'

export interface ChangesOptions {
  readonly tenants: Tenants
  readonly exchanges: Exchanges
  readonly nextAnswers: NextAnswers
  readonly version: string
}

/** The shortest time between two messages, in milliseconds. */
const pauseMs = 50
/** The longest time without a message or a comment, in milliseconds. */
const quietMs = 15_000
/** The most events that a reader catches up with; older ones are left out. */
const mostEvents = 2000
/** The length after which no more events are read, in characters. */
const longestEvents = 512 * 1024

/** What a reader knows already: an event and a request by their numbers. */
interface Known {
  readonly event?: number | undefined
  readonly request?: number | undefined
}

/** Returns the state of a tenant, or of the mock as a whole, and what has happened after what a reader knows. */
export function changesAfter(options: ChangesOptions, selection: RequestSelection, known: Known): Schemas['Changes'] {
  const { tenants, exchanges } = options
  const { tenantId = '' } = selection
  const state = stateOf(options, selection)
  const { last_event: last } = state
  const after = Math.max(known.event ?? last, last - mostEvents)
  const world = tenants.findWorld(tenantId)
  const events: Schemas['Changes']['events'] = []
  let length = 0
  for (const event of world?.journal.read(world.journal.length - after) ?? []) {
    if (length > longestEvents || event.seq > last) break
    const entry = journalEntryTo(event, tenantId)
    length += JSON.stringify(entry).length
    events.push(entry as unknown as Schemas['Changes']['events'][number])
  }
  const { request = exchanges.lastId } = known
  const requests =
    known.request === undefined ? exchanges.read(mostEvents, selection) : exchanges.after(request, selection)
  const lost = after - Math.min(after, known.event ?? after) + Math.max(0, exchanges.droppedId - request)
  return { ...state, events, requests: requests.map(requestTo), lost }
}

type State = Omit<Schemas['Changes'], 'events' | 'requests' | 'lost'>

function stateOf({ tenants, exchanges, nextAnswers, version }: ChangesOptions, { tenantId }: RequestSelection): State {
  const worlds = tenantId === undefined ? tenants.latestUsed() : [tenants.findWorld(tenantId)].filter((one) => !!one)
  const world = tenantId === undefined ? undefined : worlds[0]
  return {
    last_event: worlds.reduce((sum, one) => sum + tenants.shownEvents(one), 0),
    last_request: exchanges.lastId,
    generation: world?.generation ?? '',
    tenants: tenants.size,
    clock: clockTo((world ?? tenants).clock),
    settings: written('Settings', (world ?? tenants).settings),
    next_answers: nextAnswers.list(tenantId).length,
    scenario: tenants.scenario.name,
    version,
  }
}

/**
 * Returns server-sent events that something has changed which a reader wants, of a tenant or of all. The stream looks for changes only
 * when the reader asks for more, so a slow reader makes it skip changes and never fill the memory.
 */
export function streamOfChanges(options: ChangesOptions, selection: RequestSelection): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isOver = false
  let before: State | undefined
  let sentAt = 0
  const close = () => {
    isOver = true
    stopWatching()
  }
  const stopWatching = options.exchanges.watch(close)
  /** Resolves with the next message, or undefined at the end. */
  const next = async (): Promise<string | undefined> => {
    for (let pause = pauseMs - (performance.now() - sentAt); ; pause = pauseMs) {
      if (before) await wait(pause)
      if (isOver) return undefined
      const state = stateOf(options, selection)
      const elapsedMs = performance.now() - sentAt
      const isNew = !before || differs(before, state, elapsedMs) || hasRequest(options, selection, before)
      if (!isNew && elapsedMs < quietMs) continue
      sentAt = performance.now()
      before = state
      return isNew ? 'event: changed\ndata: {}\n\n' : ': still here\n\n'
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const message = await next()
        if (message === undefined) controller.close()
        else controller.enqueue(encoder.encode(message))
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}

/** Returns true if a state differs from an earlier one, with its clock advanced. */
function differs(before: State, now: State, elapsedMs: number): boolean {
  const rest = (state: State) => JSON.stringify({ ...state, clock: state.clock.speed, last_request: 0 })
  if (rest(before) !== rest(now)) return true
  const expected = Date.parse(before.clock.now) + elapsedMs * before.clock.speed
  return Math.abs(Date.parse(now.clock.now) - expected) > 500 * Math.max(1, now.clock.speed)
}

function hasRequest({ exchanges }: ChangesOptions, selection: RequestSelection, before: State): boolean {
  return exchanges.after(before.last_request, selection).length > 0 || exchanges.droppedId > before.last_request
}
