import { Command } from 'commander'
import { isPostgresUrl } from '../node/postgres/connection.ts'
import { initJournal } from '../node/postgres/init.ts'
import { exit, UsageError } from './exit.ts'
import { wrapped } from './options.ts'

const help = `
The user of this command must be able to create a schema in the database. A mock needs less: USAGE on the schema countersign, and
SELECT, INSERT, UPDATE and DELETE on its tables. A password in the address is visible to other users of this machine; PGPASSWORD
and ~/.pgpass are not.

Exit codes: 0 done, 3 bad usage, 4 the database cannot be reached or refuses.`

/** Creates `countersign journal`, which prepares a database to keep the state of mocks. */
export function journalCommand(done: (code: number) => void): Command {
  const init = new Command('init')
    .description('Create the tables of a journal in PostgreSQL, or bring them to this version.')
    .argument('<url>', 'address of the database, such as postgres://user@host:5432/database')
    .addHelpText('after', wrapped(help))
    .action(async (url: string) => {
      if (!isPostgresUrl(url))
        throw new UsageError('The address is not that of a database. Use postgres://host/database.')
      process.stdout.write(`${await initJournal(url)}\n`)
      done(exit.ok)
    })
  return new Command('journal').description('Prepare a database to keep the state of mocks.').addCommand(init)
}
