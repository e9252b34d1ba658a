import type { Client } from 'pg'
import { ArchiveError } from '../../world/archive.ts'
import { drawSecret } from '../../world/secret.ts'
import { causeOf, loadPg, placeOf, settingsFor } from './connection.ts'
import { migrations, tablesVersion } from './schema.ts'

/** Creates the tables of a journal in a database, or brings them to this version. Returns a sentence that says what was done. */
export async function initJournal(url: string): Promise<string> {
  const pg = await loadPg()
  const client = new pg.Client(settingsFor(url))
  // A lost connection rejects the query, too.
  client.on('error', () => {})
  try {
    await client.connect()
    return `${await migrate(client)} in ${placeOf(url)}.`
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError(
      `The journal in ${placeOf(url)} cannot be created: ${causeOf(error)}. Check the address, and that the user may create a schema.`,
    )
  } finally {
    await client.end()
  }
}

async function migrate(client: Client): Promise<string> {
  await client.query('BEGIN')
  // Several may start at the same time.
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('countersign journal init', 0))")
  const before = await versionIn(client)
  if (before > tablesVersion) {
    throw new ArchiveError(
      `The journal has version ${before}, and this Countersign knows versions up to ${tablesVersion}. Use a newer Countersign.`,
    )
  }
  for (const statements of migrations.slice(before)) {
    for (const statement of statements) await client.query(statement)
  }
  if (before === 0) {
    await client.query('INSERT INTO countersign.journal (version, secret) VALUES ($1, $2)', [
      tablesVersion,
      drawSecret(),
    ])
  } else await client.query('UPDATE countersign.journal SET version = $1', [tablesVersion])
  await client.query('COMMIT')
  if (before === tablesVersion) return `The journal has version ${tablesVersion} already`
  return before === 0
    ? `Created a journal of version ${tablesVersion}`
    : `Changed the journal from version ${before} to ${tablesVersion}`
}

/** Returns the version of the journal in a database; 0 if there is none. */
async function versionIn(client: Client): Promise<number> {
  const { rows } = await client.query("SELECT to_regclass('countersign.journal') IS NOT NULL AS there")
  if (!rows[0].there) return 0
  const found = await client.query('SELECT version FROM countersign.journal')
  return found.rows[0]?.version ?? 0
}
