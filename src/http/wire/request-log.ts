/** A request as the log keeps it: without its key, its query and its body. */
export interface LoggedRequest {
  /** Milliseconds since 1970, by the real clock. */
  readonly at: number
  readonly tenantId: string | undefined
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
}

/** How many requests are kept. */
const most = 1000

/** The latest requests. */
export class RequestLog {
  #entries: LoggedRequest[] = []

  add(entry: LoggedRequest): void {
    this.#entries.push(entry)
    // Cut now and then, not each time: a shift for each request would cost more than the request's entry.
    if (this.#entries.length >= most * 2) this.#entries = this.#entries.slice(-most)
  }

  /** The latest of them, the oldest first; those of one tenant where one is named. */
  read(limit: number, tenantId?: string): LoggedRequest[] {
    const kept = this.#entries.slice(-most)
    return (tenantId === undefined ? kept : kept.filter((entry) => entry.tenantId === tenantId)).slice(-limit)
  }

  /** Forgets the requests of a tenant, or all. */
  clear(tenantId?: string): void {
    this.#entries = tenantId === undefined ? [] : this.#entries.filter((entry) => entry.tenantId !== tenantId)
  }
}
