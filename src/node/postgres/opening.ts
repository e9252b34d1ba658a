import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase, Pool } from 'pg'
import { ArchiveError } from '../../world/archive.ts'
import { causeOf } from '../journal/errors.ts'
import { explained, isTemporary } from './refusals.ts'
import { tablesVersion } from './schema.ts'

/** The rights that the user of a mock needs, by table. */
const rights = { streams: ['SELECT', 'INSERT', 'UPDATE'], events: ['SELECT', 'INSERT', 'DELETE'] }

/** Throws an `ArchiveError` if a database cannot store every text. */
export async function requireUtf8(database: Pool | ClientBase, place: string): Promise<void> {
  const { rows } = await database.query("SELECT current_setting('server_encoding') AS encoding")
  const [{ encoding }] = rows
  if (encoding === 'UTF8') return
  throw new ArchiveError(
    `The database ${place} has the encoding ${encoding}. Create one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
  )
}

/** Returns the secret of the journal in a database. Throws an `ArchiveError` if it has another version. */
export async function secretIn(database: Pool | ClientBase, place: string): Promise<string> {
  const { rows } = await database.query('SELECT version, secret FROM countersign.journal')
  const [{ version = 0, secret = '' } = {}] = rows
  if (version === tablesVersion) return secret
  const cure = version < tablesVersion ? 'Drop its schema countersign, then run countersign journal init.' : newer
  throw new ArchiveError(
    `The journal in ${place} has version ${version}, and this Countersign needs version ${tablesVersion}. ${cure}`,
  )
}

const newer = 'Use a newer Countersign.'

/** Throws an `ArchiveError` if the user of a mock may not write. */
async function requireRights(database: Pool, place: string): Promise<void> {
  const asked = Object.entries(rights).flatMap(([table, names]) => names.map((name) => ({ table, name })))
  const values = [asked.map(({ table }) => `countersign.${table}`), asked.map(({ name }) => name)]
  const { rows } = await database.query(
    `SELECT current_setting('transaction_read_only') = 'on' AS is_read_only, current_user AS who,
       (SELECT string_agg(name || ' on ' || "table", ', ') FROM unnest($1::text[], $2::text[]) AS asked ("table", name)
        WHERE NOT has_table_privilege("table", name)) AS missing`,
    values,
  )
  const [{ is_read_only, who, missing }] = rows
  if (missing !== null) {
    throw new ArchiveError(
      `The user ${who} lacks rights in ${place}: ${missing}. Grant its user the rights in docs/postgres.md.`,
    )
  }
  if (!is_read_only) return
  throw new ArchiveError(
    `The database ${place} is read-only. Use a server that can be written to, and a user that may write.`,
  )
}

/** Throws an `ArchiveError` if a pooler gives the server of one session to another one as soon as a statement is over. */
async function requireSessions(pool: Pool, place: string): Promise<void> {
  const serverOf = async (client: ClientBase) => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
  const client = await pool.connect()
  let keepsIt = false
  try {
    const before = await serverOf(client)
    const other = await pool.connect()
    try {
      await other.query('BEGIN')
      keepsIt = (await serverOf(other)) !== before && (await serverOf(client)) === before
    } finally {
      other.release(true)
    }
  } finally {
    client.release(true)
  }
  if (keepsIt) return
  throw new ArchiveError(
    `The pooler at ${place} does not keep sessions, which LISTEN and prepared statements need. Have it keep them: pool_mode = session.`,
  )
}

/**
 * Waits until a database answers, and checks that it can keep the state. Returns the secret of its journal. Throws an `ArchiveError` at
 * once if waiting would not help, otherwise after `patienceMs`.
 */
export async function openDatabase(
  pool: Pool,
  place: string,
  { patienceMs, warn }: { readonly patienceMs: number; readonly warn: (message: string) => void },
): Promise<string> {
  const givesUpAt = performance.now() + patienceMs
  for (let tries = 0; ; tries += 1) {
    try {
      await requireSessions(pool, place)
      await requireUtf8(pool, place)
      const secret = await secretIn(pool, place)
      await requireRights(pool, place)
      return secret
    } catch (error) {
      if (!isTemporary(error)) throw explained(`Cannot open the journal in ${place}`, error)
      if (performance.now() > givesUpAt)
        throw explained(`PostgreSQL at ${place} did not answer for ${patienceMs / 1000} s`, error)
      if (tries === 0) warn(`Waiting up to ${patienceMs / 1000} s for PostgreSQL at ${place}: ${causeOf(error)}.`)
      await pause(Math.min(500, patienceMs))
    }
  }
}
