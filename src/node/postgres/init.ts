import type { Client } from 'pg'
import { drawSecret } from '../../world/secret.ts'
import { loadPg, placeOf, settingsFor } from './connection.ts'
import { requireUtf8, secretIn } from './opening.ts'
import { explained } from './refusals.ts'
import { tables, tablesVersion } from './schema.ts'

/** Creates the tables of a journal in a database. Returns a sentence that says what was done. */
export async function initJournal(url: string): Promise<string> {
  const pg = await loadPg()
  let client: Client | undefined
  try {
    client = new pg.Client(settingsFor(url))
    // A lost connection rejects the query, too.
    client.on('error', () => {})
    await client.connect()
    return `${await createTables(client, placeOf(url))} in ${placeOf(url)}.`
  } catch (error) {
    throw explained(`Cannot create the journal in ${placeOf(url)}`, error)
  } finally {
    await client?.end()
  }
}

async function createTables(client: Client, place: string): Promise<string> {
  await requireUtf8(client, place)
  await client.query('BEGIN')
  // Several may start at the same time.
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('countersign journal init', 0))")
  const { rows } = await client.query("SELECT to_regclass('countersign.journal') IS NOT NULL AS there")
  if (rows[0].there) {
    await secretIn(client, place)
    return `The journal has version ${tablesVersion} already`
  }
  for (const statement of tables) await client.query(statement)
  await client.query('INSERT INTO countersign.journal (version, secret) VALUES ($1, $2)', [tablesVersion, drawSecret()])
  await client.query('COMMIT')
  return `Created a journal of version ${tablesVersion}`
}
