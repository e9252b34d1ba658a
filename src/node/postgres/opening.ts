import type { ClientBase, Pool } from 'pg'
import { ArchiveError } from '../../world/archive.ts'
import { sqlStateOf } from './connection.ts'
import { tablesVersion } from './schema.ts'

/** Returns the secret of the journal in a database. Throws an `ArchiveError` if there is no journal of this version. */
export async function secretIn(database: Pool | ClientBase, place: string): Promise<string> {
  const cure = 'Run countersign journal init with its address.'
  try {
    const { rows } = await database.query('SELECT version, secret FROM countersign.journal')
    const [{ version = 0, secret = '' } = {}] = rows
    if (version === tablesVersion) return secret
    const what = `The journal in ${place} has version ${version}, and this Countersign needs version ${tablesVersion}`
    throw new ArchiveError(
      `${what}. ${version < tablesVersion ? 'Drop the schema countersign, then create it again with countersign journal init.' : 'Use a newer Countersign.'}`,
    )
  } catch (error) {
    const isMissing = ['42P01', '3F000'].includes(sqlStateOf(error) ?? '')
    throw isMissing ? new ArchiveError(`${place} has no journal. ${cure}`) : error
  }
}
