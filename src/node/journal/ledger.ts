import type { LineKind } from './format.ts'

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
}

/** Tracks the live lines of a journal: a tenant's events since its last reset, and its latest clock reading. */
export class Ledger {
  readonly #accounts = new Map<string, Account>()
  #liveBytes = 0

  /** Total size of all live lines, in bytes. */
  get liveBytes(): number {
    return this.#liveBytes
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

  /** Adds a line that was written or read. Call it in the order of the file. */
  add(kind: LineKind, tenant: string, offset: number, bytes: number): void {
    if (kind === 'end') return
    if (kind === 'forget') {
      this.#liveBytes -= this.#accounts.get(tenant)?.bytes ?? 0
      this.#accounts.delete(tenant)
      return
    }
    const account = this.#accounts.get(tenant) ?? this.#open(tenant, offset)
    const superseded = kind === 'clock' ? (account.clock?.bytes ?? 0) : 0
    account.bytes += bytes - superseded
    this.#liveBytes += bytes - superseded
    if (kind === 'clock') account.clock = { offset, bytes }
    else account.events += 1
  }

  #open(tenant: string, from: number): Account {
    const account: Account = { from, bytes: 0, events: 0 }
    this.#accounts.set(tenant, account)
    return account
  }

  isLive(kind: LineKind, tenant: string, offset: number): boolean {
    const account = this.#accounts.get(tenant)
    if (!account || offset < account.from) return false
    return kind === 'event' || (kind === 'clock' && account.clock?.offset === offset)
  }
}
