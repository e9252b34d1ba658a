import { completedIn, type Header, type LineKind, labelOf, readHeader } from './format.ts'

/** The live lines of a tenant. */
interface Account {
  /** Offset of the first live line, in bytes from the start of the file. */
  readonly from: number
  /** Total size of the live lines, in bytes. */
  bytes: number
  /** Number of live lines that are events. */
  events: number
  /** Position and size of the latest clock reading, in bytes. */
  clock?: { readonly offset: number; readonly bytes: number }
  /** Number of completed executions, by workflow. */
  readonly completions: Map<string, number>
}

/** What the lines of a journal amount to, and which of them are live: a tenant's events since its last reset, and its latest clock reading. */
export class Ledger {
  readonly #accounts = new Map<string, Account>()
  /** The header; undefined if there is none. */
  header: (Header & { readonly bytes: number; readonly sum: number }) | undefined
  /** Total size of all lines, in bytes. */
  size = 0
  /** Checksum of the last line, from which the next one continues. */
  sum = 0
  /** True if no closing line is needed: the last line is one, or the header. */
  isEnded = true
  #liveBytes = 0

  /** Total size of the lines that are neither live nor the header, in bytes. */
  get deadBytes(): number {
    return this.size - (this.header?.bytes ?? 0) - this.#liveBytes
  }

  has(tenant: string): boolean {
    return this.#accounts.has(tenant)
  }

  /** Checks whether all live lines belong to one tenant. */
  hasOnly(tenant: string): boolean {
    return this.#accounts.size === 1 && this.#accounts.has(tenant)
  }

  /** Returns the number of live events of a tenant. */
  eventCount(tenant: string): number {
    return this.#accounts.get(tenant)?.events ?? 0
  }

  /** Returns the number of completed executions of a workflow in live lines. */
  completionCount(tenant: string, workflowId: string): number {
    return this.#accounts.get(tenant)?.completions.get(workflowId) ?? 0
  }

  /** Adds the next line of the file, without its line break, and its checksum. */
  add(line: Buffer, sum: number): void {
    const offset = this.size
    const bytes = line.length + 1
    const { kind, tenant } = labelOf(line)
    this.size += bytes
    this.sum = sum
    this.isEnded = kind === 'end'
    if (kind === 'event' || kind === 'clock') this.#addLive(line, kind, tenant, offset)
    else if (kind === 'forget') {
      this.#liveBytes -= this.#accounts.get(tenant)?.bytes ?? 0
      this.#accounts.delete(tenant)
    } else if (offset === 0) {
      const header = readHeader(line)
      this.header = header && { ...header, bytes, sum }
    }
  }

  /** Removes all lines but the header. */
  clear(): void {
    this.#accounts.clear()
    this.#liveBytes = 0
    this.size = this.header?.bytes ?? 0
    this.sum = this.header?.sum ?? 0
    this.isEnded = true
  }

  isLive(kind: LineKind, tenant: string, offset: number): boolean {
    const account = this.#accounts.get(tenant)
    if (!account || offset < account.from) return false
    return kind === 'event' || (kind === 'clock' && account.clock?.offset === offset)
  }

  #addLive(line: Buffer, kind: 'event' | 'clock', tenant: string, offset: number): void {
    const account: Account = this.#accounts.get(tenant) ?? { from: offset, bytes: 0, events: 0, completions: new Map() }
    this.#accounts.set(tenant, account)
    const bytes = line.length + 1
    const superseded = kind === 'clock' ? (account.clock?.bytes ?? 0) : 0
    account.bytes += bytes - superseded
    this.#liveBytes += bytes - superseded
    if (kind === 'clock') {
      account.clock = { offset, bytes }
      return
    }
    account.events += 1
    const workflowId = completedIn(line)
    if (workflowId === undefined) return
    account.completions.set(workflowId, (account.completions.get(workflowId) ?? 0) + 1)
  }
}
