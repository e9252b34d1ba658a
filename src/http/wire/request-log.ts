import type { OperationId } from '../../contract/operations.ts'
import type { Refusal } from './exchange.ts'

/** A request, without its key, query and body. */
export interface RequestEntry {
  /** Milliseconds since 1970, by the real clock. */
  readonly at: number
  readonly tenantId: string | undefined
  /** The operation; undefined if there is none at this path. */
  readonly operationId: OperationId | undefined
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
  readonly refusal?: Refusal
}

/** A request in the log. */
export interface LoggedRequest extends RequestEntry {
  /** The number of the request since the start, from 1. */
  readonly id: number
}

/** The number of requests that are kept. */
const most = 1000

/** The latest requests. */
export class RequestLog {
  #entries: LoggedRequest[] = []
  #count = 0

  add(entry: RequestEntry): void {
    this.#count += 1
    this.#entries.push({ ...entry, id: this.#count })
    // Truncated only occasionally: a shift for each request would cost more than storing the entry.
    if (this.#entries.length >= most * 2) this.#entries = this.#entries.slice(-most)
  }

  /** Returns the latest requests, the oldest first; of one tenant if `tenantId` is set. */
  read(limit: number, tenantId?: string): LoggedRequest[] {
    const kept = this.#entries.slice(-most)
    return (tenantId === undefined ? kept : kept.filter((entry) => entry.tenantId === tenantId)).slice(-limit)
  }

  /** Removes the requests of a tenant, or all. */
  clear(tenantId?: string): void {
    this.#entries = tenantId === undefined ? [] : this.#entries.filter((entry) => entry.tenantId !== tenantId)
  }
}
