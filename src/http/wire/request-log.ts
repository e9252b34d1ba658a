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

/** The latest requests. */
export class RequestLog {
  readonly #onRequest: ((request: LoggedRequest) => void) | undefined
  /** Called with requests that are dropped because there are newer ones. */
  readonly #droppedListeners = new Set<(requests: readonly LoggedRequest[]) => void>()
  #entries: LoggedRequest[] = []
  #lastId = 0

  /** `onRequest` is called with each request. */
  constructor(onRequest?: (request: LoggedRequest) => void) {
    this.#onRequest = onRequest
  }

  /** The number of the latest request; 0 before the first one. */
  get lastId(): number {
    return this.#lastId
  }

  /** Adds a request and returns it with its number. */
  add(entry: RequestEntry): LoggedRequest {
    this.#lastId += 1
    const request = { id: this.#lastId, ...entry }
    this.#entries.push(request)
    // Truncated only occasionally: a shift for each request would cost more than storing the entry.
    if (this.#entries.length >= most * 2) {
      for (const listener of this.#droppedListeners) listener(this.#entries.slice(0, -most))
      this.#entries = this.#entries.slice(-most)
    }
    this.#onRequest?.(request)
    return request
  }

  /** Returns the latest requests that a reader wants, the oldest first. */
  read(limit: number, selection: RequestSelection): LoggedRequest[] {
    const kept = this.#entries.slice(-most)
    return kept.filter((entry) => isSelected(entry, selection)).slice(-limit)
  }

  /** Returns the request with a number, if it is kept. */
  find(id: number): LoggedRequest | undefined {
    return this.#entries.find((entry) => entry.id === id)
  }

  /** Returns the requests after the one with a number, the oldest first. */
  after(id: number): LoggedRequest[] {
    let start = this.#entries.length
    while (start > 0 && (this.#entries[start - 1]?.id ?? 0) > id) start -= 1
    return this.#entries.slice(start)
  }

  /** Calls `listener` with the requests that are dropped from now on. Returns a function that stops it. */
  onDropped(listener: (requests: readonly LoggedRequest[]) => void): () => void {
    this.#droppedListeners.add(listener)
    return () => this.#droppedListeners.delete(listener)
  }

  /** Removes the requests of a tenant, or all. */
  clear(tenantId?: string): void {
    this.#entries = tenantId === undefined ? [] : this.#entries.filter((entry) => entry.tenantId !== tenantId)
  }
}
