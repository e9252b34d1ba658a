import type { PoolClient, QueryResult } from 'pg'
import type { Snapshots, StreamSnapshotRecord } from '../../world/shared/stream.ts'
import { snapshotFormat } from '../../world/snapshot.ts'

/** A statement with its values; prepared once for each connection under its name. */
export interface Statement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** The text of one part, in characters: a few milliseconds of work. */
const partLength = 256 * 1024
/** The number of parts in one answer. */
const partsAtOnce = 8
/** The number of records in one answer, and the bytes after which it ends earlier. */
const recordsAtOnce = 5000
const bytesAtOnce = 8 * 1024 * 1024

/** Snapshots in PostgreSQL. `query` asks a question, and `begin` returns a connection with an open transaction. */
export function snapshotsIn(
  query: (statement: Statement) => Promise<QueryResult>,
  begin: () => Promise<PoolClient>,
): Snapshots {
  return {
    async latest(tenantId) {
      const { rows } = await query({ name: 'latest-snapshot', text: latest, values: [tenantId, snapshotFormat] })
      return Number(rows[0]?.seq ?? 0)
    },

    async read(tenantId, at, take) {
      for (let from = 0; ; from += partsAtOnce) {
        const { rows } = await query({ name: 'parts', text: parts, values: [tenantId, at, from, snapshotFormat] })
        for (const { records } of rows) take(records)
        if (rows.at(-1)?.is_last) return true
        // A newer snapshot may have replaced it.
        if (rows.length < partsAtOnce) return false
      }
    },

    async readBack(tenantId, at, take) {
      for (let before = at + 1; ; ) {
        const { rows } = await query({ name: 'page-back', text: pageBack, values: [tenantId, before] })
        const [{ first, records }] = rows
        if (records === null || !take(records)) return
        before = Number(first)
      }
    },

    async write(tenantId, at, records) {
      const client = await begin()
      try {
        let part = 0
        for (const { text, isLast } of partsOf(records)) {
          const values = [tenantId, at, part, snapshotFormat, isLast, text]
          await client.query({ name: 'add-part', text: addPart, values })
          part += 1
        }
        await client.query(removeOlder, [tenantId, at, snapshotFormat])
        await client.query('COMMIT')
        client.release()
      } catch (error) {
        client.release(true)
        throw error
      }
    },
  }
}

/** Writes records as JSON, in parts of about the same length. */
function* partsOf(records: Iterable<StreamSnapshotRecord>): Generator<{ text: string; isLast: boolean }> {
  let texts: string[] = []
  let length = 0
  for (const record of records) {
    const text = JSON.stringify(record)
    if (length > 0 && length + text.length > partLength) {
      yield { text: `[${texts.join(',\n')}]`, isLast: false }
      texts = []
      length = 0
    }
    texts.push(text)
    length += text.length
  }
  yield { text: `[${texts.join(',\n')}]`, isLast: true }
}

const latest = `SELECT s.seq FROM countersign.snapshots s
  JOIN countersign.events e ON e.tenant = s.tenant AND e.seq = s.seq AND e.batch = s.batch
  WHERE s.tenant = $1 AND s.part = 0 AND s.format = $2 ORDER BY s.seq DESC LIMIT 1`
const parts = `SELECT records, is_last FROM countersign.snapshots
  WHERE tenant = $1 AND seq = $2 AND part >= $3 AND part < $3 + ${partsAtOnce} AND format = $4 ORDER BY part`
const pageBack = `SELECT min(seq) AS first, json_agg(record ORDER BY seq DESC) AS records
  FROM ${pageWith('seq < $2', 'seq DESC')}`
// Nothing is stored if the tenant was reset in the meantime.
const addPart = `INSERT INTO countersign.snapshots (tenant, seq, part, format, batch, is_last, records)
  SELECT tenant, seq, $3::int, $4::int, batch, $5::boolean, $6::json FROM countersign.events WHERE tenant = $1 AND seq = $2`
const removeOlder = 'DELETE FROM countersign.snapshots WHERE tenant = $1 AND seq < $2 AND format <= $3'

/**
 * Returns the part of a statement that selects the next records of a tenant. They are sent as one list, since one long text is parsed
 * in less time than as many rows.
 */
export function pageWith(condition: string, order: string): string {
  return `(SELECT seq, record FROM (
      SELECT seq, record, sum(size) OVER (ORDER BY ${order}) - size AS before FROM (
        SELECT seq, record, octet_length(record::text) AS size FROM countersign.events
        WHERE tenant = $1 AND ${condition} ORDER BY ${order} LIMIT ${recordsAtOnce}) AS next) AS sized
    WHERE before < ${bytesAtOnce}) AS page`
}
