/** A logged request, without its key, query and body. */
export interface LoggedRequest {
  /** Milliseconds since 1970, by the real clock. */
  readonly at: number
  readonly tenantId: string | undefined
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
}

/** The number of requests that are kept. */
const most = 1000

/** The latest requests. */
export class RequestLog {
  #entries: LoggedRequest[] = []

  add(entry: LoggedRequest): void {
    this.#entries.push(entry)
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
