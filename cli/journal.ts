import { isPostgresUrl } from '../src/node/postgres/connection.ts'
import { initJournal } from '../src/node/postgres/init.ts'
import { exit, UsageError } from './exit.ts'

/** Creates the tables of a journal in a database, and returns the exit code. Throws a `UsageError` for another address. */
export async function initDatabase(_: object, [url = '']: readonly string[]): Promise<number> {
  if (!isPostgresUrl(url)) {
    throw new UsageError('The address is not that of a database. Use postgres://host/database.')
  }
  process.stdout.write(`${await initJournal(url)}\n`)
  return exit.ok
}
