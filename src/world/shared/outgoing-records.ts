import type { Archive, LogRecord } from '../archive.ts'
import type { StreamRecord } from './stream.ts'

/** An archive that collects what worlds store, until it is taken. */
export class OutgoingRecords implements Archive {
  readonly secret: string
  readonly #records = new Map<string, StreamRecord[]>()
  readonly isShared = true

  constructor(secret: string) {
    this.secret = secret
  }

  /** Removes and returns the records of a tenant. */
  take(tenantId: string): readonly StreamRecord[] {
    const records = this.#records.get(tenantId) ?? []
    this.#records.delete(tenantId)
    // What was before the last reset would be removed by the same statement.
    const last = records.findLastIndex((record) => 'forget' in record)
    return last > 0 ? records.slice(last) : records
  }

  /** The stream is read by itself. */
  read(): void {}

  append(tenantId: string, records: readonly LogRecord[]): void {
    this.#add(tenantId, records)
  }

  forget(tenantId: string): void {
    this.#add(tenantId, [{ forget: true }])
  }

  #add(tenantId: string, records: readonly StreamRecord[]): void {
    const known = this.#records.get(tenantId)
    if (!known) this.#records.set(tenantId, [...records])
    // Not spread: a scenario may have more events than a call has arguments.
    else for (const record of records) known.push(record)
  }
}
