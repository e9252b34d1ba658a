import type { Schemas } from '../../contract/operations.ts'
import { written } from '../../contract/written.ts'
import type { Tenants } from '../../world/tenants.ts'
import type { World } from '../../world/world.ts'
import { journalEntryTo } from '../service/journal-entry.ts'
import type { Captures } from '../wire/captures.ts'
import type { NextAnswers } from '../wire/next-answers.ts'
import { isSelected, type LoggedRequest, type RequestLog, type RequestSelection } from '../wire/request-log.ts'
import { clockTo, requestTo } from './admin-values.ts'

export interface ChangesOptions {
  readonly tenants: Tenants
  readonly log: RequestLog
  readonly captures: Captures
  readonly nextAnswers: NextAnswers
  readonly version: string
}

/** The shortest time between two messages, in milliseconds. */
const pauseMs = 50
/** The longest time without a message or a comment, in milliseconds. */
const quietMs = 15_000
/** The most events that a message catches up with; older ones are left out. */
const mostEvents = 2000
/** The length after which a message ends, in characters; the rest follows in the next one. */
const longMessage = 512 * 1024

/** A message without what is new. */
type State = Omit<Schemas['Changes'], 'events' | 'requests' | 'lost'>

/**
 * Returns the changes that a reader wants, of a tenant or of all, as server-sent events. It begins when it is first read, and looks for changes only
 * when the reader asks for more, so a slow reader makes it skip changes and never fill the memory.
 */
export function streamOfChanges(options: ChangesOptions, selection: RequestSelection): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let changes: Changes | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!changes) {
          changes = new Changes(options, selection)
          return controller.enqueue(encoder.encode(changes.first()))
        }
        const message = await changes.next()
        if (message === undefined) return controller.close()
        controller.enqueue(encoder.encode(message))
      },
      cancel() {
        changes?.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Collects the changes that one reader has not seen yet. */
class Changes {
  readonly #options: ChangesOptions
  readonly #selection: RequestSelection
  readonly #tenantId: string | undefined
  readonly #stops: readonly (() => void)[]
  /** The number of events of each world that were sent, by its generation. */
  readonly #seen = new Map<string, number>()
  /** The number of the latest request that was sent. */
  #lastId: number
  #lost = 0
  #restarts = 0
  #sentAt = performance.now()
  #sent: State
  #isClosed = false
  #stopWaiting = () => {}

  constructor(options: ChangesOptions, selection: RequestSelection) {
    this.#options = options
    this.#selection = selection
    this.#tenantId = selection.tenantId
    this.#lastId = options.log.lastId
    for (const world of this.#worlds()) this.#seen.set(placeOf(world), options.tenants.shownEvents(world))
    this.#sent = this.#state()
    const count = (requests: readonly LoggedRequest[]) => {
      this.#lost += requests.filter((request) => request.id > this.#lastId && isSelected(request, selection)).length
    }
    this.#stops = [options.log.onDropped(count), options.captures.watch(() => this.close())]
  }

  /** Returns the message with the state at the start. */
  first(): string {
    return messageOf({ ...this.#sent, events: [], requests: [], lost: 0 })
  }

  /** Resolves with the next message, or undefined at the end. */
  async next(): Promise<string | undefined> {
    for (let pause = pauseMs - (performance.now() - this.#sentAt); ; pause = pauseMs) {
      if (pause > 0) await this.#wait(pause)
      if (this.#isClosed) return undefined
      const changes = this.#look()
      if (changes) return messageOf(changes)
      if (performance.now() - this.#sentAt < quietMs) continue
      this.#sentAt = performance.now()
      return ': still here\n\n'
    }
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#stops) stop()
    this.#stopWaiting()
    this.#seen.clear()
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#stopWaiting = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #worlds(): World[] {
    const { tenants } = this.#options
    if (this.#tenantId === undefined) return tenants.latestUsed()
    const world = tenants.peek(this.#tenantId)
    return world ? [world] : []
  }

  /** Returns what has changed since the last message; undefined if nothing has. */
  #look(): Schemas['Changes'] | undefined {
    const worlds = this.#worlds()
    this.#forgetClosed(worlds)
    const events = this.#newEvents(worlds)
    const requests = this.#options.log.after(this.#lastId).filter((request) => isSelected(request, this.#selection))
    this.#lastId = this.#options.log.lastId
    const state = this.#state()
    const isNew = events.length > 0 || requests.length > 0 || this.#lost > 0 || this.#differs(state)
    if (!isNew) return undefined
    const lost = this.#lost
    this.#lost = 0
    this.#sent = state
    this.#sentAt = performance.now()
    return { ...state, events, requests: requests.map(requestTo), lost }
  }

  /** Forgets worlds that were closed. The next world of the same tenant starts from its first event. */
  #forgetClosed(worlds: readonly World[]): void {
    if (this.#seen.size === 0) return
    const open = new Set(worlds.map(placeOf))
    for (const place of this.#seen.keys()) {
      if (open.has(place)) continue
      this.#seen.delete(place)
      this.#restarts += 1
    }
  }

  #newEvents(worlds: readonly World[]): Schemas['Changes']['events'] {
    const texts: Schemas['Changes']['events'] = []
    let length = 0
    for (const world of worlds) {
      const { journal, tenantId } = world
      const shown = this.#options.tenants.shownEvents(world)
      let seen = this.#seen.get(placeOf(world)) ?? 0
      const isBehind = shown - seen
      if (isBehind > mostEvents) {
        this.#lost += isBehind - mostEvents
        seen = shown - mostEvents
      }
      for (const event of journal.read(journal.length - seen)) {
        if (length > longMessage || event.seq > shown) break
        const entry = journalEntryTo(event, tenantId)
        length += JSON.stringify(entry).length
        texts.push(entry as unknown as Schemas['Changes']['events'][number])
        seen = event.seq
      }
      this.#seen.set(placeOf(world), seen)
    }
    return texts
  }

  #state(): State {
    const { tenants, nextAnswers, version } = this.#options
    const world = this.#tenantId === undefined ? undefined : tenants.peek(this.#tenantId)
    return {
      tenants: tenants.size,
      clock: clockTo((world ?? tenants).clock),
      settings: written('Settings', (world ?? tenants).settings),
      next_answers: nextAnswers.list(this.#tenantId).length,
      scenario: tenants.scenario.name,
      restarts: this.#restarts,
      version,
    }
  }

  /** Returns true if the state differs from the last message, with its clock advanced. */
  #differs(state: State): boolean {
    const { clock: before, ...rest } = this.#sent
    const { clock, ...others } = state
    if (JSON.stringify(rest) !== JSON.stringify(others) || before.speed !== clock.speed) return true
    const expected = Date.parse(before.now) + (performance.now() - this.#sentAt) * before.speed
    return Math.abs(Date.parse(clock.now) - expected) > 500 * Math.max(1, clock.speed)
  }
}

/** Returns a text that only this world of all tenants has. */
function placeOf({ tenantId, generation }: World): string {
  return `${tenantId}/${generation}`
}

/** Writes a message as a server-sent event. */
function messageOf(changes: Schemas['Changes']): string {
  return `event: changes\ndata: ${JSON.stringify(changes)}\n\n`
}
