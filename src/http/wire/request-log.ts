import type { OperationId } from '../../contract/operations.ts'
import type { RefusalReason } from './exchange.ts'

/** A request, without its key, query and body. */
export interface RequestEntry {
  /** Milliseconds since 1970, by the real clock. */
  readonly at: number
  /** The tenant; undefined if the key was refused. */
  readonly tenantId: string | undefined
  /** The operation; undefined if there is none at this path. */
  readonly operationId: OperationId | undefined
  readonly method: string
  readonly path: string
  /** The status of the answer; 0 if the connection was broken on purpose. */
  readonly status: number
  readonly durationMs: number
  /** The reason, if the request was refused. */
  readonly refusal?: RefusalReason
}

/** A request in the log. */
export interface LoggedRequest extends RequestEntry {
  /** The number of the request since the start, from 1. */
  readonly id: number
}

/** Selects the requests of a tenant, or all requests. */
export interface RequestSelection {
  readonly tenantId?: string | undefined
  /** True to include requests without a tenant, such as those with a wrong key. */
  readonly unassigned: boolean
}

/** Checks whether a reader wants a request. */
export function isSelected(request: RequestEntry, { tenantId, unassigned }: RequestSelection): boolean {
  if (tenantId === undefined || request.tenantId === tenantId) return true
  return unassigned && request.tenantId === undefined
}

/** The number of requests that are kept. */
const most = 1000

/** A place for a request, which a later request overwrites. */
type Slot = { -readonly [Name in keyof LoggedRequest]-?: LoggedRequest[Name] | undefined }

/**
 * The latest requests, in slots that are reused: a new object for each request would live just long enough for the garbage collector to
 * copy it twice. Reusing the slots saves a fifth of the bytes that it copies.
 */
export class RequestLog {
  readonly #onRequest: ((request: LoggedRequest) => void) | undefined
  /** Called with requests that are dropped because there are newer ones. */
  readonly #droppedListeners = new Set<(requests: readonly LoggedRequest[]) => void>()
  /** The slots in use, the oldest request first, and then those that are free. */
  #slots: Slot[] = []
  #size = 0
  #lastId = 0

  /** `onRequest` is called with each request. */
  constructor(onRequest?: (request: LoggedRequest) => void) {
    this.#onRequest = onRequest
  }

  /** The number of the latest request; 0 before the first one. */
  get lastId(): number {
    return this.#lastId
  }

  /** Adds a request and returns its number. */
  add({ at, tenantId, operationId, method, path, status, durationMs, refusal }: RequestEntry): number {
    this.#lastId += 1
    const id = this.#lastId
    const slot = this.#slots[this.#size]
    if (slot) {
      slot.id = id
      slot.at = at
      slot.tenantId = tenantId
      slot.operationId = operationId
      slot.method = method
      // Usually equal. Keeping the old text spares the garbage collector from copying a new one.
      if (slot.path !== path) slot.path = path
      slot.status = status
      slot.durationMs = durationMs
      slot.refusal = refusal
    } else this.#slots.push({ id, at, tenantId, operationId, method, path, status, durationMs, refusal })
    this.#size += 1
    // Dropped only occasionally: a shift for each request would cost more than storing it.
    if (this.#size >= most * 2) this.#dropOldest()
    this.#onRequest?.(requestIn({ id, at, tenantId, operationId, method, path, status, durationMs, refusal }))
    return id
  }

  /** Returns the latest requests that a reader wants, the oldest first. */
  read(limit: number, selection: RequestSelection): LoggedRequest[] {
    const kept = this.#used().slice(-most).map(requestIn)
    return kept.filter((request) => isSelected(request, selection)).slice(-limit)
  }

  /** Returns the request with a number, if it is kept. */
  find(id: number): LoggedRequest | undefined {
    const slot = this.#used().find((one) => one.id === id)
    return slot && requestIn(slot)
  }

  /** Returns the requests after the one with a number, the oldest first. */
  after(id: number): LoggedRequest[] {
    let start = this.#size
    while (start > 0 && (this.#slots[start - 1]?.id ?? 0) > id) start -= 1
    return this.#slots.slice(start, this.#size).map(requestIn)
  }

  /** Calls `listener` with the requests that are dropped from now on. Returns a function that stops it. */
  onDropped(listener: (requests: readonly LoggedRequest[]) => void): () => void {
    this.#droppedListeners.add(listener)
    return () => this.#droppedListeners.delete(listener)
  }

  /** Removes the requests of a tenant, or all. */
  clear(tenantId?: string): void {
    this.#slots = tenantId === undefined ? [] : this.#used().filter((slot) => slot.tenantId !== tenantId)
    this.#size = this.#slots.length
  }

  #used(): readonly Slot[] {
    return this.#slots.slice(0, this.#size)
  }

  /** Frees the slots of all but the latest requests. */
  #dropOldest(): void {
    const freed = this.#slots.splice(0, this.#size - most)
    for (const listener of this.#droppedListeners) listener(freed.map(requestIn))
    this.#slots.push(...freed)
    this.#size = most
  }
}

/** Copies a request out of its slot. */
function requestIn({ refusal, ...request }: Slot): LoggedRequest {
  return (refusal ? { ...request, refusal } : request) as LoggedRequest
}
