import type { LineKind } from './format.ts'

interface Account {
  /** Where its first live line begins, in bytes from the start of the file. */
  readonly from: number
  /** Bytes of its live lines. */
  bytes: number
  /** How many of its live lines are events. */
  events: number
  /** Where its latest clock reading is, and how many bytes it takes. */
  clock?: { readonly offset: number; readonly bytes: number }
}

/** Knows which lines of a journal still count: those since a tenant's last reset, and of its clock readings the latest. */
export class Ledger {
  readonly #accounts = new Map<string, Account>()
  #liveBytes = 0

  /** Bytes of all lines that still count. */
  get liveBytes(): number {
    return this.#liveBytes
  }

  has(tenant: string): boolean {
    return this.#accounts.has(tenant)
  }

  /** Whether no tenant but this one has lines that count. */
  hasOnly(tenant: string): boolean {
    return this.#accounts.size === 1 && this.#accounts.has(tenant)
  }

  /** How many events of a tenant still count. */
  eventsOf(tenant: string): number {
    return this.#accounts.get(tenant)?.events ?? 0
  }

  /** Takes account of a line that has been written or read, in the order of the file. */
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
