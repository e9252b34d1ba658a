import { startPostgres } from '../../test/support/postgres.ts'
import { Connection, requestBytes } from '../harness/connection.ts'
import { type Row, race, repeating } from '../harness/measure.ts'
import { afterRow, type Server, startMock } from '../harness/processes.ts'
import { create, createRequest } from '../harness/service.ts'

/** Creating and reading with the state in PostgreSQL, which does not wait for its disk here, beside the same in memory. */
export const postgres: Row = async () => {
  const database = await startPostgres()
  afterRow(() => database.close())
  const [mock, memory] = [await startMock('--journal', await database.createJournal()), await startMock()]
  const creating = (server: Server) => repeating(server, createRequest(server.url))
  const reading = async (server: Server) => {
    const connection = await Connection.open(server.url)
    return repeating(server, requestBytes('GET', await create(connection, server.url)))
  }
  const common = { beside: 'in memory', rounds: 5 }
  return [
    ...(await race({
      ...common,
      what: 'create a workflow, 32 connections',
      ours: creating(mock),
      theirs: creating(memory),
    })),
    ...(await race({
      ...common,
      what: 'read details without news, 32 connections',
      goal: { atLeast: 0.5 },
      ours: await reading(mock),
      theirs: await reading(memory),
    })),
  ]
}
